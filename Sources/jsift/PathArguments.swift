import JSONSift

/// A path of the command line, and the name of its results.
struct NamedPath: Sendable {
  let name: String
  let path: JSONPath
}

/// Parses paths and conditions as typed. An invalid one ends the run with a message and the error status, before
/// anything is read.
enum PathArguments {
  /// - Parameter commands: Command names to suggest if the argument is not a path.
  static func path(_ argument: String, or commands: [String] = []) throws -> JSONPath {
    try path(text: text(argument, "path"), or: commands)
  }

  /// Parses the path of a container, and returns the path of its children.
  ///
  /// - Parameters:
  ///   - noun: What the argument is, for messages.
  ///   - advice: The end of the message for a path that can match several values.
  ///   - selector: Selects some of the children; `nil` for all.
  static func children(
    _ argument: String, _ noun: String, advice: String = "", selector: String? = nil
  ) throws -> JSONPath {
    // jq writes `.tags[]` for what this option does with `$.tags`.
    if argument.hasSuffix("[]"), let fixed = JSONPath.Diagnosis(String(argument.dropLast(2)))?.suggestion {
      let shown = argument.utf8.printable
      throw failure("\(noun) '\(shown)': expected the path of one array or object; did you mean \(Shell.word(fixed))?")
    }
    let container = try path(text: text(argument, noun))
    guard container.isSingular else {
      throw failure(
        "\(noun) '\(argument.utf8.printable)': expected the path of one array or object, with names and "
          + "indexes only, found a path that can match several values\(advice)")
    }
    // One step more than the limit is an error.
    return try path(text: container.description + (selector.map { "[\($0)]" } ?? "[*]"))
  }

  static func condition(_ argument: String?) throws -> JSONCondition? {
    guard let argument else { return nil }
    let typed = try text(argument, "condition")
    let text = try Nesting.launch.rewritten(typed)
    if let diagnosis = diagnosis(ofCondition: text) {
      throw failure(Message("", asTyped(diagnosis, typed, diagnose: diagnosis(ofCondition:))))
    }
    return try JSONCondition(text)
  }

  /// Returns the diagnosis of a path or condition that was rewritten, with the text as it was typed.
  private static func asTyped(
    _ diagnosis: JSONPath.Diagnosis, _ typed: String, diagnose: (String) -> JSONPath.Diagnosis?
  ) -> JSONPath.Diagnosis {
    let plain = Nesting.withoutOuter(typed)
    return diagnose(plain).map { plain == typed ? $0 : $0.shown(as: typed) } ?? diagnosis
  }

  static func diagnosis(ofCondition text: String) -> JSONPath.Diagnosis? {
    JSONPath.Diagnosis(condition: text) ?? JSONPath.Diagnosis(patternsOfCondition: text)
  }

  /// Parses the values of an option that takes NAME=PATH. The first '=' ends the name; a path may contain others.
  static func named(_ arguments: [String], option: String) throws -> [NamedPath] {
    try arguments.map { argument in
      let text = try text(argument, option)
      let shown = "\(option) '\(text.utf8.printable)'"
      guard let end = text.utf8.firstIndex(of: UInt8(ascii: "=")) else {
        throw failure("\(shown): expected NAME=PATH, found no '='\(example(text, option))")
      }
      // Split by bytes: a combining mark after the '=' would form one character with it.
      let name = String(decoding: text.utf8[..<end], as: UTF8.self)
      let rest = String(decoding: text.utf8[text.utf8.index(after: end)...], as: UTF8.self)
      guard !name.isEmpty else {
        throw failure("\(shown): expected NAME=PATH, found no name before '='\(example(rest, option))")
      }
      // The '=' is inside a path without a name.
      if (try? JSONPath(rest)) == nil, !rest.hasPrefix("^"), (try? JSONPath(text)) != nil {
        throw failure("\(shown): expected NAME=PATH, found only a path\(example(text, option))")
      }
      return NamedPath(name: name, path: try path(text: rest))
    }
  }

  /// Rejects the first of several columns whose name is already in use.
  ///
  /// - Parameters:
  ///   - columns: The columns.
  ///   - arguments: The arguments that declare them, as typed.
  ///   - option: The option that they belong to.
  ///   - reserved: Names that are in use without an option.
  static func requireUniqueNames(
    _ columns: [NamedPath], of arguments: [String], option: String, besides reserved: [String] = []
  ) throws {
    var names = Set(reserved)
    for (column, argument) in zip(columns, arguments) where !names.insert(column.name).inserted {
      let shown = column.name.utf8.printable
      throw failure(
        "\(option) '\(argument.utf8.printable)': "
          + (reserved.contains(column.name)
            ? "expected another name, found '\(shown)', which is a column of the result; for example \(option) "
              + "'\(shown)_=\(argument.utf8.dropFirst(column.name.utf8.count + 1).printable)'"
            : "expected a unique name, found a duplicate"))
    }
  }

  private static func diagnosis(ofPath text: String) -> JSONPath.Diagnosis? {
    JSONPath.Diagnosis(text) ?? JSONPath.Diagnosis(patternsOf: text)
  }

  private static func text(_ argument: String, _ noun: String) throws -> String {
    let bytes = RawArguments.launch.bytes(of: argument)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw failure("\(noun) '\(bytes.printable)': expected UTF-8")
    }
    return text
  }

  /// Parses a path. A pattern in it that is none is an error, too: it would match nothing, and its negation everything.
  ///
  /// - Parameter prefix: The beginning of a message.
  static func path(text typed: String, _ prefix: String = "", or commands: [String] = []) throws -> JSONPath {
    let text = try Nesting.launch.rewritten(typed)
    guard let diagnosis = diagnosis(ofPath: text) else { return try JSONPath(text) }
    var message = Message(prefix, asTyped(diagnosis, typed, diagnose: diagnosis(ofPath:)))
    if let advice = JQExpression(typed)?.advice {
      message.append("\n    = " + advice)
    } else if diagnosis.suggestion == nil, (try? JSONCondition(typed)) != nil {
      message.append("\n    = a condition on records follows --where: jsift records --where \(Shell.word(typed))")
    }
    if let command = nearest(to: typed, among: commands) {
      message.append("\n    = a path begins with '$'; did you mean the command '\(command)'?")
    }
    throw failure(message)
  }

  /// Returns the most similar word of a list, if at most two letters differ; the first of several equally similar
  /// words.
  static func nearest(to word: String, among words: [String]) -> String? {
    words.map { (word: $0, distance: word.utf8.prefix(20).editDistance(to: $0.utf8)) }.filter { $0.distance <= 2 }
      .min { $0.distance < $1.distance }?.word
  }

  /// Returns a suggestion. If `text` is a valid path, its last word becomes the name.
  private static func example(_ text: String, _ option: String) -> String {
    guard (try? JSONPath(text)) != nil, text.utf8.count < 100 else { return "; for example \(option) 'id=$.user.id'" }
    let letters = text.utf8.reversed().drop { !isLetter($0) }.prefix(while: isLetter).reversed()
    let name = letters.isEmpty ? "value" : String(decoding: letters, as: UTF8.self)
    return "; did you mean \(option) '\(name)=\(Shell.word(text.utf8.printable).dropFirst())?"
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || byte == UInt8(ascii: "_")
  }
}
