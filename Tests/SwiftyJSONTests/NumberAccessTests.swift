import Foundation
import SwiftyJSON
import Testing

/// Section 10 of the inventory: the twelve numeric types.
@Suite struct NumberAccessTests {
  @Test func `there are twelve numeric types`() { #expect(Set(NumericAccessor.all.map(\.name)).count == 12) }

  @Test(arguments: NumericAccessor.all)
  func `a number in range is returned`(accessor: NumericAccessor) throws {
    for integer in [0, 1, 5, 127] {
      for json in [
        try parsed("\(integer)"), JSON(integer), JSON(Double(integer)), JSON(UInt8(integer)), JSON(Decimal(integer)),
      ] {
        #expect(accessor.get(json) == accessor.text(integer))
        #expect(accessor.value(json) == accessor.text(integer))
      }
    }
  }

  @Test(arguments: NumericAccessor.all)
  func `the bounds of the type survive a round trip`(accessor: NumericAccessor) throws {
    for bound in accessor.bounds {
      #expect(accessor.get(try parsed(bound)) == bound)
      #expect(accessor.value(try parsed(bound)) == bound)
      // A string counts as a decimal number, and those end at 10^127.
      if !accessor.isFloating { #expect(accessor.value(JSON(bound)) == bound) }
    }
  }

  @Test(arguments: NumericAccessor.all)
  func `a Bool is one or zero`(accessor: NumericAccessor) throws {
    for json in [JSON(true), try parsed("true"), JSON(NSNumber(value: true))] {
      #expect(accessor.get(json) == accessor.text(1) && accessor.value(json) == accessor.text(1))
    }
    for json in [JSON(false), try parsed("false")] {
      #expect(accessor.get(json) == accessor.text(0) && accessor.value(json) == accessor.text(0))
    }
  }

  @Test(arguments: NumericAccessor.all)
  func `a value that is neither number nor Bool is nil and counts as zero`(accessor: NumericAccessor) {
    let values: [JSON] = [
      JSON("abc"), JSON(""), JSON("true"), JSON("nan"), JSON([1]), JSON(["a": 1]), JSON.null, JSON(noJSON),
      JSON([1])[3],
    ]
    for json in values {
      #expect(accessor.get(json) == nil, "\(json)")
      #expect(accessor.value(json) == accessor.text(0), "\(json)")
    }
  }

  @Test(arguments: NumericAccessor.all)
  func `a string has only a coerced number`(accessor: NumericAccessor) throws {
    for json in [JSON("5"), JSON("5abc"), JSON(" 5"), JSON("5,000"), JSON("5."), try parsed(#""\u0035""#)] {
      #expect(accessor.get(json) == nil)
      #expect(accessor.value(json) == accessor.text(5), "\(json)")
    }
    #expect(accessor.value(JSON("12.7")) == (accessor.isFloating ? "12.7" : "12"))
    #expect(accessor.value(JSON("0x10")) == accessor.text(0))
    #expect(accessor.value(JSON("1e400")) == accessor.text(0))
  }

  @Test(arguments: NumericAccessor.all)
  func `a setter stores a number and nil stores null`(accessor: NumericAccessor) throws {
    for before in allTypes {
      var json = specimen(of: before)
      accessor.set(&json, "1")
      #expect(json.type == .number && json.error == nil && json.bool == nil && json.int == 1)
      #expect(json == 1 && json.stringValue == "1")
      accessor.set(&json, nil)
      #expect(json.type == .null && json.error == nil && json.exists())
      json = specimen(of: before)
      accessor.setValue(&json, "0")
      #expect(json.type == .number && json.error == nil && json.bool == nil && json.int == 0)
    }
    for bound in accessor.bounds {
      var json = JSON.null
      accessor.set(&json, bound)
      #expect(accessor.get(json) == bound && accessor.value(json) == bound)
      accessor.setValue(&json, bound)
      #expect(accessor.get(json) == bound)
    }
  }

  @Test(arguments: NumericAccessor.all)
  func `a setter works inside a container`(accessor: NumericAccessor) throws {
    var json = try parsed(#"{"a":[1,{"b":2}]}"#)
    accessor.set(&json["a"][1]["b"], "7")
    accessor.setValue(&json["a"][0], "8")
    accessor.set(&json["new"], "9")
    accessor.set(&json["gone"], nil)
    #expect(json == ["a": [8, ["b": 7]] as [Any], "new": 9, "gone": NSNull()])
  }

  /// A number, an accessor, the result of its optional form and that of the coercing form.
  static let narrowed: [(String, String, String?, String)] = [
    ("300", "int8", "44", "44"), ("300", "uInt8", "44", "44"), ("300", "int16", "300", "300"),
    ("-1", "uInt", "18446744073709551615", "18446744073709551615"), ("-1", "uInt8", "255", "255"),
    ("-1", "uInt16", "65535", "65535"), ("-1", "uInt32", "4294967295", "4294967295"),
    ("-1", "uInt64", "18446744073709551615", "18446744073709551615"), ("128", "int8", "-128", "-128"),
    ("-129", "int8", "127", "127"), ("256", "uInt8", "0", "0"), ("32768", "int16", "-32768", "-32768"),
    ("65536", "uInt16", "0", "0"), ("2147483648", "int32", "-2147483648", "-2147483648"),
    ("4294967296", "uInt32", "0", "0"), ("4294967295", "int32", "-1", "-1"),
    ("18446744073709551615", "int", "-1", "-1"), ("18446744073709551615", "int64", "-1", "-1"),
    ("18446744073709551615", "int8", "-1", "-1"),
    ("9223372036854775808", "int", "-9223372036854775808", "-9223372036854775808"),
    ("9223372036854775807", "int", "9223372036854775807", "9223372036854775807"),
    ("9007199254740993", "int", "9007199254740993", "9007199254740993"), ("3.9", "int", "3", "3"),
    ("-3.9", "int", "-3", "-3"), ("3.9", "uInt8", "3", "3"), ("-0.9", "uInt", "0", "0"), ("0.5", "int64", "0", "0"),
    ("-0.0", "int", "0", "0"), ("1e2", "int", "100", "100"), ("126.99", "int8", "126", "126"),
    ("1e30", "int", nil, "9223372036854775807"), ("-1e30", "int", nil, "-9223372036854775808"),
    ("1e30", "uInt", nil, "18446744073709551615"), ("-1e30", "uInt", nil, "0"), ("1e30", "int8", nil, "127"),
    ("-1e30", "int8", nil, "-128"), ("1e30", "uInt8", nil, "255"), ("1e30", "int16", nil, "32767"),
    ("1e30", "uInt16", nil, "65535"), ("1e30", "int32", nil, "2147483647"), ("1e30", "uInt32", nil, "4294967295"),
    ("1e30", "int64", nil, "9223372036854775807"), ("1e30", "uInt64", nil, "18446744073709551615"),
    ("300.5", "int8", nil, "127"), ("-3.9", "uInt", nil, "0"), ("1e300", "float", "inf", "inf"),
    ("-1e300", "float", "-inf", "-inf"), ("16777217", "float", "16777216.0", "16777216.0"),
    ("0.1", "float", "0.1", "0.1"), ("1e300", "double", "1e+300", "1e+300"), ("1e-400", "double", "0.0", "0.0"),
    ("1e-400", "int", "0", "0"), ("9007199254740993", "double", "9007199254740992.0", "9007199254740992.0"),
    ("18446744073709551616", "uInt64", nil, "18446744073709551615"),
  ]
  /// Numbers that no built value has.
  static let exotic: [(String, String, String?, String)] = [
    ("100e-2", "int", "1", "1"), ("1.5e1", "int8", "15", "15"), ("1e400", "int", nil, "9223372036854775807"),
    ("1e999999999999", "int", nil, "9223372036854775807"), ("1e-999999999999", "int", "0", "0"),
    ("-9223372036854775809", "int", nil, "-9223372036854775808"),
    ("-1e999999999999", "int64", nil, "-9223372036854775808"), ("0.9999999999999999999999", "int", "0", "0"),
    ("9007199254740993.5", "int", "9007199254740993", "9007199254740993"),
    ("9223372036854775807.9", "int", "9223372036854775807", "9223372036854775807"),
  ]

  @Test(arguments: narrowed + exotic)
  func `a number is narrowed as documented`(text: String, name: String, optional: String?, coerced: String) throws {
    let accessor = try #require(NumericAccessor.named(name))
    let json = try parsed(text)
    #expect(accessor.get(json) == optional)
    #expect(accessor.value(json) == coerced)
    #expect(accessor.get(try parsed("[\(text)]")[0]) == optional)
    if Self.exotic.contains(where: { $0.0 == text }) { return }
    // The same for a built value.
    let built = Int64(text).map { JSON($0) } ?? UInt64(text).map { JSON($0) } ?? JSON(Double(text) as Any)
    #expect(accessor.get(built) == optional)
    #expect(accessor.value(built) == coerced)
  }

  @Test(arguments: NumericAccessor.all.filter { !$0.isFloating })
  func `no floating-point number makes an integer accessor trap`(accessor: NumericAccessor) {
    #expect(accessor.get(JSON(Double.nan)) == nil)
    #expect(accessor.get(JSON(Double.infinity)) == nil && accessor.get(JSON(-Double.infinity)) == nil)
    #expect(accessor.value(JSON(Double.infinity)) == accessor.bounds[1])
    #expect(accessor.value(JSON(-Double.infinity)) == accessor.bounds[0])
    #expect(accessor.value(JSON(Double.nan)) == "0")
    for value in [1e30, 1e308, Double(Float.greatestFiniteMagnitude), 4.5e19] {
      #expect(accessor.get(JSON(value)) == nil && accessor.value(JSON(value)) == accessor.bounds[1], "\(value)")
      #expect(accessor.get(JSON(-value)) == nil && accessor.value(JSON(-value)) == accessor.bounds[0], "\(-value)")
    }
  }

  @Test func `a whole Double is narrowed like any Double and not like an integer`() throws {
    for json in [JSON(300.0), JSON(NSNumber(value: 300.0)), JSON(Float(300)), try parsed("3e2")] {
      #expect(json.int8 == nil && json.int8Value == 127 && json.int16 == 300)
    }
    for json in [JSON(-1.0), JSON(NSNumber(value: -1.0)), try parsed("-1e0")] {
      #expect(json.uInt == nil && json.uIntValue == 0 && json.uInt8Value == 0 && json.int == -1)
    }
    for json in [JSON(1e19), try parsed("1e19")] {
      #expect(json.int == nil && json.intValue == Int.max && json.uInt != nil)
    }
  }

  @Test func `exact access gives the value or nil`() throws {
    for json in [try parsed("[300,-1,3.9,1.0,0.1,0.5]"), JSON([300, -1, 3.9, 1.0, 0.1, 0.5] as [Any])] {
      #expect(json[0].exactly(Int8.self) == nil && json[0].exactly(Int16.self) == 300)
      #expect(json[1].exactly(UInt.self) == nil && json[1].exactly(Int.self) == -1)
      #expect(json[2].exactly(Int.self) == nil && json[3].exactly(Int.self) == 1)
      #expect(json[5].exactly(Double.self) == 0.5 && json[5].exactly(Float.self) == 0.5)
      #expect(json[0].exactly(Decimal.self) == 300 && json[0].exactly(UInt64.self) == 300)
    }
    #expect(
      JSON("5").exactly(Int.self) == nil && JSON.null.exactly(Int.self) == nil && JSON(true).exactly(Int.self) == nil)
  }
}
