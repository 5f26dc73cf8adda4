import JSONSift
import TestSupport
import Testing

/// The transform files of nst/JSONTestSuite: texts that some readers accept and change. Here nothing changes.
@Suite(.enabled(if: ThirdPartyData.has("JSONTestSuite"), "\(ThirdPartyData.absence)")) struct TransformTests {
  private static let folder = "JSONTestSuite/test_transform"

  private static func json(_ name: String, _ options: JSONOptions = JSONOptions()) throws -> JSON {
    let file = try #require(try ThirdPartyData.files(in: folder, prefix: name + ".json").first)
    return try JSON(parsing: try file.bytes(), options: options)
  }

  @Test func `all 22 files have the same result through every entry point and every chunking`() throws {
    let files = try ThirdPartyData.files(in: Self.folder)
    #expect(files.count == 22)
    var failures: [String] = []
    for file in files {
      let expected: Outcome =
        file.name.contains("_escaped_invalid")
        ? .rejected("loneSurrogate", at: 2)
        : file.name.contains("_invalid_") ? .rejected("invalidUTF8", at: 2) : .accepted
      failures += try EntryPoints.disagreements(on: file.bytes(), expected: expected).map { "\(file): \($0)" }
    }
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  @Test(arguments: [
    ("-9223372036854775808", "-9223372036854775808"), ("-9223372036854775809", "-9223372036854775809"),
    ("1.0", "1.0"), ("1.000000000000000005", "1.000000000000000005"), ("1000000000000000", "1000000000000000"),
    ("10000000000000000999", "10000000000000000999"), ("1e-999", "1E-999"), ("1e6", "1E6"),
    ("9223372036854775807", "9223372036854775807"), ("9223372036854775808", "9223372036854775808"),
  ])
  func `a number keeps its text`(name: String, text: String) throws {
    let json = try Self.json("number_" + name)
    #expect(json.count == 1)
    #expect(json[0].numberText == text)
  }

  @Test(arguments: [
    ("object_key_nfc_nfd", ["\u{E9}", "e\u{301}"], ["NFC", "NFD"]),
    ("object_key_nfd_nfc", ["e\u{301}", "\u{E9}"], ["NFD", "NFC"]),
  ])
  func `keys with different Unicode compositions are two keys`(name: String, keys: [String], values: [String]) throws {
    let json = try Self.json(name)
    #expect(json.map { Array($0.0.utf8) } == keys.map { Array($0.utf8) })
    #expect(json.map { $0.1.stringValue } == values)
    #expect(json["\u{E9}"].string == "NFC")
    #expect(json["e\u{301}"].string == "NFD")
  }

  @Test(arguments: [
    ("different_values", ["1", "2"]), ("same_value", ["1", "1"]), ("unclear_values", ["0", "-0"]),
  ])
  func `members with duplicate keys are all kept in order, and lookup returns the last`(
    name: String, values: [String]
  ) throws {
    let json = try Self.json("object_same_key_" + name)
    #expect(json.count == 2)
    #expect(json.map { $0.0 } == ["a", "a"])
    #expect(json.map { $0.1.numberText } == values)
    #expect(json["a"].numberText == values.last)
  }

  @Test(arguments: [("1", "codepoint", 1), ("2", "codepoints", 2), ("3", "codepoints", 3)])
  func `a lone surrogate is rejected, or each one reads as a replacement character`(
    name: String, ending: String, count: Int
  ) throws {
    let name = "string_\(name)_escaped_invalid_\(ending)"
    let json = try Self.json(name, JSONOptions(loneSurrogates: .replace))
    #expect(json[0].string == String(repeating: "\u{FFFD}", count: count))
    #expect(throws: JSONError.self) { try Self.json(name) }
  }

  @Test func `an escaped NUL is an ordinary character`() throws {
    let json = try Self.json("string_with_escaped_NULL")
    #expect(json[0].string == "A\0B")
    #expect(json[0].rawBytes == Array("\"A\\u0000B\"".utf8))
  }
}
