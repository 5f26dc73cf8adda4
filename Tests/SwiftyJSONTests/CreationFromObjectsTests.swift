import Foundation
import SwiftyJSON
import Testing

/// Section 3 of the inventory: `init(_: Any)` and `null`.
@Suite struct CreationFromObjectsTests {
  @Test func `a string is a string and is not parsed`() {
    #expect(JSON("[1]").string == "[1]")
    #expect(JSON("[1]" as NSString).string == "[1]")
    #expect(JSON("").string == "")
    #expect(JSON(NSMutableString(string: "é😀")).string == "é😀")
  }

  @Test func `every integer type of Swift is a number`() {
    let minima: [(Any, Int64)] = [
      (Int.min, Int64.min), (Int8.min, -128), (Int16.min, -32768), (Int32.min, -2_147_483_648), (Int64.min, .min),
      (UInt.min, 0), (UInt8.min, 0), (UInt16.min, 0), (UInt32.min, 0), (UInt64.min, 0),
    ]
    for (value, expected) in minima {
      #expect(JSON(value).type == .number && JSON(value).int64 == expected, "\(value)")
    }
    let maxima: [(Any, UInt64)] = [
      (Int.max, UInt64(Int64.max)), (Int8.max, 127), (Int16.max, 32767), (Int32.max, 2_147_483_647),
      (Int64.max, UInt64(Int64.max)), (UInt.max, .max), (UInt8.max, 255), (UInt16.max, 65535),
      (UInt32.max, 4_294_967_295), (UInt64.max, .max),
    ]
    for (value, expected) in maxima {
      #expect(JSON(value).type == .number && JSON(value).uInt64 == expected, "\(value)")
      #expect(JSON(value).stringValue == String(expected))
    }
  }

  @Test func `one and zero are numbers in every width`() {
    let values: [Any] = [
      Int(1), Int8(1), Int16(1), Int32(1), Int64(1), UInt(1), UInt8(1), UInt16(1), UInt32(1), UInt64(1), Float(1),
      Double(1), Decimal(1), NSNumber(value: 1), NSNumber(value: Int8(1)), NSNumber(value: UInt8(1)),
      NSNumber(value: 1.0), NSNumber(value: Float(1)), NSDecimalNumber(value: 1), NSDecimalNumber.one,
    ]
    for value in values {
      #expect(JSON(value).type == .number && JSON(value).bool == nil && JSON(value).int == 1, "\(type(of: value))")
    }
    let zeros: [Any] = [Int(0), Int8(0), UInt8(0), NSNumber(value: 0), NSNumber(value: Int8(0)), 0.0, Decimal(0)]
    for value in zeros {
      #expect(JSON(value).type == .number && JSON(value).bool == nil && JSON(value).int == 0, "\(type(of: value))")
    }
  }

  @Test func `floating-point numbers and decimals keep their value`() {
    #expect(JSON(0.1).double == 0.1)
    #expect(JSON(Float(0.5)).float == 0.5)
    #expect(JSON(Float(1.1)).double == Double(Float(1.1)))
    #expect(JSON(CGFloat(1.5)).double == 1.5)
    #expect(JSON(NSNumber(value: 2.5)).double == 2.5)
    let text = "1.2345678901234567890123456789012345678"
    for value: Any in [Decimal(string: text) as Any, NSDecimalNumber(string: text)] {
      #expect(JSON(value).type == .number)
      #expect(JSON(value).number?.decimalValue == Decimal(string: text))
      #expect(JSON(value).stringValue == text)
    }
  }

  @Test func `a Bool is a Bool`() {
    for value in [true, false] {
      #expect(JSON(value).type == .bool && JSON(value).bool == value)
      #expect(JSON(NSNumber(value: value)).type == .bool && JSON(NSNumber(value: value)).bool == value)
    }
  }

  @Test func `NSNull is null`() {
    #expect(JSON(NSNull()).type == .null && JSON(NSNull()).error == nil && JSON(NSNull()).exists())
  }

  @Test func `arrays of Swift and Foundation are arrays`() {
    let arrays: [Any] = [
      [1, 2], [1, 2] as [Any], [1, 2] as NSArray, NSMutableArray(array: [1, 2]), [JSON(1), JSON(2)],
      [NSNumber(value: 1), NSNumber(value: 2)], [1.0, 2.0], [Int8(1), Int8(2)] as [Any], [1, JSON(2)] as [Any],
      [1, 2] as [Int?],
    ]
    for array in arrays {
      #expect(JSON(array).type == .array, "\(type(of: array))")
      #expect(JSON(array).arrayValue.map(\.intValue) == [1, 2], "\(type(of: array))")
    }
    #expect(JSON([] as [Any]).type == .array && JSON([] as [String]).type == .array && JSON(NSArray()).type == .array)
  }

  @Test func `dictionaries of Swift and Foundation are dictionaries`() {
    let dictionaries: [Any] = [
      ["a": 1], ["a": 1] as [String: Any], ["a": 1] as NSDictionary, NSMutableDictionary(dictionary: ["a": 1]),
      ["a": JSON(1)], ["a": 1] as [AnyHashable: Any], ["a": NSNumber(value: 1)], ["a": 1 as Int?],
      ["a" as NSString: NSNumber(value: 1)] as [NSString: NSNumber], ["a": 1.0],
    ]
    for dictionary in dictionaries {
      #expect(JSON(dictionary).type == .dictionary, "\(type(of: dictionary))")
      #expect(JSON(dictionary).dictionaryValue.mapValues(\.intValue) == ["a": 1], "\(type(of: dictionary))")
      #expect(JSON(dictionary)["a"].int == 1, "\(type(of: dictionary))")
    }
    #expect(JSON([:] as [String: Any]).type == .dictionary && JSON(NSDictionary()).type == .dictionary)
  }

  @Test func `JSON is unwrapped wherever it is nested`() {
    let json = JSON(
      ["list": JSON([JSON("a"), 1, ["deep": JSON(true)]] as [Any]), "j": JSON(JSON(2))] as [String: Any])
    #expect(json["list"][0].string == "a" && json["list"][1].int == 1 && json["list"][2]["deep"].bool == true)
    #expect(json["j"].int == 2)
    #expect(!"\(type(of: json.object))".contains("JSON"))
    #expect((json.dictionaryObject?["list"] as? [Any])?.first is String)
    #expect(json.dictionaryObject?["j"] is NSNumber)
    #expect((try? json.rawData()) != nil)
  }

  @Test func `a JSON passed as an object is that value`() throws {
    for type in allTypes where type != .unknown { #expect(JSON(specimen(of: type)) == specimen(of: type)) }
    let inner: Any = try parsed(#"{"a":[1]}"#)
    #expect(JSON(inner)["a"][0].int == 1)
    #expect(JSON(JSON(JSON("a"))).string == "a")
  }

  @Test func `arrays and dictionaries of JSON are containers`() {
    let array: [JSON] = [1, "a", true, JSON.null]
    #expect(JSON(array).arrayValue == array)
    let dictionary: [String: JSON] = ["a": 1, "b": ["c"]]
    #expect(JSON(dictionary).dictionaryValue == dictionary)
  }

  @Test func `optionals are unwrapped and nil is null`() {
    let none: Int? = nil
    let twice: Int?? = .some(.some(5))
    let hollow: Int?? = .some(.none)
    #expect(JSON(none as Any).type == .null && JSON(none as Any).error == nil)
    #expect(JSON(hollow as Any).type == .null && JSON(hollow as Any).error == nil)
    #expect(JSON(twice as Any).int == 5)
    #expect(JSON(Optional("a") as Any).string == "a")
    #expect(JSON(Optional([1]) as Any)[0].int == 1)
    #expect(JSON(Optional(JSON(1)) as Any).int == 1)
  }

  @Test func `nil inside a container is null`() {
    let array = JSON([1, nil, 3] as [Int?])
    #expect(array.count == 3 && array[1].type == .null && array[1].exists() && array[2].int == 3)
    let dictionary = JSON(["a": nil, "b": 2] as [String: Int?])
    #expect(dictionary.count == 2 && dictionary["a"].type == .null && dictionary["a"].exists())
    let mixed = JSON([nil as String? as Any, ["k": nil as Int? as Any]] as [Any])
    #expect(mixed[0].type == .null && mixed[0].error == nil)
    #expect(mixed[1]["k"].type == .null && mixed[1]["k"].error == nil)
  }

  static let unsupported: [(String, @Sendable () -> Any)] = [
    ("Date", { Date() }), ("URL", { URL(filePath: "/a") }), ("UUID", { UUID() }), ("Set", { Set([1]) }),
    ("Substring", { "abc".dropFirst() }), ("Character", { Character("a") }), ("Void", { () }),
    ("[Int: String]", { [1: "a"] }), ("a struct", { JSONWriterSpecimen() }), ("a tuple", { (1, 2) }),
    ("NSObject", { NSObject() }), ("a function", { { 1 } as () -> Int }), ("a range", { 1..<2 }),
  ]
  private struct JSONWriterSpecimen {}

  @Test(arguments: unsupported.indices)
  func `a value without a JSON form is unknown and does not exist`(index: Int) {
    let (name, make) = Self.unsupported[index]
    let json = JSON(make())
    #expect(json.type == .unknown, "\(name)")
    #expect(json.error == .unsupportedType, "\(name)")
    #expect(json.error?.errorCode == 999, "\(name)")
    #expect(!json.exists(), "\(name)")
  }

  @Test(arguments: unsupported.indices)
  func `a container with such a value is valid and its element is unknown`(index: Int) {
    let (name, make) = Self.unsupported[index]
    let array = JSON([1, make(), "b"] as [Any])
    #expect(array.type == .array && array.error == nil && array.count == 3, "\(name)")
    #expect(array[0].int == 1 && array[2].string == "b", "\(name)")
    #expect(array[1].type == .unknown && array[1].error == .unsupportedType && !array[1].exists(), "\(name)")
    #expect(swiftyError { _ = try array.rawData() } == .invalidJSON, "\(name)")
    let dictionary = JSON(["k": make(), "l": 2] as [String: Any])
    #expect(dictionary.type == .dictionary && dictionary.error == nil && dictionary["l"].int == 2, "\(name)")
    #expect(dictionary["k"].type == .unknown && !dictionary["k"].exists(), "\(name)")
    #expect(swiftyError { _ = try dictionary.rawData() } == .invalidJSON, "\(name)")
  }

  @Test func `a value can be sent to another thread`() {
    func sent<Value: Sendable>(_ value: Value) -> Value { value }
    #expect(sent(JSON(1)).int == 1)
  }
}
