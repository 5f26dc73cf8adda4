import TestSupport
import Testing

@testable import JSONSift

/// Readers of ranges that cover an input together return what one reader returns.
@Suite struct RangeTests {
  /// An input, and how it is read.
  struct Sample: Sendable, CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    var options = JSONRecordOptions(framing: .lines, recovery: .report)

    init(_ name: String, _ text: String, _ change: (inout JSONRecordOptions) -> Void = { _ in }) {
      self.init(name, Array(text.utf8), change)
    }

    init(_ name: String, _ bytes: [UInt8], _ change: (inout JSONRecordOptions) -> Void = { _ in }) {
      self.name = name
      self.bytes = bytes
      change(&options)
    }

    var testDescription: String { name }

    func options(_ range: JSONInputRange?) -> JSONRecordOptions {
      return with(options) { $0.range = range }
    }
  }

  private static func sequence(_ options: inout JSONRecordOptions) { options.framing = .textSequence }

  static let samples = [
    Sample("line feeds", "{\"a\":1}\n{\"a\":22}\n[3]\n"), Sample("carriage returns", "{\"a\":1}\r\n\"two\"\r\n[3]\r\n"),
    Sample("no last line feed", "{\"a\":1}\n{\"a\":2}\n33"),
    Sample("a byte order mark first", "\u{FEFF}{\"a\":1}\n2\n"),
    Sample("a byte order mark elsewhere", "1\n\u{FEFF}{\"a\":1}\n2\n"), Sample("a byte order mark alone", "\u{FEFF}"),
    Sample("blank lines", "\n\n1\n \r\n\t\n22\n\n\n"), Sample("only blank lines", "\n \n\r\n\n"),
    Sample("bad records", "{\"a\":1}\n{\"a\":}\n\"cut\n3\n[\n5\n"), Sample("only bad records", "{\n}\nx\n\"\ntru\n"),
    Sample(
      "bytes that are not UTF-8", Array("1\n\"".utf8) + [0xC3, 0x28] + Array("\"\n".utf8) + [0xFF] + Array("\n4".utf8)),
    Sample("a long record", "1\n{\"long\":\"\(String(repeating: "é", count: 30))\"}\n2\n"),
    Sample(
      "records over the limit",
      "1\n\"\(String(repeating: "x", count: 40))\"\n2\n[\(String(repeating: "1,", count: 20))]"
    ) {
      $0.reading.limits.recordBytes = 12
      $0.rawByteLimit = 8
    }, Sample("an empty input", ""), Sample("one record", "{\"a\":[1,2,3]}"), Sample("a line feed alone", "\n"),
    Sample(
      "NUL bytes beside a byte order mark",
      "\u{FEFF}\0\0{\"a\":1}\n{\"b\":2}\n\u{FEFF}\0\n\0\u{FEFF}\n\0\u{FEFF}\0\n\0\u{FEFF}3\n\0 \u{FEFF}\n\u{FEFF} \0 x\n\0\u{FEFF}"
    ), Sample("NUL bytes before a byte order mark alone", "\0\u{FEFF}"),
    Sample("text before records", "p F {\"a\":1}\nno json\n{\"b\":2}\n[x] y [3]\n") { $0.skipsPrefix = true },
    Sample("blanks and tabs before values", "  {\"a\":1}\n\t2\n \t \r\n\t\t[3] \n"),
    Sample("zero bytes", [0x31, 0x0A, 0x00, 0x0A, 0x32, 0x00, 0x0A] + Array("\"\u{0}\"\n33\n".utf8)),
    Sample("carriage returns alone", "1\r2\r\n\r\r\n[3,\r4]\r5\n6\r"),
    Sample("a line between many short ones", "1\n2\n[\(String(repeating: "7,", count: 60))7]\n3\n4\n"),
    Sample("record separators in lines", "1\n\u{1E}\n\"\u{1E}\"\n2\u{1E}\n3\n"),
    Sample("a byte order mark and blanks", "\u{FEFF} \r\n1\n"),
    Sample("half a byte order mark", [0xEF, 0xBB, 0x0A, 0x31, 0x0A]),
    Sample("a guessed framing", "{\"a\":1}\n{\"a\":[\n2]}\n3\n") { $0.framing = .automatic },
    Sample("a guessed framing after a damaged line", "{\"a\":1,}\n{\"a\":2}\n{\"a\":3}\n") { $0.framing = .automatic },
    Sample("a text sequence", "\u{1E}{\"a\":1}\n\u{1E}[\n2]\n\u{1E}3\n", sequence),
    Sample("a damaged text sequence", " x\u{1E}\u{1E}{\"a\":1}\u{1E}tru\u{1E}12\u{1E}\n\u{1E}\"é\"\n\u{1E}", sequence),
    Sample("a guessed text sequence", "\u{1E}1\n\u{1E}{\n\u{1E}3\n") { $0.framing = .automatic },
    Sample("text sequences over the limit", "\u{1E}1\n\u{1E}\"\(String(repeating: "x", count: 40))\"\n\u{1E}22\n") {
      $0.framing = .textSequence
      $0.reading.limits.recordBytes = 12
    },
  ]

  /// Returns the elements of a part of an input, and the line after it.
  private static func elements(
    _ sample: Sample, _ range: JSONInputRange?, readBytes: Int
  ) throws -> (found: [String], nextLine: Int, counts: InputTally.Counts) {
    let options = sample.options(range)
    let tally = InputTally()
    var window = try ReadWindow(JSONSource.bytes(sample.bytes).counted(by: tally), readBytes: readBytes)
    let framing = try window.framing(options, name: nil, resumingAt: nil)
    var reader = try JSONRecordReader(window, framing: framing, options: options)
    let found = try drain { try reader.nextResult().map { text(of: $0) } }
    #expect(tally.counts.records == found.count)
    return (found, reader.checkpoint.line, tally.counts)
  }

  @Test(arguments: samples)
  func `all splits of an input return together what one reader returns`(_ sample: Sample) throws {
    let size = sample.bytes.count
    let whole = try Self.elements(sample, nil, readBytes: 64)
    #expect(whole.counts.bytes == size)
    #expect(whole.counts.lineFeeds == sample.bytes.count { $0 == 0x0A })
    for count in 1...(size + 3) {
      // Small reads of different sizes, so that each border is inside a read, and at its end.
      let readBytes = 1 + (count * 7) % 40
      var found: [String] = []
      var line = 1
      var counts = InputTally.Counts()
      for number in 1...count {
        let range = with(JSONInputRange(part: number, of: count, size: size)) { $0.firstLine = line }
        let part = try Self.elements(sample, range, readBytes: readBytes)
        found += part.found
        line = part.nextLine
        counts.bytes += part.counts.bytes
        counts.lineFeeds += part.counts.lineFeeds
        counts.records += part.counts.records
      }
      guard found == whole.found, line == whole.nextLine, counts == whole.counts else {
        Issue.record("\(count) splits, reads of \(readBytes): \(found), line \(line), \(counts), not \(whole)")
        return
      }
    }
  }

  @Test(arguments: samples)
  func `workers and asynchronous readers return the same for each range`(_ sample: Sample) async throws {
    let file = try TemporaryFile(sample.bytes, ending: ".ndjson")
    let size = sample.bytes.count
    for count in [1, 2, 5] {
      for number in 1...count {
        let range = JSONInputRange(part: number, of: count, size: size)
        var reader = try JSONRecordReader(.path(file.path), options: sample.options(range))
        let expected = try drain { try reader.nextResult().map { line($0) } }
        var records = JSONRecords(file.path, options: sample.options(range))
        records.request.readBytes = 16
        #expect(try await JSONSiftTests.elements(records) == expected)
        for workers in [1, 3] { #expect(try await JSONSiftTests.elements(records, workers: workers) == expected) }
        #expect(
          try await JSONSiftTests.elements(JSONRecords(bytes: sample.bytes, options: sample.options(range))) == expected
        )
      }
    }
  }

  @Test func `a long file has the same records in ranges, with a thread that reads ahead`() throws {
    var bytes: [UInt8] = []
    var random = SeededGenerator()
    while bytes.count < 20 << 20 {
      bytes +=
        "{\"id\":\(bytes.count),\"text\":\"\(String(repeating: "é", count: Int.random(in: 0..<9000, using: &random)))\"}\n"
        .utf8
    }
    let file = try TemporaryFile(bytes, ending: ".ndjson")
    var offsets: [Int] = []
    var whole = try JSONRecordReader(.path(file.path))
    while try whole.next() != nil { offsets.append(whole.recordOffset) }
    for cut in (0..<4).map({ _ in Int.random(in: 0..<bytes.count, using: &random) }) {
      var found: [Int] = []
      for range in [JSONInputRange(0..<cut), JSONInputRange(cut...)] {
        let options = with(JSONRecordOptions()) { $0.range = range }
        var reader = try JSONRecordReader(.path(file.path), options: options)
        while try reader.next() != nil { found.append(reader.recordOffset) }
      }
      #expect(found == offsets, "cut at \(cut), \(random)")
    }
  }

  // MARK: Details

  private static func options(_ range: JSONInputRange, _ framing: JSONFraming = .lines) -> JSONRecordOptions {
    return with(JSONRecordOptions(framing: framing)) { $0.range = range }
  }

  @Test func `a reader that resumes in a range ends with the range`() throws {
    let bytes = Array("1\n22\n333\n4444\n5\n".utf8)
    for end in 0...bytes.count {
      let options = Self.options(JSONInputRange(1..<max(end, 1)))
      var whole: [Int] = []
      var reader = try JSONRecordReader(.bytes(bytes), options: options)
      var checkpoints = [reader.checkpoint]
      while let record = try reader.next() {
        whole.append(record.value.intValue)
        checkpoints.append(reader.checkpoint)
      }
      checkpoints.append(reader.checkpoint)
      for (index, checkpoint) in checkpoints.enumerated() {
        var resumed = try JSONRecordReader(.bytes(bytes), options: options, resumingAt: checkpoint)
        var found = Array(whole.prefix(index))
        while let record = try resumed.next() { found.append(record.value.intValue) }
        #expect(found == whole)
      }
    }
  }

  @Test func `a resumed reader skips the rest of a record over the limit, also beyond the end of the range`() throws {
    let bytes = Array("1\n\"\(String(repeating: "x", count: 300))\"\n2\n".utf8)
    let options = with(Self.options(JSONInputRange(0..<5))) { $0.reading.limits.recordBytes = 12 }
    var window = try ReadWindow(.bytes(bytes), readBytes: 16)
    _ = try window.framing(options, name: nil, resumingAt: nil)
    var reader = try JSONRecordReader(window, framing: .lines, options: options)
    #expect(try reader.next()?.value.intValue == 1)
    #expect(throws: JSONError.self) { _ = try reader.next() }
    var resumed = try JSONRecordReader(.bytes(bytes), options: options, resumingAt: reader.checkpoint)
    #expect(try resumed.next() == nil)
  }

  @Test func `a read that brings only separators behind the range does not trap`() throws {
    // The first read ends in a run of separators.
    let text = [UInt8](repeating: ASCII.recordSeparator, count: 2 * ReadWindow.readBytes) + Array("1\n".utf8)
    let file = try TemporaryFile(text, ending: ".ndjson")
    for shift in [-1, 0, 1, 100] {
      let middle = ReadWindow.readBytes + shift
      for source in [JSONSource.bytes(text), .path(file.path)] {
        var reader = try JSONRecordReader(source, options: Self.options(JSONInputRange(0..<middle), .textSequence))
        #expect(try reader.next() == nil)
        #expect(reader.checkpoint.byteOffset == middle)
      }
    }
  }

  @Test func `the lines of a range are counted from the first line it is given`() throws {
    var range = JSONInputRange(3...)
    let bytes = Array("1\n2\n3\nx\n".utf8)
    var reader = try JSONRecordReader(.bytes(bytes), options: Self.options(range))
    #expect(try reader.next()?.line == 1)
    range.firstLine = 3
    reader = try JSONRecordReader(.bytes(bytes), options: Self.options(range))
    #expect(try reader.next()?.line == 3)
    let thrown = jsonError { _ = try reader.next() }
    let error = try #require(thrown)
    #expect(reader.position(of: error) == JSONError.Position(byteOffset: 6, line: 4, column: 1))
    #expect(reader.excerpt(of: error).text == "x")
    range.firstLine = -5
    #expect(range.firstLine == 1)
    #expect(JSONInputRange(-5 ..< -2) == JSONInputRange(0..<0))
  }

  @Test func `a range beyond the end of the input is an error`() throws {
    for range in [JSONInputRange(0..<3), JSONInputRange(3..<3), JSONInputRange(3...), JSONInputRange(0..<Int.max)] {
      let error = #expect(throws: JSONError.self) {
        _ = try JSONRecordReader(.bytes([0x31, 0x0A]), options: Self.options(range))
      }
      #expect(error?.code == .unreadable)
      #expect(error?.message.hasSuffix("found its end at byte 2") == true)
    }
  }

  @Test(arguments: [JSONFraming.values, .document, .automatic])
  func `framings whose records do not begin with a line have no ranges`(framing: JSONFraming) throws {
    let error = #expect(throws: JSONError.self) {
      _ = try JSONRecordReader(.bytes(Array("{\"a\":\n1}".utf8)), options: Self.options(JSONInputRange(0..<1), framing))
    }
    #expect(error?.message.hasPrefix("expected records that are lines, or a text sequence") == true)
  }

  @Test func `chunks, pipes and compressed files have no ranges`() async throws {
    let options = Self.options(JSONInputRange(0..<1))
    let bytes = Array("1\n2\n".utf8)
    let error = #expect(throws: JSONError.self) { _ = try JSONRecordReader(.chunks([bytes]), options: options) }
    #expect(error?.message.contains("found an input that must be read from its start") == true)
    let pipe = try PipeWriter(bytes, chunks: 2)
    await #expect(throws: JSONError.self) {
      for try await _ in JSONRecords(.descriptor(pipe.readEnd), options: options) {}
    }
    let compressed = try TemporaryFile([0x1F, 0x8B, 0x08, 0x00, 0x0A, 0x0A], ending: ".ndjson")
    for range in [JSONInputRange(0..<1), JSONInputRange(5..<6)] {
      let error = #expect(throws: JSONError.self) {
        _ = try JSONRecordReader(.path(compressed.path), options: Self.options(range))
      }
      #expect(error?.code == .compressedInput)
    }
  }

  @Test func `a file that becomes shorter while it is read is an error`() throws {
    let file = try TemporaryFile(Array(String(repeating: "{\"a\":1}\n", count: 100_000).utf8), ending: ".ndjson")
    var reader = try JSONRecordReader(.path(file.path), options: Self.options(JSONInputRange(100..<700_000)))
    _ = try reader.next()
    try File(writing: Array(file.path.utf8), .kept).truncate(to: 500_000)
    let error = #expect(throws: JSONError.self) { while try reader.next() != nil {} }
    #expect(error?.code == .unreadable)
    #expect(error?.message == "expected an input of at least 700000 bytes, found its end at byte 500000")
  }

  @Test func `splits have sizes that differ by one byte, and meet`() {
    for size in [0, 1, 2, 7, 100, Int.max] {
      for count in [1, 2, 3, 7, 64] {
        var end = 0
        for number in 1...count {
          let range = JSONInputRange(part: number, of: count, size: size)
          #expect(range.lowerBound == end)
          end = range.upperBound ?? -1
          #expect((0...1).contains(end - range.lowerBound - size / count))
        }
        #expect(end == size)
      }
    }
    #expect(JSONInputRange(part: 9, of: 2, size: 10) == JSONInputRange(5..<10))
    #expect(JSONInputRange(part: 0, of: 0, size: -1) == JSONInputRange(0..<0))
  }
}
