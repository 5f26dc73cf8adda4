import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// One test for each externally reported fault. The test is added before the fault is fixed.
@Suite struct RegressionTests {
  private func matchError(_ path: String, _ chunks: [[UInt8]], _ limits: JSONLimits) throws -> JSONError? {
    var matches = try JSONMatches(of: path, in: .chunks(chunks), options: JSONOptions(limits: limits))
    do throws(JSONError) {
      while try matches.next() != nil {}
      return nil
    } catch {
      return error
    }
  }

  @Test func `a control character in an open string is rejected when it arrives`() throws {
    var reader = JSONPushReader(EventLog())
    try reader.feed(Array("[\"ab".utf8))
    try reader.feed(Array("cd".utf8))
    let error = #expect(throws: JSONError.self) { try reader.feed(Array("e\nf".utf8)) }
    #expect(error?.code == .controlCharacter)
    #expect(error?.byteOffset == 7)
  }

  @Test func `an unclosed string that starts many windows before its end has its line and column`() throws {
    let head = "[\n" + String(repeating: " ", count: 262_137) + "\"ab"
    let text = head + "c,\n" + String(repeating: "1,\n", count: 200_000) + "\"x\"]"
    var matches = try JSONMatches(of: "$[*]", in: .bytes(Array(text.utf8)))
    let error = try #require(throws: JSONError.self) { while try matches.next() != nil {} }
    #expect(error.code == .controlCharacter)
    let position = matches.position(of: error)
    #expect(position.line == 2)
    #expect(position.column == 262_137 + 6)
    #expect(matches.excerpt(of: error)?.text.contains("abc,") == true)
  }

  @Test(arguments: [1, 7, 1_000])
  func `an error before the limit of a match is reported under every chunking`(size: Int) throws {
    let limits = with(JSONLimits()) { $0.recordBytes = 50 }
    let text = "{\"a\":[1,2,x " + String(repeating: "y", count: 100) + "]}"
    let error = try matchError("$.a", chunks(of: Array(text.utf8), size: size), limits)
    #expect(error?.code == .unexpectedByte && error?.byteOffset == 10)
  }

  @Test(arguments: [1, 100, 100_000])
  func `the tape limit counts stored values and not skipped ones`(size: Int) throws {
    let limits = with(JSONLimits()) { $0.tapeBytes = 4096 }
    let text = "[" + (0..<2_000).map { String($0) }.joined(separator: ",") + "]"
    #expect(try matchError("$[*]", chunks(of: Array(text.utf8), size: size), limits) == nil)
    #expect(try matchError("$", chunks(of: Array(text.utf8), size: size), limits)?.code == .tapeLimit)
    #expect(throws: JSONError.self) { try JSON(parsing: text, options: JSONOptions(limits: limits)) }
  }

  @Test func `bytes after the end are an error`() throws {
    var reader = JSONPushReader(EventLog())
    try reader.feed(Array("1".utf8))
    try reader.finish()
    let error = #expect(throws: JSONError.self) { try reader.feed(Array(" x".utf8)) }
    #expect(error?.code == .trailingContent)
  }

  @Test func `a file name with a NUL is rejected`() {
    let error = #expect(throws: JSONError.self) { try JSON(contentsOf: "/dev/null\0.json") }
    #expect(error?.code == .unreadable)
  }

  @Test(arguments: [-10, 0, Int.max])
  func `an excerpt of any width is valid`(width: Int) {
    let excerpt = JSONError.Excerpt(around: 6, in: Array("abc\ndefgh".utf8), width: width)
    #expect(!excerpt.text.isEmpty)
  }

  @Test func `a byte order mark and a line feed without a value end on the second line`() throws {
    var reader = try JSONRecordReader(.bytes([0xEF, 0xBB, 0xBF, 0x0A]), framing: .values)
    let error = try #require(throws: JSONError.self) { _ = try reader.next() }
    let position = reader.position(of: error)
    #expect(position.line == 2)
    #expect(position.column == 1)
  }

  @Test func `taken matches use no memory even if each window ends inside one`() throws {
    let element = "{\"a\":\"" + String(repeating: "x", count: 10_000) + "\"},"
    var queue = 0
    let path: JSONPath = "$[*]"
    var matches = DocumentMatches(
      try PathMatcher([path.query], limits: JSONLimits()),
      try ReadWindow(.chunks(["["].map { Array($0.utf8) } + (0..<400).map { _ in Array(element.utf8) })),
      JSONOptions(), readingOn: false)
    for _ in 0..<390 {
      _ = try #require(try matches.next())
      queue = max(queue, matches.matcher.queue.byteCount)
    }
    #expect(queue < 2 * ReadWindow.readBytes)
  }

  /// Writes more than 4 GiB to a temporary file, so it runs only on request.
  @Test(.enabled(if: ProcessInfo.processInfo.environment["JSONSIFT_TEST_LARGE"] != nil, "set JSONSIFT_TEST_LARGE=1"))
  func `a document of more than 4 GiB is read to its end`() throws {
    let file = try TemporaryFile([])
    let handle = try #require(FileHandle(forWritingAtPath: file.path))
    let text = Data(repeating: 0x78, count: 60 << 20)
    try handle.write(contentsOf: Data("{\"a\":[".utf8))
    for index in 0..<72 { try handle.write(contentsOf: Data((index > 0 ? ",\"" : "\"").utf8) + text + [0x22]) }
    try handle.write(contentsOf: Data("],\"b\":{\"c\":[1,{\"d\":\"end\"}]}}".utf8))
    let end = Int(try handle.offset())
    try handle.close()
    #expect(end > 1 << 32)
    let json = try JSON(contentsOf: file.path, loading: .mapped)
    #expect(json["b"]["c"][1]["d"].string == "end")
    #expect(json["b"]["c"][1]["d"].byteRange == end - 9..<end - 4)
    var matches = try JSONMatches(of: "$.b.c[1].d", in: .path(file.path))
    #expect(try matches.next()?.byteRange == end - 9..<end - 4)
  }

  @Test func `an invalid first byte that could begin a byte order mark is an error before the line ends`() throws {
    for text in ["\u{0A}", "\u{0A}[1]", "[\u{0A}"] {
      let bytes = [0xEF] + Array(text.utf8)
      for size in [bytes.count, 1] {
        let chunks = chunks(of: bytes, size: size)
        var matches = try JSONMatches(of: [("a", JSONPath("$.absent"))], in: .chunks(chunks))
        let error = #expect(throws: JSONError.self) { while try matches.next() != nil {} }
        #expect(error?.code == .invalidUTF8 && error?.byteOffset == 0)
        let position = try matches.position(of: #require(error))
        #expect(position.line == 1 && position.column == 1)
      }
    }
  }

  @Test(arguments: ["[\u{FEFF}]", "[1,\u{FEFF}2]", "{\"a\":\u{FEFF}1}", "[1\u{FEFF},2]", "[true\u{FEFF}]"])
  func `a byte order mark inside a document is named by each reader, wherever the text is cut`(text: String) throws {
    let bytes = Array(text.utf8)
    let expected = #expect(throws: JSONError.self) { try JSON(parsing: bytes) }
    #expect(expected?.description.contains("found a byte order mark") == true)
    for size in 1...bytes.count {
      let chunks = chunks(of: bytes, size: size)
      for (path, keepsDocument) in [("$[9]", false), ("$[-1]", false), ("$.b", true), ("$.a", false), ("$..a", false)] {
        var matches = try JSONMatches(of: [(path, JSONPath(path))], in: .chunks(chunks), keepsDocument: keepsDocument)
        let error = #expect(throws: JSONError.self) { while try matches.next() != nil {} }
        #expect(error == expected, "\(path) in chunks of \(size)")
      }
      var pushed = JSONPushReader(EventLog())
      let failure = #expect(throws: JSONError.self) {
        for chunk in chunks { try pushed.feed(chunk) }
      }
      #expect(failure == expected, "pushed in chunks of \(size)")
      var records = try JSONRecordReader(.chunks(chunks), framing: .document)
      let error = #expect(throws: JSONError.self) { while try records.next() != nil {} }
      #expect(error == expected, "records in chunks of \(size)")
    }
  }

  @Test(arguments: [1_000, 1_001, 5_000])
  func `a long number before an error is a match within the limits of the reader`(digits: Int) throws {
    let options = with(JSONOptions()) { $0.limits.numberBytes = 10_000 }
    let number = String(repeating: "1", count: digits)
    for (text, path) in [("{\"a\":\(number)]", "$.a"), ("{\"a\":\(number)", "$.a"), ("[[\(number)}", "$[0][0]")] {
      for size in [1, 64, text.utf8.count] {
        let chunks = stride(from: 0, to: text.utf8.count, by: size).map { Array(text.utf8.dropFirst($0).prefix(size)) }
        var matches = try JSONMatches(of: path, in: .chunks(chunks), options: options)
        let found = try matches.next()
        #expect(found?.value.rawText == number, "\(path) in chunks of \(size)")
      }
    }
  }
}
