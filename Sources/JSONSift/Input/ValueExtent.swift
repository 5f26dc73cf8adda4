/// Finds the end of a value in a stream of values without validating it: counts brackets and skips strings. The value is
/// parsed afterwards as a whole.
struct ValueExtent {
  private enum State { case start, inside, string, word }

  private var state = State.start
  private var depth = 0
  private var escaped = false
  /// The number of bytes of the value that were scanned.
  private(set) var scanned = 0
  /// Whether the value is a number or a literal, which needs a separator before the next scalar.
  var isWord: Bool { state == .word }

  /// Continues scanning a value. Returns its length, or `nil` if the bytes do not contain its end.
  mutating func end(in bytes: UnsafeRawBufferPointer) -> Int? {
    // Locals stay in registers; properties of `self`, which change with each byte, do not.
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
          // No value begins with this byte. It becomes a value by itself, which the parser rejects.
          place = 1
          return 1
        default: state = .word
        }
      case .inside:
        // Scans up to the next string. Brackets differ from braces in one bit.
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
