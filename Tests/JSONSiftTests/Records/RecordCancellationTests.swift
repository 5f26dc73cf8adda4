import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// An object whose deinitialization can be observed.
private final class Token: Sendable {
  static let alive = Lock<[UUID: Int]>([:])
  let test: UUID
  init(_ test: UUID) {
    self.test = test
    Self.alive.withLock { $0[test, default: 0] += 1 }
  }
  deinit { Self.alive.withLock { $0[test, default: 0] -= 1 } }

  static func count(_ test: UUID) -> Int { alive.withLock { $0[test] ?? 0 } }
}

/// Every way to stop ends all reading and closes everything that was opened.
@Suite struct RecordCancellationTests {
  private static let bytes = mixedLines(200, bad: false)

  /// Reads records, in one of four ways, and counts them. `after` is called before each record.
  private static func read(
    _ records: JSONRecords<JSONRecord>, _ way: Int, token: Token, _ after: (Int) throws -> Bool
  ) async throws {
    var count = 0
    switch way {
    case 0:
      for try await _ in records {
        if try !after(count) { break }
        count += 1
      }
    case 1:
      for try await _ in records.results {
        if try !after(count) { break }
        count += 1
      }
    default:
      for try await _ in records.workers(
        way, inOrder: way == 2, { [token] record in token.test.hashValue + record.line })
      {
        if try !after(count) { break }
        count += 1
      }
    }
  }

  @Test(arguments: 0...3)
  func `a task cancelled at any point throws CancellationError, and everything is closed`(way: Int) async throws {
    var random = SeededGenerator.announced()
    let log = ChunkLog()
    let test = UUID()
    var cancelled = 0
    for _ in 0..<250 {
      let size = 1 + random.below(200)
      let stream = ChunkStream(bytes: Self.bytes, size: size, log: log, yields: random.below(2) == 0)
      let limit = random.below(120)
      let turns = random.below(40)
      let task = Task {
        let token = Token(test)
        try await Self.read(JSONRecords(stream), way, token: token) { count in
          // Half of them are cancelled from inside, at a record; the others from outside, at an arbitrary time.
          if count == limit, turns % 2 == 0 { unsafe withUnsafeCurrentTask { unsafe $0?.cancel() } }
          return true
        }
      }
      if turns % 2 == 1 {
        for _ in 0..<turns { await Task.yield() }
        task.cancel()
      }
      do {
        try await task.value
      } catch {
        #expect(error is CancellationError)
        cancelled += 1
      }
    }
    #expect(cancelled > 50)
    #expect(await eventually { log.iterators == 0 && Token.count(test) == 0 })
    let taken = log.taken
    try await Task.sleep(nanoseconds: 20_000_000)
    #expect(log.taken == taken)
  }

  @Test(arguments: 0...3)
  func `leaving the loop at any record closes the file and ends the workers`(way: Int) async throws {
    let bytes = mixedLines(40, bad: false)
    let total = try elements(bytes).count
    let file = try TemporaryFile(bytes, ending: ".ndjson")
    let test = UUID()
    for leave in 0..<total {
      var records = JSONRecords(file.path)
      // Several blocks, so that workers are busy when the loop is left.
      records.request.readBytes = 200
      var seen = 0
      try await Self.read(records, way, token: Token(test)) { count in
        seen += 1
        return count < leave
      }
      #expect(seen == leave + 1)
    }
    #expect(await eventually { Token.count(test) == 0 && openDescriptors(of: file.path) ?? 0 == 0 })
  }

  @Test(arguments: 0...3)
  func `after a loop is left nothing is read beyond the window`(way: Int) async throws {
    for leave in [0, 3, 50] {
      let log = ChunkLog()
      let stream = ChunkStream(bytes: Self.bytes, size: 50, log: log)
      try await Self.read(JSONRecords(stream), way, token: Token(UUID())) { $0 < leave }
      #expect(await eventually { log.iterators == 0 })
      let taken = log.taken
      try await Task.sleep(nanoseconds: 10_000_000)
      #expect(log.taken == taken)
      if way < 2 {
        // One worker requests a chunk only after all chunks before it are consumed.
        let lines = try elements(Self.bytes)
        try #require(lines.count > leave)
        let line = lines[leave].split(separator: " ")[1].split(separator: "..<")[1]
        #expect(taken <= (Int(line) ?? 0) / 50 + 2)
      }
    }
  }

  @Test func `a slow consumer blocks the workers, and at most the window is read ahead`() async throws {
    // Each chunk is a line and becomes a separate block.
    let bytes = Array((0..<400).map { "[\(1000 + $0)]\n" }.joined().utf8)
    for workers in 1...3 {
      let log = ChunkLog()
      var consumed = 0
      for try await _ in JSONRecords(ChunkStream(bytes: bytes, size: 7, log: log)).workers(workers) {
        consumed += 1
        if consumed % 40 == 1 {
          try await Task.sleep(nanoseconds: 2_000_000)
          // The window, the block that is being read, the block that was taken, and one more chunk.
          #expect(log.taken <= consumed + 2 * workers + 2)
        }
      }
      #expect(consumed == 400)
    }
  }

  @Test func `a task that waits for a pipe is cancelled, and the writer gets a broken pipe`() async throws {
    for way in 0...3 {
      let (readEnd, writeEnd) = try File.nonblockingPipe()
      let task = Task {
        try await Self.read(JSONRecords(.descriptor(readEnd)), way, token: Token(UUID())) { _ in true }
      }
      try await Task.sleep(nanoseconds: 10_000_000)
      task.cancel()
      await #expect(throws: CancellationError.self) { try await task.value }
      _ = signal(SIGPIPE, SIG_IGN)
      _ = close(readEnd)
      var byte: UInt8 = 1
      #expect(unsafe write(writeEnd, &byte, 1) == -1 && errno == EPIPE)
      _ = close(writeEnd)
    }
  }

  @Test func `record blocks give the same output with any number of workers and end after an error`() async throws {
    try await onThread { try Self.expectSameBlocks() }
  }

  private static func expectSameBlocks() throws {
    let bytes = mixedLines(500)
    let options = with(JSONRecordOptions()) { $0.recovery = .report }
    let expected = try elements(bytes, options)
    let file = try TemporaryFile(bytes, ending: ".ndjson")
    let pipe = try PipeWriter(bytes, chunks: 777)
    func read(_ source: sending JSONSource, _ workers: Int) throws -> [String] {
      var blocks = try JSONRecordBlocks(source, options: options, workers: workers) { reader in
        return try drain { try reader.nextResult().map { line($0) } }
      }
      var found: [String] = []
      while let lines = try blocks.next() { found += lines }
      #expect(try blocks.next() == nil)
      return found
    }
    for workers in [1, 2, 3, 8] { #expect(try read(.path(file.path), workers) == expected) }
    #expect(try read(.descriptor(pipe.readEnd), 2) == expected)
    struct Enough: Error {}
    var blocks = try JSONRecordBlocks(.path(file.path), workers: 2) { (_) throws -> Int in throw Enough() }
    #expect(throws: Enough.self) { _ = try blocks.next() }
    #expect(try blocks.next() == nil)
    for _ in 0..<20 {
      var left = try JSONRecordBlocks(.path(file.path), workers: 3) { _ in 1 }
      _ = try left.next()
    }
  }

  @Test func `a stream that is not iterated reads nothing`() async throws {
    let log = ChunkLog()
    do {
      let records = JSONRecords(ChunkStream(bytes: Self.bytes, size: 10, log: log))
      let iterator = records.workers(2).makeAsyncIterator()
      let second = records.makeAsyncIterator()
      #expect(log.taken == 0)
      _ = try await iterator.next()
      _ = try await second.next()
    }
    #expect(await eventually { log.iterators == 0 })
  }
}
