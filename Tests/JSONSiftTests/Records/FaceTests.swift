import JSONSift
import TestSupport
import Testing

/// One table: what a bad record does in each face of the pipeline, for each policy, framing, limit and maximum of errors, and
/// from each checkpoint. Each face is called again after an error, until it returns `nil` or throws the same error twice.
@Suite struct FaceTests {
  /// A call of a face, and where it left the reader.
  private struct Step: Equatable, CustomStringConvertible {
    var text: String
    var offset: Int
    var line: Int

    init(_ text: String, _ checkpoint: JSONCheckpoint) {
      (self.text, offset, line) = (text, checkpoint.byteOffset, checkpoint.line)
    }

    var description: String { "\(text) to \(offset):\(line)" }
  }

  private static let texts: [(JSONFraming, String)] = [
    (.lines, "[1]\n{\"a\":}\n\n[2] \nxx\n[3,4,5,6,7,8,9]\n[4]\n[5"), (.lines, "xx\n[1]\n"),
    (.values, "[1] [2]\n[3,4,5,6,7,8,9] [4] x [5]"), (.values, "[1]\n[2"),
    (.textSequence, "\u{1E}[1]\n\u{1E}{\"a\":}\n\u{1E}[3,4,5,6,7,8,9]\n\u{1E}[2]\n\u{1E}[3"),
    (.children(of: "$.a"), "{\"a\":[[1],[2],\n[3,4,5,6,7,8,9],[4],x]}"), (.children(of: "$.b"), "{\"a\":[1]}"),
    (.document, "[1,2]"), (.document, "[1,"),
  ]

  private static var allOptions: [(text: String, options: JSONRecordOptions)] {
    var all: [(String, JSONRecordOptions)] = []
    for (framing, text) in texts {
      for recovery in [.stop, .skip, .report] as [JSONRecordOptions.Recovery] {
        for (maximum, bytes) in [(nil, 1 << 20), (0, 1 << 20), (1, 10), (nil, 10)] as [(Int?, Int)] {
          var options = JSONRecordOptions(framing: framing, recovery: recovery)
          options.maxErrors = maximum
          options.reading.limits.recordBytes = bytes
          all.append((text, options))
        }
      }
    }
    return all
  }

  /// Calls a face until it ends.
  private static func steps(
    _ next: () async throws -> (Result<JSONRecord, JSONBadRecord>?, JSONCheckpoint), _ checkpoint: () -> JSONCheckpoint
  ) async throws -> [Step] {
    var steps: [Step] = []
    while steps.count < 50 {
      do {
        let (found, checkpoint) = try await next()
        guard let found else { return steps + [Step("end", checkpoint)] }
        steps.append(Step(line(found), checkpoint))
      } catch let error as JSONError {
        let step = Step("throws \(error.code)@\(error.byteOffset)", checkpoint())
        if step == steps.last { return steps }
        steps.append(step)
      }
    }
    Issue.record("no end: \(steps.suffix(3))")
    return steps
  }

  private static func synchronous(
    _ source: JSONSource, _ options: JSONRecordOptions, from checkpoint: JSONCheckpoint?, reports: Bool
  ) async throws -> [Step] {
    var reader = try JSONRecordReader(source, options: options, resumingAt: checkpoint)
    var reached = reader.checkpoint
    return try await steps(
      {
        defer { reached = reader.checkpoint }
        let found = reports ? try reader.nextResult() : try reader.next().map { .success($0) }
        return (found, reader.checkpoint)
      }, { reached })
  }

  private static func asynchronous(
    _ records: JSONRecords<JSONRecord>, reports: Bool
  ) async throws -> [Step] {
    let iterator = records.makeAsyncIterator()
    let results = records.results.makeAsyncIterator()
    return try await steps(
      {
        let found = reports ? try await results.next() : try await iterator.next().map { .success($0) }
        return (found, reports ? results.checkpoint : iterator.checkpoint)
      }, { reports ? results.checkpoint : iterator.checkpoint })
  }

  /// Returns the first step that differs, with the expected one; `nil` if none does.
  private static func difference(_ found: [Step], _ expected: [Step]) -> String? {
    for index in 0..<max(found.count, expected.count) {
      let (step, other) = (index < found.count ? found[index] : nil, index < expected.count ? expected[index] : nil)
      if step != other { return "\(index): \(step?.description ?? "nothing"), not \(other?.description ?? "nothing")" }
    }
    return nil
  }

  @Test(arguments: FaceTests.allOptions.indices)
  func `a bad record, a limit and a checkpoint mean the same in every face`(index: Int) async throws {
    let (text, options) = Self.allOptions[index]
    let bytes = Array(text.utf8)
    for reports in [false, true] {
      let expected = try await Self.synchronous(.bytes(bytes), options, from: nil, reports: reports)
      #expect(!expected.isEmpty)
      for size in [1, 3, bytes.count] {
        let chunks = JSONSource.chunks(Chunks(bytes, size: size))
        let cut = try await Self.synchronous(chunks, options, from: nil, reports: reports)
        #expect(Self.difference(cut, expected) == nil, "chunks of \(size)")
        let records = JSONRecords(ChunkStream(bytes: bytes, size: size), options: options)
        let found = try await Self.asynchronous(records, reports: reports)
        #expect(Self.difference(found, expected) == nil, "a task, chunks of \(size)")
        for workers in [1, 3] {
          let found = try await Self.asynchronous(records.workers(workers), reports: reports)
          #expect(Self.difference(found, expected) == nil, "\(workers) workers, chunks of \(size)")
        }
      }
      // From each checkpoint the rest is the same.
      var reader = try JSONRecordReader(.bytes(bytes), options: options)
      for first in expected.indices.dropLast() {
        let found = try? reports ? reader.nextResult() : reader.next().map { .success($0) }
        guard options.maxErrors == nil, let found else { break }
        // A record that hides where the next one begins is read again.
        if case .failure(let bad) = found, bad.stopReason != nil { break }
        let checkpoint = reader.checkpoint
        let rest = Array(expected[(first + 1)...])
        let again = try await Self.synchronous(.bytes(bytes), options, from: checkpoint, reports: reports)
        #expect(Self.difference(again, rest) == nil, "from \(checkpoint.byteOffset)")
        let records = JSONRecords(bytes: bytes, options: options, resumingAt: checkpoint)
        let alone = try await Self.asynchronous(records, reports: reports)
        #expect(Self.difference(alone, rest) == nil, "a task, from \(checkpoint.byteOffset)")
        let parallel = try await Self.asynchronous(records.workers(2), reports: reports)
        #expect(Self.difference(parallel, rest) == nil, "workers, from \(checkpoint.byteOffset)")
      }
    }
  }
}
