import TestSupport
import Testing

@testable import JSONSift

@Suite struct JSONStringTests {
  static let values: [(String, String?, String)] = [
    ("\"\"", "", ""), ("\"abc\"", "abc", "abc"), (#""a\nb\u00e9\ud83d\ude00""#, "a\nbé😀", "a\nbé😀"),
    ("\"\\u0000\"", "\0", "\0"), ("true", nil, "true"), ("false", nil, "false"), ("null", nil, ""), ("[]", nil, ""),
    ("[1]", nil, ""), ("{}", nil, ""), (#"{"a":1}"#, nil, ""), ("12", nil, "12"), ("-3", nil, "-3"),
  ]

  @Test(arguments: values)
  func `every kind of value has its string and its text`(source: String, string: String?, text: String) throws {
    let json = try JSON(parsing: source)
    #expect(json.string == string)
    #expect(json.stringValue == text)
  }

  static let numbers: [(String, String)] = [
    ("1.0", "1"), ("0.0", "0"), ("0", "0"), ("-0", "0"), ("-0.0", "-0"), ("1.50", "1.5"), ("100", "100"),
    ("100.0", "100"), ("1e2", "100"), ("1E+2", "100"), ("-1.5e1", "-15"), ("0.1", "0.1"), ("0.10", "0.1"),
    ("12.5e-1", "1.25"), ("123456789012345678901234567890", "123456789012345678901234567890"),
    ("-123456789012345678901234567890", "-123456789012345678901234567890"),
    (String(repeating: "9", count: 200), String(repeating: "9", count: 200)),
    ("1" + String(repeating: "0", count: 60), "1" + String(repeating: "0", count: 60)),
    ("12345678901234567890.123456789012345678", "12345678901234567890.123456789012345678"),
    ("0.12345678901234567890123456789012345678", "0.12345678901234567890123456789012345678"),
    ("9876543210.123456789", "9876543210.123456789"), ("9007199254740993", "9007199254740993"),
    ("9007199254740993.0", "9007199254740993"), ("0.00001", "1e-05"), ("1e-17", "1e-17"),
    ("9.22337203685478e+18", "9.22337203685478e+18"), ("1.7976931348623157e308", "1.7976931348623157e+308"),
    ("3.141592653589793238462643383279502884197169399375105820974944", "3.141592653589793"),
    ("0.0e5", "0"), ("-0.0e5", "-0"), ("1e20", "1e+20"),
  ]

  @Test(arguments: numbers)
  func `a number is written without an exponent and without loss`(source: String, text: String) throws {
    #expect(try JSON(parsing: source).stringValue == text)
  }

  // These have few digits, so the exact rule holds for them too.
  @Test(arguments: ["1e400", "-1e400", "1e-400", "-2.5e-400", "1e308", "1e-320", "1.25e1000"])
  func `a decimal of few digits is exact although no Double is near it`(source: String) throws {
    let text = try JSON(parsing: source).stringValue
    try #require(text.first.map { $0.isNumber || $0 == "-" } == true && !text.contains("inf"), "\(source): \(text)")
    #expect(isSameNumber(text, source), "\(source): \(text)")
  }

  @Test func `a decimal of up to 38 digits reads back as the same number`() throws {
    var random = SeededGenerator.announced()
    var wrong: [String] = []
    for _ in 0..<5_000 {
      let count = 1 + random.below(38)
      let digits = String(1 + random.below(9)) + (1..<max(count, 2)).map { _ in String(random.below(10)) }.joined()
      let source = "\(random.pick(["", "-"]))\(digits.prefix(1)).\(digits.dropFirst())e\(random.below(160) - 80)"
      let text = try JSON(parsing: source).stringValue
      if !isSameNumber(text, source) { wrong.append("\(source) -> \(text)") }
    }
    #expect(wrong.isEmpty, "\(wrong.count) wrong, such as \(wrong.prefix(4))")
  }

  @Test func `a decimal of more digits reads back as the same Double`() throws {
    var random = SeededGenerator.announced()
    for _ in 0..<1_000 {
      let digits = "1" + (0..<(40 + random.below(20))).map { _ in String(random.below(10)) }.joined() + "7"
      let source = "\(digits.prefix(3)).\(digits.dropFirst(3))e\(random.below(600) - 300)"
      let json = try JSON(parsing: source)
      #expect(Double(json.stringValue) == json.double, "\(source)")
    }
  }

  @Test func `an integer has all its digits however many`() throws {
    var random = SeededGenerator.announced()
    for _ in 0..<300 {
      let digits = String(1 + random.below(9)) + (0..<random.below(400)).map { _ in String(random.below(10)) }.joined()
      #expect(try JSON(parsing: "-\(digits)").stringValue == "-\(digits)")
    }
  }

  private func isSameNumber(_ one: String, _ other: String) -> Bool {
    func number(_ text: String) -> DecimalText? {
      unsafe Array(text.utf8).withUnsafeBytes { unsafe DecimalText(prefixOf: $0) }
    }
    guard let one = number(one), let other = number(other) else { return false }
    return one.isNegative == other.isNegative && one.digits == other.digits && one.exponent == other.exponent
  }

  @Test func `the text of a number is its source text`() throws {
    for text in ["1.50", "-0", "1E400", "0.10e-05", "12345678901234567890123"] {
      let json = try JSON(parsing: "[ \(text) ]")[0]
      #expect(json.numberText == text)
      #expect(json.rawText == text)
    }
    for text in ["\"1\"", "true", "null", "[1]"] { #expect(try JSON(parsing: text).numberText == nil) }
  }
}
