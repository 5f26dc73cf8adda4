import ArgumentParser
import JSONSift

/// The steps to the records inside records, in the order of the command line, and the paths that begin with `^`.
///
/// If a path begins with `^`, the lines of the last steps are objects: the member `v` is the record, and `^` holds what such
/// paths need of the record one level out. Then each path and each condition is rewritten, so that it begins in one of them.
struct Nesting: Sendable {
  let steps: [JSONRecordStep]
  /// The options of the steps as arguments for a shell.
  let words: [String]
  /// For each step: whether its lines are such objects.
  private let wraps: [Bool]

  /// The records in which a step of `--unwrap` has found none.
  private let missing = MissingRecords()

  /// The lines of other text with `--input mixed`.
  let otherLines = MissingRecords()

  /// The messages about these lines and records.
  var messages: [String] {
    var messages: [String] = []
    let (lines, records) = (otherLines.count, missing.count)
    if lines > 0 { messages.append((lines == 1 ? "1 line is" : "\(lines) lines are") + " no part of a record") }
    let long = otherLines.longCount
    if long > 0 {
      messages.append(
        (long == 1 ? "1 value has" : "\(long) values have")
          + " more lines than a record may have; --max-record-lines sets how many")
    }
    if records > 0 {
      messages.append(
        (records == 1 ? "1 record has" : "\(records) records have")
          + " no JSON at the path of --unwrap; --unwrap-else keep takes them as they are, and reject makes them bad records"
      )
    }
    return messages
  }

  /// The steps of this process.
  static let launch = Nesting(RawArguments.launch.texts)

  /// What happens to a record in which a step finds none.
  enum Otherwise: String, ExpressibleByArgument, CaseIterable {
    case skip, keep, reject

    var step: JSONRecordStep.Otherwise {
      switch self {
      case .skip: .skip
      case .keep: .keep
      case .reject: .reject
      }
    }
  }

  private static let options = ["--unwrap", "--each"]

  private init(_ arguments: [String]) {
    let arguments = arguments.prefix { $0 != "--" }
    let found = Self.values(of: Self.options + ["--unwrap-else"], in: Array(arguments))
    let otherwise = found.last { $0.option == "--unwrap-else" }.flatMap { Otherwise(rawValue: $0.value) } ?? .skip
    words = found.flatMap { [$0.option, Shell.argument($0.value)] }
    var steps: [JSONRecordStep] = []
    for (option, value) in found where option != "--unwrap-else" {
      // An invalid path is reported when the command begins.
      guard let path = try? JSONPath(value) else { continue }
      var step = option == "--each" ? JSONRecordStep.each(path) : .unwrap(path, otherwise: otherwise.step)
      if option == "--unwrap", otherwise == .skip { step.missing = missing }
      steps.append(step)
    }
    // The records of level n are n steps out of the last ones.
    var levels: [Int: (names: [String], isWhole: Bool)] = [:]
    if !steps.isEmpty {
      for argument in arguments {
        for (level, name) in OuterPaths(argument).outer where level <= steps.count {
          if let name, levels[level]?.names.contains(name) != true {
            levels[level, default: ([], false)].names.append(name)
          }
          if name == nil { levels[level, default: ([], false)].isWhole = true }
        }
      }
    }
    let deepest = levels.keys.max() ?? 0
    for index in steps.indices {
      let level = steps.count - index
      guard level <= deepest else { continue }
      steps[index].outer = levels[level]?.isWhole == true ? .whole : .members(levels[level]?.names ?? [])
      steps[index].readsOuter = index > 0 && level < deepest
    }
    wraps = steps.map { $0.outer != .none }
    self.steps = steps
  }

  /// Returns the values of options, in the order of the arguments.
  private static func values(of options: [String], in arguments: [String]) -> [(option: String, value: String)] {
    var found: [(String, String)] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      let end = argument.firstIndex(of: "=") ?? argument.endIndex
      guard options.contains(String(argument[..<end])) else { continue }
      if end < argument.endIndex {
        found.append((String(argument[..<end]), String(argument[argument.index(after: end)...])))
      } else if let value = rest.popFirst() {
        found.append((argument, value))
      }
    }
    return found
  }

  /// The first of these options on the command line, for a command that has none; `nil` without steps.
  var option: String? {
    guard !steps.isEmpty else { return nil }
    let names = RawArguments.launch.texts.map { String($0.prefix { $0 != "=" }) }
    return ["--unwrap-else", "--unwrap", "--each"].first { names.contains($0) }
  }

  /// Whether the records are members of the lines that are read.
  var isWrapped: Bool { wraps.last ?? false }

  /// The path of a record in a line that is read.
  var record: String { isWrapped ? "$.v" : "$" }

  /// Whether the only step is to the children of one container, without paths that lead out of it.
  var container: JSONPath? {
    guard steps.count == 1, !isWrapped, case .each(let path) = steps[0].kind, path.isSingular else { return nil }
    return path
  }

  /// Checks the values of the options, as the parser has returned them.
  static func check(_ paths: [String], _ option: String) throws {
    for text in paths {
      let path = try PathArguments.path(text: text, "\(option) '\(text.utf8.printable)': ")
      if option == "--unwrap", !path.isSingular {
        throw failure(
          "--unwrap '\(text.utf8.printable)': expected a path with names and indexes only, found one that can match "
            + "several values; --each takes such a path")
      }
      // One step more than the limit is an error.
      if option == "--each" { _ = try PathArguments.path(text: "\(path)[*]") }
    }
  }

  /// Returns a path or a condition as it is evaluated in the lines that are read.
  func rewritten(_ text: String) throws -> String {
    if steps.isEmpty, !text.hasPrefix("^") { return text }
    let paths = OuterPaths(text)
    guard let level = paths.outer.map(\.level).max() else { return isWrapped ? paths.text { root($0) } : text }
    guard level <= steps.count else {
      throw failure(
        "'\(text.utf8.printable)': expected at most \(steps.count) '^', one for each --unwrap and --each, found \(level)"
      )
    }
    return paths.text { root($0) }
  }

  /// Returns a text of the same length in which the paths that begin with `^` begin with `$`. Blanks may stand behind it.
  static func withoutOuter(_ text: String) -> String { OuterPaths(text).textWithoutOuter }

  private func root(_ level: Int) -> String {
    let index = steps.count - 1 - level
    return String(repeating: "['^']", count: level) + (index >= 0 && wraps[index] ? ".v" : "")
  }

  /// Returns a location in the lines that are read as it is in the record.
  func shown(_ location: JSONPath.Location) -> String {
    guard isWrapped else { return location.description }
    var steps = location.steps[...]
    var outer = ""
    while steps.first == .key("^") {
      outer += "^"
      steps = steps.dropFirst()
    }
    if steps.first == .key("v"), outer.count < wraps.count, wraps[wraps.count - 1 - outer.count] {
      steps = steps.dropFirst()
    }
    let text = JSONPath.Location(steps: Array(steps)).description
    return outer.isEmpty ? text : outer + text.dropFirst()
  }
}

/// The places of a text where paths begin: `$`, `^`, and the `@` of a condition. In no path they stand anywhere else, except
/// inside of quotes.
private struct OuterPaths {
  /// The pieces of the text, each with the number of `^` that stand behind it; 0 for `$` or `@`.
  private var pieces: [(text: Substring, root: Substring, level: Int)] = []
  private let rest: Substring
  /// For each path that leads out of the record: how far, and the name of the member in which it goes on, if it does.
  private(set) var outer: [(level: Int, name: String?)] = []

  init(_ text: String) {
    var (start, index, brackets) = (text.startIndex, text.startIndex, 0)
    var quote: Character?
    while index < text.endIndex {
      let character = text[index]
      let next = text.index(after: index)
      if let open = quote {
        if character == "\\", next < text.endIndex {
          index = text.index(after: next)
          continue
        }
        if character == open { quote = nil }
      } else if character == "'" || character == "\"" {
        quote = character
      } else if character == "[" {
        brackets += 1
      } else if character == "]" {
        brackets -= 1
      } else if character == "$" || character == "^" || character == "@" && brackets == 0 {
        let root = character == "^" ? text[index...].prefix { $0 == "^" } : text[index..<next]
        pieces.append((text[start..<index], root, character == "^" ? root.count : 0))
        if character == "^" { outer.append((root.count, Self.name(at: text[root.endIndex...]))) }
        (start, index) = (root.endIndex, root.endIndex)
        continue
      }
      index = next
    }
    rest = text[start...]
  }

  /// Returns the text with something appended to each beginning.
  func text(_ root: (_ level: Int) -> String) -> String {
    pieces.map { $0.text + ($0.level > 0 ? "$" : $0.root) + root($0.level) }.joined() + rest
  }

  var textWithoutOuter: String {
    pieces.map { piece in
      let blanks = String(repeating: " ", count: max(piece.level - 1, 0))
      return piece.text + (piece.level > 0 ? "$" : piece.root) + blanks
    }.joined() + rest
  }

  /// Returns the name with which a path goes on.
  private static func name(at text: Substring) -> String? {
    // The path of one step: its first name is that of the location of a value there.
    let end = text.indices.first { index in
      index > text.startIndex && ".[=<>!&|,) ]".contains(text[index]) && !isOpen(text[..<index])
    }
    let step = "$" + text[..<(end ?? text.endIndex)]
    guard let path = try? JSONPath(step) else { return nil }
    return path.firstName
  }

  /// Returns whether a bracket or a quote is open at the end of a text.
  private static func isOpen(_ text: Substring) -> Bool {
    guard text.first == "[" else { return false }
    return text.count < 2 || text.last != "]"
  }
}
