import Testing

@testable import JSONSift

@Suite struct JSONFramingTests {
  static let guesses: [(String?, String, JSONFraming)] = [
    (nil, "", .lines), ("a.json", "", .document), ("a.ndjson", "{", .lines),
    ("A.JSONL", "[1]", .lines),
    ("x.ndj", "1 2", .lines), ("x.log", "x", .lines), ("a.json", "1\n2\n", .lines),
    ("a.geojson", "{}\n{}", .lines), ("a.txt", "{}\n{}\n", .lines),
    (nil, "{\"a\":1}\n{\"a\":2}\n", .lines),
    (nil, "{\"a\":1}\n", .lines), (nil, "{\"a\":1}", .lines),
    (nil, "{\"a\":1} {\"a\":2}\n", .values), (nil, "1 2 3", .values), (nil, "012", .values),
    (nil, "{\n\"a\":1}\n", .document), (nil, "[\n1,\n2]\n", .document), (nil, "{\"a\":", .document),
    (nil, "  \n ", .lines), (nil, "\n\n{\"a\":1}\n{}", .lines), (nil, "\u{FEFF}{}\n{}\n", .lines),
    (nil, "{\"a\":\n{\"a\":1}\n{\"b\":2}\n", .lines), (nil, "[\n{\"a\":1},\n{\"b\":2}\n]", .document),
    (nil, "\"a\"\n\"b\"\n", .lines), (nil, "{}\n \n", .lines), ("noending", "{}", .lines),
    (".json", "{}{}", .document), ("a.json/b", "1\n2", .lines),
  ]

  @Test(arguments: guesses)
  func `the framing is guessed from name and first line`(
    name: String?, head: String, framing: JSONFraming
  ) {
    #expect(JSONFraming.guess(name: name, head: Array(head.utf8)) == framing)
  }

  @Test func `a reader that guesses reads from the first byte`() throws {
    for (text, framing, count) in [("{}\n{}\n", JSONFraming.lines, 2), ("{} {}", .values, 2), ("[\n1]", .document, 1)] {
      var reader = try JSONRecordReader(.chunks(pieces(of: Array(text.utf8), size: 2)), framing: .automatic)
      #expect(reader.framing == framing)
      var found = 0
      while try reader.next() != nil { found += 1 }
      #expect(found == count, "\(text)")
    }
  }
}
