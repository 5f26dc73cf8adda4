import TestSupport
import Testing

@testable import JSONSift

/// The same output for any number of workers, any read size, and any source.
@Suite struct ParallelEqualityTests {
  private static let options = JSONRecordOptions(framing: .lines, recovery: .report)

  @Test(arguments: [nil, 1, 2, 3, 8] as [Int?])
  func `every read size from 1 to 300 gives the same elements with any number of workers`(workers: Int?) async throws {
    let bytes = mixedLines(30)
    let expected = try elements(bytes, Self.options)
    #expect(expected.count > 20)
    #expect(expected.contains { $0.hasPrefix("bad") })
    // In a debug build every size without workers and with two, and every fourth one with other numbers of workers.
    let step = isDebug && workers ?? 2 != 2 ? 4 : 1
    for size in stride(from: 1, through: 300, by: step) {
      let records = JSONRecords(ChunkStream(bytes: bytes, size: size), options: Self.options)
      let found = workers == nil ? try await elements(records) : try await elements(records, workers: workers ?? 1)
      guard found == expected else {
        Issue.record("reads of \(size), workers \(String(describing: workers)): \(found) is not \(expected)")
        return
      }
    }
  }

  @Test(arguments: [nil, 1, 2, 3, 8] as [Int?])
  func `a file and a pipe give the same elements as bytes in memory`(workers: Int?) async throws {
    let bytes = mixedLines(800)
    let expected = try elements(bytes, Self.options)
    let file = try TemporaryFile(bytes, ending: ".ndjson")
    let pipe = try PipeWriter(bytes, chunks: 5000)
    for var records in [
      JSONRecords(file.path, options: Self.options), JSONRecords(.descriptor(pipe.readEnd), options: Self.options),
      JSONRecords(bytes: bytes, options: Self.options),
    ] {
      // Many blocks.
      records.request.readBytes = 3000
      let found = workers == nil ? try await elements(records) : try await elements(records, workers: workers ?? 1)
      #expect(found.count == expected.count)
      #expect(found == expected)
    }
  }

  @Test(arguments: isDebug ? [2] : [1, 2, 8])
  func `blocks of bad lines only give all of them in order, and a worker buffers only some`(
    workers: Int
  ) async throws {
    let line = Array("x\n".utf8)
    let lines = isDebug ? 20_000 : 150_000
    let bytes = [UInt8]((0..<2 * lines).map { line[$0 % 2] })
    let expected = try elements(bytes, Self.options)
    #expect(expected.count == lines)
    let found = try await elements(JSONRecords(bytes: bytes, options: Self.options), workers: workers)
    #expect(found == expected)
    var unordered = 0
    let records = JSONRecords(bytes: bytes, options: Self.options)
    for try await element in records.workers(workers, inOrder: false).results {
      if case .failure = element { unordered += 1 }
    }
    #expect(unordered == expected.count)

    var cutter = LineCutter(try ReadWindow(.bytes(bytes)), Self.options)
    let block = LineBlock()
    guard case .block = try cutter.next(into: block) else {
      Issue.record("no block")
      return
    }
    var reader = try BlockWorker(Self.options, where: nil)
    var part: BlockOutput<Int> = reader.read(block, isNew: true) { $0.line }
    var count = part.bad.count
    while !part.isLast {
      #expect(part.bad.count <= 1024)
      part = reader.read(block, isNew: false) { $0.line }
      count += part.bad.count
    }
    #expect(count == min(lines, (1 << 18) / 2))
  }
}
