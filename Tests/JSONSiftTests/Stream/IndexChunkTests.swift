import TestSupport
import Testing

@testable import JSONSift

/// Text is indexed in chunks of 64 KiB, and a longer line or element in larger ones.
@Suite struct IndexChunkTests {
  private struct Element {
    let text: String
    /// The value at `$.a.b`.
    let value: String
  }

  /// Elements that end before, at and after the ends of chunks. After each of them follow a short element, and one with an
  /// escaped key, which the walk along the index leaves to other code.
  private static let elements: [Element] = {
    var elements: [Element] = []
    for length in [300, 65_400, 65_535, 65_536, 65_537, 131_072, 200_000, 262_143, 262_145, 600_000] {
      for (number, filler) in ["x", "0,", #"{"a":{"b":[]}},"#].enumerated() {
        let value = "\"\(length)-\(number)\""
        let rest = "\"a\":{\"c\":[],\"b\":\(value)}"
        let count = (length - rest.utf8.count - 12) / filler.utf8.count
        let long = String(repeating: filler, count: count)
        let pad = number == 0 ? "\"\(long)\"" : "[\(long)0]"
        elements.append(Element(text: "{\"p\":\(pad),\(rest)}", value: value))
        elements.append(Element(text: "{\"a\":{\"b\":\(number)},\"p\":\"\"}", value: "\(number)"))
        elements.append(Element(text: "{\"\\u0061\":{\"b\":null}}", value: "null"))
      }
    }
    return elements
  }()

  private static let sizes: [Int?] = [nil, 1 << 16, 100_000, 1 << 18]

  private static func source(_ text: String, _ size: Int?) -> JSONSource {
    let bytes = Array(text.utf8)
    return size.map { .chunks(chunks(of: bytes, size: $0)) } ?? .bytes(bytes)
  }

  @Test(arguments: sizes)
  func `values in elements of any length are found`(size: Int?) throws {
    let texts = Self.elements.map(\.text)
    let text = "[{\"a\":{\"b\":\"first\"}},\n" + texts.joined(separator: ",\n") + "]"
    var matches = try JSONMatches(of: "$[*].a.b", in: Self.source(text, size))
    let found = try drain { try matches.next().map { $0.value.rawText } }
    #expect(found == ["\"first\""] + Self.elements.map(\.value))
  }

  /// Some elements as the members of an object.
  private static let members =
    "{\"\\u20ac\":0,"
    + elements.filter { $0.text.utf8.count < 66_000 }.enumerated().map { "\"k\($0.offset)\" : \($0.element.text)" }
    .joined(separator: ",\n ")
    + ",\"k\\u00e9\":{\"b\":{\"b\":[]}},\"end\":1}"

  @Test(arguments: [
    "$..b", "$..a..b", "$..['b','c']", "$.*.a.b", "$.k34.a", "$.end", "$['€']", "$..['kéy','€']", "$['ké']..b",
  ])
  func `members of any length are passed or found as in memory`(path: String) throws {
    let path = try JSONPath(path)
    let expected = try JSON(parsing: Self.members).query(path).map(\.rawText)
    for size in [nil, 1 << 16] {
      var matches = try JSONMatches(of: path, in: Self.source(Self.members, size))
      let found = try drain { try matches.next().map { $0.value.rawText } }
      #expect(found == expected, "chunks of \(size ?? 0) bytes")
    }
  }

  @Test(arguments: sizes)
  func `values in lines of any length are found, with their lines`(size: Int?) throws {
    let text = Self.elements.map { $0.text + "\n" }.joined()
    let path: JSONPath = "$.a.b"
    var matches = try JSONMatches(
      of: [("", path)], in: Self.source(text, size), records: JSONRecordOptions(framing: .lines))
    let found = try drain { try matches.next().map { "\(matches.recordLine ?? 0) \($0.value.rawText)" } }
    #expect(found == Self.elements.enumerated().map { "\($0.offset + 1) \($0.element.value)" })
  }

  @Test func `a record of any length is projected`() throws {
    for element in Self.elements {
      // Concatenated values are cut before they are scanned.
      let text = "\(element.text)\(element.text)"
      var reader = try JSONRecordReader(Self.source(text, nil), options: JSONRecordOptions(framing: .values))
      try reader.keep(only: ["$.a.b"])
      for _ in 0..<2 {
        let record = try #require(try reader.next())
        #expect(record.value["a"]["b"].rawText == element.value)
      }
    }
  }
}
