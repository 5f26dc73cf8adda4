import Foundation
import SwiftyJSON
import TestSupport
import Testing

/// Section 10 of the inventory: `number`, `numberValue`, and the text of numbers.
@Suite struct NumberObjectTests {
  @Test func `number is set for a number or Bool only`() throws {
    #expect(try parsed("1.5").number == 1.5 && JSON(7).number == 7)
    #expect(JSON(true).number == 1 && JSON(false).number == 0)
    #expect(try parsed("true").number == 1)
    for json in [JSON("5"), JSON.null, JSON([1]), JSON(["a": 1]), JSON(noJSON)] { #expect(json.number == nil) }
  }

  /// A string, and the number it begins with.
  static let prefixes: [(String, String)] = [
    ("5", "5"), ("12abc", "12"), (" 12", "12"), ("1,000", "1"), ("5.", "5"), ("0x10", "0"), ("nan", "0"), ("", "0"),
    ("abc", "0"), ("true", "0"), ("1e400", "0"), ("12.7", "12.7"), ("-3", "-3"), ("1e3", "1000"), ("0.1", "0.1"),
    ("12345678901234567890123456789012345678", "12345678901234567890123456789012345678"),
    ("1.2345678901234567890123456789", "1.2345678901234567890123456789"),
  ]

  @Test(arguments: prefixes)
  func `numberValue of a string is the number it begins with`(text: String, number: String) {
    #expect(JSON(text).numberValue.decimalValue == Decimal(string: number))
    #expect(JSON(text).numberValue is NSDecimalNumber)
    #expect(JSON(text).number == nil)
  }

  @Test func `numberValue of an unrepresentable number is a Double`() {
    for json in [JSON.null, JSON([1]), JSON(["a": 1]), JSON(noJSON), JSON([1])[4]] {
      #expect(unsafe String(cString: json.numberValue.objCType) == "d")
      #expect(json.numberValue.stringValue == NSNumber(value: 0.0).stringValue)
    }
  }

  /// A Float, and its text; the text of the equal Double has more digits.
  static let floats: [(Float, String)] = [
    (0.1, "0.1"), (-1.1, "-1.1"), (3.1415927, "3.1415927"), (1, "1"), (0, "0"), (-0.0, "-0"), (16_777_216, "16777216"),
    (1e20, "1e+20"), (1e-10, "1e-10"), (.greatestFiniteMagnitude, "3.4028235e+38"), (.infinity, "inf"), (.nan, "nan"),
  ]

  @Test(arguments: floats)
  func `a Float is written as the given number`(value: Float, text: String) throws {
    var json: JSON = [:]
    json["f"].float = value
    json["v"].floatValue = value
    json["n"] = JSON(NSNumber(value: value))
    json["o"] = JSON(value)
    for key in ["f", "v", "n", "o"] {
      let number = json[key]
      #expect(number.stringValue == text && number.rawString() == text && number.description == text)
      #expect(number.type == .number && number.float?.bitPattern == value.bitPattern)
      #expect(number.doubleValue.bitPattern == Double(value).bitPattern)
      // Equal to what it is written as, so that a round trip changes nothing.
      let written = try #require(Double(text)).jsonValue
      #expect(number == written && number.hashValue == written.hashValue)
      #expect(number.number == NSNumber(value: value) && number.exactly(Float.self)?.bitPattern == value.bitPattern)
    }
    guard value.isFinite else { return }
    #expect(JSON([value]).rawString(options: []) == "[\(text)]" && JSON(["k": [value]])["k"][0].rawString() == text)
    #expect(JSON([value]).rawString([.castNilToNSNull: true]) == "[\(text)]")
    #expect(JSON([value]).arrayObject?[0] as? Float == value)
    #expect(try parsed("[\(text)]")[0].float == value)
  }

  @Test func `a Float survives a round trip through its text`() throws {
    var generator = SeededGenerator()
    print("Floats: \(generator)")
    for _ in 0..<5_000 {
      let value = Float(bitPattern: UInt32(truncatingIfNeeded: generator.next()))
      guard value.isFinite else { continue }
      let json = JSON(value)
      let text = String(decoding: try json.bytes(), as: UTF8.self)
      #expect(try JSON(parsing: text).float?.bitPattern == value.bitPattern, "\(value)")
      #expect(Float(json.stringValue)?.bitPattern == value.bitPattern, "\(value)")
      #expect(json.double == Double(value) && json.exactly(Double.self) == Double(value), "\(value)")
    }
  }

  @Test func `an integer in a Float or Double is exactly that integer`() {
    // The shortest text of 2^30 as a Float is 1.0737418e+09.
    #expect(JSON(Float(1 << 30)).exactly(Int.self) == 1 << 30 && JSON(Float(1 << 30)).int == 1 << 30)
    #expect(JSON(Double(1 << 60)).exactly(Int.self) == 1 << 60 && JSON(1.5).exactly(Int.self) == nil)
    #expect(JSON(Double.infinity).exactly(Int.self) == nil && JSON(Float.nan).exactly(Int.self) == nil)
  }

  @Test func `the text of NaN or infinity equals that of a Double`() {
    for none: Any in [Double.nan, NSNumber(value: Float.nan), NSDecimalNumber.notANumber, Decimal.nan] {
      #expect(JSON(none).rawString() == "nan" && JSON(none).type == .number)
    }
  }

  @Test func `a number object is stored and nil stores null`() {
    for before in allTypes {
      var json = specimen(of: before)
      json.number = 2.5
      #expect(json.type == .number && json.double == 2.5 && json.error == nil)
      json.number = nil
      #expect(json.type == .null && json.error == nil)
      json.numberValue = NSNumber(value: UInt64.max)
      #expect(json.type == .number && json.uInt64 == UInt64.max)
      json.numberValue = NSDecimalNumber(string: "1.2345678901234567890123456789")
      #expect(json.stringValue == "1.2345678901234567890123456789")
    }
  }

  @Test(arguments: [
    "18446744073709551616", "-9223372036854775809", "123456789012345678901234567890", "0.1234567890123456789",
    "1.2345678901234567890123456789012345678", "12345678901234567.5", "-99999999999999999999999999999999999999",
  ])
  func `a larger number is a decimal number with all its digits`(text: String) throws {
    let number = try #require(try parsed(text).number)
    #expect(number is NSDecimalNumber)
    #expect(number.decimalValue == Decimal(string: text))
    #expect(try parsed(text).stringValue == text)
    #expect((try parsed("[\(text)]").arrayObject?.first as? NSNumber)?.decimalValue == Decimal(string: text))
  }

  @Test func `minus zero keeps its sign only as a fraction`() throws {
    #expect(try parsed("-0").number == 0 && parsed("-0").double?.sign == .plus && parsed("-0").stringValue == "0")
    #expect(try parsed("-0.0").number?.doubleValue.sign == .minus && parsed("-0.0").stringValue == "-0")
    #expect(JSON(-0.0).stringValue == "-0" && JSON(-0.0).double?.sign == .minus)
  }

  @Test func `stringValue of a number from Swift is the shortest that reads back`() {
    let values: [(Any, String)] = [
      (1.0, "1"), (0.0, "0"), (100.0, "100"), (-0.0, "-0"), (0.1, "0.1"), (1.5, "1.5"),
      (9876543210.123456789, "9876543210.123457"), (1e-17, "1e-17"), (0.30000000000000004, "0.30000000000000004"),
      (Double.infinity, "inf"), (-Double.infinity, "-inf"), (Double.nan, "nan"), (Int.min, "-9223372036854775808"),
      (UInt64.max, "18446744073709551615"), (Int8(-5), "-5"), (Float(0.5), "0.5"),
    ]
    for (value, text) in values { #expect(JSON(value).stringValue == text) }
    var generator = SystemRandomNumberGenerator()
    for _ in 0..<2_000 {
      let double = Double(bitPattern: generator.next())
      guard double.isFinite else { continue }
      let text = JSON(double).stringValue
      #expect(Double(text)?.bitPattern == double.bitPattern, "\(double)")
      let digits = text.prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
      let shortest = "\(double)".prefix { $0 != "e" }.filter(\.isNumber).drop { $0 == "0" }
      func trimmed(_ digits: Substring) -> String { String(digits.reversed().drop { $0 == "0" }) }
      #expect(trimmed(Substring(digits)) == trimmed(Substring(shortest)), "\(double)")
    }
  }
}
