import TestSupport
import Testing

@testable import JSONSift

/// Records that are found inside of records.
@Suite struct NestedRecordTests {
  private func read(
    _ bytes: [UInt8], _ steps: [JSONRecordStep], size: Int? = nil, framing: JSONFraming = .lines
  ) throws -> [WrappedLog.Found] {
    var options = JSONRecordOptions(framing: framing)
    options.steps = steps
    return try readLines(bytes, options, size: size).map { found in
      guard case .record(let text, let line) = found else { return found }
      return .record(text: text.filter { $0 != "\r" && $0 != "\n" }, line: line)
    }
  }

  @Test(arguments: [1, 2, 3])
  func `records in strings have the text, the line and the errors that they have by themselves`(levels: Int) throws {
    var random = SeededGenerator.announced()
    let steps = Array(repeating: JSONRecordStep.unwrap("$.log"), count: levels)
    for _ in 0..<(isDebug ? 40 : 2000) {
      let log = WrappedLog(SeededGenerator(seed: random.next()), levels: levels, lines: 1 + random.below(12))
      let sizes: [Int?] = [nil, 1 + random.below(40), 4096]
      for size in sizes {
        let found = try read(log.text, steps, size: size)
        let text = String(decoding: log.text, as: UTF8.self)
        #expect(found.count == log.found.count, "\(random), chunks of \(String(describing: size)): \(text)")
        let difference = zip(found, log.found).first { $0 != $1 }
        #expect(difference == nil, "\(random), chunks of \(String(describing: size)): \(text)")
      }
    }
  }

  @Test func `records in strings are the same under every chunking`() throws {
    let log = WrappedLog(SeededGenerator(seed: 52), levels: 2, lines: 40)
    let steps: [JSONRecordStep] = [.unwrap("$.log"), .unwrap("$.log")]
    #expect(try differenceOverEveryChunking(of: log.text) { try read(log.text, steps, size: $0) } == nil)
  }

  @Test func `elements of containers in each record are records, also of several containers`() throws {
    let text =
      #"{"r":[{"s":{"x":[{"a":1},2]}},{"s":{"y":["b"]}}]}"# + "\n\n" + #"{"r":[]}"# + "\n" + #"{"r":[{"s":[[3]]}]}"#
    let found = try read(Array(text.utf8), [.each("$.r[*].s[*]")])
    #expect(
      found == [
        .record(text: #"{"a":1}"#, line: 1), .record(text: "2", line: 1), .record(text: #""b""#, line: 1),
        .record(text: "3", line: 4),
      ])
  }

  @Test(arguments: [1, 2, 7, 64, 4096])
  func `elements of one document have their lines`(size: Int) throws {
    let text = "{\"n\": 1,\n \"r\": [\n  {\"a\": 1},\n  {\"a\":\n 2}, 3\n]}"
    let found = try read(Array(text.utf8), [.each("$.r")], size: size, framing: .document)
    #expect(
      found == [
        .record(text: #"{"a": 1}"#, line: 3), .record(text: "{\"a\": 2}", line: 4), .record(text: "3", line: 5),
      ])
  }

  @Test(arguments: [#"{\u0000\"\u0000a\u0000"#, #"[\u0000"#])
  func `a string that begins like a text in another encoding is only a bad record`(inside: String) throws {
    let text = "{\"log\":\"\(inside)\"}\n{\"log\":\"[1]\"}\n"
    let found = try read(Array(text.utf8), [.unwrap("$.log")])
    #expect(found.count == 2)
    #expect(found.last == .record(text: "[1]", line: 2))
  }

  @Test func `a damaged document ends reading after the elements before the damage`() throws {
    let text = Array("{\"r\": [{\"a\":1},\n {\"a\" 2}]}".utf8)
    var options = JSONRecordOptions(framing: .document, recovery: .skip)
    options.steps = [.each("$.r")]
    var reader = try JSONRecordReader(.bytes(text), options: options)
    #expect(try reader.next()?.value.rawText == #"{"a":1}"#)
    let error = try #require(jsonError { _ = try reader.next() })
    #expect(error.byteOffset == 22)
    #expect(reader.position(of: error).line == 2)
    #expect(jsonError { _ = try reader.next() } == error)
  }

  @Test func `steps are applied in their order`() throws {
    let inner = #"{"Records":[{"body":"{\"a\":1}"},{"body":"{\"a\":}"},{"body":"{\"a\":3}"}]}"#
    let text = #"{"Message":"#.utf8 + (try JSON(string: inner).bytes()) + "}\n".utf8
    let found = try read(Array(text), [.unwrap("$.Message"), .each("$.Records"), .unwrap("$.body")])
    #expect(found.count == 3)
    #expect(found.first == .record(text: #"{"a":1}"#, line: 1))
    #expect(found.last == .record(text: #"{"a":3}"#, line: 1))
    guard case .bad(let line, let range, _, let offset) = found[1] else { return #expect(Bool(false), "\(found)") }
    #expect(line == 1)
    #expect(range == 0..<(text.count - 1))
    // The byte of the log at which the escape of `}` begins: the damaged text is `{\\\"a\\\":}` in two strings.
    #expect(String(decoding: text[offset...].prefix(2), as: UTF8.self) == "}\\")
  }

  @Test(arguments: [JSONRecordStep.Otherwise.skip, .keep, .reject])
  func `a record without an inner one is skipped, kept or rejected`(otherwise: JSONRecordStep.Otherwise) throws {
    let text = #"{"log":"{\"a\":1}"}"# + "\n" + #"{"log":"text"}"# + "\n" + #"{"x":1}"# + "\n" + #"{"log":"[2]"}"#
    let found = try read(Array(text.utf8), [.unwrap("$.log", otherwise: otherwise)])
    let lines = found.map { found in
      switch found {
      case .record(let text, let line): "\(line) \(text)"
      case .bad(let line, _, let raw, let offset): "\(line) bad \(offset) \(raw)"
      }
    }
    switch otherwise {
    case .skip: #expect(lines == [#"1 {"a":1}"#, "4 [2]"])
    case .keep: #expect(lines == [#"1 {"a":1}"#, #"2 {"log":"text"}"#, #"3 {"x":1}"#, "4 [2]"])
    case .reject:
      #expect(lines == [#"1 {"a":1}"#, #"2 bad 20 {"log":"text"}"#, #"3 bad 35 {"x":1}"#, "4 [2]"])
    }
  }

  @Test(arguments: [0, 1, 3])
  func `a stream unwraps records and takes their elements, with and without workers`(workers: Int) async throws {
    let line = #"{"log":"{\"r\":[{\"a\":1},{\"a\":2}]}"}"#
    let text = Array((0..<50).map { _ in line + "\n" }.joined().utf8)
    var records = JSONRecords(.bytes(text)).unwrapping("$.log").each("$.r").where("@.a > 1")
    if workers > 0 { records = records.workers(workers) }
    let iterator = records.makeAsyncIterator()
    var lines: [Int] = []
    while let record = try await iterator.next() {
      #expect(record["a"].int == 2)
      lines.append(record.line)
    }
    #expect(lines == Array(1...50))
    // A record of the input has no position inside: resuming begins again.
    #expect(iterator.checkpoint.byteOffset == 0)
  }

  @Test func `a line over the limit is a bad record of its whole length`() throws {
    let long = #"{"log":""# + String(repeating: "x", count: 400) + #""}"#
    let text = Array((#"{"log":"{}"}"# + "\n" + long + "\n" + #"{"log":"[]"}"# + "\n").utf8)
    var options = JSONRecordOptions(framing: .lines, recovery: .report)
    options.reading.limits.recordBytes = 100
    options.steps = [.unwrap("$.log")]
    for size in [nil, 1, 64] as [Int?] {
      var reader = try JSONRecordReader(size.map { .chunks(Chunks(text, size: $0)) } ?? .bytes(text), options: options)
      var lengths: [Int] = []
      while let result = try reader.nextResult() {
        switch result {
        case .success(let record): lengths.append(record.line)
        case .failure(let bad):
          #expect(bad.error.code == .recordLimit)
          lengths.append(bad.byteRange.count)
        }
      }
      #expect(lengths == [1, long.utf8.count, 3], "chunks of \(String(describing: size))")
    }
  }
}
