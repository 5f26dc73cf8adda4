import Testing

@testable import JSONSift

/// Records the tape words of every window, with offsets in the whole input.
private struct WordLog: TapeWordSink {
  var lines: [String] = []
  var batches = 0

  mutating func take(_ batch: TapeWordBatch) throws(JSONError) -> Bool {
    batches += 1
    var index = YajlContext.headerWords
    let words = unsafe batch.words
    while index < words.count {
      let word = unsafe TapeWord(bits: words[index])
      lines.append("\(word.kind.rawValue) \(batch.origin + word.offset) \(word.length)")
      index += word.kind.isStart ? 2 : 1
    }
    return true
  }
}

@Suite struct YajlParserTests {
  private func words(of text: String) throws -> [TapeWord] {
    let json = try JSON(parsing: text)
    guard case .node(let document, let root) = json.storage else { return [] }
    return (Int(root)..<document.wordCount).map { document.word(UInt32($0)) }
  }

  static let tokens: [(String, EventKind, Int, Int, Int)] = [
    ("null", .null, 0, 0, 4), ("  true ", .true, 2, 0, 6), ("false", .false, 0, 0, 5), ("12", .number, 0, 2, 2),
    (" -1.5e+3\n", .number, 1, 7, 8), ("0", .number, 0, 1, 1), ("\"\"", .string, 0, 0, 2),
    (" \"abc\"", .string, 1, 3, 6),
    ("\"é€😀\"", .string, 0, 9, 11), (#""a\nb""#, .escapedString, 0, 4, 6), (#"  "\u0041""#, .escapedString, 2, 6, 10),
    (#""\"""#, .escapedString, 0, 2, 4), ("\u{FEFF}7", .number, 3, 1, 4),
  ]

  @Test(arguments: tokens)
  func `the tape word of a scalar has its kind, offset and length`(
    text: String, kind: EventKind, offset: Int, length: Int, end: Int
  ) throws {
    let word = try #require(try words(of: text).first)
    #expect(word.kind == kind)
    #expect(word.offset == offset)
    #expect(word.length == length)
    #expect(word.end == end)
  }

  @Test func `the tape words of containers and keys have their offsets`() throws {
    let text = #" {"k" : [ ] , "\n":{"":1} }"#
    let found = try words(of: text)
    let events: [(EventKind, Int, Int)] = [
      (.objectStart, 1, 0), (.key, 2, 1), (.arrayStart, 8, 0), (.arrayEnd, 10, 0), (.escapedKey, 14, 2),
      (.objectStart, 19, 0), (.key, 20, 0), (.number, 23, 1), (.objectEnd, 24, 0), (.objectEnd, 26, 0),
    ]
    var index = 0
    for (kind, offset, length) in events {
      #expect(found[index].kind == kind && found[index].offset == offset && found[index].length == length, "\(index)")
      index += kind.isStart ? 2 : 1
    }
    #expect(index == found.count)
  }

  @Test func `a tape word can store the largest offset and length`() {
    let word = TapeWord(.escapedKey, at: TapeWord.maxOffset - 1, length: TapeWord.longLength - 1)
    #expect(word.kind == .escapedKey)
    #expect(word.offset == TapeWord.maxOffset - 1)
    #expect(word.length == TapeWord.longLength - 1)
    #expect(!word.isLong)
    #expect(TapeWord(.string, at: 0, length: TapeWord.longLength).isLong)
  }

  @Test func `a flush inside nested containers keeps grammar and events`() throws {
    let text = #"[{"a":[[],{"b":[1,{"c":null}]},"x"],"d":{}},[[[true]]],-1.5]"#
    let bytes = Array(text.utf8)
    func log(_ chunks: [[UInt8]]) throws -> WordLog {
      var parser = ChunkedParser(options: JSONOptions())
      var log = WordLog()
      for chunk in chunks {
        try unsafe chunk.span.withUnsafeBytes { (bytes) throws(JSONError) in try unsafe parser.feed(bytes, into: &log) }
      }
      try parser.finish(into: &log)
      #expect(parser.depth == 0)
      return log
    }
    let whole = try log([bytes])
    #expect(whole.lines.count == 31)
    for size in 1..<bytes.count {
      let cut = try log(chunks(of: bytes, size: size))
      #expect(cut.lines == whole.lines, "chunks of \(size)")
    }
  }

  @Test func `after a flush a container still knows its allowed tokens`() {
    // Each text is cut at the bar; the error must be the one of the whole text.
    let texts = [
      "[1|}", #"{"a":1|]"#, #"[{"a":[1|},2]"#, #"{"a":[{}|,"b":1}"#, #"[{"a"|,1}]"#, #"[[[1]|}]"#, #"{"a":{"b":1|,}}"#,
      #"[{|1}]"#, #"{"a":{"b":[]|]}}"#, "[[],|]", #"{"a":[]|:1}"#,
    ]
    for text in texts {
      let parts = text.split(separator: "|", omittingEmptySubsequences: false).map { Array($0.utf8) }
      let whole = jsonError { _ = try JSON(parsing: parts.flatMap { $0 }) }
      var reader = JSONPushReader(EventLog())
      var found: JSONError?
      do {
        for part in parts { try reader.feed(part) }
        try reader.finish()
      } catch { found = error }
      #expect(whole != nil)
      #expect(found == whole, "\(text)")
    }
  }

  @Test func `depth counts open containers across flushes`() throws {
    var parser = ChunkedParser(options: JSONOptions())
    var log = WordLog()
    let depths = [1, 2, 2, 2, 3, 2, 1, 1, 2, 1, 0]
    for (byte, depth) in zip(Array("[[1,[]],[]]".utf8), depths) {
      try unsafe [byte].span.withUnsafeBytes { (bytes) throws(JSONError) in try unsafe parser.feed(bytes, into: &log) }
      #expect(parser.depth == depth, "after \(log.lines.count) words")
    }
  }

  @Test func `a token across many chunks is one tape word`() throws {
    for token in ["\"" + String(repeating: "é\\n", count: 2_000) + "\"", String(repeating: "7", count: 900)] {
      var parser = ChunkedParser(options: JSONOptions())
      var log = WordLog()
      let bytes = Array("[\(token),1]".utf8)
      for chunk in chunks(of: bytes, size: 13) {
        try unsafe chunk.span.withUnsafeBytes { (bytes) throws(JSONError) in try unsafe parser.feed(bytes, into: &log) }
      }
      try parser.finish(into: &log)
      let isText = token.hasPrefix("\"")
      let word =
        isText ? "\(EventKind.escapedString.rawValue) 1 \(token.utf8.count - 2)" : "\(EventKind.number.rawValue) 1 900"
      #expect(log.lines.dropFirst().first == word)
      #expect(log.lines.count == 4)
    }
  }
}
