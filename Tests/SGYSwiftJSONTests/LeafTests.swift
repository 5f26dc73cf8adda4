import Foundation
import SGYSwiftJSON
import Testing

/// ``JSONLeafValue``, ``JSONLeafConvertable``, ``JSONLeafRepresentable``: the values that each leaf type accepts and
/// returns.
@Suite struct LeafTests {
  static let texts = [
    "0", "1", "-1", "2", "1.0", "1.5", "1.9", "-0.0", "1e2", "127", "128", "255", "256", "300", "-129", "65536",
    "2147483648",
    "9223372036854775807", "9223372036854775808", "18446744073709551615", "18446744073709551616", "1e30", "1e300",
    "1e400",
    "0.1", "123456789012345678901234567890.5", "true", "false", #""""#, #""12""#, #""-7""#, #""+7""#, #""1.0""#,
    #""1.9""#,
    #""1e3""#, #""300""#, #"" 1""#, #""1 ""#, #""0x10""#, #""nan""#, #""inf""#, #""true""#, #""False""#, #""yes""#,
    #""abc""#,
    #""1.""#, #""é""#,
  ]

  /// The same through a property and through the documented initializer. `1e400` is not a leaf at all.
  @Test(arguments: texts.filter { $0 != "1e400" })
  func `a property accepts the same values as the initializer of its type`(_ text: String) throws {
    final class Everything: JSONCreatableObject {
      var string: String?
      var bool: Bool?
      var int: Int?
      var int8: Int8?
      var int16: Int16?
      var int32: Int32?
      var int64: Int64?
      var uint: UInt?
      var uint8: UInt8?
      var uint16: UInt16?
      var uint32: UInt32?
      var uint64: UInt64?
      var double: Double?
      var float: Float?
    }
    let names = [
      "string", "bool", "int", "int8", "int16", "int32", "int64", "uint", "uint8", "uint16", "uint32", "uint64",
      "double", "float",
    ]
    let warnings = Warnings()
    let object: Everything = try read("{" + names.map { "\"\($0)\": \(text)" }.joined(separator: ",") + "}", warnings)
    let value = try #require(try leaf(text))
    #expect(object.string == String(jsonValue: value))
    #expect(object.bool == Bool(jsonValue: value))
    #expect(object.int == Int(jsonValue: value))
    #expect(object.int8 == Int8(jsonValue: value))
    #expect(object.int16 == Int16(jsonValue: value))
    #expect(object.int32 == Int32(jsonValue: value))
    #expect(object.int64 == Int64(jsonValue: value))
    #expect(object.uint == UInt(jsonValue: value))
    #expect(object.uint8 == UInt8(jsonValue: value))
    #expect(object.uint16 == UInt16(jsonValue: value))
    #expect(object.uint32 == UInt32(jsonValue: value))
    #expect(object.uint64 == UInt64(jsonValue: value))
    #expect(object.double == Double(jsonValue: value))
    #expect(object.float == Float(jsonValue: value))
    #if !(os(macOS) && arch(x86_64))
      final class Half: JSONCreatableObject { var half: Float16? }
      let half: Half = try read("{\"half\": \(text)}", Warnings())
      #expect(half.half == Float16(jsonValue: value))
    #endif
    // Each property that is not set is reported, and no other.
    let missing = zip(names, Mirror(reflecting: object).children).filter { "\($0.1.value)" == "nil" }.map { $0.0 }
    #expect(warnings.lines.map { String($0.prefix { $0 != ":" }) } == missing)
  }

  @Test func `integers are exact or missing`() {
    func number(_ value: NSNumber) -> JSONLeafValue { .number(value) }
    #expect(Int(jsonValue: number(1.9)) == nil)
    #expect(Int(jsonValue: number(2.0)) == 2)
    #expect(Int8(jsonValue: number(300)) == nil)
    #expect(UInt(jsonValue: number(-1)) == nil)
    #expect(UInt64(jsonValue: number(NSNumber(value: UInt64.max))) == .max)
    #expect(Int(jsonValue: number(NSNumber(value: UInt64.max))) == nil)
    #expect(Int(jsonValue: .string("12")) == 12)
    #expect(Int(jsonValue: .string("1e3")) == 1000)
    #expect(Int(jsonValue: .string("1.5")) == nil)
    #expect(Int(jsonValue: .null(NSNull())) == nil)
    #expect(Int(jsonValue: number(true)) == 1)
  }

  @Test func `a Bool is created from a string as version 2.0 intended`() {
    #expect(Bool(jsonValue: .string("true")) == true)
    #expect(Bool(jsonValue: .string("FALSE")) == false)
    #expect(Bool(jsonValue: .string("1")) == true)
    #expect(Bool(jsonValue: .string("maybe")) == nil)
    #expect(Bool(jsonValue: .number(0)) == false)
    #expect(Bool(jsonValue: .number(2)) == true)
    #expect(Bool(jsonValue: .null(NSNull())) == nil)
  }

  @Test func `a String is created from a number`() {
    #expect(String(jsonValue: .number(42)) == "42")
    #expect(String(jsonValue: .number(1.5)) == "1.5")
    #expect(String(jsonValue: .number(true)) == "true")
    #expect(String(jsonValue: .string("x")) == "x")
    #expect(String(jsonValue: .null(NSNull())) == nil)
  }

  @Test func `a floating-point number is finite or missing`() {
    #expect(Double(jsonValue: .string("2.5")) == 2.5)
    #expect(Double(jsonValue: .string("inf")) == nil)
    #expect(Double(jsonValue: .string("0x10")) == nil)
    #expect(Float(jsonValue: .number(1e300)) == nil)
    for text in ["+-1", "++1", "+", "-", "+-1.5", "-+1"] {
      #expect(Double(jsonValue: .string(text as NSString)) == nil && Int(jsonValue: .string(text as NSString)) == nil)
    }
    #expect(Double(jsonValue: .number(NSNumber(value: Double.nan))) == nil)
  }

  final class Rounded: JSONCreatableObject {
    var number: Float = 0
    var string: Float = 0
    var small: Float = 0
    var least: Float = 0
    var large: Float = 0
  }

  @Test func `a Float is rounded once`() throws {
    let rounded: Rounded = try read(
      """
      {"number": 1.00000005960464477539062500000001, "string": "1.00000005960464477539062500000001",
       "small": -1e-45, "least": 1e-60, "large": 3.40282356779733661637539395458142568447e38}
      """)
    #expect(rounded.number == Float(1).nextUp && rounded.string == Float(1).nextUp)
    #expect(rounded.small == -Float.leastNonzeroMagnitude && rounded.least == 0)
    #expect(rounded.large == .greatestFiniteMagnitude)
  }

  @Test func `a leaf value has three kinds and rejects NaN`() {
    #expect(JSONLeafValue(NSNumber(value: Double.nan)) == nil)
    #expect(JSONLeafValue(NSNumber(value: -Double.infinity)) == nil)
    if case .number(let number)? = JSONLeafValue(NSNumber(value: 5)) {
      #expect(number == 5)
    } else {
      Issue.record("no number")
    }
    if case .string(let string) = JSONLeafValue(NSString(string: "s")) {
      #expect(string == "s")
    } else {
      Issue.record("no string")
    }
    if case .null = JSONLeafValue(NSNull()) {} else { Issue.record("not null") }
    if case .string? = JSONLeafValue(NSString(string: "s")).jsonLeafValue {} else { Issue.record("not itself") }
  }

  @Test func `standard types represent themselves`() {
    func isNumber(_ value: some JSONLeafRepresentable, _ number: NSNumber) -> Bool {
      if case .number(let found)? = value.jsonLeafValue { found == number } else { false }
    }
    func isString(_ value: some JSONLeafRepresentable, _ string: NSString) -> Bool {
      if case .string(let found)? = value.jsonLeafValue { found == string } else { false }
    }
    #expect(
      isNumber(1, 1) && isNumber(Int8(-1), -1) && isNumber(Int16(2), 2) && isNumber(Int32(3), 3)
        && isNumber(Int64(4), 4))
    #expect(isNumber(UInt(1), 1) && isNumber(UInt8(2), 2) && isNumber(UInt16(3), 3) && isNumber(UInt32(4), 4))
    #expect(isNumber(UInt64.max, NSNumber(value: UInt64.max)))
    #expect(isNumber(1.5, 1.5) && isNumber(Float(0.5), 0.5) && isNumber(true, true))
    #expect(isNumber(NSNumber(value: 7), 7))
    #expect(isString("s", "s") && isString(NSString(string: "t"), "t"))
    if case .null? = NSNull().jsonLeafValue {} else { Issue.record("NSNull is not null") }
    #expect(Double.nan.jsonLeafValue == nil)
    #expect(Float.infinity.jsonLeafValue == nil)
  }

  enum Plain: String, JSONLeafEnum { case one = "1", two }
  enum Small: UInt8, JSONLeafEnum { case a = 1, b = 255 }
  /// Both spellings, each in its own type.
  enum Readable: String, JSONLeafConvertable { case x }
  enum Creatable: String, JSONLeafCreatable { case y }

  @Test func `an enum gets both requirements from its raw value`() {
    #expect(Plain(jsonValue: .string("two")) == .two)
    #expect(Plain(jsonValue: .number(1)) == .one)
    #expect(Plain(jsonValue: .string("three")) == nil)
    #expect(Small(jsonValue: .number(255)) == .b)
    #expect(Small(jsonValue: .number(256)) == nil)
    #expect(Readable(jsonValue: .string("x")) == .x)
    #expect(Creatable(jsonValue: .string("y")) == .y)
    if case .string(let text)? = Plain.two.jsonLeafValue { #expect(text == "two") } else { Issue.record("no string") }
    if case .number(let number)? = Small.b.jsonLeafValue { #expect(number == 255) } else { Issue.record("no number") }
  }

  struct Celsius: JSONLeafConvertable, JSONLeafRepresentable, Equatable {
    var degrees: Double
    init(_ degrees: Double) { self.degrees = degrees }
    init?(jsonValue: JSONLeafValue) {
      guard case .string(let text) = jsonValue, text.hasSuffix(" C"), let value = Double(String(text).dropLast(2))
      else { return nil }
      degrees = value
    }
    var jsonLeafValue: JSONLeafValue? { .string(NSString(string: "\(degrees) C")) }
  }

  final class Weather: JSONCreatableObject {
    var now: Celsius?
    var week: [Celsius] = []
    var byCity: [String: Celsius] = [:]
  }

  @Test func `a leaf of a program's own type is read and written`() throws {
    let text = #"{"byCity":{"Oslo":"1.0 C"},"now":"20.5 C","week":["1.0 C","2.0 C"]}"#
    let weather: Weather = try read(text)
    #expect(weather.now == Celsius(20.5))
    #expect(weather.week == [Celsius(1), Celsius(2)])
    #expect(weather.byCity == ["Oslo": Celsius(1)])
    #expect(try written(weather) == text)
  }
}
