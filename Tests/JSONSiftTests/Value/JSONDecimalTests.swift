import Foundation
import TestSupport
import Testing

@testable import JSONSift

@Suite struct JSONDecimalTests {
  static let nines = String(repeating: "9", count: 38)

  static let texts: [(String, String?)] = [
    ("0", "0"), ("-0", "0"), ("0.0e99999", "0"), ("1", "1"), ("-1.50", "-1.5"), ("0.1", "0.1"), ("1e2", "100"),
    ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"), (nines, nines),
    ("-" + nines, "-" + nines), (nines + "9", nil), (nines + "0", nines + "0"),
    ("1" + String(repeating: "0", count: 100), "1e100"), ("0.00000000000000000000000000000000000001", "1e-38"),
    ("1e127", "1e127"), ("1e-128", "1e-128"), ("1e-129", nil), (nines + "e127", nines + "e127"), (nines + "e128", nil),
    (nines + "e-128", nines + "e-128"), (nines + "e-129", nil), ("1e128", nil), ("1e140", nil), ("1e164", nil),
    ("1e165", nil), ("1e-400", nil), ("1e400", nil), ("1e999999999999", nil),
    ("1.234567890123456789012345678901234567800000", "1.2345678901234567890123456789012345678"),
    ("1.23456789012345678901234567890123456789", nil), ("true", nil), ("\"1\"", nil), ("null", nil),
  ]

  @Test(arguments: texts)
  func `a Decimal is exactly the number or nil`(text: String, value: String?) throws {
    let json = try JSON(parsing: text)
    let expected = value.flatMap { Decimal(string: $0) }
    #expect(json.decimal == expected)
    #expect(json.exactly(Decimal.self) == expected)
    #expect(json.decimal?.isNaN != true)
    #expect((expected == nil) == (value == nil))
  }

  @Test func `random decimals of up to 38 digits are exact`() throws {
    var random = SeededGenerator.announced()
    for _ in 0..<1_000 {
      let count = 1 + random.below(38)
      let digits = (0..<count).map { _ in String(random.below(10)) }.joined()
      let exponent = random.below(100) - 50
      let integer = digits.drop { $0 == "0" }
      let text = "\(random.below(2) == 0 ? "-" : "")\(integer.isEmpty ? "0" : integer)e\(exponent)"
      #expect(try JSON(parsing: text).decimal == Decimal(string: text), "\(text)")
    }
  }
}
