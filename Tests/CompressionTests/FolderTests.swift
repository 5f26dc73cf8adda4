#if Compression
  import Foundation
  import JSONSiftCompression
  import TestSupport
  import Testing

  @testable import JSONSift

  /// The new records of the files of a folder.
  @Suite struct FolderTests {
    /// A folder with logs, which is removed with its owner.
    private final class Logs {
      let url = FileManager.default.temporaryDirectory.appending(path: "folder-\(UUID().uuidString)")

      init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

      deinit { try? FileManager.default.removeItem(at: url) }

      func path(_ name: String) -> String { url.appending(path: name).path }

      func bytes(_ name: String) -> [UInt8] {
        FileManager.default.contents(atPath: path(name)).map { [UInt8]($0) } ?? []
      }

      func write(_ bytes: [UInt8], to name: String) throws { try Data(bytes).write(to: url.appending(path: name)) }

      func append(_ text: String, to name: String = "app.log") throws {
        if !FileManager.default.fileExists(atPath: path(name)) { try write([], to: name) }
        let file = try #require(FileHandle(forWritingAtPath: path(name)))
        try file.seekToEnd()
        try file.write(contentsOf: Data(text.utf8))
        try file.close()
      }

      func rename(_ name: String, to other: String) throws {
        try FileManager.default.moveItem(atPath: path(name), toPath: path(other))
      }

      func records(_ pattern: String = "app.log*", restarting: Bool = false) -> JSONRecords<JSONRecord> {
        JSONRecords(folder: path(pattern), state: path("state"), restarting: restarting).decompressing()
      }

      func ids(_ pattern: String = "app.log*") async throws -> [Int] {
        try await records(pattern).reduce(into: []) { $0.append($1["id"].intValue) }
      }
    }

    private static func lines(_ ids: Range<Int>) -> String { ids.map { "{\"id\":\($0)}\n" }.joined() }

    @Test func `a second reading returns what is new, with the lines and the names of the files`() async throws {
      let logs = try Logs()
      try logs.append("{\"id\":1}\n\n{\"id\":2}\n")
      try logs.append("{\"id\":3}\n{\"id\":", to: "app.log.x")
      #expect(try await logs.ids() == [1, 2, 3])
      try logs.append("{\"id\":4}\n")
      try logs.append("5}\n", to: "app.log.x")
      let records = logs.records()
      var found: [String] = []
      for try await record in records {
        let path = try #require(records.path(of: record))
        found.append("\(URL(filePath: path).lastPathComponent) \(record.line) \(record["id"])")
      }
      #expect(found == ["app.log 4 4", "app.log.x 2 5"])
      #expect(try await logs.ids() == [])
    }

    @Test func `what a loop has not reached is returned again, but not what was saved`() async throws {
      let logs = try Logs()
      try logs.append(Self.lines(0..<10), to: "app.log.1")
      try logs.append(Self.lines(10..<20))
      let records = logs.records()
      for try await record in records where record["id"] == 13 {
        try records.saveState(after: record)
        // A second time, further on.
        break
      }
      try logs.append(Self.lines(20..<21), to: "app.log.1")
      // The names are in order: the file with the newer records is read first.
      #expect(try await logs.ids() == Array(14..<20) + Array(0..<10) + [20])
      #expect(try await logs.ids() == [])
    }

    @Test func `saving many times reads each line once more, and the last line counts`() async throws {
      let logs = try Logs()
      try logs.append(Self.lines(0..<5000) + "\n\n" + Self.lines(5000..<9000))
      var records = logs.records()
      var last = -1
      for try await record in records {
        last = record["id"].intValue
        if last.isMultiple(of: 100) { try records.saveState(after: record) }
        if last == 7777 { break }
      }
      records = logs.records()
      var first = true
      for try await record in records {
        if first { #expect(record["id"] == 7701 && record.line == 7704) }
        first = false
        try records.saveState(after: record)
        if record["id"] == 7750 { break }
      }
      #expect(try await logs.ids() == Array(7751..<9000))
    }

    @Test func `one reader uses a state at a time, and only for one condition`() async throws {
      let logs = try Logs()
      try logs.append(Self.lines(0..<3))
      var first: JSONRecords.Iterator? = logs.records().makeAsyncIterator()
      _ = try await first?.next()
      await expectError("expected a state that no other run uses, found one that is locked") { try await logs.ids() }
      first = nil
      #expect(try await logs.records().where("@.id > 0").count() == 2)
      await expectError("expected the command that wrote this state, found one that asks something else") {
        try await logs.ids()
      }
      #expect(try await logs.records(restarting: true).count() == 3)
      #expect(try await logs.records(restarting: true).count() == 0)
    }

    private func expectError<Value>(_ message: String, _ body: () async throws -> Value) async {
      let error = await #expect(throws: JSONError.self) { _ = try await body() }
      #expect(error?.message.contains(message) == true, "\(error?.message ?? "")")
    }

    @Test func `records cannot be saved when nobody reads`() async throws {
      let logs = try Logs()
      try logs.append(Self.lines(0..<3))
      let records = logs.records()
      var last: JSONRecord?
      for try await record in records {
        last = record
        if record["id"] == 1 { break }
      }
      let record = try #require(last)
      await expectError("expected a record of an iterator that is in use") { try records.saveState(after: record) }
      await expectError("expected records of a folder with a state") {
        try JSONRecords(bytes: []).saveState(after: record)
      }
      await expectError("expected records of a folder with a state, in the order of the input") {
        try records.workers(2, inOrder: false).saveState(after: record)
      }
      // After the end, all is saved.
      for try await record in records { last = record }
      try records.saveState(after: #require(last))
    }

    @Test func `after a bad record reading can go on, and what was thrown is not returned again`() async throws {
      let logs = try Logs()
      try logs.append("{\"id\":1}\nx\n{\"id\":2}\n")
      let records = logs.records().makeAsyncIterator()
      #expect(try await records.next()?["id"] == 1)
      let error = await #expect(throws: JSONError.self) { try await records.next() }
      #expect(error?.position?.line == 2)
      #expect(try await records.next()?["id"] == 2)
      #expect(try await records.next() == nil)
      #expect(try await logs.ids() == [])
    }

    @Test func `other elements and workers save the state at the end`() async throws {
      struct Item: Decodable { let id: Int }
      let logs = try Logs()
      let text = Self.lines(0..<40_000)
      try logs.append(text)
      var ids = try await logs.records().decode(Item.self).reduce(into: []) { $0.append($1.id) }
      #expect(ids == Array(0..<40_000))
      try logs.append(Self.lines(40_000..<90_000))
      try logs.write(Format.gzip.compress(logs.bytes("app.log")), to: "app.log.1.gz")
      try logs.write(Array(Self.lines(90_000..<90_002).utf8), to: "app.log")
      ids = try await logs.records().workers(2) { $0["id"].int }.reduce(into: []) { $0.append($1) }
      #expect(ids == [90_000, 90_001] + Array(40_000..<90_000))
      try logs.append("{\"id\":[1,2]}\n{\"id\":[3,4]}\n")
      let nested = logs.records().each("$.id")
      var found: [Int] = []
      for try await record in nested {
        found.append(record.value.intValue)
        // The records of a line are not saved before the next one.
        if record.value == 3 {
          try nested.saveState(after: record)
          break
        }
      }
      #expect(found == [1, 2, 3])
      for try await result in logs.records().each("$.id").results { found.append(try result.get().value.intValue) }
      #expect(found == [1, 2, 3, 3, 4])
      #expect(try await logs.records().count() == 0)
    }

    @Test func `a folder is read as a whole, without the state in it`() async throws {
      let logs = try Logs()
      try FileManager.default.createDirectory(atPath: logs.path("a/b[1]"), withIntermediateDirectories: true)
      try logs.append(Self.lines(0..<2), to: "a/b[1]/x.ndjson")
      try logs.append(Self.lines(2..<3), to: "y.ndjson")
      #expect(try await logs.ids("") == [0, 1, 2])
      try logs.append(Self.lines(3..<4), to: "a/b[1]/x.ndjson")
      #expect(try await logs.ids("") == [3])
      #expect(try await logs.ids("none*") == [])
      await expectError("No such file") { try await logs.ids("none") }
      try logs.append("{\n\"id\":1}", to: "z.json")
      let options = JSONRecordOptions(framing: .automatic)
      await expectError("expected records that are lines") {
        try await JSONRecords(folder: logs.path(""), state: logs.path("state"), options: options).count()
      }
    }

    @Test func `a line that is too long is a bad record, and a compressed file needs decompressing`() async throws {
      let logs = try Logs()
      try logs.append("{\"id\":1}\n{\"id\":\"\(String(repeating: "x", count: 300_000))\"}\n{\"id\":2}\n")
      var options = JSONRecordOptions(framing: .lines, recovery: .report)
      options.reading.limits.recordBytes = 1000
      var found: [String] = []
      let records = JSONRecords(folder: logs.path("app.log*"), state: logs.path("state"), options: options)
      for try await result in records.results {
        switch result {
        case .success(let record): found.append("\(record.line)")
        case .failure(let bad): found.append("bad \(bad.position.line) \(bad.byteRange.count)")
        }
      }
      #expect(found == ["1", "bad 2 300009", "3"])
      try logs.write(Format.gzip.compress(Array("{}\n".utf8)), to: "app.log.1.gz")
      let error = await #expect(throws: JSONError.self) { try await records.count() }
      #expect(error?.code == .compressedInput && error?.file == logs.path("app.log.1.gz"))
    }

    @Test func `a file that vanishes between listing and opening is as if it had not been there`() async throws {
      let logs = try Logs()
      try logs.append(Self.lines(0..<2), to: "app.log")
      try logs.append(Self.lines(2..<4), to: "app.log.1")
      try logs.append(Self.lines(4..<6) + "{\"id\":6}", to: "app.log.2")
      #expect(try await logs.ids("app.log.2") == [4, 5])
      try logs.rename("app.log.2", to: "app.log.3")
      let names = ["app.log", "app.log.1", "app.log.3", "app.log.4"].map { Array(logs.path($0).utf8) }
      let state = try ReadingState(Array(logs.path("state").utf8), question: Array("all".utf8))
      // One that is new, and one that was read before.
      let (parts, notes) = try state.plan(names) { path, _ in
        if path == names[0] {
          try? logs.rename("app.log.1", to: "x")
          try? logs.rename("app.log.3", to: "y")
        }
        return true
      }
      #expect(parts.map(\.index) == [0] && notes.missing == [3])
      for part in parts {
        var reader = try JSONRecordReader(part.source.counted(by: part.tally), framing: .lines)
        while try reader.next() != nil {}
      }
      try state.save(parts)
      _ = consume state
      try logs.rename("x", to: "app.log.1")
      try logs.rename("y", to: "app.log.3")
      #expect(try await logs.ids() == [2, 3, 6])
    }

    // MARK: Histories

    /// A log to which what happens to logs happens.
    private struct History {
      let logs: Logs
      var events: [String] = []
      private var rotations = 0
      private(set) var lines = NumberedLines()

      init() throws { logs = try Logs() }

      private var plainFiles: [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: logs.url.path)) ?? []
        return names.filter { $0.hasPrefix("app.log") && !$0.hasSuffix(".gz") }.sorted()
      }

      private func compress(_ name: String) throws {
        try logs.write(Format.gzip.compress(logs.bytes(name)), to: name + ".gz")
        try FileManager.default.removeItem(atPath: logs.path(name))
      }

      mutating func change(_ random: inout SeededGenerator) throws {
        rotations += 1
        let name = "app.log.\(rotations)"
        let kind = plainFiles.contains("app.log") ? random.below(6) : 5
        events.append("\(kind)")
        switch kind {
        case 0: try logs.rename("app.log", to: name)
        case 1:
          try logs.write(logs.bytes("app.log"), to: name)
          try logs.write([], to: "app.log")
        case 2:
          try logs.rename("app.log", to: name)
          try compress(name)
        case 3: if let old = plainFiles.last, old != "app.log" { try compress(old) }
        default: try append(&random)
        }
        if kind < 3 { lines.beginFile() }
      }

      mutating func append(_ random: inout SeededGenerator) throws {
        let text = lines.text([3, 3, 300], &random)
        try logs.append(text)
      }

      /// Compresses all files, so that no last line waits.
      mutating func finish() throws { for name in plainFiles { try compress(name) } }
    }

    @Test func `whatever happens to files and loops, each record is returned, and none that was saved again`()
      async throws
    {
      var random = SeededGenerator.announced()
      let rounds = (ProcessInfo.processInfo.environment["JSONSIFT_TEST_ROUNDS"].flatMap { Int($0) } ?? 1000) / 50
      for _ in 0..<rounds {
        var history = try History()
        var seen: Set<Int> = []
        var saved: Set<Int> = []
        try history.append(&random)
        for isLast in Array(repeating: false, count: random.below(10) + 2) + [true] {
          if isLast { try history.finish() } else { try history.change(&random) }
          guard isLast || random.below(3) > 0 else { continue }
          let stop = isLast || random.below(2) == 0 ? .max : random.below(20)
          history.events.append("read \(stop == .max ? "all" : "\(stop)")")
          var records = history.logs.records()
          if random.below(4) == 0 { records = records.workers(2) }
          // What a compressed file has returned is saved at its end.
          var waiting: [Int] = []
          var file: String?
          var isComplete = true
          var count = 0
          for try await record in records {
            let id = record["id"].intValue
            #expect(!saved.contains(id), "\(id) \(history.events) \(random)")
            seen.insert(id)
            if let path = records.path(of: record), path != file {
              if random.below(3) == 0, count > 0 {
                try records.saveState(after: record)
                saved.formUnion(waiting)
                waiting = []
                if !path.hasSuffix(".gz") { saved.insert(id) }
              }
              file = path
            }
            if !saved.contains(id) { waiting.append(id) }
            if random.below(100) == 0, file?.hasSuffix(".gz") == false {
              try records.saveState(after: record)
              saved.formUnion(waiting)
              waiting = []
            }
            count += 1
            if count > stop {
              isComplete = false
              break
            }
          }
          if isComplete { saved.formUnion(waiting) }
        }
        #expect(
          seen == Set(0..<history.lines.next),
          "\(Set(0..<history.lines.next).subtracting(seen)) \(history.events) \(random)")
      }
    }
  }
#endif
