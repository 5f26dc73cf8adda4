// Made from Sources/JSONSift/JSONSift.docc/Guides/Records.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum GuideRecordsExamples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 24, output: "1 info Ada\n2 error Grace\n4 error Ada\n5 warn Alan\n", isRun: true, body: example1),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 42, output: "1 started\n2 disk full\n3 byte 231: expected ',' or '}' after a member, found a string\n{\"id\":3,\"level\":\"info\",\"ms\":8 \"message\":\"the comma before this name is m…\n                              ^\n4 no route\n5 slow\n", isRun: true, body: example2),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 67, output: "1 1\n2 2\n", isRun: true, body: example3),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 99, output: "1\n2\ntrue Broken()\n", isRun: true, body: example4),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 127, output: "1 1\n2 2\n3 201..<281 expected ',' or '}' after a member, found a string\n4 4\n5 5\n", isRun: true, body: example5),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 159, output: "1\n2\n4\n5\n1 skipped\nline 3, column 31 (byte 231): expected ',' or '}' after a member, found a string\n", isRun: true, body: example6),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 205, output: "disk full\n", isRun: true, body: example7),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 221, output: "Ada\nGrace\nAda\nAlan\n", isRun: true, body: example8),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 249, output: nil, isRun: true, body: example9),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 268, output: "4\n", isRun: true, body: example10),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 310, output: nil, isRun: true, body: example11),
  ]

  static let consoles: [Console] = [
  ]
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 99)
 struct Broken: Error {}
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 268)
 struct Event: Codable, Sendable { var id: Int; var amount: Double }
#sourceLocation()

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 24)
    var options = JSONRecordOptions()
    options.recovery = .skip
    for try await record in JSONRecords(inFolder("events.ndjson"), options: options) {
      print(record.line, record["level"].stringValue, record["user"]["name"].stringValue)
    }
#sourceLocation()
    use(options)
  }

  static func example2() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 42)
    var reader = try JSONRecordReader(.path(inFolder("events.ndjson")))
    while true {
      do {
        guard let record = try reader.next() else { break }
        print(record.line, record["message"])
      } catch {
        print(reader.position(of: error).line, error)
        print(reader.excerpt(of: error))
        if reader.stopReason != nil { break }    // no later record can be read
      }
    }
#sourceLocation()
    use(reader)
  }

  static func example3() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 67)
    var reader = try JSONRecordPushReader()
    for chunk in [#"{"id":1}"# + "\n" + #"{"i"#, #"d":2}"#] {
      reader.feed(Array(chunk.utf8))
      while let record = try reader.next() { print(record.line, record["id"]) }
    }
    reader.finish()
    while let record = try reader.next() { print(record.line, record["id"]) }
#sourceLocation()
    use(reader)
  }

  static func example4() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 99)
    var chunks = [#"{"id":1}"# + "\n" + #"{"i"#, #"d":2}"# + "\n" + #"{"id""#][...]
    let source = JSONSource.chunks {
      guard let chunk = chunks.popFirst() else { throw Broken() }
      return Array(chunk.utf8)
    }
    var reader = try JSONRecordReader(source)
    do {
      while let record = try reader.next() { print(record["id"]) }
    } catch {
      print(error.code == .unreadable, error.message)
    }
#sourceLocation()
    use(source)
    use(reader)
  }

  static func example5() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 127)
    var options = JSONRecordOptions(framing: .lines, recovery: .report)
    options.maxErrors = 100
    var reader = try JSONRecordReader(.path(inFolder("events.ndjson")), options: options)
    var rejects = try JSONRejectWriter(path: inFolder("rejects.ndjson"))
    while let result = try reader.nextResult() {
      switch result {
      case .success(let record): print(record.line, record["id"])
      case .failure(let bad):
        print(bad.line, bad.byteRange, bad.error.message)
        try rejects.write(bad, from: inFolder("events.ndjson"))
      }
    }
    claim(reader.errorCount, "1", line: 139)
#sourceLocation()
    use(options)
    use(reader)
    use(rejects)
  }

  static func example6() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 159)
    var options = JSONRecordOptions()
    options.recovery = .skip
    let events = JSONRecords(inFolder("events.ndjson"), options: options)
    for try await event in events { print(event["id"]) }
    print(events.errorCount, "skipped")

    do {
      for try await _ in JSONRecords(inFolder("events.ndjson")) {}
    } catch let error as JSONError {
      print(error)
    }
#sourceLocation()
    use(options)
    use(events)
  }

  static func example7() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 205)
    var options = JSONRecordOptions()
    options.recovery = .skip
    for try await record in JSONRecords(inFolder("events.ndjson"), options: options).where("@.level == 'error' && @.ms > 1000") {
      print(record["message"])
    }
#sourceLocation()
    use(options)
  }

  static func example8() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 221)
    var options = JSONRecordOptions()
    options.recovery = .skip
    let names = JSONRecords(inFolder("events.ndjson"), options: options).workers(2) { $0["user"]["name"].string }
    for try await name in names { print(name) }
#sourceLocation()
    use(options)
    use(names)
  }

  static func example9() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 249)
    var reader = try JSONRecordReader(.path(inFolder("events.ndjson")))
    _ = try reader.next()
    _ = try reader.next()
    let saved = try JSONSiftEncoder().string(of: reader.checkpoint)

    let checkpoint = try JSONSiftDecoder().decode(JSONCheckpoint.self, from: saved)
    var later = try JSONRecordReader(
      .path(inFolder("events.ndjson")), options: JSONRecordOptions(framing: .lines, recovery: .skip), resumingAt: checkpoint)
    let record = try later.next()
    claim(record?.line, "4", line: 258)
#sourceLocation()
    use(reader)
    use(saved)
    use(checkpoint)
    use(later)
    use(record)
  }

  static func example10() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 268)
    struct State: Codable {
      var reader: JSONCheckpoint?
      var rejects: JSONCheckpoint?
      var events = 0

      mutating func save(_ position: JSONCheckpoint, _ writer: inout JSONRejectWriter) throws {
        reader = position
        rejects = try writer.checkpoint()
        try JSON(encoding: self).write(to: inFolder("state.json"))
      }
    }
    var state = State()
    if FileManager.default.fileExists(atPath: inFolder("state.json")) { state = try JSON(contentsOf: inFolder("state.json")).decode(State.self) }
    var rejects = try JSONRejectWriter(path: inFolder("rejects.ndjson"), resumingAt: state.rejects)

    let events = JSONRecords(inFolder("events.ndjson"), resumingAt: state.reader)
      .decode(Event.self).workers().results.makeAsyncIterator()
    var count = 0
    while let result = try await events.next() {
      switch result {
      case .success: state.events += 1
      case .failure(let bad):
        // The next run reads this record again, so it must not be in the file already.
        if bad.stopReason != nil { throw bad.error }
        try rejects.write(bad, from: inFolder("events.ndjson"))
      }
      count += 1
      if count.isMultiple(of: 1000) { try state.save(events.checkpoint, &rejects) }
    }
    try state.save(events.checkpoint, &rejects)
    print(state.events)
#sourceLocation()
    use(state)
    use(rejects)
    use(events)
    use(count)
  }

  static func example11() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 310)
    var ids: [Int] = []
    for part in 1...3 {
      var options = JSONRecordOptions(framing: .lines, recovery: .skip)
      options.range = JSONInputRange(part: part, of: 3, size: 475)
      var reader = try JSONRecordReader(.path(inFolder("events.ndjson")), options: options)
      while let record = try reader.next() { ids.append(record["id"].intValue) }
    }
    claim(ids, "[1, 2, 4, 5]", line: 317)
#sourceLocation()
    use(ids)
  }
}
