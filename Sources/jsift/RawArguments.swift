/// The arguments as bytes. A file name need not be UTF-8, but the argument parser knows only text: it gets a stand-in for
/// what is no text, and the name is found again by that.
///
/// Of many names behind one another the parser gets one stand-in: its time for each grows with their number.
///
/// Short options are cut apart here, for the parser cannot do it where a value holds a '=': `-j1`, `-rpid=$.id`, `-oa=b`.
struct RawArguments {
  let texts: [String]
  private let names: [String: [UInt8]]
  private let folded: [String: [[UInt8]]]

  /// The arguments of this run, without the program's name.
  static let launch: RawArguments = {
    var arguments: [[UInt8]] = []
    let count = Int(CommandLine.argc)
    for index in 1..<max(count, 1) {
      guard let argument = unsafe CommandLine.unsafeArgv[index] else { break }
      arguments.append(
        unsafe Array(UnsafeBufferPointer(start: argument, count: strlength(argument))).map { UInt8(bitPattern: $0) })
    }
    return RawArguments(arguments)
  }()

  init(_ arguments: [[UInt8]]) {
    var stand = StandIns()
    var texts: [String] = []
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      if argument == Array("--".utf8) {
        texts.append("--")
        texts += Self.folding(rest, &stand)
        break
      }
      if !Self.isOption(argument) {
        let run = arguments[(rest.startIndex - 1)...].prefix { !Self.isOption($0) }
        texts += Self.folding(run, &stand)
        rest = arguments[run.endIndex...]
        continue
      }
      if argument == Array(Self.emptyNull.utf8) {
        texts += [String(Self.emptyNull.dropLast()), ""]
      } else if let (flags, option, value) = Self.cutApart(argument) {
        texts += flags.map { "-\($0)" } + ["-\(option)" + (value.isEmpty ? "" : "=" + stand.text(of: Array(value)))]
      } else if let equals = argument.firstIndex(of: Self.equals), argument.starts(with: "--".utf8) {
        // Of an option with its value only the value can be a name.
        texts.append(stand.text(of: Array(argument[...equals])) + stand.text(of: Array(argument[(equals + 1)...])))
      } else {
        texts.append(stand.text(of: argument))
      }
    }
    self.texts = texts
    names = stand.names
    folded = stand.folded
  }

  private static func isOption(_ argument: [UInt8]) -> Bool {
    argument.first == UInt8(ascii: "-") && argument.count > 1
  }

  /// Arguments that are no options. The first may be the value of an option, a command and a path; what follows are files.
  private static func folding(_ run: ArraySlice<[UInt8]>, _ stand: inout StandIns) -> [String] {
    guard run.count > minFolded else { return run.map { stand.text(of: $0) } }
    return run.prefix(minFolded / 2).map { stand.text(of: $0) } + [stand.text(of: run.dropFirst(minFolded / 2))]
  }

  private static let minFolded = 64

  /// The names of files for which an argument stands that the parser has returned.
  func files(of text: String) -> [[UInt8]] { folded[text] ?? [bytes(of: text)] }

  /// The bytes of an argument that the parser has returned.
  func bytes(of text: String) -> [UInt8] { names[text] ?? Array(text.utf8) }

  // MARK: Short options

  private static let shortFlags: [Character] = ["r", "h"]
  private static let shortOptions: [Character] = ["j", "o", "p"]
  private static let equals = UInt8(ascii: "=")
  /// The parser takes the next argument for a value that is empty.
  private static let emptyNull = "--null="

  /// The flags of an argument of short options, the option behind them, and its value if that stands there too; `nil` if it is
  /// none.
  private static func cutApart(
    _ argument: [UInt8]
  ) -> (flags: [Character], option: Character, value: ArraySlice<UInt8>)? {
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
      return (flags, letter, value.first == equals ? value.dropFirst() : value)
    }
    return nil
  }

  /// What the parser gets in the place of bytes that are no text.
  private struct StandIns {
    var names: [String: [UInt8]] = [:]
    var folded: [String: [[UInt8]]] = [:]

    mutating func text(of files: ArraySlice<[UInt8]>) -> String {
      let standIn = "\u{F8FF}jsift-files-\(folded.count)"
      folded[standIn] = Array(files)
      return standIn
    }

    mutating func text(of bytes: [UInt8]) -> String {
      if let text = String(validating: bytes, as: UTF8.self) { return text }
      let standIn = "\u{F8FF}jsift-argument-\(names.count)"
      names[standIn] = bytes
      return standIn
    }
  }

  private static func strlength(_ text: UnsafeMutablePointer<CChar>) -> Int {
    var count = 0
    while unsafe text[count] != 0 { count += 1 }
    return count
  }
}
