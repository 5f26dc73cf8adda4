import Foundation
import SwiftyJSON
import Testing

/// Section 4 of the inventory: `type`, `error` and `object`.
@Suite struct StateTests {
  @Test func `setting object clears the error`() {
    var missing = JSON(["a": 1])["b"]
    missing.object = 5
    #expect(missing.error == nil && missing.int == 5 && missing.exists())
    var unknown = JSON(noJSON)
    unknown.object = NSNull()
    #expect(unknown.error == nil && unknown.type == .null && unknown.exists())
    unknown.object = noJSON
    #expect(unknown.error == .unsupportedType && unknown.type == .unknown)
  }

  @Test func `object is the documented Foundation value`() throws {
    #expect(JSON([1]).object is [Any])
    #expect(JSON(["a": 1]).object is [String: Any])
    #expect(JSON("a").object as? String == "a")
    #expect(JSON(1.5).object as? NSNumber == 1.5)
    #expect(JSON(true).object as? Bool == true)
    #expect(JSON.null.object is NSNull)
    #expect(JSON(noJSON).object is NSNull)
    #expect(JSON(["a": 1])["b"].object is NSNull)
    #expect(try parsed("\"a\"").object as? String == "a")
    #expect(try parsed("12").object as? NSNumber == 12)
    #expect(try parsed("false").object as? Bool == false)
    #expect(try parsed("null").object is NSNull)
  }

  @Test func `elements of a parsed container are Foundation values`() throws {
    let object = try parsed(#"{"n":1,"d":1.5,"b":true,"s":"a","z":null,"a":[1],"o":{"k":2}}"#).object
    let dictionary = try #require(object as? [String: Any])
    #expect(dictionary.count == 7)
    let number = try #require(dictionary["n"] as? NSNumber)
    #expect(number == 1 && !isBool(number))
    #expect((dictionary["d"] as? NSNumber)?.doubleValue == 1.5)
    let bool = try #require(dictionary["b"] as? NSNumber)
    #expect(isBool(bool) && bool.boolValue)
    #expect(dictionary["s"] as? String == "a")
    #expect(dictionary["z"] is NSNull)
    #expect((dictionary["a"] as? [Any])?.count == 1)
    #expect((dictionary["o"] as? [String: Any])?["k"] as? Int == 2)
  }

  @Test func `elements given as Swift values can be read as Swift values`() {
    let values: [Any] = [1, 2.5, true, "a", Int8(3), UInt64.max]
    let object = JSON(values).arrayObject
    #expect(object?.count == 6)
    #expect(object?[0] as? Int == 1)
    #expect(object?[1] as? Double == 2.5)
    #expect(object?[2] as? Bool == true)
    #expect(object?[3] as? String == "a")
    #expect((object?[4] as? NSNumber)?.intValue == 3)
    #expect(object?[5] as? UInt64 == UInt64.max)
    let dictionary = JSON(["i": 1, "d": 2.5] as [String: Any]).dictionaryObject
    #expect(dictionary?["i"] as? Int == 1 && dictionary?["d"] as? Double == 2.5)
  }

  @Test func `object accepts the same values as init`() {
    var json = JSON.null
    json.object = ["a": [JSON(1), nil as Int? as Any, "b"] as [Any]]
    #expect(json["a"].count == 3 && json["a"][0].int == 1 && json["a"][1].type == .null && json["a"][2].string == "b")
    json.object = JSON("x")
    #expect(json.string == "x")
    json.object = Optional(Optional(3)) as Any
    #expect(json.int == 3)
    json.object = [JSON(1), JSON(2)]
    #expect(json.arrayValue.map(\.intValue) == [1, 2])
    json.object = NSDictionary(dictionary: ["k": true])
    #expect(json["k"].bool == true)
    json.object = Data("[9]".utf8)
    #expect(json[0].int == 9)
    json.object = json.object
    #expect(json[0].int == 9)
  }

  @Test func `a Bool differs from one and zero`() {
    #expect(JSON(NSNumber(value: true)).type == .bool && JSON(NSNumber(value: false)).type == .bool)
    #expect(JSON(NSNumber(value: 1)).type == .number && JSON(NSNumber(value: 0)).type == .number)
    #expect(JSON(kCFBooleanTrueAsNumber).type == .bool)
    let mixed = JSON([NSNumber(value: true), NSNumber(value: 1), true, 1] as [Any])
    #expect(mixed.arrayValue.map(\.type) == [.bool, .number, .bool, .number])
  }

  private let kCFBooleanTrueAsNumber: Any = NSNumber(value: true) as Any

  @Test func `object of every value creates that value again`() throws {
    for text in [
      "1", "\"a\"", "true", "null", "[]", "{}", #"{"a":[1,true,null,"x",{"b":1.5}]}"#, "18446744073709551615",
    ] {
      let json = try parsed(text)
      #expect(JSON(json.object) == json)
      #expect(JSON(json.object).type == json.type)
    }
  }
}
