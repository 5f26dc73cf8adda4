import Testing

@testable import JSONSift

@Suite struct JSONIntegerTests {
  /// A text, an accessor, and its result.
  static let narrowed: [(String, String, String)] = [
    ("300", "int8", "44"), ("300", "uInt8", "44"), ("300", "int16", "300"), ("-1", "uInt", "18446744073709551615"),
    ("-1", "uInt8", "255"), ("-1", "uInt64", "18446744073709551615"), ("3.9", "int", "3"), ("-3.9", "int", "-3"),
    ("3.9", "uInt8", "3"), ("-0.9", "uInt", "0"), ("0.5", "int", "0"), ("18446744073709551615", "int", "-1"),
    ("18446744073709551615", "uInt64", "18446744073709551615"), ("9223372036854775807", "int", "9223372036854775807"),
    ("-9223372036854775808", "int64", "-9223372036854775808"), ("9223372036854775808", "int", "-9223372036854775808"),
    ("128", "int8", "-128"), ("-129", "int8", "127"), ("65536", "int16", "0"), ("4294967295", "int32", "-1"),
    ("-0", "int", "0"), ("-0.0", "uInt", "0"), ("1e2", "int", "100"), ("100e-2", "int", "1"), ("1.5e1", "int8", "15"),
    ("1e30", "int", "nil"), ("1e30", "intValue", "9223372036854775807"), ("-1e30", "intValue", "-9223372036854775808"),
    ("1e30", "uIntValue", "18446744073709551615"), ("-1e30", "uIntValue", "0"), ("1e30", "int8Value", "127"),
    ("1e400", "int", "nil"), ("1e400", "intValue", "9223372036854775807"), ("1e-400", "int", "0"),
    ("1e-400", "intValue", "0"), ("1e999999999999", "int", "nil"),
    ("-1e999999999999", "int64Value", "-9223372036854775808"),
    ("1e-999999999999", "intValue", "0"), ("18446744073709551616", "uInt64", "nil"),
    ("18446744073709551616", "uInt64Value", "18446744073709551615"), ("-9223372036854775809", "int", "nil"),
    ("300.5", "int8", "nil"), ("300.5", "int8Value", "127"), ("-3.9", "uInt", "nil"), ("-3.9", "uIntValue", "0"),
    ("9007199254740993", "int", "9007199254740993"), ("9007199254740993.5", "int", "9007199254740993"),
    ("0.9999999999999999999999", "int", "0"), ("9223372036854775807.9", "int", "9223372036854775807"),
    ("300", "int8Value", "44"), ("-1", "uIntValue", "18446744073709551615"),
  ]

  @Test(arguments: narrowed)
  func `a number is narrowed as documented`(text: String, accessor: String, value: String) throws {
    #expect(integers(of: try JSON(parsing: text))[accessor] == value)
    // With surrounding text.
    #expect(integers(of: try JSON(parsing: "[ \(text) ]")[0])[accessor] == value)
  }

  @Test(arguments: [("true", "1"), ("false", "0")])
  func `a Bool is one or zero in every width`(text: String, value: String) throws {
    let found = integers(of: try JSON(parsing: text))
    #expect(found.count == 20)
    #expect(found.values.allSatisfy { $0 == value })
  }

  @Test(arguments: ["null", "[]", "[1]", "{}", #"{"a":1}"#, #""abc""#, #""""#])
  func `a value that is not a number has no optional integer and counts as zero`(text: String) throws {
    let found = integers(of: try JSON(parsing: text))
    #expect(found.optionals.values.allSatisfy { $0 == "nil" })
    #expect(found.coerced.values.allSatisfy { $0 == "0" })
  }

  @Test func `a missing value has no optional integer and counts as zero`() throws {
    let found = integers(of: try JSON(parsing: "[]")[3])
    #expect(found.optionals.values.allSatisfy { $0 == "nil" })
    #expect(found.coerced.values.allSatisfy { $0 == "0" })
  }

  static let strings: [(String, String, String)] = [
    ("12", "intValue", "12"), ("12abc", "intValue", "12"), (" 12", "intValue", "12"), ("1,000", "intValue", "1"),
    ("5.", "intValue", "5"), ("0x10", "intValue", "0"), ("nan", "intValue", "0"), ("", "intValue", "0"),
    ("abc", "intValue", "0"), ("true", "intValue", "0"), ("1e400", "intValue", "0"), ("-1e400", "int8Value", "0"),
    ("18446744073709551615", "uInt64Value", "18446744073709551615"),
    ("9223372036854775807", "intValue", "9223372036854775807"),
    ("-9223372036854775808", "int64Value", "-9223372036854775808"),
    ("18446744073709551615", "intValue", "-1"), ("12.7", "intValue", "12"), ("-12.7", "intValue", "-12"),
    ("300", "int8Value", "44"), ("-1", "uIntValue", "18446744073709551615"), ("-1", "uInt8Value", "255"),
    ("+5", "intValue", "5"), ("-", "intValue", "0"), ("+", "intValue", "0"), (".", "intValue", "0"),
    (".5", "intValue", "0"),
    ("1e2", "intValue", "100"), ("1e", "intValue", "1"), ("1e+", "intValue", "1"), ("007", "intValue", "7"),
    ("1e30", "intValue", "9223372036854775807"), ("--1", "intValue", "0"), ("\\t\\n 7", "intValue", "7"),
    ("1\\u0032", "intValue", "12"), ("\\u0000" + "1", "intValue", "0"), ("1e-400", "intValue", "0"),
  ]

  @Test(arguments: strings)
  func `a string counts as the number it begins with`(text: String, accessor: String, value: String) throws {
    let found = integers(of: try JSON(parsing: "\"\(text)\""))
    #expect(found[accessor] == value)
    #expect(found.optionals.values.allSatisfy { $0 == "nil" })
  }

  @Test func `every 64-bit integer survives a round trip through its text`() throws {
    var random = SeededRandom.announced()
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
