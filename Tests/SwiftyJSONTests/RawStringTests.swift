import Foundation
import SwiftyJSON
import Testing

/// Section 9 of the inventory: both forms of `rawString`.
@Suite struct RawStringTests {
  @Test func `a container is pretty text by default`() throws {
    let json = try parsed(#"{"a":[1,"x/y"],"b":{}}"#)
    let pretty = "{\n  \"a\" : [\n    1,\n    \"x\\/y\"\n  ],\n  \"b\" : {\n\n  }\n}"
    #expect(json.rawString() == pretty)
    #expect(json.rawString(.utf8) == pretty)
    #expect(json.rawString(options: .prettyPrinted) == pretty)
    #expect(json.rawString(.utf8, options: [.prettyPrinted]) == pretty)
    #expect(json.rawString(options: []) == #"{"a":[1,"x\/y"],"b":{}}"#)
    #expect(json.rawString(.utf8, options: .withoutEscapingSlashes) == #"{"a":[1,"x/y"],"b":{}}"#)
    #expect(JSON([] as [Any]).rawString() == "[\n\n]" && JSON([:] as [String: Any]).rawString() == "{\n\n}")
  }

  /// A scalar and its text.
  static let scalars: [(String, String)] = [
    ("\"a\"", "a"), (#""\"\n\/\u00e9""#, "\"\n/é"), ("\"\"", ""), ("1", "1"), ("1.0", "1"), ("-2.50", "-2.5"),
    ("true", "true"), ("false", "false"), ("null", "null"), ("18446744073709551615", "18446744073709551615"),
  ]

  @Test(arguments: scalars)
  func `a scalar is its text without quotes`(source: String, result: String) throws {
    for json in [try parsed(source), try built(source)] {
      #expect(json.rawString() == result && json.rawString(options: []) == result)
      #expect(json.rawString(.utf8, options: .sortedKeys) == result)
      #expect(json.rawString([:]) == result && json.rawString([.castNilToNSNull: true]) == result)
    }
  }

  @Test func `an unknown value has no raw string`() {
    #expect(JSON(noJSON).rawString() == nil && JSON(noJSON).rawString(options: []) == nil)
    #expect(JSON(noJSON).rawString([:]) == nil && JSON(noJSON).rawString([.castNilToNSNull: true]) == nil)
  }

  @Test func `a container that cannot be written has no raw string`() {
    for bad: Any in [noJSON, Double.nan, -Double.infinity] {
      #expect(JSON([bad]).rawString() == nil && JSON(["a": ["b": bad]]).rawString(options: []) == nil)
      #expect(JSON([bad]).rawString([:]) == nil)
    }
  }

  @Test(arguments: [String.Encoding.utf8, .utf16, .utf16LittleEndian, .utf16BigEndian, .utf32, .isoLatin1, .unicode])
  func `an encoding that has all characters of the text does not change it`(encoding: String.Encoding) {
    #expect(JSON(["é": "ü"]).rawString(encoding, options: []) == #"{"é":"ü"}"#)
    #expect(
      JSON(["é"]).rawString([.encoding: encoding, .jsonSerialization: [] as JSONSerialization.WritingOptions])
        == #"["é"]"#)
    #expect(JSON("é").rawString(encoding) == "é")
  }

  @Test func `an encoding that lacks a character of the text gives nil`() {
    #expect(JSON(["é"]).rawString(.ascii, options: []) == nil)
    #expect(JSON(["e"]).rawString(.ascii, options: []) == #"["e"]"#)
  }

  @Test func `the options of the dictionary are the documented ones`() {
    let keys: [writingOptionsKeys] = [.jsonSerialization, .castNilToNSNull, .maxObjextDepth, .encoding]
    #expect(Set(keys).count == 4)
    let json = JSON(["b/": ["a": 1, "c": 2]])
    #expect(json.rawString([:])?.contains("\n  \"b\\/\" : {") == true)
    #expect(
      json.rawString([.jsonSerialization: JSONSerialization.WritingOptions([.sortedKeys, .withoutEscapingSlashes])])
        == #"{"b/":{"a":1,"c":2}}"#)
    #expect(json.rawString([.castNilToNSNull: false])?.contains("\n") == true)
    #expect(json.rawString([.maxObjextDepth: 1])?.contains("\n") == true)
    #expect(JSON([1]).rawString([.encoding: String.Encoding.utf8]) == "[\n  1\n]")
  }

  @Test func `castNil writes nil as null`() throws {
    let none: Int? = nil
    #expect(try parsed(#"{"1":2,"3":null}"#).rawString([.castNilToNSNull: true]) == #"{"1": 2,"3": null}"#)
    #expect(JSON(["k": none as Any]).rawString([.castNilToNSNull: true]) == #"{"k": null}"#)
    #expect(JSON([none as Any, 1, NSNull()]).rawString([.castNilToNSNull: true]) == "[null,1,null]")
    #expect(
      JSON(["k": [none as Any, ["l": none as Any]] as [Any]]).rawString([.castNilToNSNull: true])
        == #"{"k": [null,{"l": null}]}"#)
    let dictionary: [String: Int?] = ["1": 2, "3": nil]
    let text = try #require(JSON(dictionary).rawString([.castNilToNSNull: true]))
    #expect(text == #"{"1": 2,"3": null}"# || text == #"{"3": null,"1": 2}"#)
  }

  @Test func `castNil writes every type`() throws {
    let source = #"{"a":1,"b":1.5,"c":true,"d":false,"e":"x","f":null,"g":[],"h":{},"i":[1,[2]],"j":{"k":{}}}"#
    let result =
      #"{"a": 1,"b": 1.5,"c": true,"d": false,"e": "x","f": null,"g": [],"h": {},"i": [1,[2]],"j": {"k": {}}}"#
    #expect(try parsed(source).rawString([.castNilToNSNull: true]) == result)
    #expect(try parsed("[]").rawString([.castNilToNSNull: true]) == "[]")
    #expect(try parsed("{}").rawString([.castNilToNSNull: true]) == "{}")
  }

  @Test func `castNil ignores the options of JSONSerialization`() throws {
    let options = JSONSerialization.WritingOptions([.prettyPrinted, .sortedKeys])
    let text = try parsed(#"{"b":1,"a":[2]}"#).rawString([.castNilToNSNull: true, .jsonSerialization: options])
    #expect(text == #"{"b": 1,"a": [2]}"#)
  }

  @Test func `castNil writes valid JSON for all strings`() throws {
    for string in ["a\"b", "\\", "\n\t\r\u{1}\0", "/", "é😀\u{2028}", "\\\"\\", "\u{7F}"] {
      let json = JSON([string: [string, [string: string]] as [Any]])
      let text = try #require(json.rawString([.castNilToNSNull: true]))
      #expect(try JSON(data: Data(text.utf8)) == json, "\(text)")
      #expect(try JSON(JSONSerialization.jsonObject(with: Data(text.utf8))) == json, "\(text)")
    }
    #expect(JSON(["a\"b\\c"]).rawString([.castNilToNSNull: true]) == #"["a\"b\\c"]"#)
    #expect(JSON(["é/"]).rawString([.castNilToNSNull: true]) == #"["é/"]"#)
  }

  @Test func `castNil gives nil for a value without a text`() {
    for bad: Any in [Double.nan, Double.infinity, -Double.infinity, noJSON] {
      #expect(JSON([bad]).rawString([.castNilToNSNull: true]) == nil)
      #expect(JSON(["a": [1, bad] as [Any]]).rawString([.castNilToNSNull: true]) == nil)
    }
  }

  private func nested(_ depth: Int, object: Bool) -> JSON {
    (0..<depth).reduce(JSON(1)) { inner, _ in object ? ["k": inner] : [inner] }
  }

  @Test(arguments: [false, true])
  func `castNil includes the leaf in its depth`(object: Bool) {
    #expect(nested(9, object: object).rawString([.castNilToNSNull: true]) != nil)
    #expect(nested(10, object: object).rawString([.castNilToNSNull: true]) == nil)
    for limit in 1...30 {
      for depth in 1...32 {
        let text = nested(depth, object: object).rawString([.castNilToNSNull: true, .maxObjextDepth: limit])
        #expect((text != nil) == (depth + 1 <= limit), "\(depth) levels, limit \(limit)")
      }
    }
    #expect(nested(400, object: object).rawString([.castNilToNSNull: true, .maxObjextDepth: 500]) != nil)
  }

  @Test func `the depth limit applies only to castNil, except zero`() {
    #expect(nested(20, object: false).rawString([.maxObjextDepth: 1]) != nil)
    #expect(nested(20, object: true).rawString([.castNilToNSNull: false, .maxObjextDepth: 5]) != nil)
    #expect(JSON([1]).rawString([.maxObjextDepth: 0]) == nil)
    #expect(JSON([1]).rawString([.castNilToNSNull: true, .maxObjextDepth: 0]) == nil)
  }
}
