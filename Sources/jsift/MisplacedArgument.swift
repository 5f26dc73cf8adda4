import ArgumentParser
import JSONSift

/// An argument in the wrong place: a condition or a path where a file is expected, or a file where a path is expected.
enum MisplacedArgument {
  /// Rejects a name that is no file but a path or a condition. Otherwise the command would read the other files without it.
  static func reject(_ files: [InputFile]) throws {
    for file in files {
      guard !file.exists, let path = file.path, let text = String(validating: path, as: UTF8.self) else { continue }
      let command = command
      let shown = "'\(path.printable)': expected a file, found"
      if let path = Self.path(text) {
        let advice =
          command == "index"
          ? "index takes paths with -p: jsift index -p \(Shell.word(path)) FILE"
          : "jsift get expects the path before the files: jsift \(Shell.word(path)) FILE; with -p all arguments are files"
        throw failure("\(shown) a path\n    = \(advice)")
      }
      guard let condition = condition(text) else { continue }
      let advice =
        hasCondition.contains(command)
        ? "a condition follows --where: jsift \(command) --where \(Shell.word(condition)) FILE"
        : pipe(condition, command)
      throw failure("\(shown) a condition\n    = \(advice)")
    }
  }

  /// Rejects a file where a path is expected.
  static func reject(path text: String, before files: [String]) throws {
    guard (try? JSONPath(text)) == nil else { return }
    if JSift.commandNames.contains(text) {
      throw failure("'\(text)': a command comes before its options: jsift \(text) …")
    }
    let name = RawArguments.launch.bytes(of: text)
    let isFile = text == "-" || File.status(at: name).map { $0.kind != .folder } ?? false
    let shown = "'\(name.printable)': expected a path, found a file\n    = "
    let command = command == "each" ? "jsift each" : "jsift"
    // A text that begins like a path of some language is none of the files.
    let mayBeFile = isFile || text.contains("/") || text.first.map { !".$[@".contains($0) } ?? false
    if mayBeFile, let path = files.first(where: { (try? JSONPath($0)) != nil }) {
      throw failure("\(shown)the path comes first: \(command) \(Shell.word(path)) \(Shell.file(name.printable))")
    }
    guard isFile else { return }
    let file = Shell.file(name.printable)
    throw failure(
      "\(shown)the path comes first: \(command) '$' \(file), or \(command) '$.name' \(file); jsift shape \(file) lists the "
        + "paths")
  }

  /// Returns the advice for a condition in a command without `--where`.
  static func pipe(_ condition: String, _ command: String) -> String {
    "\(command) has no --where; select the records first: jsift records --where \(Shell.word(condition)) FILE | "
      + "jsift \(command)"
  }

  private static let hasCondition = ["get", "records", "merge", "stats"]

  /// The command of the command line.
  private static var command: String {
    RawArguments.launch.texts.first.flatMap { JSift.commandNames.contains($0) ? $0 : nil } ?? "get"
  }

  /// Returns the path that a text is, or that jq writes without `$`; `nil` if it is none.
  private static func path(_ text: String) -> String? {
    if text.hasPrefix("$") { return (try? JSONPath(text)) == nil ? nil : text }
    guard text.hasPrefix("."), !text.contains("/"), text.utf8.count > 1 else { return nil }
    return JSONPath.Diagnosis(text)?.suggestion
  }

  /// Returns the condition that a text is, or is meant to be; `nil` if it is none.
  static func condition(_ text: String) -> String? {
    // A name such as 'day=1/a.json' is none.
    guard text.contains("@") || text.contains("==") || text.contains(" = ") else { return nil }
    return JQExpression.condition(text)
  }
}

/// Takes `--where` of a command without it, to say what to do instead.
struct NoConditionOption: ParsableArguments {
  @Option(name: .customLong("where"), parsing: .unconditional, help: .hidden)
  var condition: String?

  /// - Parameters:
  ///   - command: The command.
  ///   - advice: What to do instead; `nil` for a pipe.
  func reject(in command: String, _ advice: (String) -> String? = { _ in nil }) throws {
    guard let condition else { return }
    throw ValidationError(advice(condition) ?? MisplacedArgument.pipe(condition, command))
  }
}
