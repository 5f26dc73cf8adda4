import Foundation

/// A command as the argument parser describes it: `jsift --experimental-dump-help`.
struct CommandDefinition: Decodable {
  struct Argument: Decodable, Equatable {
    struct Name: Decodable, Equatable {
      let kind: String
      let name: String
      var text: String { (kind == "long" ? "--" : "-") + name }
    }
    let kind: String
    let names: [Name]?
    let shouldDisplay: Bool
    let isRepeating: Bool
    let isOptional: Bool
    let valueName: String?
    let abstract: String?
    let defaultValue: String?
    let allValues: [String]?
    let sectionTitle: String?
  }
  let commandName: String
  let abstract: String?
  let discussion: String?
  let arguments: [Argument]?
  let subcommands: [CommandDefinition]?

  private struct Dump: Decodable { let command: CommandDefinition }

  /// Returns the definition of the tool that was built.
  static func ofTool() throws -> CommandDefinition {
    try JSONDecoder().decode(Dump.self, from: Data(run(["--experimental-dump-help"]).out)).command
  }

  /// The commands except `help`.
  var commands: [CommandDefinition] { (subcommands ?? []).filter { $0.commandName != "help" } }

  /// The arguments that are shown in the help.
  var shown: [Argument] { (arguments ?? []).filter { $0.shouldDisplay } }
}

/// The manual page, generated from the definitions.
struct ManPage {
  private(set) var text = ""

  init(_ tool: CommandDefinition, version: String) {
    text = ".TH JSIFT 1 \"\" \"jsift \(version)\" \"User Commands\"\n"
    section("NAME")
    line("jsift \\- " + Self.escaped(Self.sentence(tool.abstract)))
    section("SYNOPSIS")
    for (number, command) in tool.commands.enumerated() {
      if number > 0 { text += ".br\n" }
      line(".B jsift " + (command.commandName == "get" ? "[get]" : command.commandName))
      let positionals = command.shown.filter { $0.kind == "positional" }.map { argument in
        let name = "\\fI\(Self.escaped(argument.valueName ?? ""))\\fR"
        return (argument.isOptional ? "[\(name)" : name) + (argument.isRepeating ? " ..." : "")
          + (argument.isOptional ? "]" : "")
      }
      line("[\\fIoptions\\fR] " + positionals.joined(separator: " "))
    }
    section("DESCRIPTION")
    discuss(tool.discussion)
    for command in tool.commands { write(command) }
    for title in ["Input options", "Output options"] { writeShared(title, of: tool.commands) }
    section("ENVIRONMENT")
    item("NO_COLOR", "If it is set and not empty, messages have no colours. By default they have colours on terminals.")
    item("CLICOLOR_FORCE", "If it is set, not empty and not 0, messages have colours everywhere.")
    section("LIMITS OF THE SYSTEM")
    item(
      "Threads, descriptors",
      "If there are too few for workers (ulimit -u, -n, -v, the processes of a container), one worker reads, without a "
        + "helper thread, and the results are the same.")
    item(
      "Stack",
      "A limit below 256 KiB (ulimit -s) is raised; if that is not allowed, the exit status is 2. Below about 16 KiB the "
        + "program does not start.")
    item(
      "Memory",
      "If there is no memory left (ulimit -v), the Swift runtime ends the program with a signal. There is no message: it "
        + "would need memory too. While threads start, it may wait for memory instead.")
    section("EXIT STATUS")
    item("0", "Something was found; for check: everything is valid.")
    item("1", "Nothing was found; for check: there is a bad record or document.")
    item("2", "There was an error.")
  }

  private mutating func write(_ command: CommandDefinition) {
    section("jsift " + command.commandName)
    line(Self.escaped(command.abstract ?? ""))
    line(".PP")
    discuss(command.discussion)
    let options = command.shown.filter { $0.kind != "positional" && !Self.isGeneral($0) }
    for argument in command.shown.filter({ $0.kind == "positional" }) { item(argument) }
    for option in options where option.sectionTitle == nil { item(option) }
    for title in ["Input options", "Output options"] {
      let names = options.filter { $0.sectionTitle == title }.map { Self.escaped($0.names?.last?.text ?? "") }
      guard !names.isEmpty else { continue }
      line(".PP")
      line("\(title): " + names.map { "\\fB\($0)\\fR" }.joined(separator: ", ") + "; see below.")
    }
  }

  /// Writes options that several commands share, once.
  private mutating func writeShared(_ title: String, of commands: [CommandDefinition]) {
    section(title)
    var written: [CommandDefinition.Argument] = []
    for option in commands.flatMap(\.shown) where option.sectionTitle == title && !written.contains(option) {
      written.append(option)
      item(option)
    }
  }

  /// Whether every command has the option.
  private static func isGeneral(_ argument: CommandDefinition.Argument) -> Bool {
    ["help", "version"].contains(argument.names?.last?.name ?? "")
  }

  private mutating func item(_ argument: CommandDefinition.Argument) {
    let value = argument.valueName.map { "\\fI\(Self.escaped($0))\\fR" } ?? ""
    var head = (argument.names ?? []).map { "\\fB\(Self.escaped($0.text))\\fR" }.joined(separator: ", ")
    if argument.kind == "positional" { head = value }
    if argument.kind == "option" { head += " " + value }
    var body = Self.escaped(argument.abstract ?? "")
    if let defaultValue = argument.defaultValue { body += " The default is \(Self.escaped(defaultValue))." }
    text += ".TP\n\(head)\n\(body)\n"
  }

  private mutating func item(_ head: String, _ body: String) {
    text += ".TP\n\\fB\(Self.escaped(head))\\fR\n\(Self.escaped(body))\n"
  }

  private mutating func section(_ title: String) { text += ".SH \"\(Self.escaped(title.uppercased()))\"\n" }

  private mutating func line(_ line: String) { text += line + "\n" }

  /// Writes paragraphs. A paragraph of commands or an indented one is written verbatim.
  private mutating func discuss(_ discussion: String?) {
    let paragraphs = (discussion ?? "").split(separator: "\n\n", omittingEmptySubsequences: true)
    for (number, paragraph) in paragraphs.enumerated() {
      if number > 0 { line(".PP") }
      let lines = paragraph.split(separator: "\n", omittingEmptySubsequences: false)
      let isVerbatim = lines.allSatisfy { $0.hasPrefix("  ") || $0.hasPrefix("jsift ") || $0.contains("| jsift ") }
      if isVerbatim { text += ".nf\n.RS\n" }
      for part in lines { line(Self.escaped(String(part))) }
      if isVerbatim { text += ".RE\n.fi\n" }
    }
  }

  private static func sentence(_ abstract: String?) -> String {
    let text = abstract ?? ""
    return text.prefix(1).lowercased() + text.dropFirst().prefix { $0 != "." }
  }

  private static func escaped(_ text: String) -> String {
    let text = text.replacing("\\", with: "\\e").replacing("-", with: "\\-").replacing("…", with: "...")
    return text.hasPrefix(".") || text.hasPrefix("'") ? "\\&" + text : text
  }
}
