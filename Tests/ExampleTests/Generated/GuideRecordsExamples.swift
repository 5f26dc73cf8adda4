// Made from Sources/JSONSift/JSONSift.docc/Guides/Records.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum GuideRecordsExamples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 24, output: "1 info Ada\n2 error Grace\n4 error Ada\n5 warn Alan\n", isRun: true, body: example1),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 42, output: "1 started\n2 disk full\n3 byte 231: expected ',' or '}' after a member, found a string\n{\"id\":3,\"level\":\"info\",\"ms\":8 \"message\":\"the comma before this name is m…\n                              ^\n4 no route\n5 slow\n", isRun: true, body: example2),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 67, output: "1 1\n2 2\n", isRun: true, body: example3),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 89, output: "1 1\n2 2\n3 201..<281 expected ',' or '}' after a member, found a string\n4 4\n5 5\n", isRun: true, body: example4),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 142, output: "disk full\n", isRun: true, body: example5),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 158, output: "Ada\nGrace\nAda\nAlan\n", isRun: true, body: example6),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 178, output: nil, isRun: true, body: example7),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 196, output: "4\n", isRun: true, body: example8),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Records.md", line: 234, output: nil, isRun: true, body: example9),
  ]

  static let consoles: [Console] = [
  ]
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 196)
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
        if error.code.endsInput { break }        // the input is unreadable, not the record
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
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 89)
    var options = JSONRecordOptions(framing: .lines, recovery: .report)
    options.maximumErrors = 100
    var reader = try JSONRecordReader(.path(inFolder("events.ndjson")), options: options)
    var rejects = try JSONRejectWriter(path: inFolder("rejects.ndjson"))
    while let element = try reader.nextElement() {
      switch element {
      case .record(let record): print(record.line, record["id"])
      case .bad(let bad):
        print(bad.line, bad.byteRange, bad.error.message)
        try rejects.write(bad, file: inFolder("events.ndjson"))
      }
    }
    claim(reader.errorCount, "1", line: 101)
#sourceLocation()
    use(options)
    use(reader)
    use(rejects)
  }

  static func example5() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 142)
    var options = JSONRecordOptions()
    options.recovery = .skip
    for try await record in JSONRecords(inFolder("events.ndjson"), options: options).where("@.level == 'error' && @.ms > 1000") {
      print(record["message"])
    }
#sourceLocation()
    use(options)
  }

  static func example6() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 158)
    var options = JSONRecordOptions()
    options.recovery = .skip
    let names = JSONRecords(inFolder("events.ndjson"), options: options).workers(2) { $0["user"]["name"].string }
    for try await name in names { print(name) }
#sourceLocation()
    use(options)
    use(names)
  }

  static func example7() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 178)
    var reader = try JSONRecordReader(.path(inFolder("events.ndjson")))
    _ = try reader.next()
    _ = try reader.next()
    let saved = try JSONSiftEncoder().string(of: reader.checkpoint)

    let checkpoint = try JSONSiftDecoder().decode(JSONCheckpoint.self, from: saved)
    var later = try JSONRecordReader(
      .path(inFolder("events.ndjson")), options: JSONRecordOptions(framing: .lines, recovery: .skip), resumingAt: checkpoint)
    let record = try later.next()
    claim(record?.line, "4", line: 187)
#sourceLocation()
    use(reader)
    use(saved)
    use(checkpoint)
    use(later)
    use(record)
  }

  static func example8() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 196)
    struct State: Codable {
      var reader: JSONCheckpoint?
      var rejects: JSONCheckpoint?
      var events = 0
    }
    var state = (try? JSON(contentsOf: inFolder("state.json")).decode(State.self)) ?? State()
    var rejects = try JSONRejectWriter(path: inFolder("rejects.ndjson"), resumingAt: state.rejects)

    var events = JSONRecords(inFolder("events.ndjson"), resumingAt: state.reader)
      .decode(Event.self).workers().elements.makeAsyncIterator()
    var count = 0
    while let element = try await events.next() {
      switch element {
      case .record: state.events += 1
      case .bad(let bad): try rejects.write(bad, file: inFolder("events.ndjson"))
      }
      count += 1
      if count.isMultiple(of: 1000) { try save(events.checkpoint) }
    }
    try save(events.checkpoint)
    print(state.events)

    func save(_ checkpoint: JSONCheckpoint) throws {
      state.reader = checkpoint
      state.rejects = try rejects.checkpoint()
      try JSON(encoding: state).write(to: inFolder("state.json"))
    }
#sourceLocation()
    use(state)
    use(rejects)
    use(events)
    use(count)
  }

  static func example9() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Records.md (guide)", line: 234)
    var ids: [Int] = []
    for part in 1...3 {
      var options = JSONRecordOptions(framing: .lines, recovery: .skip)
      options.range = JSONInputRange(split: part, of: 3, size: 475)
      var reader = try JSONRecordReader(.path(inFolder("events.ndjson")), options: options)
      while let record = try reader.next() { ids.append(record["id"].intValue) }
    }
    claim(ids, "[1, 2, 4, 5]", line: 241)
#sourceLocation()
    use(ids)
  }
}
