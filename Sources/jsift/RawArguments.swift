/// The arguments as bytes. A file name need not be UTF-8, but the argument parser knows only text: it gets a stand-in for
/// what is no text, and the name is found again by that.
struct RawArguments {
  let texts: [String]
  private let names: [String: [UInt8]]

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
    var texts: [String] = []
    var names: [String: [UInt8]] = [:]
    for (index, argument) in arguments.enumerated() {
      if let text = String(validating: argument, as: UTF8.self) {
        texts.append(text)
      } else {
        let standIn = "\u{F8FF}jsift-argument-\(index)"
        names[standIn] = argument
        texts.append(standIn)
      }
    }
    self.texts = texts
    self.names = names
  }

  /// The bytes of an argument that the parser has returned.
  func bytes(of text: String) -> [UInt8] { names[text] ?? Array(text.utf8) }

  private static func strlength(_ text: UnsafeMutablePointer<CChar>) -> Int {
    var count = 0
    while unsafe text[count] != 0 { count += 1 }
    return count
  }
}
