/// The arguments as bytes. A file name need not be UTF-8, but the argument parser accepts only text: an argument that
/// is not UTF-8 is replaced by a placeholder, which is later mapped back to the bytes.
///
/// A long sequence of names is replaced by one placeholder, and so are the values of an option that is repeated often,
/// because the parser's time per argument grows with their number.
///
/// An empty text after '=' becomes an argument of its own: the parser would take the next argument as the value, and
/// `--output= in.json` would replace the input.
///
/// Combined short options are split here, because the parser cannot split them if a value contains '=': `-j1`,
/// `-rpid=$.id`, `-oa=b`.
struct RawArguments {
  var texts: [String] { repeated.texts }
  private let names: [String: [UInt8]]
  private let folded: [String: [[UInt8]]]
  private let repeated: RepeatedOptions

  /// The arguments of this process, without the program name.
  static let launch: RawArguments = {
    let arguments = (1..<max(Int(CommandLine.argc), 1)).compactMap { index in
      unsafe CommandLine.unsafeArgv[index].map { unsafe Array(UnsafeRawBufferPointer(start: $0, count: strlen($0))) }
    }
    return RawArguments(arguments)
  }()

  init(_ arguments: [[UInt8]]) {
    var placeholders = Placeholders()
    var texts: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == Self.end {
        texts.append("--")
        texts += Self.folding(rest, &placeholders)
        break
      }
      if !Self.isOption(argument) {
        let run = arguments[(rest.startIndex - 1)...].prefix { !Self.isOption($0) }
        texts += Self.folding(run, &placeholders)
        rest = arguments[run.endIndex...]
        continue
      }
      if Self.textOptions.contains(where: { argument.elementsEqual($0.utf8) }), let value = rest.first,
        value != Self.end
      {
        // The value may look like an option: '-7 >= @.a', or '-pa=$.a' as the name of a column.
        texts += [placeholders.text(of: argument), placeholders.text(of: value)]
        rest.removeFirst()
      } else if argument.last == Self.equals, Self.takesText(argument.dropLast()) {
        texts += [placeholders.text(of: Array(argument.dropLast())), ""]
      } else if let (flags, option, value) = Self.splitShortOptions(argument) {
        texts += flags.map { "-\($0)" }
        switch value {
        case nil:
          texts.append("-\(option)")
          if option == "p", let value = rest.popFirst() { texts.append(placeholders.text(of: value)) }
        case let value? where value.isEmpty: texts += ["-\(option)", ""]
        case let value?: texts.append("-\(option)=" + placeholders.text(of: Array(value)))
        }
      } else if let equals = argument.firstIndex(of: Self.equals), argument.starts(with: "--".utf8) {
        // For an option with its value, only the value can be a file name.
        texts.append(
          placeholders.text(of: Array(argument[...equals])) + placeholders.text(of: Array(argument[(equals + 1)...])))
      } else {
        texts.append(placeholders.text(of: argument))
      }
    }
    repeated = RepeatedOptions(texts)
    names = placeholders.names
    folded = placeholders.folded
  }

  private static func isOption(_ argument: [UInt8]) -> Bool {
    argument.first == UInt8(ascii: "-") && argument.count > 1
  }

  /// Folds arguments that are not options. The first ones may be the value of an option, a command and a path; the rest
  /// are files.
  private static func folding(_ run: ArraySlice<[UInt8]>, _ placeholders: inout Placeholders) -> [String] {
    guard run.count > minFolded else { return run.map { placeholders.text(of: $0) } }
    return run.prefix(minFolded / 2).map { placeholders.text(of: $0) } + [
      placeholders.text(of: run.dropFirst(minFolded / 2))
    ]
  }

  private static let minFolded = 64
  private static let maxTexts = 1000

  /// Rejects more arguments than the parser reads in a moment.
  func requireFew() throws {
    guard texts.count > Self.maxTexts else { return }
    throw failure(
      "expected at most \(Self.maxTexts) arguments, found \(texts.count); names of files in a row count as one, and so do "
        + "all values of an option that may be repeated")
  }

  /// Returns the file names for an argument that the parser has returned.
  func files(of text: String) -> [[UInt8]] { folded[text] ?? [bytes(of: text)] }

  /// Returns the values of an option that may be repeated, as the parser has returned them, each as it was typed.
  func values(of texts: [String]) -> [String] { repeated.values(of: texts) }

  /// Returns the bytes of an argument that the parser has returned.
  func bytes(of text: String) -> [UInt8] { names[text] ?? Array(text.utf8) }

  // MARK: Short options

  private static let shortFlags: [Character] = ["r", "h"]
  private static let shortOptions: [Character] = ["j", "o", "p", "A", "B", "C"]
  private static let equals = UInt8(ascii: "=")
  private static let end = Array("--".utf8)
  /// The options that take any text, even one that begins with '-'.
  private static let textOptions = [
    "-p", "--path", "--where", "--select", "--type", "--of", "--by", "--distinct", "--template", "--each", "--unwrap",
    "--unwrap-else", "--null",
    "--rejects-inline",
    "--time", "--since", "--until", "--element", "--line", "--record", "--set", "--delete", "--rename", "--mask",
  ]
  /// The options that take the name of a file. A name that begins with '-' is written './-a', because the value of an option
  /// that was forgotten would be the next option.
  private static let fileOptions = ["--output", "--rejects", "--summary", "--receipt"]

  /// Returns whether an option takes any text, so that its value may be empty. For an option of another type, such as
  /// `--limit=`, the parser takes the next argument, and rejects it if it has another type.
  private static func takesText(_ option: ArraySlice<UInt8>) -> Bool {
    (textOptions + fileOptions).contains { option.elementsEqual($0.utf8) }
  }

  /// Splits an argument of combined short options into flags, the option after them, and the option's value if it is
  /// part of the argument; `nil` for any other argument.
  private static func splitShortOptions(
    _ argument: [UInt8]
  ) -> (flags: [Character], option: Character, value: ArraySlice<UInt8>?)? {
    guard argument.first == UInt8(ascii: "-") else { return nil }
    var flags: [Character] = []
    for (index, byte) in argument.enumerated().dropFirst() {
      let letter = Character(UnicodeScalar(byte))
      if shortFlags.contains(letter) {
        flags.append(letter)
        continue
      }
      guard shortOptions.contains(letter) else { return nil }
      let value = argument[(index + 1)...]
      return (flags, letter, value.first == equals ? value.dropFirst() : value.isEmpty ? nil : value)
    }
    return nil
  }

  /// Placeholders for bytes that are not UTF-8, and for sequences of names.
  private struct Placeholders {
    var names: [String: [UInt8]] = [:]
    var folded: [String: [[UInt8]]] = [:]

    mutating func text(of files: ArraySlice<[UInt8]>) -> String {
      let placeholder = "\u{F8FF}jsift-files-\(folded.count)"
      folded[placeholder] = Array(files)
      return placeholder
    }

    mutating func text(of bytes: [UInt8]) -> String {
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      let placeholder = "\u{F8FF}jsift-argument-\(names.count)"
      names[placeholder] = bytes
      return placeholder
    }
  }
}
