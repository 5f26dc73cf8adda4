import Foundation
import Testing

@testable import JSONSift

/// Returns the text of an element of a stream.
func line(_ element: Result<JSONRecord, JSONBadRecord>) -> String {
  switch element {
  case .success(let record): "\(record.line) \(record.byteRange) \(record.value.rawText)"
  case .failure(let bad):
    "bad \(bad.line) \(bad.byteRange) \(bad.error.code)@\(bad.error.byteOffset) \(bad.position) \(bad.rawBytes)"
  }
}

/// Returns the elements of the synchronous reader, the reference for all others.
func elements(_ bytes: [UInt8], _ options: JSONRecordOptions = JSONRecordOptions()) throws -> [String] {
  var options = options
  options.recovery = .report
  var lines: [String] = []
  var reader = try JSONRecordReader(.bytes(bytes), options: options)
  while let element = try reader.nextResult() { lines.append(line(element)) }
  return lines
}

func elements(_ records: JSONRecords<JSONRecord>) async throws -> [String] {
  var lines: [String] = []
  for try await element in records.results { lines.append(line(element)) }
  return lines
}

func elements(_ records: JSONRecords<JSONRecord>, workers: Int) async throws -> [String] {
  var lines: [String] = []
  let found = records.workers(workers) { record in line(.success(record)) }
  for try await element in found.results {
    switch element {
    case .success(let output): lines.append(output)
    case .failure(let bad): lines.append(line(.failure(bad)))
    }
  }
  return lines
}

@Suite struct JSONRecordsTests {
  @Test func `records are read from all kinds of sources`() async throws {
    let text = "{\"a\":1}\n{\"a\":2}\n{\"a\":3}"
    let bytes = Array(text.utf8)
    let expected = try elements(bytes)
    #expect(expected.count == 3)
    #expect(try await elements(JSONRecords(bytes: bytes)) == expected)
    #expect(try await elements(JSONRecords(ChunkStream(bytes: bytes, size: 4))) == expected)
    #expect(try await elements(JSONRecords(ByteStream(bytes: bytes))) == expected)
    let arrays = AsyncStream<[UInt8]> { stream in
      for chunk in chunks(of: bytes, size: 5) { stream.yield(chunk) }
      stream.finish()
    }
    #expect(try await elements(JSONRecords(arrays)) == expected)
    let data = AsyncStream<Data> { stream in
      for chunk in chunks(of: bytes, size: 5) { stream.yield(Data(chunk)) }
      stream.finish()
    }
    #expect(try await elements(JSONRecords(data)) == expected)
    let file = try TemporaryInput(bytes)
    #expect(try await elements(JSONRecords(file.path)) == expected)
    let descriptor = unsafe open(file.path, O_RDONLY)
    #expect(try await elements(JSONRecords(.descriptor(descriptor))) == expected)
    _ = close(descriptor)
    let pipe = try PipeWriter(bytes, chunks: 3)
    #expect(try await elements(JSONRecords(.descriptor(pipe.readEnd))) == expected)
  }

  @Test func `a FIFO is awaited without a thread and read to its end`() async throws {
    let path = temporaryPath("fifo")
    #expect(unsafe mkfifo(path, 0o600) == 0)
    defer { try? FileManager.default.removeItem(atPath: path) }
    async let found = elements(JSONRecords(path))
    try await Task.sleep(nanoseconds: 50_000_000)
    Thread.detachNewThread {
      let end = unsafe open(path, O_WRONLY)
      for chunk in ["[1]\n[", "2]\n", "[3]"] {
        _ = unsafe write(end, chunk, chunk.utf8.count)
        usleep(5000)
      }
      _ = close(end)
    }
    #expect(try await found == elements(Array("[1]\n[2]\n[3]".utf8)))
  }

  @Test func `where adds a filter to existing ones, and the first next throws a bad condition`()
    async throws
  {
    let records = JSONRecords(bytes: Array("{\"a\":1}\n{\"a\":2}\n{\"a\":3}\n{\"b\":1}".utf8))
    #expect(try await elements(records.where("@.a >= 2")).count == 2)
    #expect(try await elements(records.where("@.a >= 2").where("@.a < 3")).count == 1)
    #expect(try await elements(records.where("@.a == 1 || @.b == 1").where("@.b == 1 || @.a == 7")).count == 1)
    #expect(try await elements(records.where("@.a >= 2"), workers: 2).count == 2)
    for workers in [nil, 2] {
      await #expect(throws: JSONError.self) {
        let bad = records.where("@.a >=").where("@.b")
        _ = try await workers.map { _ in true } == nil ? elements(bad) : elements(bad, workers: 2)
      }
    }
  }

  @Test func `a stream that cannot be opened reports an error`() async throws {
    for workers in [nil, 1, 2] {
      do {
        let records = JSONRecords("/nowhere/at/all.ndjson")
        if let workers { _ = try await elements(records, workers: workers) } else { _ = try await elements(records) }
        Issue.record("nothing was thrown")
      } catch let error as JSONError {
        #expect(error.code == .unreadable)
      }
    }
  }

  @Test func `the policy stop throws the first bad record after the good ones with any number of workers`() async throws
  {
    let bytes = Array("[1]\n[2]\n[3\n[4]\n".utf8)
    for size in [1, 3, 100] {
      for workers in [nil, 1, 2, 3] as [Int?] {
        let records = JSONRecords(ChunkStream(bytes: bytes, size: size))
        var values: [Int] = []
        do {
          if let workers {
            for try await record in records.workers(workers) { values.append(record[0].intValue) }
          } else {
            for try await record in records { values.append(record[0].intValue) }
          }
          Issue.record("nothing was thrown")
        } catch let error as JSONError {
          #expect(error.byteOffset == 10)
        }
        #expect(values == [1, 2])
      }
    }
  }

  @Test func `a line that is too long is one bad record, and the next lines are read`() async throws {
    var options = JSONRecordOptions(framing: .lines, recovery: .report)
    options.reading.limits.recordBytes = 50
    options.rawByteLimit = 20
    let long = "\"" + String(repeating: "x", count: 300) + "\""
    let bytes = Array("[1]\n\(long)\n[2]\n\(long)\n\(long)\n[3]\n\(long)".utf8)
    let expected = try elements(bytes, options)
    #expect(expected.count == 7)
    for size in [1, 2, 7, 49, 50, 51, 52, 100, 305, 2000] {
      let records = JSONRecords(ChunkStream(bytes: bytes, size: size), options: options)
      #expect(try await elements(records) == expected, "chunks of \(size)")
      for workers in 1...3 {
        #expect(try await elements(records, workers: workers) == expected, "chunks of \(size), \(workers) workers")
      }
    }
  }

  @Test(arguments: [0, 1, 3, 8, 9])
  func `exceeding the allowed number of bad records ends the stream at the same record`(maxErrors: Int) async throws {
    let bytes = Array((0..<40).map { $0 % 5 == 3 ? "[\($0)" : "[\($0)]" }.joined(separator: "\n").utf8)
    for recovery in [JSONRecordOptions.Recovery.skip, .report] {
      var options = JSONRecordOptions(framing: .lines, recovery: recovery)
      options.maxErrors = maxErrors
      var expected: [String] = []
      var reader = try JSONRecordReader(.bytes(bytes), options: options)
      do {
        while let element = try reader.nextResult() { expected.append(line(element)) }
        expected.append("end")
      } catch {
        expected.append("\(error.code)@\(error.byteOffset)")
      }
      #expect(expected.last == "end" || maxErrors < 8)
      for workers in [nil, 1, 2, 5] as [Int?] {
        let records = JSONRecords(ChunkStream(bytes: bytes, size: 11), options: options)
        var found: [String] = []
        do {
          switch (workers, recovery) {
          case (nil, .skip): for try await record in records { found.append(line(.success(record))) }
          case (nil, _): for try await element in records.results { found.append(line(element)) }
          case (let workers?, .skip):
            for try await text in records.workers(workers, { line(.success($0)) }) { found.append(text) }
          case (let workers?, _):
            for try await element in records.workers(workers, { line(.success($0)) }).results {
              switch element {
              case .success(let text): found.append(text)
              case .failure(let bad): found.append(line(.failure(bad)))
              }
            }
          }
          found.append("end")
        } catch let error as JSONError {
          found.append("\(error.code)@\(error.byteOffset)")
        }
        #expect(found == expected, "\(recovery), \(String(describing: workers)) workers")
      }
    }
  }

  @Test func `an error of a worker ends the stream after the preceding results`() async throws {
    struct Enough: Error {}
    let bytes = Array((0..<100).map { "[\($0)]" }.joined(separator: "\n").utf8)
    for workers in [1, 2, 5] {
      var values: [Int] = []
      do {
        let found = JSONRecords(ChunkStream(bytes: bytes, size: 16)).workers(workers) { record in
          if record[0].intValue == 60 { throw Enough() }
          return record[0].intValue
        }
        for try await value in found { values.append(value) }
        Issue.record("nothing was thrown")
      } catch is Enough {}
      #expect(values == Array(0..<60))
    }
  }

  @Test func `in arrival order all values are delivered, each once`() async throws {
    let bytes = Array((0..<500).map { "[\($0)]" }.joined(separator: "\n").utf8)
    for workers in [1, 2, 5] {
      var values: [Int] = []
      let records = JSONRecords(ChunkStream(bytes: bytes, size: 40)).workers(workers, inOrder: false) {
        $0[0].intValue
      }
      for try await value in records { values.append(value) }
      #expect(values.sorted() == Array(0..<500))
    }
  }

  @Test func `values and documents are read by one worker`() async throws {
    for (framing, text) in [
      (JSONFraming.values, "[1] [2][3]\n4 \"5\""), (.document, "{\"a\":\n[1]}"), (.automatic, "[1]\n[2]"),
    ] {
      let bytes = Array(text.utf8)
      let options = JSONRecordOptions(framing: framing)
      let expected = try elements(bytes, options)
      for size in 1...bytes.count {
        let records = JSONRecords(ChunkStream(bytes: bytes, size: size), options: options)
        #expect(try await elements(records) == expected)
        #expect(try await elements(records, workers: 2) == expected)
      }
    }
  }

  @Test func `an error between values ends the stream of one worker after the values before it`() async throws {
    for (text, code, offset) in [("[1] [2] x", .unexpectedByte, 8), ("[1] [2] [3", .unexpectedEnd, 10)]
      as [(String, JSONError.Code, Int)]
    {
      for size in [1, 100] {
        let source = ChunkStream(bytes: Array(text.utf8), size: size)
        let records = JSONRecords(source, options: JSONRecordOptions(framing: .values)).workers(2)
        let iterator = records.makeAsyncIterator()
        var values: [Int] = []
        do {
          while let record = try await iterator.next() { values.append(record[0].intValue) }
          Issue.record("nothing was thrown")
        } catch let error as JSONError {
          #expect(error.code == code && error.byteOffset == offset, "\(text)")
        }
        #expect(values == [1, 2])
        // Reading cannot continue, so the error is thrown again, as by a synchronous reader.
        await #expect(throws: JSONError.self) { try await iterator.next() }
      }
    }
  }

  @Test func `on an actor, records are read there`() async throws {
    let bytes = Array("[1]\n[2]\n".utf8)
    let count = try await Task { @MainActor in
      var count = 0
      for try await _ in JSONRecords(bytes: bytes) {
        MainActor.assertIsolated()
        count += 1
      }
      for try await _ in JSONRecords(bytes: bytes).workers(2) { count += 1 }
      return count
    }.value
    #expect(count == 4)
  }
}

/// A file that exists as long as this object.
final class TemporaryInput: Sendable {
  let path: String

  init(_ bytes: [UInt8]) throws {
    path = URL(fileURLWithPath: temporaryPath("records.ndjson")).resolvingSymlinksInPath().path
    try Data(bytes).write(to: URL(fileURLWithPath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}
