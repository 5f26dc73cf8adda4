import JSONSift

/// The help of a command on one screen: three examples, and the commonest options in a line each.
///
/// It is made from the definitions that also make `--help-all` and the manual page. An example is a line of the discussion, and
/// the line of an option is the first clause of its help.
struct ShortHelp {
  private let command: JSON

  /// The options that are shown, the commonest first. A command shows the first ``maxOptions`` that it has.
  private static let commonest = [
    "set", "delete", "rename", "mask", "mask-names", "mask-values", "mask-patterns", "preset", "inside", "in-place",
    "receipt", "dry-run", "require",
    "path", "where", "select", "of", "by", "top", "every", "distinct", "unwrap", "each", "time", "since", "until",
    "sorted",
    "compact", "indent", "sort-keys", "grow", "input", "skip-prefix", "follow", "format", "raw", "limit", "count",
    "with-location", "output", "on-error", "rejects", "max-errors", "jobs", "explain", "max-keys", "range", "progress",
    "max-depth", "max-record-bytes", "lone-surrogates", "summary",
  ]
  private static let maxOptions = 20
  private static let maxExamples = 3

  /// The column at which the help of an option begins, and the number of columns.
  private static let column = 26
  private static let width = 80

  /// Returns `nil` if no command has the name.
  ///
  /// - Parameter definitions: What the parser of arguments prints for `--experimental-dump-help`.
  init?(of name: String, in definitions: String) {
    let commands = JSON(parseJSON: definitions)["command", "subcommands"]
    guard let command = commands.arrayValue.first(where: { $0["commandName"].stringValue == name }) else { return nil }
    self.command = command
  }

  var text: String {
    let name = command["commandName"].stringValue
    let arguments = command["arguments"].arrayValue.filter { $0["shouldDisplay"].boolValue }
    let files = arguments.filter { $0["kind"].stringValue == "positional" }
    var lines = ["OVERVIEW:"]
    for word in command["abstract"].stringValue.split(separator: " ") {
      if lines[lines.count - 1].count + word.count >= Self.width {
        lines.append(String(word))
      } else {
        lines[lines.count - 1] += " " + word
      }
    }
    lines += [""]
    lines += [
      "USAGE: jsift \(name) [<options>] " + files.map(Self.placeholder).joined(separator: " "), "", "EXAMPLES:",
    ]
    let discussion = command["discussion"].stringValue.split(separator: "\n").filter { $0.hasPrefix("jsift ") }
    lines += discussion.prefix(Self.maxExamples).map { "  " + $0 }
    lines += ["", "COMMON OPTIONS:"]
    let options = Self.commonest.lazy.compactMap { name in
      arguments.first { $0["names"].arrayValue.contains { $0["name"].stringValue == name } }
    }
    for option in options.prefix(Self.maxOptions) { lines += Self.lines(of: option) }
    let count = arguments.count - files.count
    return (lines + ["", "All \(count) options, and more about them: jsift \(name) --help-all, or man jsift"])
      .joined(separator: "\n")
  }

  private static func placeholder(_ argument: JSON) -> String {
    let name = "<\(argument["valueName"].stringValue)>" + (argument["isRepeating"].boolValue ? " ..." : "")
    return argument["isOptional"].boolValue ? "[\(name)]" : name
  }

  /// Returns one line, or two if the names are longer than their column.
  private static func lines(of option: JSON) -> [String] {
    var head =
      "  "
      + option["names"].arrayValue.map { name in
        (name["kind"].stringValue == "long" ? "--" : "-") + name["name"].stringValue
      }.joined(separator: ", ")
    if option["kind"].stringValue == "option" { head += " <\(option["valueName"].stringValue)>" }
    let help = firstClause(of: option["abstract"].stringValue)
    let room = width - column
    let shown = DisplayWidth.of(help) > room ? DisplayWidth.prefix(help, room - 1) + "…" : help[...]
    guard head.count < column else { return [head, String(repeating: " ", count: column) + shown] }
    return [head + String(repeating: " ", count: column - head.count) + shown]
  }

  /// Returns the text before the first colon, semicolon or full stop that ends a clause.
  private static func firstClause(of help: String) -> String {
    let words = help.split(separator: " ")
    let count = words.firstIndex { $0.last.map { ".:;".contains($0) } ?? false }.map { $0 + 1 } ?? words.count
    let clause = words.prefix(count).joined(separator: " ")
    return clause.last.map { ".:;".contains($0) } ?? false ? clause.dropLast() + "." : clause
  }
}
