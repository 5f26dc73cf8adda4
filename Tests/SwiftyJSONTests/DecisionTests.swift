import Foundation
import JSONSift
import SwiftyJSON
import TestSupport
import Testing

/// Section 15 of the inventory, as far as the other suites do not cover it.
@Suite struct DecisionTests {
  @Test func `issue 48: an integer beyond 64 bits has no narrow accessor, and the nearest value`() throws {
    for (text, isNegative) in [("18446744073709551616", false), ("-9223372036854775809", true)] {
      let json = try parsed(text)
      #expect(json.int8 == nil && json.int == nil && json.int64 == nil && json.uInt16 == nil && json.uInt64 == nil)
      #expect(json.int8Value == (isNegative ? .min : .max) && json.int64Value == (isNegative ? .min : .max))
      #expect(json.uInt8Value == (isNegative ? 0 : .max) && json.uInt64Value == (isNegative ? 0 : .max))
    }
  }

  @Test func `issue 48: a number is true unless it is 0, and values of two types have no order`() throws {
    for text in ["-0", "-0.0", "0e9", "0"] { #expect(try !parsed(text).boolValue && parsed(text).bool == nil) }
    for text in ["0.1", "0.5", "-0.1", "1e-300"] { #expect(try parsed(text).boolValue && parsed(text).bool == nil) }
    for (one, two) in [(JSON(1), JSON("1")), (JSON("a"), JSON(true)), (JSON.null, JSON(0)), (JSON([1]), JSON(2))] {
      #expect(!(one < two) && !(one > two) && !(one <= two) && !(one >= two) && one != two)
    }
  }

  @Test func `the error of JSON(data) is an NSError object`() {
    let error = thrownError { _ = try JSON(data: Data("[1".utf8)) }
    #expect(error.map { type(of: $0) is NSError.Type } == true)
  }

  /// A text, the code of the detailed error and its byte offset.
  static let faults: [(String, JSONError.Code, Int)] = [
    ("[1", .unexpectedEnd, 2), ("[1,]", .unexpectedByte, 3), ("[1 2]", .unexpectedByte, 3),
    (#"["\ud800"]"#, .loneSurrogate, 2),
  ]

  @Test(arguments: faults)
  func `the detailed error is the underlying error of the NSError`(
    text: String, code: JSONError.Code, offset: Int
  ) throws {
    let error = try #require(thrownError { _ = try JSON(data: Data(text.utf8)) }) as NSError
    let rich = try #require(error.userInfo[NSUnderlyingErrorKey] as? JSONError)
    #expect(rich.code == code && rich.byteOffset == offset)
  }

  @Test func `one and true differ at any depth`() throws {
    for (left, right) in [
      ("[1]", "[true]"), ("[0]", "[false]"), (#"{"a":1}"#, #"{"a":true}"#), ("[[[1]]]", "[[[true]]]"),
    ] {
      #expect(try parsed(left) != parsed(right) && built(left) != built(right))
      #expect(try parsed(left) != built(right) && Set([parsed(left), built(right)]).count == 2)
    }
  }

  @Test func `members keep the document's order in iteration and output`() throws {
    let text = #"{"z":1,"y":{"b":2,"a":3},"x":[{"d":4,"c":5}],"w":6,"v":7,"u":8}"#
    let json = try parsed(text)
    #expect(json.map { $0.0 } == ["z", "y", "x", "w", "v", "u"])
    #expect(try String(decoding: json.rawData(), as: UTF8.self) == text && json.rawString(options: []) == text)
    var changed = json
    changed["y"]["a"] = 9
    changed["t"] = 10
    #expect(changed.map { $0.0 } == ["z", "y", "x", "w", "v", "u", "t"] && changed["y"].map { $0.0 } == ["b", "a"])
  }

  @Test func `duplicate members are counted and written, and lookup returns the last`() throws {
    let text = #"{"a":1,"b":2,"a":3}"#
    let json = try parsed(text)
    #expect(json.count == 3 && json.map { $0.1.intValue } == [1, 2, 3] && json["a"].int == 3)
    #expect(try String(decoding: json.rawData(), as: UTF8.self) == text)
    #expect(json.dictionaryValue.count == 2 && json == ["a": 3, "b": 2])
    #expect(try json.merged(with: ["c": 4]) == ["a": 3, "b": 2, "c": 4])
  }

  @Test func `unchanged bytes are copied by the core writer`() throws {
    let text = #"{"a":1.0,"b":"\u0041\/","c":[-0.0,1e2]}"#
    let json = try parsed("  " + text + "\n")
    #expect(try String(decoding: json.bytes(), as: UTF8.self) == text)
    #expect(try String(decoding: json.rawData(), as: UTF8.self) == #"{"a":1,"b":"A\/","c":[-0,100]}"#)
  }

  @Test func `a lookup takes the same time before a small and a large subtree`() throws {
    let big = (0..<200_000).map(String.init).joined(separator: ",")
    for json in [
      try parsed(#"{"big":[\#(big)],"a":1}"#), JSON(["big": JSON(Array(0..<200_000)), "a": 1] as [String: Any]),
    ] {
      let start = threadSeconds()
      var total = 0
      for _ in 0..<50_000 { total += json["big"].count + json["a"].intValue }
      #expect(total == 50_000 * 200_001)
      #expect(threadSeconds() - start < 5)
    }
  }

  @Test func `reading a copy of a large value copies no memory`() throws {
    var json = try parsed("[" + (0..<100_000).map { "[\($0)]" }.joined(separator: ",") + "]")
    let start = threadSeconds()
    var total = 0
    for index in 0..<50_000 {
      let copy = json
      total += copy[index][0].intValue
    }
    json[0] = 1
    #expect(total == (0..<50_000).reduce(0, +) && json[0] == 1)
    #expect(threadSeconds() - start < 5)
  }

  @Test func `JSON is Sendable and Hashable`() {
    func both<Value: Sendable & Hashable & Comparable & Codable>(_ value: Value) -> Value { value }
    #expect(both(JSON([1])) == [1])
  }

  @Test func `the names of the core need a separate import`() throws {
    let json = try JSON(parsing: #"{"a":[1,2]}"#, options: JSONOptions(limits: .unlimited))
    #expect(json["a"][1].numberText == "2" && json["a"].byteRange == 5..<10)
    var reader = JSONParser()
    #expect(try reader.parse(Array("[1]".utf8))[0].int == 1)
  }
}
