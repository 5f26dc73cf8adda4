import TestSupport

/// Generates valid JSON texts with unusual features.
struct DocumentWriter {
  var generator: SeededGenerator

  init(_ generator: SeededGenerator) { self.generator = generator }

  mutating func below(_ bound: Int) -> Int { Int(truncatingIfNeeded: generator.next() >> 1) % bound }

  mutating func pick<Element>(_ choices: [Element]) -> Element { choices[below(choices.count)] }

  /// Keys, some of which are equal in other spellings: by escapes, and by the composition of their characters.
  private static let keys = [
    "a", "b", "c", "", "\\u0061", "é", "e\\u0301", "e\u{301}", "\\u00E9", "\\u00e9", "ﬀ", "\u{1E69}", "s\u{323}\u{307}",
    "s\\u0307\\u0323", "a b", "\\n", "\\ud83d\\ude00", "😀", "0", "\\u0000", "a\\/b", "a/b", "\\\"", "K", "\u{212A}",
    "Å", "\u{212B}", "한", "\u{1112}\u{1161}\u{11AB}", "e", "ключ",
  ]

  private static let chunks = [
    "a", "Z", "0", " ", "~", "\u{7F}", "\u{80}", "é", "e\u{301}", "ÿ", "Ā", "\u{7FF}", "\u{800}", "€", "\u{2028}",
    "\u{D7FF}", "\u{E000}", "\u{FEFF}", "\u{FFFD}", "\u{FFFF}", "😀", "𝄞", "\u{10FFFF}", "\\\"", "\\\\", "\\/", "/",
    "\\b", "\\f", "\\n", "\\r", "\\t", "\\u0000", "\\u001f", "\\u001F", "\\u0022", "\\u005c", "\\u002F", "\\u00e9",
    "\\u00E9", "\\u20aC", "\\ud834\\udd1e", "\\uD83D\\uDE00", "\\udbff\\udfff", "\\ud800\\udc00", "\\uffff", "\\ufeff",
    "\\ue000", "[", "]", "{", "}", ",", ":", "//", "/*", "null", "true", "\\\\u0041", "\\\\\\\"",
  ]

  private static let numbers = [
    "0", "-0", "0.0", "-0.0", "0e0", "-0e-0", "0E+5", "1", "-1", "10", "1.0", "100.0", "1.50", "1e5", "1E5", "1e+5",
    "1E-5", "-1.5e3", "0.1", "0.30000000000000004", "2147483647", "-2147483648", "2147483648", "4294967295",
    "4294967296", "9007199254740991", "9007199254740993", "9223372036854775807", "-9223372036854775808",
    "9223372036854775808", "18446744073709551615", "18446744073709551616", "-9223372036854775809",
    "123456789012345678901234567890", "0.1234567890123456789", "1.234567890123456789012345678901234567",
    "12345678901234567.5", "5e-324", "1.7976931348623157e308", "2.2250738585072014e-308", "1e22", "1e23", "1e-7",
    "123456789.125", "1e-400", "3.14159", "-273.15", "6.02214076e23", "1e100", "1e-100",
  ]

  private mutating func digits(_ count: Int) -> String {
    String((0..<count).map { _ in Character(Unicode.Scalar(UInt8(0x30 + below(10)))) })
  }

  /// Returns a number: an edge case, an integer of up to 64 bits, the text of a Double, or digits with point or exponent.
  mutating func number() -> String {
    switch below(6) {
    case 0: return pick(Self.numbers)
    case 1: return String(Int64(bitPattern: generator.next()) >> Int64(below(64)))
    case 2: return String(generator.next() >> UInt64(below(64)))
    case 3:
      let double = Double(bitPattern: generator.next())
      return double.isFinite ? "\(double)" : "1e0"
    case 4: return (below(2) == 0 ? "-" : "") + "\(below(1_000_000)).\(digits(1 + below(6)))"
    default: return "\(below(10_000))" + pick(["", ".\(below(1000))"]) + pick(["e", "E", "e-", "E+"]) + "\(below(40))"
    }
  }

  mutating func string() -> String {
    let text = (0..<(below(8) == 0 ? below(60) : below(6))).map { _ in pick(Self.chunks) }.joined()
    return "\"\(text)\""
  }

  private mutating func blank() -> String { pick(["", "", "", "", " ", "\n", "\t \r\n"]) }

  mutating func scalar() -> String {
    switch below(8) {
    case 0: "null"
    case 1: "true"
    case 2: "false"
    case 3, 4: string()
    default: number()
    }
  }

  mutating func key() -> String { below(4) == 0 ? string() : "\"\(pick(Self.keys))\"" }

  mutating func value(depth: Int) -> String {
    guard depth > 0, below(3) > 0 else { return scalar() }
    return container(depth: depth)
  }

  private mutating func container(depth: Int) -> String {
    let isObject = below(2) == 0
    let count = below(40) == 0 ? below(40) : below(5)
    var children: [String] = []
    for _ in 0..<count {
      let prefix = isObject ? key() + blank() + ":" + blank() : ""
      children.append(blank() + prefix + value(depth: depth - 1) + blank())
    }
    let inside = children.isEmpty ? blank() : children.joined(separator: ",")
    return isObject ? "{\(inside)}" : "[\(inside)]"
  }

  /// Returns an array or object; one in a hundred has up to 300 levels.
  mutating func document() -> String {
    if below(100) == 0 {
      var opening = ""
      var closing = ""
      for _ in 0...below(300) {
        let isObject = below(2) == 0
        opening += isObject ? "{" + key() + ":" : "["
        closing = (isObject ? "}" : "]") + closing
      }
      return opening + scalar() + closing
    }
    return blank() + container(depth: 1 + below(4)) + blank()
  }
}
