/// The fault inside one token.
///
/// libyajl reports only that a token is invalid, in a wording that depends on how the input was cut into chunks. This type
/// finds the byte and describes what was expected. It runs only after an error.
enum TokenFault {
  /// The token is well-formed and ends before this index.
  case none(end: Int)
  /// The input ends inside the token.
  case open
  /// The byte at `index` is invalid.
  case wrong(JSONError.Code, index: Int, expected: Expectation)

  init(in window: UnsafeRawBufferPointer, at start: Int) {
    switch unsafe window[start] {
    case ASCII.quote: self = unsafe Self.string(window, start)
    case ASCII.lowerT: self = unsafe Self.literal("true", .true, window, start)
    case ASCII.lowerF: self = unsafe Self.literal("false", .false, window, start)
    case ASCII.lowerN: self = unsafe Self.literal("null", .null, window, start)
    case ASCII.minus, ASCII.zero...ASCII.nine: self = unsafe Self.number(window, start)
    default: self = .none(end: start + 1)
    }
  }

  private static func string(_ window: UnsafeRawBufferPointer, _ start: Int) -> TokenFault {
    var index = start + 1
    while index < window.count {
      let byte = unsafe window[index]
      if byte == ASCII.quote { return .none(end: index + 1) }
      if byte < 0x20 { return .wrong(.controlCharacter, index: index, expected: .escapeOfControlCharacter) }
      index += 1
      guard byte == ASCII.backslash else { continue }
      guard index < window.count else { return .open }
      switch unsafe window[index] {
      case ASCII.quote, ASCII.backslash, ASCII.slash, 0x62, 0x66, 0x6E, 0x72, 0x74: index += 1
      case ASCII.lowerU:
        index += 1
        for _ in 0..<4 {
          guard index < window.count else { return .open }
          guard unsafe window[index].hexValue != nil else {
            return .wrong(.invalidEscape, index: index, expected: .hexadecimalDigits)
          }
          index += 1
        }
      default:
        return .wrong(.invalidEscape, index: index, expected: .escapeCharacter)
      }
    }
    return .open
  }

  private static func literal(
    _ word: StaticString, _ literal: Expectation.Literal, _ window: UnsafeRawBufferPointer, _ start: Int
  ) -> TokenFault {
    for offset in 0..<word.utf8CodeUnitCount {
      let index = start + offset
      guard index < window.count else { return .open }
      guard unsafe window[index] == word.utf8Start[offset] else {
        return .wrong(.invalidLiteral, index: index, expected: .literal(literal))
      }
    }
    return .none(end: start + word.utf8CodeUnitCount)
  }

  private static func number(_ window: UnsafeRawBufferPointer, _ start: Int) -> TokenFault {
    var index = start
    func digits(after part: Expectation.NumberPart) -> TokenFault? {
      guard index < window.count else { return .open }
      guard unsafe window[index].isDigit else {
        return .wrong(.invalidNumber, index: index, expected: .digit(after: part))
      }
      while index < window.count, unsafe window[index].isDigit { index += 1 }
      return nil
    }
    if unsafe window[index] == ASCII.minus {
      index += 1
      guard index < window.count else { return .open }
    }
    if unsafe window[index] == ASCII.zero {
      index += 1
    } else if let fault = digits(after: .minus) {
      return fault
    }
    if index < window.count, unsafe window[index] == ASCII.dot {
      index += 1
      if let fault = digits(after: .point) { return fault }
    }
    if index < window.count, unsafe window[index] | 0x20 == ASCII.lowerE {
      index += 1
      if index < window.count, unsafe window[index] == ASCII.plus || window[index] == ASCII.minus { index += 1 }
      if let fault = digits(after: .exponent) { return fault }
    }
    return .none(end: index)
  }
}
