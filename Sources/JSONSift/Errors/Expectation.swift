/// The input that a grammar allows at a rejected byte or at the end of the text.
struct Expectation: Sendable, Hashable {
  /// The text for a message, as the object of "expected".
  let words: String

  private init(_ words: String) { self.words = words }

  // RFC 8259, between tokens.
  static let value = Expectation("a value")
  static let elementAfterComma = Expectation("a value after ','")
  static let elementOrEnd = Expectation("a value or ']'")
  static let commaOrArrayEnd = Expectation("',' or ']' after an element")
  static let keyOrEnd = Expectation("a key in quotes or '}'")
  static let keyAfterComma = Expectation("a key in quotes after ','")
  static let colon = Expectation("':' after a key")
  static let commaOrObjectEnd = Expectation("',' or '}' after a member")
  static let endOfText = Expectation("the end of the text after one value")

  // RFC 8259, inside a token.
  static let escapeOfControlCharacter = Expectation("an escape such as \\n or \\u0000")
  static let hexadecimalDigits = Expectation("four hexadecimal digits after \\u")
  static let escapeCharacter = Expectation("one of \" \\ / b f n r t u after a backslash")
  static func literal(_ literal: Literal) -> Expectation { Expectation("the literal \(literal.rawValue)") }
  static func digit(after part: NumberPart) -> Expectation { Expectation("a digit \(part.rawValue)") }
  static let endOfNumber = Expectation("the end of the number")

  // The missing part at the end of a text.
  static let closingQuote = Expectation("the closing quote of a string")
  static let restOfLiteral = Expectation("the rest of true, false or null")
  static let restOfNumber = Expectation("the rest of a number")
  static let restOfValue = Expectation("the rest of a value")

  // RFC 7464.
  static let recordSeparator = Expectation("a record separator, 0x1E")
  static let whitespaceAfterScalar = Expectation(
    "white space after a number or literal (without it, the value may be truncated)")

  /// The grammars of paths, pointers and patterns: the parser provides the text.
  static func query(_ words: String) -> Expectation { Expectation(words) }

  enum Literal: String, Sendable { case `true`, `false`, null }

  enum NumberPart: String, Sendable {
    case minus = "after '-'"
    case point = "after '.'"
    case exponent = "in the exponent"
  }
}
