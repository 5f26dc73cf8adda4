import TestSupport
import Testing

@testable import JSONSift

@Suite struct JSONFramingTests {
  static let guesses: [(String?, String, JSONFraming)] =
    [
      (nil, "", .lines), ("a.json", "", .document), ("a.ndjson", "{", .lines), ("A.JSONL", "[1]", .lines),
      ("x.ndj", "1 2", .lines), ("x.log", "x", .lines), ("a.json", "1\n2\n", .lines), ("a.geojson", "{}\n{}", .lines),
      ("a.txt", "{}\n{}\n", .lines), (nil, "{\"a\":1}\n{\"a\":2}\n", .lines), (nil, "{\"a\":1}\n", .lines),
      (nil, "{\"a\":1}", .lines), (nil, "{\"a\":1} {\"a\":2}\n", .values), (nil, "1 2 3", .values),
      (nil, "012", .values), (nil, "{\n\"a\":1}\n", .document), (nil, "[\n1,\n2]\n", .document),
      (nil, "{\"a\":", .document), (nil, "  \n ", .lines), (nil, "\n\n{\"a\":1}\n{}", .lines),
      (nil, "\u{FEFF}{}\n{}\n", .lines), (nil, "{\"a\":\n{\"a\":1}\n{\"b\":2}\n", .lines),
      (nil, "[\n{\"a\":1},\n{\"b\":2}\n]", .document), (nil, "\"a\"\n\"b\"\n", .lines), (nil, "{}\n \n", .lines),
      ("noending", "{}", .lines),
      // Files of lines that are one document.
      ("a.log", "\u{FEFF}[\r\n{\"a\":1},\r\n{\"a\":2}\r\n]\r\n", .document),
      ("a.log", "{\"items\":[\n{\"a\":1},\n{\"a\":2}\n]}\n", .document),
      ("a.log", "{\n  \"a\": 1\n}\n", .document), ("a.log", "[\n{\"a\":1}\n,{\"a\":2}\n]", .document),
      ("a.log", "{\"a\":[\n{\"a\":1}\n{\"b\":2}\n", .lines), ("a.log", "{\"a\":{\n{\"b\":2}\n", .lines),
      ("a.log", "{\"a\":1},\n{\"b\":2},\n", .lines), ("a.log", "[1,\n{\"a\":1}\n", .lines),
      // A first line that was cut, and further on two records one after the other, or one after text or in a string that ends.
      (nil, "{\"id\":0,\"m\":\"cut\n\n{\"id\":1}\n", .lines),
      (nil, "{\"id\":0\n{\"id\":1\n{\"id\":2}\n{\"id\":3}\n", .lines),
      (nil, "{\"id\":0,\nERROR boom\n{\"id\":2}\n", .lines),
      (nil, "{\"id\":0\n{\"id\":1}}\nbad\n{\"id\":2}\n{\"id\":3}\n", .lines),
      ("a.json", "{\"id\":0,\"m\":\"cut\nTraceback\n{\"id\":2}\n", .lines),
      (nil, "[\n{\"a\":1}\n,{\"a\":2}\n]\n", .document),
      (nil, "{\"a\":\n\n[1]\n}\n", .document), (nil, "[\n  {\"a\":1},\n  {\"a\":2}\n]\n", .document),
      // Text before values, and brackets too many.
      (nil, "2026-11-24T10:00:00Z out {\"a\":1}\n", .document), (nil, "- item\n{\"a\":1}\n", .lines),
      (nil, "{\"a\":1}]\n", .document), (nil, "{\"a\":1}t", .document),
      (".json", "{}{}", .document), ("a.json/b", "1\n2", .lines),
    ] + damaged

  /// The first line is invalid, and the following text determines the framing.
  static let damaged: [(String?, String, JSONFraming)] = [nil, "a.json", "a.geojson"].flatMap { name in
    [
      // Lines: an error inside the first, or two whole ones after it.
      (name, "{\"a\":{\"b\":0},\"x\":tru}\n{\"a\":{\"b\":1}}\n{\"a\":{\"b\":2}}", .lines),
      (name, "{\"a\":0,\"x\":tru}\n{\"a\":1}", .lines), (name, "\n\u{FEFF}{\"a\":01}\n[1]\n", .lines),
      (name, "\u{FEFF}{\"a\":0 \"b\"}\n[1]\n", .lines), (name, "{\"a\":1}GARBAGE\n{\"a\":2}\n", .lines),
      (name, "{\"a\":\n{\"a\":1}\n{\"b\":2}\n", .lines), (name, "[\n[1]\n[2]\n]\n", .lines),
      // After damaged lines, also blank ones and scalars.
      (name, "{\"a\":0,\"x\":tru}\n{\"a\":1,\"x\":tru}\n{\"a\":2}\n", .lines),
      (name, "{\"a\":tru,\"b\":1}\n{\"a\":tru,\"b\":1}", .lines),
      (name, "{\"a\":0,\"x\":tru}\n\n{\"a\":1}\n", .lines), (name, "{\"a\":0,\"x\":tru}\n\"str\"\n{\"a\":3}\n", .lines),
      (name, "{\"a\":1,\"x\":tru}\n[1] garbage\n{\"a\":3}", .lines),
      (name, "{\"a\":1,\"x\":tru}" + String(repeating: "\n", count: 64) + "{}", .lines),
      (name, "{\"a\":1,\"x\":tru}" + String(repeating: "\n", count: 65) + "{}", .document),
      // Documents: nothing follows, or the remainder of the document, or a value that is neither an array nor an object.
      (name, "{\"a\":0,\"x\":tru}", .document), (name, "{\"a\":0,\"x\":tru}\n\n", .document),
      (name, "{\"a\":1}GARBAGE", .document), (name, "{\"a\":1} # x\n\n", .document),
      (name, "[\n[1],\n[2]\n]\n", .document), (name, "[1,\n[2]\n]\n", .document), (name, "[1,\n[2]\n", .document),
      (name, "// x\n{\"a\":1}\n", .document), (name, "{\"a\": tru,\n\"b\": 1\n}\n", .document),
      (name, "{\"a\": tru}\n1\n2\n", .document),
    ] as [(String?, String, JSONFraming)]
  }

  @Test(arguments: guesses)
  func `the framing is guessed from name and first line`(
    name: String?, head: String, framing: JSONFraming
  ) { #expect(JSONFraming.guess(name: name, head: Array(head.utf8)) == framing) }

  /// With long and blank lines, before and after the bound of the inspected bytes.
  @Test(arguments: [(nil, 2 << 20), ("a.json", ReadWindow.readBytes)] as [(String?, Int)])
  func `a guess does not depend on the number of bytes received`(name: String?, bound: Int) throws {
    func line(_ start: String, _ bytes: Int) -> String {
      start + String(repeating: "x", count: bytes - start.utf8.count - 3) + "\"}\n"
    }
    for (number, first) in ["{\"a\":tru,\"b\":\"", "{\"a\":1,\"b\":\""].enumerated() {
      for length in [100, bound - 1, bound, bound + 1] {
        let all = ["", "{}", "\n\n{}\n", line("{\"c\":\"", 100) + "{}\n"].enumerated()
        // In a debug build each long line has one of them.
        for (index, rest) in all where !isDebug || length == 100 || (index + length + number) % 4 == 0 {
          let text = Array((line(first, length) + rest).utf8)
          let found = try [min(bound, text.count) - 1, bound, text.count].map { size in
            let source = JSONSource.reading(name: name) { ChunkReader(chunks(of: text, size: size)) }
            var window = try ReadWindow(source, readBytes: size)
            return try window.guessFraming(name: name)
          }
          #expect(Set(found).count == 1, "first line \(length), behind \(rest.prefix(10)): \(found)")
        }
      }
    }
  }

  @Test(arguments: [nil, "a.json"])
  func `after a damaged first line the others are read under every chunking`(name: String?) throws {
    let text = Array("{\"a\":{\"b\":0},\"x\":tru}\n{\"a\":{\"b\":1}}\n{\"a\":{\"b\":2}}".utf8)
    for size in 1...text.count {
      let source = JSONSource.reading(name: name) { ChunkReader(chunks(of: text, size: size)) }
      var matches = try JSONMatches(of: [("", "$.a.b")], in: source, records: JSONRecordOptions(framing: .automatic))
      let error = jsonError { _ = try matches.next() }
      #expect(error?.code == .invalidLiteral)
      #expect(error?.byteOffset == 20)
      #expect(try matches.next()?.value.int == 1)
      #expect(try matches.next()?.value.int == 2)
      #expect(try matches.next() == nil)
    }
  }

  @Test func `a reader that guesses its framing reads from the first byte`() throws {
    for (text, framing, count) in [("{}\n{}\n", JSONFraming.lines, 2), ("{} {}", .values, 2), ("[\n1]", .document, 1)] {
      var reader = try JSONRecordReader(.chunks(chunks(of: Array(text.utf8), size: 2)), framing: .automatic)
      #expect(reader.framing == framing)
      var found = 0
      while try reader.next() != nil { found += 1 }
      #expect(found == count, "\(text)")
    }
  }
}

/// Bytes that arrive in chunks, of a source with a name.
private final class ChunkReader: ByteReader {
  private var chunks: ArraySlice<[UInt8]>
  private var chunk: ArraySlice<UInt8> = []
  let wouldBlock = false
  let canReadAtOnce = true

  init(_ chunks: [[UInt8]]) { self.chunks = chunks[...] }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int {
    if chunk.isEmpty { chunk = chunks.popFirst()?[...] ?? [] }
    let count = min(chunk.count, buffer.count)
    unsafe buffer.copyBytes(from: chunk.prefix(count))
    chunk = chunk.dropFirst(count)
    return count
  }
}
