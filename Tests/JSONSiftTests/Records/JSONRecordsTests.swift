import Foundation
import TestSupport
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
  let options = with(options) { $0.recovery = .report }
  var reader = try JSONRecordReader(.bytes(bytes), options: options)
  return try drain { try reader.nextResult().map { line($0) } }
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
    let file = try TemporaryFile(bytes, ending: ".ndjson")
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
      let error = await #expect(throws: JSONError.self) {
        let records = JSONRecords("/nowhere/at/all.ndjson")
        if let workers { _ = try await elements(records, workers: workers) } else { _ = try await elements(records) }
      }
      #expect(error?.code == .unreadable)
    }
  }
}
