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
    // Locals stay in registers, what is in `self` does not: it is changed for each byte.
    var place = scanned
    var state = state
    var depth = depth
    defer {
      scanned = place
      self.state = state
      self.depth = depth
    }
    while place < bytes.count {
      let byte = unsafe bytes[place]
      switch state {
      case .string:
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[place...])
        guard let quote = unsafe ByteScan.stringEnd(rest, escaped: &escaped) else {
          place = bytes.count
          return nil
        }
        place += quote + 1
        escaped = false
        if depth == 0 { return place }
        state = .inside
        continue
      case .word:
        if byte.isJSONWhitespace || Self.isStructural(byte) { return place }
      case .start:
        switch byte {
        case ASCII.quote: state = .string
        case ASCII.openBrace, ASCII.openBracket:
          depth = 1
          state = .inside
        case ASCII.closeBrace, ASCII.closeBracket, ASCII.comma, ASCII.colon:
          // No value begins so. It is taken alone, and refused.
          place = 1
          return 1
        default: state = .word
        }
      case .inside:
        // Up to the next string. Brackets differ from braces in one bit.
        var next = byte
        while next != ASCII.quote {
          let brace = next | 0x20
          if brace == ASCII.openBrace {
            depth += 1
          } else if brace == ASCII.closeBrace {
            depth -= 1
            if depth == 0 {
              place += 1
              return place
            }
          }
          place += 1
          guard place < bytes.count else { return nil }
          unsafe next = bytes[place]
        }
        state = .string
      }
      place += 1
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
