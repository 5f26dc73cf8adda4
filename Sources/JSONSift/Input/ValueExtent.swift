/// Finds the end of a value in a stream of values without validating it: counts brackets and skips strings. The value is
/// parsed afterwards as a whole.
struct ValueExtent {
  private enum State { case start, inside, string, scalar }

  private var state = State.start
  private var depth = 0
  private var escaped = false
  /// The number of bytes of the value that were scanned.
  private(set) var scanned = 0

  /// Continues scanning a value. Returns its length, or `nil` if the bytes do not contain its end.
  mutating func end(in bytes: UnsafeRawBufferPointer) -> Int? {
    // Locals stay in registers; properties of `self`, which change with each byte, do not.
    var offset = scanned
    var state = state
    var depth = depth
    defer {
      scanned = offset
      self.state = state
      self.depth = depth
    }
    while offset < bytes.count {
      let byte = unsafe bytes[offset]
      switch state {
      case .string:
        let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[offset...])
        guard let quote = unsafe ByteScan.stringEnd(rest, escaped: &escaped) else {
          offset = bytes.count
          return nil
        }
        offset += quote + 1
        escaped = false
        if depth == 0 { return offset }
        state = .inside
        continue
      case .scalar:
        if byte.isJSONWhitespace || Self.isStructural(byte) { return offset }
      case .start:
        switch byte {
        case ASCII.quote: state = .string
        case ASCII.openBrace, ASCII.openBracket:
          depth = 1
          state = .inside
        case ASCII.closeBrace, ASCII.closeBracket, ASCII.comma, ASCII.colon:
          // No value begins with this byte. It becomes a value by itself, which the parser rejects.
          offset = 1
          return 1
        default: state = .scalar
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
              offset += 1
              return offset
            }
          }
          offset += 1
          guard offset < bytes.count else { return nil }
          unsafe next = bytes[offset]
        }
        state = .string
      }
      offset += 1
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
