/// Names for ASCII bytes, so that no other file contains a numeric literal for a character.
enum ASCII {
  static let tab: UInt8 = 0x09
  static let lineFeed: UInt8 = 0x0A
  static let verticalTab: UInt8 = 0x0B
  static let formFeed: UInt8 = 0x0C
  static let carriageReturn: UInt8 = 0x0D
  static let recordSeparator: UInt8 = 0x1E
  static let space: UInt8 = 0x20
  static let exclamation: UInt8 = 0x21
  static let quote: UInt8 = 0x22
  static let hash: UInt8 = 0x23
  static let dollar: UInt8 = 0x24
  static let percent: UInt8 = 0x25
  static let ampersand: UInt8 = 0x26
  static let apostrophe: UInt8 = 0x27
  static let openParenthesis: UInt8 = 0x28
  static let closeParenthesis: UInt8 = 0x29
  static let star: UInt8 = 0x2A
  static let plus: UInt8 = 0x2B
  static let comma: UInt8 = 0x2C
  static let minus: UInt8 = 0x2D
  static let dot: UInt8 = 0x2E
  static let slash: UInt8 = 0x2F
  static let zero: UInt8 = 0x30
  static let nine: UInt8 = 0x39
  static let colon: UInt8 = 0x3A
  static let less: UInt8 = 0x3C
  static let equals: UInt8 = 0x3D
  static let greater: UInt8 = 0x3E
  static let question: UInt8 = 0x3F
  static let at: UInt8 = 0x40
  static let upperF: UInt8 = 0x46
  static let upperP: UInt8 = 0x50
  static let upperT: UInt8 = 0x54
  static let openBracket: UInt8 = 0x5B
  static let backslash: UInt8 = 0x5C
  static let closeBracket: UInt8 = 0x5D
  static let caret: UInt8 = 0x5E
  static let underscore: UInt8 = 0x5F
  static let lowerE: UInt8 = 0x65
  static let lowerF: UInt8 = 0x66
  static let lowerL: UInt8 = 0x6C
  static let lowerN: UInt8 = 0x6E
  static let lowerP: UInt8 = 0x70
  static let lowerR: UInt8 = 0x72
  static let lowerT: UInt8 = 0x74
  static let lowerU: UInt8 = 0x75
  static let lowerZ: UInt8 = 0x7A
  static let openBrace: UInt8 = 0x7B
  static let bar: UInt8 = 0x7C
  static let closeBrace: UInt8 = 0x7D
  static let tilde: UInt8 = 0x7E
}

extension UInt8 {
  /// Whether the byte is white space by RFC 8259: space, tab, line feed or carriage return.
  @inlinable package var isJSONWhitespace: Bool { self == 0x20 || self == 0x0A || self == 0x0D || self == 0x09 }

  /// Whether the byte may follow a value directly: white space, a comma or a closing bracket.
  var mayFollowValue: Bool {
    isJSONWhitespace || self == ASCII.comma || self == ASCII.closeBracket || self == ASCII.closeBrace
  }

  /// Whether the byte is `{` or `[`.
  var opensContainer: Bool { self | 0x20 == ASCII.openBrace }

  @inlinable package var isDigit: Bool { self &- 0x30 <= 9 }

  @inlinable package var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }

  /// The value of a hexadecimal digit in either case; `nil` for other bytes.
  var hexValue: UInt32? {
    if isDigit { return UInt32(self &- ASCII.zero) }
    let lower = self | 0x20
    return lower >= 0x61 && lower <= 0x66 ? UInt32(lower &- 0x61 &+ 10) : nil
  }
}

extension Int {
  /// Creates the value of decimal digits without a sign. Returns `nil` for any other text, and for one without digits.
  package init?(digits: some StringProtocol) {
    guard digits.utf8.allSatisfy(\.isDigit) else { return nil }
    self.init(digits)
  }
}
