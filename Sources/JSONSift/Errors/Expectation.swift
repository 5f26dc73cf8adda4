/// The input that a grammar allows at a rejected byte or at the end of the text.
///
/// Errors store a case; ``JSONError/message`` converts it into text.
enum Expectation: Sendable, Hashable {
  // RFC 8259, between tokens.
  case value
  case elementAfterComma
  case elementOrEnd
  case commaOrArrayEnd
  case keyOrEnd
  case keyAfterComma
  case colon
  case commaOrObjectEnd
  case endOfText

  // RFC 8259, inside a token.
  case escapeOfControlCharacter
  case hexadecimalDigits
  case escapeCharacter
  case literal(Literal)
  case digit(after: NumberPart)
  case endOfNumber

  // The missing part at the end of a text.
  case closingQuote
  case restOfLiteral
  case restOfNumber
  case restOfValue
  case endOfContainer

  // RFC 7464.
  case recordSeparator
  case whitespaceAfterScalar

  /// The grammars of paths, pointers and patterns: the parser provides the text.
  case query(String)

  enum Literal: String, Sendable { case `true`, `false`, null }

  enum NumberPart: Sendable { case minus, point, exponent }

  /// The text for a message, as the object of "expected".
  var words: String {
    switch self {
    case .value: "a value"
    case .elementAfterComma: "a value after ','"
    case .elementOrEnd: "a value or ']'"
    case .commaOrArrayEnd: "',' or ']' after an element"
    case .keyOrEnd: "a key in quotes or '}'"
    case .keyAfterComma: "a key in quotes after ','"
    case .colon: "':' after a key"
    case .commaOrObjectEnd: "',' or '}' after a member"
    case .endOfText: "the end of the text after one value"
    case .escapeOfControlCharacter: "an escape such as \\n or \\u0000"
    case .hexadecimalDigits: "four hexadecimal digits after \\u"
    case .escapeCharacter: "one of \" \\ / b f n r t u after a backslash"
    case .literal(let literal): "the literal \(literal.rawValue)"
    case .digit(after: .minus): "a digit after '-'"
    case .digit(after: .point): "a digit after '.'"
    case .digit(after: .exponent): "a digit in the exponent"
    case .endOfNumber: "the end of the number"
    case .closingQuote: "the closing quote of a string"
    case .restOfLiteral: "the rest of true, false or null"
    case .restOfNumber: "the rest of a number"
    case .restOfValue: "the rest of a value"
    case .endOfContainer: "the end of an array or object"
    case .recordSeparator: "a record separator, 0x1E"
    case .whitespaceAfterScalar: "white space after a number or literal (without it, the value may be truncated)"
    case .query(let words): words
    }
  }
}
