import Testing

@testable import JSONSift

@Suite struct JSONAccessTests {
  static let kinds: [(String, JSONType, Int)] = [
    ("1", .number, 0), ("\"a\"", .string, 0), (#""\n""#, .string, 0), ("true", .bool, 0), ("false", .bool, 0),
    ("null", .null, 0), ("[]", .array, 0), ("[1,2]", .array, 2), ("{}", .dictionary, 0),
    (#"{"a":1,"a":2}"#, .dictionary, 2),
  ]

  @Test(arguments: kinds)
  func `every kind of value has type, count and children`(text: String, type: JSONType, count: Int) throws {
    let json = try JSON(parsing: " \(text) ")
    #expect(json.type == type)
    #expect(json.exists() && json.error == nil)
    #expect(json.count == count && json.isEmpty == (count == 0))
    #expect(json.underestimatedCount == count)
    #expect(Array(json).count == count)
    #expect((json.array != nil) == (type == .array))
    #expect((json.dictionary != nil) == (type == .dictionary))
    #expect(json.arrayValue.count == (type == .array ? count : 0))
    #expect(json.rawText == text)
    #expect(json.byteRange == 1..<text.utf8.count + 1)
  }

  @Test func `a value has the range and bytes of its source`() throws {
    let text = "\u{FEFF} {\"a\" : [ 1.0 , \"\\n\" ] , \"é\":{ } }"
    let bytes = Array(text.utf8)
    let json = try JSON(parsing: text)
    let values = [json, json["a"], json["a"][0], json["a"][1], json["é"]]
    #expect(values.map(\.rawText) == [String(text.dropFirst(2)), "[ 1.0 , \"\\n\" ]", "1.0", "\"\\n\"", "{ }"])
    for value in values {
      let range = try #require(value.byteRange)
      #expect(value.rawBytes.elementsEqual(bytes[range]))
      let borrowed = value.withRawBytes { span in unsafe span.withUnsafeBytes { unsafe Array($0) } }
      #expect(borrowed == value.rawBytes)
    }
    let missing = json["x"]
    #expect(missing.byteRange == nil && missing.rawBytes.isEmpty && missing.tapeBytes == 0)
    #expect(missing.withRawBytes { $0.byteCount } == 0)
    #expect(JSON.null.byteRange == nil)
  }
}
