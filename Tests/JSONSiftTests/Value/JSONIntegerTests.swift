import TestSupport
import Testing

@testable import JSONSift

@Suite struct JSONIntegerTests {
  static let strings: [(String, String, String)] = [
    ("12", "intValue", "12"), ("12abc", "intValue", "12"), (" 12", "intValue", "12"), ("1,000", "intValue", "1"),
    ("5.", "intValue", "5"), ("0x10", "intValue", "0"), ("nan", "intValue", "0"), ("", "intValue", "0"),
    ("abc", "intValue", "0"), ("true", "intValue", "0"), ("1e400", "intValue", "0"), ("-1e400", "int8Value", "0"),
    ("18446744073709551615", "uInt64Value", "18446744073709551615"),
    ("9223372036854775807", "intValue", "9223372036854775807"),
    ("-9223372036854775808", "int64Value", "-9223372036854775808"), ("18446744073709551615", "intValue", "-1"),
    ("12.7", "intValue", "12"), ("-12.7", "intValue", "-12"), ("300", "int8Value", "44"),
    ("-1", "uIntValue", "18446744073709551615"), ("-1", "uInt8Value", "255"), ("+5", "intValue", "5"),
    ("-", "intValue", "0"), ("+", "intValue", "0"), (".", "intValue", "0"), (".5", "intValue", "0"),
    ("1e2", "intValue", "100"), ("1e", "intValue", "1"), ("1e+", "intValue", "1"), ("007", "intValue", "7"),
    ("1e30", "intValue", "9223372036854775807"), ("--1", "intValue", "0"), ("\\t\\n 7", "intValue", "7"),
    ("1\\u0032", "intValue", "12"), ("\\u0000" + "1", "intValue", "0"), ("1e-400", "intValue", "0"),
  ]

  @Test(arguments: strings)
  func `a string counts as the number it begins with`(text: String, accessor: String, value: String) throws {
    let json = try JSON(parsing: "\"\(text)\"")
    let found = [
      "intValue": "\(json.intValue)", "uIntValue": "\(json.uIntValue)", "int8Value": "\(json.int8Value)",
      "uInt8Value": "\(json.uInt8Value)", "int64Value": "\(json.int64Value)", "uInt64Value": "\(json.uInt64Value)",
    ]
    #expect(found[accessor] == value && json.int == nil)
  }

  @Test func `every 64-bit integer survives a round trip through its text`() throws {
    var random = SeededGenerator.announced()
    for _ in 0..<5_000 {
      let bits = random.next() >> UInt64(random.below(64))
      let signed = Int64(bitPattern: random.next()) >> Int64(random.below(64))
      let json = try JSON(parsing: "[\(bits),\(signed)]")
      #expect(json[0].uInt64 == bits && json[0].exactly(UInt64.self) == bits)
      #expect(json[0].int64 == Int64(bitPattern: bits))
      #expect(json[0].int16 == Int16(truncatingIfNeeded: bits))
      #expect(json[1].int64 == signed && json[1].exactly(Int64.self) == signed)
      #expect(json[1].uInt32 == UInt32(truncatingIfNeeded: signed))
    }
  }
}
