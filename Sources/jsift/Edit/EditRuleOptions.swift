import ArgumentParser
import JSONSift

/// The options with the rules of `edit`, as typed.
struct EditRuleOptions: ParsableArguments {
  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "Replace the values at a path, or create the member. May be repeated, like all rules. @FILE reads the JSON.",
      valueName: "path=json"))
  var set: [String] = []

  @Option(parsing: .unconditionalSingleValue, help: ArgumentHelp("Delete the values at a path.", valueName: "path"))
  var delete: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Give the members at a path another name.", valueName: "path=name"))
  var rename: [String] = []

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp("Mask the values at a path, whatever their types.", valueName: "path[=how]"))
  var mask: [String] = []

  @Option(
    help: ArgumentHelp("Mask the values of members with the names in this file, one on each line.", valueName: "file"),
    completion: .file())
  var maskNames: [String] = []

  @Option(
    help: ArgumentHelp("Mask the texts in this file, one on each line, wherever they occur.", valueName: "file"),
    completion: .file())
  var maskValues: [String] = []

  @Option(
    help: ArgumentHelp("Mask what matches the regular expressions in this file, one on each line.", valueName: "file"),
    completion: .file())
  var maskPatterns: [String] = []

  @Option(
    help: ArgumentHelp(
      "Add a list of rules: share masks names of credentials, tokens of known forms, e-mail and network addresses, and "
        + "card numbers. --preset show writes the list.", valueName: "share|show"))
  var preset: Preset?

  @Option(help: ArgumentHelp("How rules without a HOW of their own mask.", valueName: "how"))
  var maskWith = "fixed:***"

  @Option(help: ArgumentHelp("The key of hash: a file of at least 16 bytes.", valueName: "file"), completion: .file())
  var keyFile: String?

  @Flag(help: "Apply the rules to JSON in strings, too.")
  var inside = false

  @Flag(help: "Copy bad records, unmasked.")
  var keepBad = false

  @Flag(help: "Copy the text that --skip-prefix skips, with values and patterns masked.")
  var keepPrefix = false

  enum Preset: String, ExpressibleByArgument, CaseIterable { case share, show }

  var showsPreset: Bool { preset == .show }

  /// Compiles the rules.
  ///
  /// - Parameter notesStrings: Whether the receipt has the paths of strings.
  func edit(notingStrings notesStrings: Bool) throws -> JSONEdit {
    let standard = try how(maskWith, of: "--mask-with")
    var rules: [JSONEdit.Rule] = []
    for argument in RawArguments.launch.values(of: delete) {
      rules.append(labelled(.delete(try PathArguments.path(argument)), "--delete", argument))
    }
    for argument in RawArguments.launch.values(of: mask) {
      let (path, rest) = try split(argument, of: "--mask")
      rules.append(
        labelled(.mask(path, with: try rest.map { try how($0, of: "--mask") } ?? standard), "--mask", "\(path)"))
    }
    for argument in RawArguments.launch.values(of: set) {
      let (path, rest) = try split(argument, of: "--set")
      rules.append(labelled(.set(path, to: try json(rest, path)), "--set", "\(path)"))
    }
    for argument in RawArguments.launch.values(of: rename) {
      let (path, rest) = try split(argument, of: "--rename")
      guard let rest else { throw failure("--rename '\(argument.utf8.printable)': expected PATH=NAME, found no name") }
      rules.append(labelled(.rename(path, to: rest), "--rename", "\(path)"))
    }
    for file in maskNames {
      rules.append(labelled(.mask(names: try lines(file), with: standard), "--mask-names", file))
    }
    for file in maskValues {
      rules.append(labelled(.mask(values: try lines(file), with: standard), "--mask-values", file))
    }
    for file in maskPatterns {
      let lines = try lines(file)
      for line in lines { try check(pattern: line, in: file) }
      rules.append(labelled(.mask(patterns: lines, with: standard), "--mask-patterns", file))
    }
    if preset != nil { rules += JSONEdit.Rule.share(with: standard) }
    guard !rules.isEmpty else { throw failure("edit: expected a rule, such as --mask '$..password' or --preset share") }
    var options = JSONEdit.Options()
    options.editsInside = inside
    options.keepsBadRecords = keepBad
    options.keepsPrefix = keepPrefix
    options.notesStrings = notesStrings
    return try JSONError.converting(try JSONEdit(rules, options: options)) { failure("edit: \($0.message)") }
  }

  private func labelled(_ rule: JSONEdit.Rule, _ option: String, _ text: String) -> JSONEdit.Rule {
    var rule = rule
    rule.label = "\(option) \(text.utf8.printable)"
    return rule
  }

  /// Divides PATH=REST at the first '=' before which there is a complete path.
  private func split(_ argument: String, of option: String) throws -> (JSONPath, rest: String?) {
    let bytes = RawArguments.launch.bytes(of: argument)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw failure("\(option) '\(bytes.printable)': expected UTF-8")
    }
    for end in text.utf8.indices where text.utf8[end] == UInt8(ascii: "=") {
      if let path = try? JSONPath(String(text[..<end])) { return (path, String(text[text.utf8.index(after: end)...])) }
    }
    // For a path that is invalid, the part before the first '=' is shown: a secret may follow.
    let end = text.utf8.firstIndex(of: UInt8(ascii: "=")) ?? text.endIndex
    if let path = try? JSONPath(text) { return (path, nil) }
    return (try PathArguments.path(text: String(text[..<end]), "\(option): "), nil)
  }

  private func how(_ text: String, of option: String) throws -> JSONEdit.Mask {
    if text.hasPrefix("fixed:") { return .fixed(String(text.dropFirst(6))) }
    switch text {
    case "null": return .null
    case "stars": return .stars
    case "hash":
      guard let keyFile else { throw failure("\(option): hash needs --key-file") }
      let key = try bytes(of: keyFile, "--key-file")
      guard key.count >= 16 else { throw failure("--key-file: expected at least 16 bytes, found \(key.count)") }
      return .hash(key: key)
    default: throw failure("\(option): expected fixed:TEXT, null, stars or hash, found '\(text.utf8.printable)'")
    }
  }

  private func json(_ text: String?, _ path: JSONPath) throws -> JSON {
    guard let text else { throw failure("--set \(path): expected PATH=JSON, found no JSON") }
    let bytes = text.hasPrefix("@") ? try bytes(of: String(text.dropFirst()), "--set") : Array(text.utf8)
    return try JSONError.converting(try JSON(parsing: bytes)) {
      failure("--set \(path): \($0.withoutFound.message) (byte \($0.byteOffset) of the JSON)")
    }
  }

  private func lines(_ file: String) throws -> [String] {
    let text = try bytes(of: file, "edit")
    let mark = text.starts(with: ByteOrderMark.bytes) ? ByteOrderMark.bytes.count : 0
    return try text.dropFirst(mark).split(separator: UInt8(ascii: "\n")).compactMap { line in
      let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
      guard let text = String(validating: line, as: UTF8.self) else {
        throw failure("\(file.utf8.printable): expected UTF-8")
      }
      return text.isEmpty ? nil : text
    }
  }

  private func check(pattern: String, in file: String) throws {
    _ = try JSONError.converting(try JSONEdit([.mask(patterns: [pattern])])) {
      failure("\(file.utf8.printable): '\(pattern.utf8.printable)': \($0.message)")
    }
  }

  private func bytes(of file: String, _ option: String) throws -> [UInt8] {
    let path = RawArguments.launch.bytes(of: file)
    do throws(JSONError) {
      var window = try ReadWindow(.path(bytes: path))
      while try window.fill() {}
      return unsafe Array(window.bytes)
    } catch {
      throw failure("\(option): \(path.printable): \(error.message)")
    }
  }

  /// Writes what a preset contains.
  static func writePreset() -> ExitCode {
    var text =
      "share masks the values of members whose names end with one of these, without regard to case, '-' and '_':\n"
    for name in JSONEdit.Rule.shareNames { text += "  \(name)\n" }
    for (label, patterns) in JSONEdit.Rule.sharePatterns {
      text += "and \(label):\n"
      for pattern in patterns { text += "  \(pattern)\n" }
    }
    text += "and card numbers with a valid check digit, by the first four digits and the number of digits:\n"
    for (name, first, counts) in JSONEdit.Rule.shareCards {
      let counts = counts.map { "\($0)" }.joined(separator: ", ")
      text += "  \(name) \(first.lowerBound) to \(first.upperBound): \(counts)\n"
    }
    unsafe Output.standard.write(text.utf8)
    unsafe Output.standard.flush()
    return ExitCode(Status.found)
  }
}
