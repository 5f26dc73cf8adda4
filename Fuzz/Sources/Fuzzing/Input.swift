import JSONSift

/// The bytes that libFuzzer has made up: a few that choose what is done, and a text.
public struct Input {
  private var rest: ArraySlice<UInt8>

  /// Copies the bytes, which are libFuzzer's.
  public init(_ bytes: UnsafeBufferPointer<UInt8>) { rest = Array(bytes)[...] }

  /// The next choice; 0 where there is none left.
  public mutating func choice() -> Int { Int(rest.popFirst() ?? 0) }

  /// All that is left.
  public var text: [UInt8] { Array(rest) }

  /// The bytes up to the next line feed.
  public mutating func line() -> [UInt8] {
    let line = Array(rest.prefix { $0 != 0x0A })
    rest = rest.dropFirst(line.count + 1)
    return line
  }

  /// Small limits for small texts: that of 1024 open containers is met by none.
  public mutating func options() -> JSONOptions {
    let choice = choice()
    var options = JSONOptions(loneSurrogates: choice & 1 == 0 ? .reject : .replace)
    if choice & 2 != 0 { options.limits.depth = 3 + choice >> 6 }
    if choice & 4 != 0 { options.limits.stringBytes = 20 }
    if choice & 8 != 0 { options.limits.keyBytes = 10 }
    if choice & 16 != 0 { options.limits.numberBytes = 6 }
    if choice & 32 != 0 { options.limits.recordBytes = 200 }
    options.limits.querySteps = 50_000
    return options
  }

  /// The text, in pieces of one size.
  public mutating func source() -> @Sendable () -> JSONSource {
    let size = choice()
    let text = text
    guard size > 0 else { return { .bytes(text) } }
    let pieces = stride(from: 0, to: text.count, by: size).map { Array(text[$0..<min($0 + size, text.count)]) }
    return { .chunks(pieces) }
  }
}

/// Ends the program: libFuzzer keeps the input. For what must not differ.
public func differs(_ what: String, _ left: some Any, _ right: some Any) -> Never {
  fatalError("\(what)\n  \(left)\n  \(right)")
}
