import Foundation
import SwiftyJSON
import Testing

/// Section 8 of the inventory.
@Suite struct LiteralTests {
  @Test func `a string literal is a string`() {
    let json: JSON = "[1] é\n"
    #expect(json.type == .string && json.string == "[1] é\n")
    #expect(JSON(stringLiteral: "a").string == "a")
    #expect(JSON(extendedGraphemeClusterLiteral: "👨‍👩‍👧").string == "👨‍👩‍👧")
    #expect(JSON(unicodeScalarLiteral: "é").string == "é")
    let empty: JSON = ""
    #expect(empty.string == "" && empty.type == .string)
  }

  @Test func `an integer literal is a number`() {
    let json: JSON = 42
    let negative: JSON = -5
    let zero: JSON = 0
    #expect(json.type == .number && json.int == 42)
    #expect(negative.type == .number && negative.int == -5)
    #expect(zero.type == .number && zero.int == 0)
    #expect(JSON(integerLiteral: 7).int == 7)
    let largest: JSON = 9_223_372_036_854_775_807
    #expect(largest.int64 == .max && largest.stringValue == "9223372036854775807")
  }

  @Test func `a floating-point literal is a number`() {
    let json: JSON = 1.5
    let negative: JSON = -2.25
    #expect(json.type == .number && json.double == 1.5 && negative.double == -2.25)
    #expect(JSON(floatLiteral: 0.1).double == 0.1)
  }

  @Test func `a Boolean literal is a Bool`() {
    let yes: JSON = true
    let no: JSON = false
    #expect(yes.type == .bool && yes.bool == true && no.type == .bool && no.bool == false)
    #expect(JSON(booleanLiteral: true).bool == true)
  }

  @Test func `an array literal is an array`() {
    let json: JSON = [1, "a", true, 2.5, NSNull(), [1, 2], ["k": "v"]]
    #expect(json.type == .array && json.count == 7)
    #expect(json.arrayValue.map(\.type) == [.number, .string, .bool, .number, .null, .array, .dictionary])
    #expect(json[5][1].int == 2 && json[6]["k"].string == "v")
    #expect(JSON(arrayLiteral: 1, "a")[1].string == "a")
    let empty: JSON = []
    #expect(empty.type == .array && empty.isEmpty && empty.error == nil)
  }

  @Test func `a dictionary literal is a dictionary`() {
    let json: JSON = ["a": 1, "b": ["c": [true]], "d": NSNull()]
    #expect(json.type == .dictionary && json.count == 3)
    #expect(json["a"].int == 1 && json["b"]["c"][0].bool == true && json["d"].type == .null && json["d"].exists())
    #expect(JSON(dictionaryLiteral: ("a", 1), ("b", "c"))["b"].string == "c")
    let empty: JSON = [:]
    #expect(empty.type == .dictionary && empty.isEmpty && empty.error == nil)
  }

  @Test func `the last of several equal keys in a literal is used`() {
    let json = JSON(dictionaryLiteral: ("a", 1), ("b", 2), ("a", 3))
    #expect(json["a"].int == 3 && json["b"].int == 2)
    #expect(json.dictionaryValue.mapValues(\.intValue) == ["a": 3, "b": 2])
    #expect((json.dictionaryObject?["a"] as? Int) == 3)
  }

  @Test func `JSON and nil nested in literals are unwrapped`() {
    let inner: JSON = [1, 2]
    let none: String? = nil
    let some: String? = "x"
    let json: JSON = ["j": inner, "n": none as Any, "s": some as Any, "l": [inner, JSON.null]]
    #expect(json["j"] == [1, 2] && json["n"].type == .null && json["n"].exists() && json["s"].string == "x")
    #expect(json["l"][0][1].int == 2 && json["l"][1].type == .null)
    let array: JSON = [inner, none as Any, some as Any]
    #expect(array[0] == inner && array[1].type == .null && array[2].string == "x")
  }

  @Test func `a value without a JSON form is unknown inside a literal`() {
    let json: JSON = ["d": noJSON, "l": [noJSON] as [Any]]
    #expect(json.type == .dictionary && json.error == nil)
    #expect(json["d"].error == .unsupportedType && json["l"][0].error == .unsupportedType)
  }

  @Test func `Foundation values are accepted in literals`() {
    let json: JSON = [
      NSNumber(value: 5), NSNumber(value: true), "a" as NSString, NSArray(array: [1]),
      NSDictionary(dictionary: ["k": 1]), NSDecimalNumber(string: "1.5"), Decimal(2),
    ]
    #expect(json[0].int == 5 && json[1].bool == true && json[2].string == "a" && json[3][0].int == 1)
    #expect(json[4]["k"].int == 1 && json[5].double == 1.5 && json[6].int == 2)
  }

  @Test func `a value conforms to the literal protocols`() {
    func string<Value: ExpressibleByStringLiteral>(_: Value.Type) {}
    func cluster<Value: ExpressibleByExtendedGraphemeClusterLiteral>(_: Value.Type) {}
    func scalar<Value: ExpressibleByUnicodeScalarLiteral>(_: Value.Type) {}
    func integer<Value: ExpressibleByIntegerLiteral>(_: Value.Type) {}
    func float<Value: ExpressibleByFloatLiteral>(_: Value.Type) {}
    func boolean<Value: ExpressibleByBooleanLiteral>(_: Value.Type) {}
    func array<Value: ExpressibleByArrayLiteral>(_: Value.Type) where Value.ArrayLiteralElement == Any {}
    func dictionary<Value: ExpressibleByDictionaryLiteral>(_: Value.Type)
    where Value.Key == String, Value.Value == Any {}
    string(JSON.self)
    cluster(JSON.self)
    scalar(JSON.self)
    integer(JSON.self)
    float(JSON.self)
    boolean(JSON.self)
    array(JSON.self)
    dictionary(JSON.self)
    let type: Any.Type = JSON.self
    #expect(!(type is any ExpressibleByStringInterpolation.Type))
  }

  @Test func `literals are usable as arguments and assigned values`() {
    func text(_ json: JSON) -> String { json.stringValue }
    #expect(text("a") == "a" && text(1) == "1" && text(true) == "true" && text(1.5) == "1.5" && text([]) == "")
    var json: JSON = [:]
    json["s"] = "a"
    json["i"] = 1
    json["f"] = -1.5
    json["b"] = false
    json["a"] = [1, 2]
    json["o"] = ["k": [1]]
    #expect(json == ["s": "a", "i": 1, "f": -1.5, "b": false, "a": [1, 2], "o": ["k": [1]]])
  }
}
