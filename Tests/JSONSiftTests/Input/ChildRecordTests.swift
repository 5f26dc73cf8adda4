import TestSupport
import Testing

@testable import JSONSift

@Suite struct ChildRecordTests {
  private static func trace(_ text: String, _ path: JSONPath, size: Int) throws -> [String] {
    let options = with(JSONRecordOptions(framing: .children(of: path), recovery: .report)) { $0.rawByteLimit = 8 }
    var reader = try JSONRecordReader(.chunks(chunks(of: Array(text.utf8), size: size)), options: options)
    var lines: [String] = []
    while let element = try reader.nextResult() {
      switch element {
      case .success(let record):
        #expect(record.line == reader.line && record.byteRange.lowerBound == reader.recordOffset)
        lines.append("\(record.line) \(record.byteRange) \(record.key.map { $0 + "=" } ?? "")\(record.value.rawText)")
      case .failure(let bad): lines.append(words(bad))
      }
    }
    return lines
  }

  private static let reason = "after an error in one document, the start of the next element or member is unknown"

  static let texts: [(String, JSONPath, [String])] = [
    ("[1,\n 2,[3\n],\n\"4\"]", "$", ["1 1..<2 1", "2 5..<6 2", "2 7..<11 [3\n]", "4 13..<16 \"4\""]),
    (#"{"a":1,"é\n":{"b":2}}"#, "$", ["1 5..<6 a=1", "1 14..<21 é\n={\"b\":2}"]),
    (
      "{\"m\":{\"items\":[9]},\n\"items\":[{\"i\":1},\n{\"i\":2}],\"n\":[5]}", "$.items",
      ["2 29..<36 {\"i\":1}", "3 38..<45 {\"i\":2}"]
    ),
    (#"[[1],{"b":{"x":true}}]"#, "$[1].b", ["1 15..<19 x=true"]),
    ("[]", "$", []), ("{}", "$", []), ("5", "$", []), (#"{"a":1}"#, "$.b", []), ("[1]", "$.a", []),
    // An error between, inside, after and before the children.
    ("[1,\n2 3]", "$", ["1 1..<2 1", "2 4..<5 2", "bad 2 6..<7 unexpectedByte@6 at 2:3 1 \(reason)"]),
    (
      "[1,\n{\"a\":1,\n\"bcdefgh\":x}]", "$",
      ["1 1..<2 1", "bad 2 4..<23 unexpectedByte@22 at 3:11 8 truncated \(reason)"]
    ),
    ("[1] 2", "$", ["1 1..<2 1", "bad 1 4..<5 trailingContent@4 at 1:5 1 \(reason)"]),
    ("[1,", "$", ["1 1..<2 1", "bad 1 3..<3 unexpectedEnd@3 at 1:4 0 \(reason)"]),
    ("{\"x\":\n?,\"a\":[1]}", "$.a", ["bad 2 6..<7 unexpectedByte@6 at 2:1 1 \(reason)"]),
  ]

  @Test(arguments: texts)
  func `each element or member of one container is a record`(text: String, path: JSONPath, expected: [String]) throws {
    for size in 1...text.utf8.count {
      let found = try Self.trace(text, path, size: size)
      #expect(found == expected, "chunks of \(size)")
    }
  }

  @Test func `a child is delivered before the container ends`() throws {
    var taken = 0
    let chunks = ["{\"items\":[", "{\"i\":1}", ",{\"i\":2}", ",{\"i\":3}", ",{\"i\":4}]}"]
    let source = JSONSource.chunks(
      sequence(state: 0) { (next: inout Int) -> [UInt8]? in
        guard next < chunks.count else { return nil }
        next += 1
        taken = next
        return Array(chunks[next - 1].utf8)
      })
    var reader = try JSONRecordReader(source, framing: .children(of: "$.items"))
    for number in 1...4 {
      #expect(try reader.next()?["i"].int == number)
      #expect(taken == number + 1)
    }
    #expect(try reader.next() == nil)
  }

  @Test(arguments: ["$[*]", "$..a", "$[-1]", "$[1:2]", "$['a','b']", "$["])
  func `a path that can select several values is rejected`(path: String) {
    let source = JSONSource.bytes([0x5B, 0x5D])
    let error = jsonError {
      let path = (try? JSONPath(path)) ?? JSONPath(stringLiteral: path)
      _ = try JSONRecordReader(source, framing: .children(of: path))
    }
    #expect(error?.code == .invalidPath)
  }

  @Test(arguments: [
    "[1e\u{E5}", "[1,{\"a\":2},1ee]", "[[1],tru\u{E9}]", "[\"ab\\\\c\\x\",2]", "[{\"a\":[1,\"b\\u12z\"]}]",
    "[1 \u{E5}]", "[\"a\u{E5}", "[[\"a\",\"\\ud800 b\"]]",
  ])
  func `issue 16: the raw bytes of a bad child are the bytes of its range however the text is cut`(text: String) throws
  {
    // One byte for each character: a lone E5 starts a character without continuation bytes.
    let bytes = text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) } + [0x5D]
    for first in 1..<bytes.count {
      for second in first...bytes.count {
        let chunks = [Array(bytes[..<first]), Array(bytes[first..<second]), Array(bytes[second...])]
        var reader = try JSONRecordReader(
          .chunks(chunks), options: JSONRecordOptions(framing: .children(of: "$"), recovery: .report))
        var bad: JSONBadRecord?
        while let element = try reader.nextResult() { if case .failure(let record) = element { bad = record } }
        let range = try #require(bad?.byteRange)
        #expect(bad?.rawBytes == Array(bytes[range]), "cut at \(first) and \(second)")
        #expect(!range.isEmpty)
      }
    }
  }
}
