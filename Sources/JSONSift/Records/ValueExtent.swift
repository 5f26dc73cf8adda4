/// Finds where a value ends in a stream of values, without judging it: brackets are counted, strings are passed over.
/// What it finds is parsed afterwards as a whole.
struct ValueExtent {
  private enum State { case start, inside, string, word }

  private var state = State.start
  private var depth = 0
  private var escaped = false
  /// How many bytes of the value have been looked at.
  private(set) var scanned = 0
  /// The value is no container and no string, so it touches what follows it.
  var isWord: Bool { state == .word }

  /// Goes on over a value's bytes and returns how long it is, or `nil` if they do not hold its end.
  mutating func end(in bytes: UnsafeRawBufferPointer) -> Int? {
    while scanned < bytes.count {
      let byte = unsafe bytes[scanned]
      switch state {
      case .string:
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[scanned...])
        guard let quote = unsafe ByteScan.stringEnd(rest, escaped: &escaped) else {
          scanned = bytes.count
          return nil
        }
        scanned += quote + 1
        escaped = false
        if depth == 0 { return scanned }
        state = .inside
        continue
      case .word:
        if byte.isJSONWhitespace || Self.isStructural(byte) { return scanned }
      case .start:
        switch byte {
        case ASCII.quote: state = .string
        case ASCII.openBrace, ASCII.openBracket:
          depth = 1
          state = .inside
        case ASCII.closeBrace, ASCII.closeBracket, ASCII.comma, ASCII.colon:
          // No value begins so. It is taken alone, and refused.
          scanned = 1
          return 1
        default: state = .word
        }
      case .inside:
        switch byte {
        case ASCII.quote: state = .string
        case ASCII.openBrace, ASCII.openBracket: depth += 1
        case ASCII.closeBrace, ASCII.closeBracket:
          depth -= 1
          if depth == 0 {
            scanned += 1
            return scanned
          }
        default: break
        }
      }
      scanned += 1
    }
    return nil
  }

  private static func isStructural(_ byte: UInt8) -> Bool {
    switch byte {
    case ASCII.quote, ASCII.openBrace, ASCII.closeBrace, ASCII.openBracket, ASCII.closeBracket, ASCII.comma,
      ASCII.colon:
      true
    default: false
    }
  }
}
