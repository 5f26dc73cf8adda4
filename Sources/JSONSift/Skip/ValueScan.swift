/// Searches for the end of one value in consecutive windows, without validating it. A string ends at its closing quote, a
/// container when as many brackets are closed as opened, and a number or literal before the next delimiter.
struct ValueScan {
  /// The kind of a value, which determines how its end is found.
  enum Form { case string, container, numberOrLiteral }

  let form: Form
  private var escaped = false
  private var container: ContainerScan

  /// - Parameter first: The first byte of the value. The scan continues after it.
  init(after first: UInt8) {
    form =
      switch first {
      case ASCII.quote: .string
      case ASCII.openBrace, ASCII.openBracket: .container
      default: .numberOrLiteral
      }
    container = ContainerScan(isObject: first == ASCII.openBrace)
  }

  /// Searches for the end of the outermost of `depth` open containers.
  init(ofContainers depth: Int) {
    form = .container
    container = ContainerScan(depth: depth)
  }

  /// Continues at `start`. Returns the index after the value, or `nil` if the value does not end in the window. For a number
  /// or literal this is the index of the byte that ends it.
  mutating func end(in window: UnsafeRawBufferPointer, from start: Int) -> Int? {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: window[start...])
    switch form {
    case .string: return unsafe ByteScan.stringEnd(rest, escaped: &escaped).map { start &+ $0 &+ 1 }
    case .container: return unsafe container.end(in: rest).map { start &+ $0 &+ 1 }
    case .numberOrLiteral: return unsafe rest.firstIndex { $0.endsNumberOrLiteral }.map { start &+ $0 }
    }
  }
}

extension UInt8 {
  /// Whether the byte is white space or punctuation, which ends a number or literal.
  var endsNumberOrLiteral: Bool {
    // Bit n represents byte n in `low`, and byte 64 + n in `high`.
    let low: UInt64 = 1 << 0x09 | 1 << 0x0A | 1 << 0x0D | 1 << 0x20 | 1 << 0x22 | 1 << 0x2C | 1 << 0x3A
    let high: UInt64 = 1 << 0x1B | 1 << 0x1D | 1 << 0x3B | 1 << 0x3D
    return (self < 64 ? low : self < 128 ? high : 0) &>> UInt64(self & 63) & 1 != 0
  }
}
