import Foundation
import SwiftyJSON
import Testing

/// Section 12 of the inventory.
@Suite struct CodableTests {
  private struct Message: Codable, Equatable {
    var id: Int
    var payload: JSON
    var extra: JSON?
    var list: [JSON]?
  }

  private func decoded(_ text: String) throws -> JSON { try JSONDecoder().decode(JSON.self, from: Data(text.utf8)) }

  private func encoded(_ json: JSON) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return String(decoding: try encoder.encode(json), as: UTF8.self)
  }

  static let texts: [(String, Type)] = [
    ("1", .number), ("-5", .number), ("1.5", .number), ("18446744073709551615", .number),
    ("-9223372036854775808", .number), ("0", .number), ("\"a\"", .string), ("\"1\"", .string), ("\"\"", .string),
    ("true", .bool), ("false", .bool), ("null", .null), ("[]", .array), ("{}", .dictionary),
    (#"[1,true,null,"x",[0.5],{"a":{}}]"#, .array), (#"{"a":[1,{"b":null}],"c":"é😀\n","d":1e-7}"#, .dictionary),
  ]

  @Test(arguments: texts)
  func `a value is decoded`(text: String, type: Type) throws {
    let json = try decoded(text)
    #expect(json.type == type && json.error == nil)
    #expect(json == (try parsed(text)))
    #expect(try decoded("[\(text)]")[0] == json && decoded("{\"k\":\(text)}")["k"] == json)
  }

  @Test(arguments: texts)
  func `a value is encoded`(text: String, type: Type) throws {
    for json in [try parsed(text), try built(text), try decoded(text)] {
      #expect(try parsed(encoded(json)) == json)
      #expect(try parsed(encoded(json)).type == type)
      #expect(try decoded(encoded(json)) == json)
    }
  }

  /// A text, and the text after decoding and encoding it.
  static let written: [(String, String)] = [
    ("1.0", "1"), ("1", "1"), ("0", "0"), ("true", "true"), ("[1,0,true,false]", "[1,0,true,false]"), ("-2.50", "-2.5"),
    (#"{"b":1,"a":[null]}"#, #"{"a":[null],"b":1}"#), ("18446744073709551615", "18446744073709551615"),
    (#""a\/b""#, #""a/b""#), ("100.0", "100"), ("1e2", "100"),
  ]

  @Test(arguments: written)
  func `integers are encoded as integers and Bools as Bools`(text: String, result: String) throws {
    for json in [try parsed(text), try built(text), try decoded(text)] { #expect(try encoded(json) == result) }
  }

  @Test func `an integral fraction is decoded as an integer`() throws {
    #expect(try decoded("1.0").int == 1 && decoded("1.0").stringValue == "1" && decoded("[1.0]")[0].stringValue == "1")
  }

  @Test func `a number beyond 64 bits keeps the value of its Double`() throws {
    #expect(try decoded("123456789012345678901234567890").double == 1.2345678901234568e29)
    #expect(try decoded("1e300").double == 1e300)
    #expect(try parsed(encoded(parsed("123456789012345678901234567890"))).double == 1.2345678901234568e29)
  }

  @Test(arguments: [
    "123456789012345678901234567890", "-18446744073709551617", "18446744073709551616", "1e20", "1e300",
    "340282366920938463463374607431768211455", "100000000000000000000000000000000000000000000000000",
  ])
  func `issue 48: an integer beyond 64 bits is encoded exactly`(text: String) throws {
    for json in [try parsed(text), try parsed("[\(text)]")[0]] {
      #expect(try parsed(encoded(json)) == json && parsed(encoded(JSON([json])))[0] == json)
    }
  }

  @Test(arguments: [1.2804204703171581e18, 8.519123664827558e16, -9.2e18, 1.8e19, 1e20, 1.2345678901234567e25, 1e-5])
  func `issue 48: a Double survives a round trip as the decimal that it is written as`(value: Double) throws {
    #expect(try decoded(encoded(JSON(value))) == JSON(value))
  }

  @Test(arguments: ["340282366920938463463374607431768211457", "1234567890123456789e40", "1e400"])
  func `issue 48: an integer of more than 128 bits is an error`(text: String) throws {
    let json = try parsed(text)
    #expect(throws: EncodingError.self) { try JSONEncoder().encode([json]) }
  }

  @Test func `a Float is encoded as its Double`() throws {
    #expect(try encoded(JSON(Float(1.1))) == "1.100000023841858")
    #expect(try encoded(JSON([Float(1.1)])) == "[1.100000023841858]")
  }

  @Test func `null, missing and unknown values are encoded as null`() throws {
    for json in [JSON.null, JSON([1])[4], JSON(noJSON), JSON(noJSON)[0]] {
      #expect(
        try encoded(json) == "null" && encoded(JSON([json])) == "[null]" && encoded(JSON(["k": json])) == #"{"k":null}"#
      )
    }
    #expect(try encoded(JSON([noJSON, 1])) == "[null,1]")
  }

  @Test func `NaN and infinity are an encoding error`() {
    for value in [Double.nan, .infinity, -.infinity] {
      for json in [JSON(value), JSON([value]), JSON(["k": [value]])] {
        #expect(throws: EncodingError.self) { try JSONEncoder().encode(json) }
      }
    }
  }

  @Test func `a property is decoded and encoded with its type`() throws {
    let text = #"{"id":7,"payload":{"a":[1,{"b":"c"}]},"list":[1,"x",null]}"#
    let message = try JSONDecoder().decode(Message.self, from: Data(text.utf8))
    #expect(message.id == 7 && message.payload["a"][1]["b"].string == "c" && message.extra == nil)
    #expect(message.list?.count == 3 && message.list?[1] == "x" && message.list?[2].type == .null)
    let again = try JSONDecoder().decode(Message.self, from: JSONEncoder().encode(message))
    #expect(again == message)
  }

  @Test func `a null property is null and a missing one throws`() throws {
    let message = try JSONDecoder().decode(Message.self, from: Data(#"{"id":1,"payload":null,"extra":null}"#.utf8))
    #expect(message.payload.type == .null && message.payload.exists() && message.extra == nil)
    let error = thrownError { _ = try JSONDecoder().decode(Message.self, from: Data(#"{"id":1}"#.utf8)) }
    guard case .keyNotFound(let key, _)? = error as? DecodingError else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(key.stringValue == "payload")
  }

  @Test func `containers of values are decoded`() throws {
    #expect(try JSONDecoder().decode([JSON].self, from: Data("[1,null]".utf8)) == [1, JSON.null])
    #expect(try JSONDecoder().decode([String: JSON].self, from: Data(#"{"a":[1]}"#.utf8)) == ["a": [1]])
  }

  @Test func `a property list is decoded and encoded too`() throws {
    let message = ["a": JSON([1, "x", true, 2.5] as [Any])]
    let data = try PropertyListEncoder().encode(message)
    let again = try PropertyListDecoder().decode([String: JSON].self, from: data)
    #expect(again["a"]?[0].int == 1 && again["a"]?[1].string == "x" && again["a"]?[3].double == 2.5)
  }

  @Test func `a decoded value can be changed and written`() throws {
    var json = try decoded(#"{"a":{"b":1}}"#)
    json["a"]["c"] = [true]
    #expect(try encoded(json) == #"{"a":{"b":1,"c":[true]}}"#)
    #expect(try JSON(data: json.rawData()) == json)
  }
}
