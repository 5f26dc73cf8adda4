import Foundation
import SwiftyJSON
import Testing

/// Section 9 of the inventory: `rawValue`, `rawData` and descriptions.
@Suite struct RawTests {
  private func text(_ json: JSON, _ options: JSONSerialization.WritingOptions = []) throws -> String {
    String(decoding: try json.rawData(options: options), as: UTF8.self)
  }

  @Test func `the raw value is the object and creates the same value`() throws {
    func raw<Value: RawRepresentable>(_ value: Value) -> Any { value.rawValue }
    #expect(raw(JSON("a")) as? String == "a")
    #expect(JSON([1, 2]).rawValue is [Any] && JSON(["a": 1]).rawValue is [String: Any])
    #expect(JSON(1.5).rawValue as? NSNumber == 1.5 && JSON(true).rawValue as? Bool == true)
    #expect(JSON.null.rawValue is NSNull && JSON(noJSON).rawValue is NSNull)
    #expect(JSON(rawValue: "a")?.string == "a" && JSON(rawValue: 5)?.int == 5 && JSON(rawValue: true)?.bool == true)
    #expect(JSON(rawValue: NSNull())?.type == .null && JSON(rawValue: [1])?[0].int == 1)
    #expect(JSON(rawValue: ["a": JSON(1)])?["a"].int == 1 && JSON(rawValue: JSON("x"))?.string == "x")
    #expect(JSON(rawValue: noJSON) == nil && JSON(rawValue: Set([1])) == nil)
    #expect(JSON(rawValue: [noJSON])?.type == .array)
    #expect(JSON(rawValue: Int?.none as Any)?.type == .null)
  }

  @Test func `rawData rejects a scalar even if fragments are allowed`() throws {
    for json in [
      JSON(1), JSON("a"), JSON(true), JSON.null, JSON(noJSON), JSON([1])[5], try parsed("1"), try parsed("null"),
    ] {
      for options: JSONSerialization.WritingOptions in [[], .prettyPrinted, .fragmentsAllowed, .sortedKeys] {
        #expect(swiftyError { _ = try json.rawData(options: options) } == .invalidJSON)
      }
    }
  }

  @Test func `rawData rejects a container with a value without a text`() {
    let bad: [Any] = [
      Double.nan, Double.infinity, -Double.infinity, Float.nan, NSNumber(value: Double.nan), noJSON, Set([1]),
    ]
    for value in bad {
      #expect(swiftyError { _ = try JSON([value]).rawData() } == .invalidJSON, "\(value)")
      #expect(swiftyError { _ = try JSON(["k": [1, value]] as [String: Any]).rawData() } == .invalidJSON, "\(value)")
    }
    do {
      _ = try JSON([noJSON]).rawData()
    } catch SwiftyJSONError.invalidJSON {
      return
    } catch {}
    Issue.record("not caught by its case")
  }

  /// A text, and the output of rawData.
  static let written: [(String, String)] = [
    ("[]", "[]"), ("{}", "{}"), (" [ 1 , 2 ] ", "[1,2]"), (#"{ "a" : [ { } , [ ] ] }"#, #"{"a":[{},[]]}"#),
    ("[true,false,null]", "[true,false,null]"), (#"["a/b"]"#, #"["a\/b"]"#), (#"["a\/b"]"#, #"["a\/b"]"#),
    (#"{"a/b":1}"#, #"{"a\/b":1}"#), ("[1.0]", "[1]"), ("[0.0]", "[0]"), ("[-0.0]", "[-0]"), ("[-0]", "[0]"),
    ("[1.50]", "[1.5]"), ("[0.1]", "[0.1]"), ("[18446744073709551615]", "[18446744073709551615]"),
    ("[-9223372036854775808]", "[-9223372036854775808]"),
    ("[123456789012345678901234567890]", "[123456789012345678901234567890]"),
    ("[1.2345678901234567890123456789]", "[1.2345678901234567890123456789]"),
    (#"["\u00e9\ud83d\ude00"]"#, "[\"é😀\"]"), ("[\"é😀\u{2028}\u{7F}\"]", "[\"é😀\u{2028}\u{7F}\"]"),
    (#"["\u0000\u0001\u001f"]"#, #"["\u0000\u0001\u001f"]"#), (#"["\"\\\b\f\n\r\t"]"#, #"["\"\\\b\f\n\r\t"]"#),
    (#"["\u0008\u000c\u000A\u000d\u0009\u0022\u005c"]"#, #"["\b\f\n\r\t\"\\"]"#), (#"["\u2028"]"#, "[\"\u{2028}\"]"),
    (#"{"\n\u0001":1}"#, #"{"\n\u0001":1}"#), (#"{"b":1,"a":2}"#, #"{"b":1,"a":2}"#),
  ]

  @Test(arguments: written)
  func `rawData writes as documented`(source: String, result: String) throws {
    #expect(try text(parsed(source)) == result)
    // The same for Swift values, if their order is defined.
    if !source.contains(",") { #expect(try text(built(source)) == result) }
  }

  @Test func `slashes are not escaped on request`() throws {
    for json in [JSON(["a/b": "c/d"]), JSON(parseJSON: #"{"a\/b":"c/d"}"#)] {
      #expect(try text(json, .withoutEscapingSlashes) == #"{"a/b":"c/d"}"#)
      #expect(try text(json) == #"{"a\/b":"c\/d"}"#)
    }
  }

  @Test func `keys are sorted on request`() throws {
    let source = #"{"c":1,"a":{"z":1,"y":[{"q":1,"p":2}]},"b":3}"#
    for json in [try parsed(source), try built(source)] {
      #expect(try text(json, .sortedKeys) == #"{"a":{"y":[{"p":2,"q":1}],"z":1},"b":3,"c":1}"#)
    }
  }

  @Test func `pretty text has Foundation's style`() throws {
    let source = #"{"a":1,"b":[true,{"c":"x"}],"d":[],"e":{}}"#
    let pretty = """
      {
        "a" : 1,
        "b" : [
          true,
          {
            "c" : "x"
          }
        ],
        "d" : [

        ],
        "e" : {

        }
      }
      """
    for json in [try parsed(source), try built(source)] {
      #expect(try text(json, [.prettyPrinted, .sortedKeys]) == pretty)
    }
    #expect(try text(JSON(["a": 1]), .prettyPrinted) == "{\n  \"a\" : 1\n}")
    #expect(try text(JSON([] as [Any]), .prettyPrinted) == "[\n\n]")
    #expect(try text(JSON([:] as [String: Any]), .prettyPrinted) == "{\n\n}")
  }

  @Test func `rawData of every kind of text equals the output of JSONSerialization`() throws {
    let sources = [
      "[]", "{}", "[[]]", "[{}]", #"{"a":[1,2,[3,{"b":null}]],"c":"x/y","d":true}"#,
      #"["\u0000\u0007\b\t\n\u000b\f\r\u001b"]"#, #"["\"\\\/","é😀","\u007f\u0080\u2029"]"#, #"{"k\n/":{"":{}}}"#,
      "[1,-1,0,2147483648,9223372036854775807]", "[0.5,-2.25]",
    ]
    let all: [JSONSerialization.WritingOptions] = [
      .sortedKeys, [.sortedKeys, .prettyPrinted], [.sortedKeys, .withoutEscapingSlashes],
      [.sortedKeys, .prettyPrinted, .withoutEscapingSlashes],
    ]
    for source in sources {
      let object = try JSONSerialization.jsonObject(with: Data(source.utf8))
      for options in all {
        let reference = String(
          decoding: try JSONSerialization.data(withJSONObject: object, options: options), as: UTF8.self)
        #expect(try text(parsed(source), options) == reference)
        #expect(try text(JSON(object), options) == reference)
      }
    }
  }

  @Test func `every character survives a round trip`() throws {
    for value in 0...0x2FFF where !(0xD800...0xDFFF ~= value) {
      guard let scalar = Unicode.Scalar(UInt32(value)) else { continue }
      let string = "<\(Character(scalar))>"
      let data = try JSON([string]).rawData()
      guard try JSON(data: data)[0].string.map({ Array($0.utf8) }) == Array(string.utf8) else {
        Issue.record("U+\(String(value, radix: 16))")
        continue
      }
      let reference = try JSONSerialization.data(withJSONObject: [string])
      #expect(data == reference, "U+\(String(value, radix: 16))")
    }
  }

  @Test func `a description is pretty text`() throws {
    #expect(JSON(["a": 1]).description == "{\n  \"a\" : 1\n}")
    #expect("\(JSON([1]))" == "[\n  1\n]")
    #expect(String(describing: JSON("a \"b\"")) == "a \"b\"")
    #expect(JSON(1.5).description == "1.5" && JSON(true).description == "true" && JSON.null.description == "null")
    #expect(JSON(noJSON).description == "unknown" && JSON([noJSON]).description == "unknown")
    #expect(JSON([1])[5].description == "null")
    func description<Value: CustomStringConvertible & CustomDebugStringConvertible>(_ value: Value) -> [String] {
      [value.description, value.debugDescription]
    }
    let values = allTypes.map(specimen) + [try parsed(#"{"a":["b/c",1.0]}"#), JSON([Double.nan])]
    for json in values {
      let texts = description(json)
      #expect(texts[0] == texts[1] && texts[0] == (json.rawString(options: .prettyPrinted) ?? "unknown"))
      #expect(String(reflecting: json) == texts[0])
    }
  }
}
