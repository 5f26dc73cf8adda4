import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// Asynchronous, decoding and parallel readers have the same checkpoints as the synchronous reader.
@Suite struct ResumedStreamTests {
  private enum Reader: CaseIterable {
    case records, values, workers, decodingWorkers
  }

  /// The text of an element, and the checkpoint after it.
  private struct Step {
    var words: String
    var checkpoint: JSONCheckpoint
  }

  /// Reads to the end. The texts of values are the same for all readers.
  private static func steps(
    _ reader: Reader, _ records: JSONRecords<JSONRecord>
  ) async throws -> (all: [Step], end: JSONCheckpoint) {
    var steps: [Step] = []
    func note<Value>(_ element: Result<Value, JSONBadRecord>, _ checkpoint: JSONCheckpoint, _ words: (Value) -> String)
    {
      switch element {
      case .success(let value): steps.append(Step(words: words(value), checkpoint: checkpoint))
      case .failure(let bad): steps.append(Step(words: "bad \(bad.line) \(bad.byteRange)", checkpoint: checkpoint))
      }
    }
    switch reader {
    case .records, .workers:
      let iterator = (reader == .records ? records : records.workers(3)).results.makeAsyncIterator()
      while let found = try await iterator.next() { note(found, iterator.checkpoint) { "\($0.value)" } }
      return (steps, iterator.checkpoint)
    case .values, .decodingWorkers:
      let values = records.decode(JSON.self)
      let iterator = (reader == .values ? values : values.workers(2)).results.makeAsyncIterator()
      while let found = try await iterator.next() { note(found, iterator.checkpoint) { "\($0)" } }
      return (steps, iterator.checkpoint)
    }
  }

  private static func sources(
    _ bytes: [UInt8], _ path: String, _ options: JSONRecordOptions, at checkpoint: JSONCheckpoint? = nil
  ) -> [JSONRecords<JSONRecord>] {
    var all = [
      JSONRecords(path, options: options, resumingAt: checkpoint),
      JSONRecords(bytes: bytes, options: options, resumingAt: checkpoint),
      JSONRecords(ByteStream(bytes: bytes), options: options, resumingAt: checkpoint),
    ]
    for size in [1, 3, 1000] {
      all.append(JSONRecords(ChunkStream(bytes: bytes, size: size), options: options, resumingAt: checkpoint))
    }
    return all
  }

  @Test(arguments: [1, 2])
  func `blocks resume after a long line in which another reader stopped`(workers: Int) async throws {
    try await onThread {
      let options = with(JSONRecordOptions(framing: .lines)) { $0.reading.limits.recordBytes = 100 }
      let long = String(repeating: "x", count: 400_000)
      for end in ["\n2\n[3]\n", "\n", ""] {
        let bytes = Array("1\n\(long)\(end)".utf8)
        var reader = try JSONRecordReader(.chunks(chunks(of: bytes, size: 1000)), options: options)
        _ = try reader.next()
        #expect(jsonError { _ = try reader.next() }?.code == .recordLimit)
        let checkpoint = reader.checkpoint
        #expect(checkpoint.isInsideRecord)
        let rest = try drain { try reader.nextResult().map { words($0) } }
        #expect(rest.count == (end.count > 1 ? 2 : 0))
        #expect(try Self.blocks(.bytes(bytes), options, checkpoint, workers) == rest, "\(end.debugDescription)")
        let chunked = try Self.blocks(.chunks(chunks(of: bytes, size: 777)), options, checkpoint, workers)
        #expect(chunked == rest, "\(end.debugDescription)")
      }
    }
  }

  private static func blocks(
    _ source: sending JSONSource, _ options: JSONRecordOptions, _ checkpoint: JSONCheckpoint, _ workers: Int
  ) throws -> [String] {
    var blocks = try JSONRecordBlocks(source, options: options, resumingAt: checkpoint, workers: workers) { reader in
      return try drain { try reader.nextResult().map { words($0) } }
    }
    var found: [String] = []
    while let output = try blocks.next() { found += output }
    return found
  }

  @Test(arguments: CheckpointTests.texts.indices)
  func `each reader continues at each checkpoint of every other reader with the remaining records`(
    index: Int
  ) async throws {
    let (text, options) = CheckpointTests.texts[index]
    let bytes = Array(text.utf8)
    let file = try TemporaryFile(bytes, ending: ".ndjson")
    var reader = try JSONRecordReader(.bytes(bytes), options: options)
    var expected: [JSONCheckpoint] = []
    while try reader.nextResult() != nil { expected.append(reader.checkpoint) }
    let end = reader.checkpoint
    let all = try await Self.steps(.records, JSONRecords(bytes: bytes, options: options)).all.map(\.words)
    #expect(all.count == expected.count && all.count > 0)
    for (index, source) in Self.sources(bytes, file.path, options).enumerated() {
      for kind in Reader.allCases {
        let found = try await Self.steps(kind, source)
        #expect(found.all.map(\.words) == all, "\(kind), source \(index)")
        #expect(found.all.map(\.checkpoint) == expected, "\(kind), source \(index)")
        #expect(found.end == end)
      }
    }
    for (taken, checkpoint) in expected.enumerated() {
      // Nothing follows an error that ends the stream: the resumed reader throws it again.
      let isStuck = checkpoint.byteOffset == (taken > 0 ? expected[taken - 1].byteOffset : 0) && taken > 0
      let rest = Array(all[(isStuck ? taken : taken + 1)...])
      let stored = try CheckpointTests.stored(checkpoint)
      for (index, source) in Self.sources(bytes, file.path, options, at: stored).enumerated() {
        for kind in Reader.allCases {
          #expect(try await Self.steps(kind, source).all.map(\.words) == rest, "\(kind), source \(index), at \(stored)")
        }
      }
    }
  }

  @Test(arguments: [1, 2, 5])
  func `checkpoints of workers equal those of one reader for any block boundaries`(workers: Int) async throws {
    let bytes = mixedLines(300)
    let options = with(JSONRecordOptions(framing: .lines, recovery: .report)) { $0.reading.limits.recordBytes = 200 }
    var reader = try JSONRecordReader(.bytes(bytes), options: options)
    var expected: [JSONCheckpoint] = []
    while try reader.nextResult() != nil { expected.append(reader.checkpoint) }
    for size in [1, 50, 333, 4000, 1 << 18] {
      var records = JSONRecords(bytes: bytes, options: options)
      records.request.readBytes = size
      let iterator = records.workers(workers).results.makeAsyncIterator()
      #expect(iterator.checkpoint == JSONCheckpoint(byteOffset: 0))
      var found: [JSONCheckpoint] = []
      while try await iterator.next() != nil { found.append(iterator.checkpoint) }
      #expect(found == expected, "reads of \(size)")
      #expect(iterator.checkpoint == reader.checkpoint)
    }
  }

  @Test func `filtered records are complete at the end and are not read twice`() async throws {
    let bytes = Array((0..<1000).map { "{\"n\":\($0)}\n" }.joined().utf8)
    var records = JSONRecords(bytes: bytes).where("@.n < 10")
    records.request.readBytes = 256
    for workers in [nil, 2] as [Int?] {
      let checkpoint: JSONCheckpoint
      if let workers {
        let iterator = records.workers(workers) { $0["n"].int }.makeAsyncIterator()
        for n in 0..<10 { #expect(try await iterator.next() == n) }
        #expect(iterator.checkpoint.line == 11 && iterator.checkpoint.byteOffset == 80)
        #expect(try await iterator.next() == nil)
        checkpoint = iterator.checkpoint
      } else {
        let iterator = records.makeAsyncIterator()
        while try await iterator.next() != nil {}
        checkpoint = iterator.checkpoint
      }
      #expect(checkpoint.byteOffset == bytes.count && checkpoint.line == 1001)
    }
  }

  @Test func `a checkpoint of workers in arrival order loses no record`() async throws {
    let count = 3000
    let bytes = Array((0..<count).map { "{\"n\":\($0)}\n" }.joined().utf8)
    var random = SeededGenerator()
    for _ in 0..<20 {
      let wanted = Int.random(in: 0...count, using: &random)
      var records = JSONRecords(bytes: bytes)
      records.request.readBytes = 512
      let slow = Int.random(in: 0..<count, using: &random)
      let iterator = records.workers(3, inOrder: false) { record -> Int? in
        if record["n"].intValue == slow { usleep(2000) }
        return record["n"].int
      }.makeAsyncIterator()
      var seen: Set<Int> = []
      for _ in 0..<wanted { if let n = try await iterator.next() { seen.insert(n) } }
      #expect(seen.count == wanted)
      let checkpoint = iterator.checkpoint
      for try await record in JSONRecords(bytes: bytes, resumingAt: checkpoint) { seen.insert(record["n"].intValue) }
      #expect(seen.count == count, "after \(wanted) at \(checkpoint), \(random)")
      // Records that were delivered without a gap are not delivered again.
      #expect(checkpoint.line - 1 <= wanted)
    }
  }

  struct Failure: Error {}

  @Test(arguments: [JSONFraming.lines, .values, .textSequence])
  func `a record at which a worker's closure throws is read again`(framing: JSONFraming) async throws {
    let mark = framing == .textSequence ? "\u{1E}" : ""
    let bytes = Array((0..<50).map { "\(mark){\"n\":\($0)}\n" }.joined().utf8)
    var records = JSONRecords(bytes: bytes, options: JSONRecordOptions(framing: framing))
    records.request.readBytes = 64
    for fatal in [0, 1, 7, 49] {
      let iterator = records.workers(2) { record throws -> Int? in
        if record["n"].int == fatal { throw Failure() }
        return record["n"].int
      }.makeAsyncIterator()
      var found: [Int] = []
      await #expect(throws: Failure.self) { while let n = try await iterator.next() { found.append(n) } }
      #expect(found == Array(0..<fatal))
      var rest: [Int] = []
      for try await record in JSONRecords(bytes: bytes, resumingAt: iterator.checkpoint) {
        rest.append(record["n"].intValue)
      }
      #expect(rest == Array(fatal..<50))
    }
  }

  @Test func `under the policy stop all readers continue after the bad record whose error they threw`() async throws {
    let bytes = Array("{\"n\":1}\n{\"n\":}\n{\"n\":\"x\"}\n{\"n\":2}\n".utf8)
    struct Record: Codable, Sendable { var n: Int }
    for workers in [false, true] {
      var checkpoint: JSONCheckpoint?
      var found: [String] = []
      for _ in 0..<4 {
        let resumed = JSONRecords(bytes: bytes, resumingAt: checkpoint).decode(Record.self)
        do {
          let iterator = (workers ? resumed.workers(2) : resumed).makeAsyncIterator()
          defer { checkpoint = iterator.checkpoint }
          while let record = try await iterator.next() { found.append("\(record.n)") }
        } catch {
          found.append(error is JSONError ? "no JSON" : "no record")
        }
      }
      #expect(found == ["1", "no JSON", "no record", "2"], "workers \(workers)")
    }
  }

  @Test func `a checkpoint stores the framing of its stream`() async throws {
    let bytes = Array("1 [2,\n3] 4 5".utf8)
    var reader = try JSONRecordReader(.bytes(bytes), framing: .values)
    _ = try reader.next()
    let first = reader.checkpoint
    _ = try reader.next()
    var rest = try JSONRecordReader(.bytes(bytes), resumingAt: reader.checkpoint)
    #expect(try rest.next()?.value.int == 4)
    var decoder = try JSONRecordReader(.bytes(bytes), resumingAt: first)
    #expect(try decoder.next(as: [Int].self) == [2, 3])
    #expect(decoder.checkpoint == reader.checkpoint && decoder.line == 1 && decoder.errorCount == 0)
    var values: [Int] = []
    for try await record in JSONRecords(bytes: bytes, resumingAt: decoder.checkpoint).workers(2) {
      values.append(record.value.intValue)
    }
    #expect(values == [4, 5])
    // Also before its first child.
    let object = Array("{\"a\":[1,2]}".utf8)
    let children = try JSONRecordReader(.bytes(object), framing: .children(of: "$.a"))
    var again = try JSONRecordReader(.bytes(object), resumingAt: CheckpointTests.stored(children.checkpoint))
    #expect(try again.next()?.value.int == 1)
  }

  @Test func `a regular file is not read up to its checkpoint`() async throws {
    let file = try TemporaryFile([], ending: ".ndjson")
    let start = 1 << 40
    let handle = try #require(FileHandle(forWritingAtPath: file.path))
    // A line ends before it.
    try handle.truncate(atOffset: UInt64(start - 1))
    try handle.seekToEnd()
    try handle.write(contentsOf: Data("\n{\"n\":1}\n{\"n\":2}\n".utf8))
    let checkpoint = JSONCheckpoint(byteOffset: start, line: 7)
    for workers in [false, true] {
      let records = JSONRecords(file.path, resumingAt: checkpoint)
      var lines: [Int] = []
      for try await record in workers ? records.workers(2) : records { lines.append(record.line) }
      #expect(lines == [7, 8])
    }
  }

  @Test func `an input that ends before the checkpoint is an error of each reader`() async throws {
    let bytes = Array("1\n2\n".utf8)
    let file = try TemporaryFile(bytes, ending: ".ndjson")
    let pipe = try PipeWriter(bytes, chunks: 1)
    let checkpoint = JSONCheckpoint(byteOffset: 5)
    for records in [
      JSONRecords(file.path, resumingAt: checkpoint), JSONRecords(.descriptor(pipe.readEnd), resumingAt: checkpoint),
      JSONRecords(bytes: bytes, resumingAt: checkpoint),
      JSONRecords(ChunkStream(bytes: bytes, size: 1), resumingAt: checkpoint),
    ] {
      let error = await #expect(throws: JSONError.self) { for try await _ in records {} }
      #expect(error?.code == .unreadable)
      #expect(error?.message == "expected an input of at least 5 bytes, found its end at byte 4")
    }
  }

  @Test func `record blocks resume too`() async throws {
    try await onThread { try Self.expectBlocksResume() }
  }

  private static func expectBlocksResume() throws {
    let bytes = Array((0..<60_000).map { "{\"n\":\($0)}\n" }.joined().utf8)
    var first = try blocks(.bytes(bytes), at: nil)
    #expect(first.checkpoint == JSONCheckpoint(byteOffset: 0))
    var found = try #require(try first.next())
    found += try #require(try first.next())
    let checkpoint = try CheckpointTests.stored(first.checkpoint)
    #expect(checkpoint.line == found.count + 1)
    try expectRest(of: .bytes(bytes), behind: found, at: checkpoint, end: bytes.count)
    let pipe = try PipeWriter(bytes, chunks: 70_000)
    try expectRest(of: .descriptor(pipe.readEnd), behind: found, at: checkpoint, end: bytes.count)
  }

  private static func expectRest(
    of source: sending JSONSource, behind found: [Int], at checkpoint: JSONCheckpoint, end: Int
  ) throws {
    var all = found
    var rest = try blocks(source, at: checkpoint)
    while let more = try rest.next() { all += more }
    #expect(all == Array(0..<60_000))
    #expect(rest.checkpoint.byteOffset == end && rest.checkpoint.line == 60_001)
  }

  private static func blocks(
    _ source: sending JSONSource, at checkpoint: JSONCheckpoint?
  ) throws -> JSONRecordBlocks<[Int]> {
    try JSONRecordBlocks(source, resumingAt: checkpoint, workers: 2) { reader in
      return try drain { try reader.next().map { $0["n"].intValue } }
    }
  }
}
