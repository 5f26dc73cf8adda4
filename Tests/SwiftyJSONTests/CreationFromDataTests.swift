import Foundation
import SwiftyJSON
import Testing

/// Section 3 of the inventory: `init(data:options:)` and `init(parseJSON:)`.
@Suite struct CreationFromDataTests {
  @Test func `data that holds an array or object is parsed`() throws {
    #expect(try JSON(data: Data("[1,2]".utf8))[1].int == 2)
    #expect(try JSON(data: Data(#" {"a":{"b":"c"}} "#.utf8))["a"]["b"].string == "c")
    #expect(try JSON(data: Data("[1]".utf8), options: []).arrayValue.count == 1)
  }

  @Test(arguments: ["1", "-0.5", "\"a\"", "true", "false", "null", " 1 "])
  func `a scalar is rejected unless fragments are allowed`(text: String) throws {
    let data = Data(text.utf8)
    #expect(throws: NSError.self) { try JSON(data: data) }
    #expect(throws: NSError.self) { try JSON(data: data, options: .mutableContainers) }
    #expect(throws: NSError.self) { try JSON(data: data, options: [.mutableLeaves, .mutableContainers]) }
    let json = try JSON(data: data, options: .fragmentsAllowed)
    #expect(json.exists() && json.type != .unknown)
    #expect(try JSON(data: data, options: .allowFragments) == json)
    #expect(try JSON(data: data, options: [.mutableContainers, .fragmentsAllowed]) == json)
  }

  /// Invalid JSON, each with a description of its fault.
  static let rejected: [(String, [UInt8])] = [
    ("empty", []), ("blank", Array(" \n".utf8)), ("an open array", Array("[1".utf8)),
    ("an open object", Array("{\"a\":".utf8)), ("trailing garbage", Array("[1] x".utf8)),
    ("two values", Array("[1][2]".utf8)), ("a comment", Array("/* a */[1]".utf8)),
    ("a line comment", Array("[1] // a".utf8)), ("a comment inside", Array("[1,/**/2]".utf8)),
    ("a byte that is not UTF-8", [0x5B, 0x22, 0xFF, 0x22, 0x5D]), ("a cut character", [0x5B, 0x22, 0xC3, 0x22, 0x5D]),
    ("an overlong character", [0x5B, 0x22, 0xC0, 0xAF, 0x22, 0x5D]),
    ("an encoded surrogate", [0x5B, 0x22, 0xED, 0xA0, 0x80, 0x22, 0x5D]),
    ("a lone surrogate", Array(#"["\ud800"]"#.utf8)), ("a lone low surrogate", Array(#"["\udc00"]"#.utf8)),
    ("a trailing comma", Array("[1,]".utf8)), ("a trailing comma in an object", Array(#"{"a":1,}"#.utf8)),
    ("a single quote", Array("['a']".utf8)), ("a bare key", Array("{a:1}".utf8)),
    ("a leading zero", Array("[01]".utf8)),
    ("a bare point", Array("[1.]".utf8)), ("a plus", Array("[+1]".utf8)), ("NaN", Array("[NaN]".utf8)),
    ("a raw control character", Array("[\"a\tb\"]".utf8)), ("an unknown escape", Array(#"["\x"]"#.utf8)),
    ("a NUL", [0]), ("a NUL after the value", [0x5B, 0x5D, 0]), ("plain text", Array("nonsense".utf8)),
  ]

  @Test(arguments: rejected)
  func `invalid JSON throws an NSError of the parser`(sentence: String, bytes: [UInt8]) throws {
    for options in [[], JSONSerialization.ReadingOptions.fragmentsAllowed] {
      do {
        _ = try JSON(data: Data(bytes), options: options)
        Issue.record("\(sentence) was accepted")
      } catch let error as NSError {
        #expect(error.domain == NSCocoaErrorDomain)
        #expect(error.code == 3840)
      }
    }
  }

  @Test(arguments: rejected)
  func `the initializers that do not throw give null without an error for invalid JSON`(
    sentence: String, bytes: [UInt8]
  ) {
    let json = JSON(Data(bytes))
    #expect(json.type == .null && json.error == nil && json.exists(), "\(sentence)")
    if let text = String(bytes: bytes, encoding: .utf8) {
      let json = JSON(parseJSON: text)
      #expect(json.type == .null && json.error == nil && json.exists(), "\(sentence)")
    }
  }

  @Test func `NSData is parsed as Data is`() {
    for text in ["[1,2]", #"{"a":"b"}"#, "1", "nonsense", ""] {
      let data = Data(text.utf8)
      let objects: [Any] = [NSData(data: data), NSMutableData(data: data)]
      for object in objects {
        #expect(JSON(object) == JSON(data) && JSON(object).error == nil && JSON(object).type != .unknown, "\(text)")
        #expect(JSON([object])[0] == JSON(data), "\(text)")
      }
    }
    #expect(JSON(NSData(data: Data("[1,2]".utf8)))[1].int == 2)
  }

  @Test(arguments: [(1, true), (511, true), (512, true), (513, false), (514, false), (100_000, false)])
  func `512 levels are accepted and more are rejected`(depth: Int, accepted: Bool) {
    let text = String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    #expect(((try? JSON(data: Data(text.utf8))) != nil) == accepted)
    #expect(JSON(parseJSON: text).type == (accepted ? .array : .null))
  }

  static let encodings: [(String, String.Encoding, Bool)] = [
    ("UTF-8", .utf8, false), ("UTF-8 with a mark", .utf8, true), ("UTF-16LE", .utf16LittleEndian, false),
    ("UTF-16LE with a mark", .utf16LittleEndian, true), ("UTF-16BE", .utf16BigEndian, false),
    ("UTF-16BE with a mark", .utf16BigEndian, true), ("UTF-32LE", .utf32LittleEndian, false),
    ("UTF-32LE with a mark", .utf32LittleEndian, true), ("UTF-32BE", .utf32BigEndian, false),
    ("UTF-32BE with a mark", .utf32BigEndian, true),
  ]

  @Test(arguments: encodings)
  func `data in every Unicode encoding is decoded`(name: String, encoding: String.Encoding, mark: Bool) throws {
    for text in [#"{"é":["😀","\u00e9",1.5]}"#, "[]", "[\"\u{2028}\"]"] {
      let data = try #require(((mark ? "\u{FEFF}" : "") + text).data(using: encoding))
      let json = try JSON(data: data)
      let reference = try JSONSerialization.jsonObject(with: data)
      #expect(difference(between: json.object, and: reference) == nil, "\(name)")
      #expect(json == JSON(parseJSON: text), "\(name)")
    }
  }

  @Test func `a slice of data is read from its own start`() throws {
    let data = Data("xx[1,2]yy".utf8)
    #expect(try JSON(data: data[2..<7]).arrayValue.map(\.intValue) == [1, 2])
  }

  @Test func `parseJSON reads an array or object`() {
    #expect(JSON(parseJSON: "[1]")[0].int == 1)
    #expect(JSON(parseJSON: #" {"a":[true]} "#)["a"][0].bool == true)
    #expect(JSON(parseJSON: "\u{FEFF}[1]")[0].int == 1)
  }

  @Test(arguments: ["1", "\"a\"", "true", "null", "", " ", "{", "[1] 2", "a"])
  func `parseJSON gives null without an error for a scalar and for invalid JSON`(text: String) {
    let json = JSON(parseJSON: text)
    #expect(json.type == .null && json.error == nil && json.exists())
    #expect(json == JSON.null)
  }

  @Test func `data passed as an object is parsed, and a scalar in it is null`() {
    #expect(JSON(Data("[1]".utf8))[0].int == 1)
    #expect(JSON(Data("1".utf8)).type == .null && JSON(Data("1".utf8)).error == nil)
    #expect(JSON(Data()).type == .null && JSON(Data()).error == nil)
    let any: Any = Data(#"{"a":1}"#.utf8)
    #expect(JSON(any)["a"].int == 1)
  }
}
