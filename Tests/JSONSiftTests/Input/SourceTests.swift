import Foundation
import TestSupport
import Testing

@testable import JSONSift

@Suite struct SourceTests {
  private static func append(_ text: String, to path: String) throws {
    let file = try #require(FileHandle(forWritingAtPath: path))
    try file.seekToEnd()
    try file.write(contentsOf: Data(text.utf8))
    try file.close()
  }

  #if os(Linux)
    @Test func `a reader abandoned at any record closes its file`() throws {
      let text = "{\"a\":1}\nbad\n[2]\n\n3\n"
      try withFile(Array(text.utf8)) { path in
        let path = URL(fileURLWithPath: path).resolvingSymlinksInPath().path
        for framing in [JSONFraming.lines, .automatic, .children(of: "$"), .values, .document] {
          for stop in 0...5 {
            var reader = try JSONRecordReader(.path(path), options: .init(framing: framing, recovery: .report))
            #expect(openDescriptors(of: path) == 1)
            for _ in 0..<stop { _ = try reader.nextResult() }
            _ = consume reader
            #expect(openDescriptors(of: path) == 0)
          }
        }
        _ = try JSONRecordIndex(of: .path(path)).record(0, in: path)
        #expect(openDescriptors(of: path) == 0)
      }
    }
  #endif

  @Test func `no more chunks are read than a record needs, and none after the last requested one`() throws {
    let bytes = Array("{\"a\":1}\nbad\n[2]\n\n3\n4\n".utf8)
    let ends = [8, 12, 16, 19, 21]
    for size in 1...bytes.count {
      for stop in 1...ends.count {
        let count = Lock(0)
        let source = JSONSource.chunks(
          chunks(of: bytes, size: size).lazy.map { chunk -> [UInt8] in
            count.withLock { $0 += chunk.count }
            return chunk
          })
        var reads = 0
        var reader = try JSONRecordReader(
          source.beforeEachRead { reads += 1 }, options: .init(framing: .lines, recovery: .report))
        for _ in 0..<stop { _ = try reader.nextResult() }
        let taken = count.withLock { $0 }
        #expect(
          taken == min((ends[stop - 1] + size - 1) / size * size, bytes.count), "chunks of \(size), \(stop) records")
        #expect(reads == (taken + size - 1) / size)
      }
    }
  }

  @Test func `the hook after a read receives every byte`() throws {
    var heard: [Int] = []
    let source = JSONSource.chunks([Array("1\n2".utf8), Array("\n3\n".utf8)]).afterEachRead { heard.append($0) }
    var reader = try JSONRecordReader(source)
    while try reader.next() != nil {}
    #expect(heard == [3, 3, 0])
  }

  @Test func `a file that grows during reading is read to its new end`() throws {
    try withFile(Array("1\n2\n".utf8)) { path in
      var reader = try JSONRecordReader(.path(path))
      #expect(try reader.next()?.value.int == 1)
      try Self.append("3\n4", to: path)
      for number in 2...4 { #expect(try reader.next()?.value.int == number) }
      #expect(try reader.next() == nil)
    }
  }

  @Test(arguments: ["renamed", "truncated"])
  func `a replaced file ends after its content has been read`(how: String) throws {
    try withFile(Array("1\n".utf8)) { path in
      let aside = path + ".1"
      defer { try? FileManager.default.removeItem(atPath: aside) }
      let count = Lock(0)
      let source = JSONSource.path(path).following(every: .milliseconds(1)) {
        let waits = count.withLock {
          $0 += 1
          return $0
        }
        switch waits {
        case 1: try? Self.append("2\n", to: path)
        case 2:
          if how == "renamed" {
            try? FileManager.default.moveItem(atPath: path, toPath: aside)
            try? Self.append("3\n", to: aside)
          } else {
            try? FileHandle(forWritingAtPath: path)?.truncate(atOffset: 0)
          }
        case 3:
          // As long as no file has the old path, there is no new file.
          if how == "renamed" { try? Data("9\n".utf8).write(to: URL(fileURLWithPath: path)) }
        default: break
        }
        return waits > 50
      }
      var reader = try JSONRecordReader(source)
      let found = try drain { try reader.next().map { $0.value.intValue } }
      #expect(found == (how == "renamed" ? [1, 2, 3] : [1, 2]))
      #expect(count.withLock { $0 } <= 3)
    }
  }

  @Test func `a reader, a task and workers wait for more of a followed file`() async throws {
    for way in 0..<3 {
      let file = try TemporaryFile([], ending: ".ndjson")
      // The writer's steps while the reader waits.
      let steps = Lock(["{\"a\":1}\n{\"a\"", ":2}\n", "", "3\n4"].reversed() as [String])
      let isDone = Lock(false)
      let path = file.path
      let source = JSONSource.path(path).following(every: .milliseconds(1)) {
        guard let step = steps.withLock({ $0.popLast() }) else {
          isDone.withLock { $0 = true }
          return true
        }
        try? Self.append(step, to: path)
        return false
      }
      var found: [String] = []
      if way == 0 {
        var reader = try JSONRecordReader(source)
        while let record = try reader.next() { found.append(line(.success(record))) }
      } else {
        let records = JSONRecords(source)
        for try await record in way == 1 ? records : records.workers(2) { found.append(line(.success(record))) }
      }
      #expect(found == ["1 0..<7 {\"a\":1}", "2 8..<15 {\"a\":2}", "3 16..<17 3", "4 18..<19 4"], "way \(way)")
      #expect(isDone.withLock { $0 })
    }
  }

  @Test func `what is written before a followed file is done is read`() async throws {
    for way in 0..<3 {
      let file = try TemporaryFile(Array("1\n".utf8), ending: ".ndjson")
      let path = file.path
      let isDone = Lock(false)
      let source = JSONSource.path(path).following(every: .seconds(Int64.max)) {
        if !isDone.withLock({ $0 }) { try? Self.append("2\n", to: path) }
        isDone.withLock { $0 = true }
        return true
      }
      var found: [Int] = []
      if way == 0 {
        var reader = try JSONRecordReader(source)
        while let record = try reader.next() { found.append(record.value.intValue) }
      } else {
        let records = JSONRecords(source)
        for try await record in way == 1 ? records : records.workers(.max) { found.append(record.value.intValue) }
      }
      #expect(found == [1, 2], "way \(way)")
    }
  }

  @Test func `a descriptor that is none is unreadable in a task, too`() async throws {
    let error = await #expect(throws: JSONError.self) {
      for try await _ in JSONRecords(.descriptor(-1)) {}
    }
    #expect(error?.code == .unreadable)
  }

  @Test func `a source is opened by each reader, and says so if it can be read once only`() async throws {
    let chunks = [Array("1\n2".utf8), Array("3\n".utf8)]
    let source = JSONSource.bytes(Array("1\n23\n".utf8))
    for _ in 0..<2 {
      var reader = try JSONRecordReader(source)
      let found = try drain { try reader.next().map { $0.value.intValue } }
      #expect(found == [1, 23])
      var sum = 0
      for try await record in JSONRecords(source) { sum += record.value.intValue }
      #expect(sum == 24)
    }
    let once = JSONSource.chunks(chunks)
    var first = try JSONRecordReader(once)
    #expect(try first.next()?.value.int == 1)
    let again = jsonError { _ = try JSONRecordReader(once) }
    #expect(again?.code == .unreadable && again?.message.contains("once") == true)
    let arriving = JSONSource.chunks(ChunkStream(bytes: Array("1\n".utf8), size: 1))
    let error = jsonError { _ = try JSONRecordReader(arriving) }
    #expect(error?.code == .unreadable && error?.message.contains("JSONRecords") == true)
    var count = 0
    for try await _ in JSONRecords(arriving) { count += 1 }
    #expect(count == 1)
  }

  @Test func `issue 16: a system error has the byte offset at which reading failed`() throws {
    // A pipe that yields bytes, and whose descriptor is of another kind by the second read.
    var ends: [Int32] = [0, 0]
    #expect(unsafe pipe(&ends) == 0)
    _ = unsafe write(ends[1], "[1]\n[2", 6)
    let folder = unsafe open("/", O_RDONLY)
    var isFirst = true
    let source = JSONSource.descriptor(ends[0]).beforeEachRead {
      if !isFirst { dup2(folder, ends[0]) }
      isFirst = false
    }
    defer { for descriptor in ends + [folder] { close(descriptor) } }
    var reader = try JSONRecordReader(source)
    #expect(try reader.next()?.value == [1])
    let error = jsonError { while try reader.next() != nil {} }
    #expect(error?.code == .unreadable && error?.byteOffset == 6)
    #expect(error?.message == "the input cannot be read from byte 6 on: Is a directory")
  }

  @Test func `a function that returns chunks ends reading where it throws, after the records before`() async throws {
    struct Broken: Error, CustomStringConvertible { var description: String { "the line went dead" } }
    func source(_ texts: [String], _ error: (any Error)?) -> JSONSource {
      nonisolated(unsafe) var left = texts[...]
      return .chunks {
        if let next = unsafe left.popFirst() { return Array(next.utf8) }
        if let error { throw error }
        return nil
      }
    }
    let texts = ["1\n", "2", "", "3\n4"]
    var whole = try JSONRecordReader(source(texts, nil))
    let found = try drain { try whole.next().map { $0.value.intValue } }
    #expect(found == [1, 23, 4])
    for error in [Broken(), JSONError(.unexpectedByte, at: 0), JSONError(.unreadable, at: 7, .reason("gone"))]
      as [any Error]
    {
      var reader = try JSONRecordReader(source(texts, error), options: .init(framing: .lines, recovery: .skip))
      #expect(try reader.next()?.value.intValue == 1)
      #expect(try reader.next()?.value.intValue == 23)
      for _ in 1...2 { #expect(throws: JSONError.self) { _ = try reader.next() } }
      var matches = try JSONMatches(of: "$", in: source(texts, error), framing: .lines)
      #expect(try [matches.next()?.value.intValue, matches.next()?.value.intValue] == [1, 23])
      #expect(jsonError { _ = try matches.next() }?.code == .unreadable)
      let task = JSONRecords(source(texts, error)).makeAsyncIterator()
      #expect(try await task.next()?.value.intValue == 1)
    }
    let once = source(texts, nil)
    _ = try JSONRecordReader(once)
    #expect(throws: JSONError.self) { _ = try JSONRecordReader(once) }
  }

  @Test func `issue 50: the error of a source lies where reading stopped, and the checkpoint behind the last record`()
    throws
  {
    struct Broken: Error {}
    let texts: [(JSONFraming, String, records: Int, line: Int, column: Int, checkpoint: Int)] = [
      (.lines, "1\n2\n3\n4", 3, 4, 2, 6), (.values, "{\"id\":1}\n{\"id\":2}", 2, 2, 9, 17),
      (.values, "[1]\n[2]\n", 2, 3, 1, 8), (.textSequence, "\u{1E}1\n\u{1E}2\n", 1, 3, 1, 3),
      (.document, "{}", 0, 1, 3, 0),
    ]
    for (framing, text, records, line, column, checkpoint) in texts {
      nonisolated(unsafe) var left: [[UInt8]] = [Array(text.utf8)]
      var reader = try JSONRecordReader(
        .chunks {
          guard let next = unsafe left.popLast() else { throw Broken() }
          return next
        }, framing: framing)
      for _ in 0..<records { #expect(try reader.next() != nil) }
      let thrown = jsonError { _ = try reader.next() }
      let error = try #require(thrown)
      let expected = JSONError.Position(byteOffset: text.utf8.count, line: line, column: column)
      #expect(reader.position(of: error) == expected, "\(framing) \(text)")
      #expect(reader.stopReason == "the input cannot be read further")
      #expect(reader.checkpoint.byteOffset == checkpoint, "\(framing) \(text)")
    }
  }
}
