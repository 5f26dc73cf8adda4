// Made from Sources/JSONSift/Coding/JSONSiftDecoder.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONSiftDecoder_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Coding/JSONSiftDecoder.swift", line: 2, output: nil, isRun: false, body: example1),
    Example(page: "Sources/JSONSift/Coding/JSONSiftDecoder.swift", line: 9, output: nil, isRun: false, body: example2),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let bytes: [UInt8] = []
#sourceLocation(file: "Sources/JSONSift/Coding/JSONSiftDecoder.swift (doc comment)", line: 2)
    struct User: Decodable { var id: Int, name: String, tags: [String] }

    let decoder = JSONSiftDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let user = try decoder.decode(User.self, from: bytes)
#sourceLocation()
    use(decoder)
    use(user)
  }

  static func example2() async throws {
    struct User: Decodable {}
    let json = JSON.null
#sourceLocation(file: "Sources/JSONSift/Coding/JSONSiftDecoder.swift (doc comment)", line: 9)
    let user = try json["users"][3].decode(User.self)
#sourceLocation()
    use(user)
  }
}
// Made from Sources/JSONSift/Coding/JSONSiftEncoder+Lines.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONSiftEncoder_Lines_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Coding/JSONSiftEncoder+Lines.swift", line: 2, output: nil, isRun: false, body: example1),
    Example(page: "Sources/JSONSift/Coding/JSONSiftEncoder+Lines.swift", line: 5, output: nil, isRun: false, body: example2),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let encoder = JSONSiftEncoder()
    let events = [1]
    let handle = FileHandle.nullDevice
#sourceLocation(file: "Sources/JSONSift/Coding/JSONSiftEncoder+Lines.swift (doc comment)", line: 2)
    try encoder.writeLines(events) { try handle.write(contentsOf: $0) }
#sourceLocation()
  }

  static func example2() async throws {
    let encoder = JSONSiftEncoder()
    let events = AsyncStream<Int> { $0.finish() }
    struct Socket { func send(_ bytes: [UInt8]) async throws {} }
    let socket = Socket()
#sourceLocation(file: "Sources/JSONSift/Coding/JSONSiftEncoder+Lines.swift (doc comment)", line: 5)
    try await encoder.writeLines(events) { try await socket.send($0) }
#sourceLocation()
  }
}
// Made from Sources/JSONSift/Coding/JSONSiftEncoder.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONSiftEncoder_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Coding/JSONSiftEncoder.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let user = ["name": "Ada"]
#sourceLocation(file: "Sources/JSONSift/Coding/JSONSiftEncoder.swift (doc comment)", line: 2)
    let encoder = JSONSiftEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    let text = try encoder.string(of: user)
#sourceLocation()
    use(encoder)
    use(text)
  }
}
// Made from Sources/JSONSift/Columns/ArrowStreamWriter.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_ArrowStreamWriter_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Columns/ArrowStreamWriter.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    var reader = try JSONRecordReader(.path("events.ndjson"))
    var output: [UInt8] = []
#sourceLocation(file: "Sources/JSONSift/Columns/ArrowStreamWriter.swift (doc comment)", line: 2)
    guard var writer = ArrowStreamWriter([ArrowColumn("id", .int64), ArrowColumn("name", .utf8)]) else { return }
    while let record = try reader.next() {
      writer.append([record.value["id"], record.value["name"]])
      output += writer.takeBytes()
    }
    writer.finish()
    output += writer.takeBytes()
#sourceLocation()
  }
}
// Made from Sources/JSONSift/Errors/JSONError.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONError_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Errors/JSONError.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    var reader = try JSONBuilder(.whole)
    let chunk: [UInt8] = []
#sourceLocation(file: "Sources/JSONSift/Errors/JSONError.swift (doc comment)", line: 2)
    do {
      try reader.feed(chunk)
    } catch {
      print(error.code, error.byteOffset)  // unexpectedByte 1041
    }
#sourceLocation()
  }
}
// Made from Sources/JSONSift/Errors/JSONLimits.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONLimits_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Errors/JSONLimits.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let bytes: [UInt8] = []
#sourceLocation(file: "Sources/JSONSift/Errors/JSONLimits.swift (doc comment)", line: 2)
    var limits = JSONLimits()
    limits.depth = 64
    let json = try JSON(parsing: bytes, options: JSONOptions(limits: limits))
#sourceLocation()
    use(limits)
    use(json)
  }
}
// Made from Sources/JSONSift/Events/JSONPushReader.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONPushReader_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Events/JSONPushReader.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]
#sourceLocation(file: "Sources/JSONSift/Events/JSONPushReader.swift (doc comment)", line: 2)
struct Counter: JSONEventHandler {
#sourceLocation(file: "Sources/JSONSift/Events/JSONPushReader.swift (doc comment)", line: 3)
var count = 0
#sourceLocation(file: "Sources/JSONSift/Events/JSONPushReader.swift (doc comment)", line: 4)
mutating func startObject(at offset: Int) -> Bool { true }
#sourceLocation(file: "Sources/JSONSift/Events/JSONPushReader.swift (doc comment)", line: 5)
mutating func key(_ key: borrowing JSONText) -> Bool { true }
#sourceLocation(file: "Sources/JSONSift/Events/JSONPushReader.swift (doc comment)", line: 6)
mutating func endObject(at offset: Int) -> Bool { true }
#sourceLocation(file: "Sources/JSONSift/Events/JSONPushReader.swift (doc comment)", line: 7)
mutating func startArray(at offset: Int) -> Bool { true }
#sourceLocation(file: "Sources/JSONSift/Events/JSONPushReader.swift (doc comment)", line: 8)
mutating func endArray(at offset: Int) -> Bool { true }
#sourceLocation(file: "Sources/JSONSift/Events/JSONPushReader.swift (doc comment)", line: 9)
mutating func string(_ string: borrowing JSONText) -> Bool { true }
#sourceLocation(file: "Sources/JSONSift/Events/JSONPushReader.swift (doc comment)", line: 10)
mutating func number(_ number: borrowing JSONText) -> Bool { true }
#sourceLocation(file: "Sources/JSONSift/Events/JSONPushReader.swift (doc comment)", line: 11)
mutating func bool(_ value: Bool, byteRange: Range<Int>) -> Bool { true }
#sourceLocation(file: "Sources/JSONSift/Events/JSONPushReader.swift (doc comment)", line: 12)
mutating func null(byteRange: Range<Int>) -> Bool { true }
#sourceLocation(file: "Sources/JSONSift/Events/JSONPushReader.swift (doc comment)", line: 13)
}
#sourceLocation()

  static func example1() async throws {
    let chunks: [[UInt8]] = []
#sourceLocation(file: "Sources/JSONSift/Events/JSONPushReader.swift (doc comment)", line: 2)
    var reader = JSONPushReader(Counter())
    for chunk in chunks { try reader.feed(chunk) }
    try reader.finish()
    print(reader.handler.count)
#sourceLocation()
    use(reader)
  }
}
// Made from Sources/JSONSift/Index/JSONBlockIndex+Elements.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONBlockIndex_Elements_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Index/JSONBlockIndex+Elements.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/Index/JSONBlockIndex+Elements.swift (doc comment)", line: 2)
    func element(_ number: Int, of path: String) throws -> JSON? {
      let index = try JSONBlockIndex(of: path, elementsOf: "$.items")
      guard let (checkpoint, between) = index.entry(beforeElement: number) else { return nil }
      var reader = try JSONRecordReader(
        .path(path), options: JSONRecordOptions(framing: .children(of: "$.items")), resumingAt: checkpoint)
      for _ in 0..<between { _ = try reader.next() }
      return try reader.next()?.value
    }
#sourceLocation()
  }
}
// Made from Sources/JSONSift/Index/JSONBlockIndex.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONBlockIndex_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Index/JSONBlockIndex.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/Index/JSONBlockIndex.swift (doc comment)", line: 2)
    func printRecords(ofUser id: Int) throws {
      let index = try JSONBlockIndex(of: inFolder("events.ndjson"), paths: ["$.user.id", "$.time"])
      try index.write(to: "events.ndjson.jsidx")
      let condition = try JSONCondition("@.user.id == \(id)")
      for range in index.ranges(where: condition) {
        var options = JSONRecordOptions()
        options.range = range
        var reader = try JSONRecordReader(.path(inFolder("events.ndjson")), options: options)
        while let record = try reader.next() {
          if try condition.holds(for: record.value) { print(record.line) }
        }
      }
    }
#sourceLocation()
  }
}
// Made from Sources/JSONSift/Input/JSONInputRange.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONInputRange_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Input/JSONInputRange.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/Input/JSONInputRange.swift (doc comment)", line: 2)
    var options = JSONRecordOptions()
    options.range = JSONInputRange(part: 3, of: 8, size: 4_000_000)   // the third of 8 parts of about the same size
    var reader = try JSONRecordReader(.path(inFolder("events.ndjson")), options: options)
    while let record = try reader.next() { print(record.byteRange) }
#sourceLocation()
    use(options)
    use(reader)
  }
}
// Made from Sources/JSONSift/Input/JSONRecordOptions.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONRecordOptions_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Input/JSONRecordOptions.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/Input/JSONRecordOptions.swift (doc comment)", line: 2)
    var options = JSONRecordOptions()
    options.recovery = .report
    options.maxErrors = 1000
#sourceLocation()
    use(options)
  }
}
// Made from Sources/JSONSift/Input/JSONRecordReader.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONRecordReader_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Input/JSONRecordReader.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/Input/JSONRecordReader.swift (doc comment)", line: 2)
    var reader = try JSONRecordReader(.path(inFolder("events.ndjson")))
    while let record = try reader.next() {
      if record["level"].string == "error" { print(record.line, record["message"].stringValue) }
    }
#sourceLocation()
    use(reader)
  }
}
// Made from Sources/JSONSift/Input/JSONSource.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONSource_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Input/JSONSource.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/Input/JSONSource.swift (doc comment)", line: 2)
    let source = JSONSource.path(inFolder("events.ndjson"))
#sourceLocation()
    use(source)
  }
}
// Made from Sources/JSONSift/Input/RecordDecoding.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_RecordDecoding_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Input/RecordDecoding.swift", line: 2, output: nil, isRun: false, body: example1),
    Example(page: "Sources/JSONSift/Input/RecordDecoding.swift", line: 6, output: nil, isRun: false, body: example2),
    Example(page: "Sources/JSONSift/Input/RecordDecoding.swift", line: 17, output: nil, isRun: false, body: example3),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    struct LogLine: Codable { var amount: Int }
    var total = 0
#sourceLocation(file: "Sources/JSONSift/Input/RecordDecoding.swift (doc comment)", line: 2)
    var reader = try JSONRecordReader(.path(inFolder("events.ndjson")))
    while let line = try reader.next(as: LogLine.self) { total += line.amount }
#sourceLocation()
    use(reader)
  }

  static func example2() async throws {
    struct LogLine: Codable { var amount: Int }
    func keep(_ line: LogLine) {}
    var reader = try JSONRecordReader(.path("events.ndjson"))
#sourceLocation(file: "Sources/JSONSift/Input/RecordDecoding.swift (doc comment)", line: 6)
    while true {
      do {
        guard let line = try reader.next(as: LogLine.self) else { break }
        keep(line)
      } catch {
        print(reader.line, reader.recordOffset, error)
        if reader.stopReason != nil { break }
      }
    }
#sourceLocation()
  }

  static func example3() async throws {
    struct LogLine: Codable { var amount: Int }
    func keep(_ line: LogLine) {}
    var rejects = try JSONRejectWriter(path: "rejects.ndjson")
#sourceLocation(file: "Sources/JSONSift/Input/RecordDecoding.swift (doc comment)", line: 17)
    var reader = try JSONRecordReader(.path(inFolder("events.ndjson")))
    while let result = try reader.nextResult(as: LogLine.self) {
      switch result {
      case .success(let line): keep(line)
      case .failure(let bad): try rejects.write(bad, from: inFolder("events.ndjson"))
      }
    }
#sourceLocation()
    use(reader)
  }
}
// Made from Sources/JSONSift/Input/RecordValidation.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_RecordValidation_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Input/RecordValidation.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/Input/RecordValidation.swift (doc comment)", line: 2)
    var reader = try JSONRecordReader(.path(inFolder("events.ndjson")))
    print(try reader.countRecords())
#sourceLocation()
    use(reader)
  }
}
// Made from Sources/JSONSift/Query/JSON+Query.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSON_Query_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Query/JSON+Query.swift", line: 2, output: nil, isRun: false, body: example1),
    Example(page: "Sources/JSONSift/Query/JSON+Query.swift", line: 5, output: nil, isRun: false, body: example2),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let json = JSON.null
#sourceLocation(file: "Sources/JSONSift/Query/JSON+Query.swift (doc comment)", line: 2)
    for title in try json.query("$..book[?@.price < 10].title") { print(title.stringValue) }
#sourceLocation()
  }

  static func example2() async throws {
    let json = JSON.null
#sourceLocation(file: "Sources/JSONSift/Query/JSON+Query.swift (doc comment)", line: 5)
    for match in try json.matches(of: "$..price") { print(match.location, match.value.doubleValue) }
    // $['store']['book'][0]['price'] 8.95
#sourceLocation()
  }
}
// Made from Sources/JSONSift/Query/JSON+Setting.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSON_Setting_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Query/JSON+Setting.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/Query/JSON+Setting.swift (doc comment)", line: 2)
    var config: JSON = ["list": [1, 2]]
    try config.set("$.server.port", to: 8080)  // {"list":[1,2],"server":{"port":8080}}
    try config.set("$.list[2]", to: 3)         // {"list":[1,2,3],"server":{"port":8080}}
#sourceLocation()
    use(config)
  }
}
// Made from Sources/JSONSift/Query/JSONCondition.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONCondition_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Query/JSONCondition.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    var reader = try JSONRecordReader(.bytes([]))
    guard let record = try reader.next() else { return }
#sourceLocation(file: "Sources/JSONSift/Query/JSONCondition.swift (doc comment)", line: 2)
    let failed = try JSONCondition("@.level == 'error' && @.latency > 100")
    if try failed.holds(for: record.value) {}
#sourceLocation()
    use(failed)
  }
}
// Made from Sources/JSONSift/Query/JSONPatch.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONPatch_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Query/JSONPatch.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/Query/JSONPatch.swift (doc comment)", line: 2)
    let patch = try JSONPatch(JSON(parsing: #"[{"op":"add","path":"/tags/-","value":"new"}]"#))
    var json: JSON = ["tags": ["old"]]
    try json.apply(patch)  // {"tags":["old","new"]}
#sourceLocation()
    use(patch)
    use(json)
  }
}
// Made from Sources/JSONSift/Query/JSONPath+PatternDiagnosis.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONPath_PatternDiagnosis_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Query/JSONPath+PatternDiagnosis.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/Query/JSONPath+PatternDiagnosis.swift (doc comment)", line: 2)
    let path: JSONPath = #"$[?search(@.m, "\\d+")]"#
    claim(path.patternDiagnosis?.suggestion, "$[?search(@['m'], '[0-9]+')]", line: 3)
#sourceLocation()
    use(path)
  }
}
// Made from Sources/JSONSift/Query/JSONPath.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONPath_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Query/JSONPath.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let json = JSON.null
#sourceLocation(file: "Sources/JSONSift/Query/JSONPath.swift (doc comment)", line: 2)
    let cheap: JSONPath = "$..book[?@.price < 10].title"
    for title in try json.query(cheap) { print(title.stringValue) }
#sourceLocation()
    use(cheap)
  }
}
// Made from Sources/JSONSift/Query/JSONPointer+Relative.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONPointer_Relative_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Query/JSONPointer+Relative.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let json = JSON.null
    let text = "0#"
#sourceLocation(file: "Sources/JSONSift/Query/JSONPointer+Relative.swift (doc comment)", line: 2)
    _ = json.value(at: try JSONPointer.Relative(text), from: "/users/3/name")  // "1/mail", "2/0", "0#", "1+1/name"
#sourceLocation()
  }
}
// Made from Sources/JSONSift/Query/JSONPointer.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONPointer_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Query/JSONPointer.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    var json = JSON.null
    let text = "/a"
#sourceLocation(file: "Sources/JSONSift/Query/JSONPointer.swift (doc comment)", line: 2)
    json[pointer: "/users/3/name"] = "Ada"
    let pointer = try JSONPointer(text)
    print(json[pointer: pointer.appending("a/b")])
#sourceLocation()
    use(pointer)
  }
}
// Made from Sources/JSONSift/Query/JSONTimeWindow.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONTimeWindow_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Query/JSONTimeWindow.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/Query/JSONTimeWindow.swift (doc comment)", line: 2)
    let window = try JSONTimeWindow(of: "$.time", since: "2026-11-24T14:00:00Z", until: "2026-11-24T14:10:00Z")
    for try await record in JSONRecords(inFolder("events.ndjson")).where(JSONCondition(window)) { print(record.line) }
#sourceLocation()
    use(window)
  }
}
// Made from Sources/JSONSift/Records/JSONMatches.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONMatches_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Records/JSONMatches.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    var total = 0
#sourceLocation(file: "Sources/JSONSift/Records/JSONMatches.swift (doc comment)", line: 2)
    var matches = try JSONMatches(of: "$.records[*].user.id", in: .path(inFolder("huge.json")))
    while let match = try matches.next() { total += match.value.intValue }
#sourceLocation()
    use(matches)
  }
}
// Made from Sources/JSONSift/Records/JSONRecordIndex.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONRecordIndex_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Records/JSONRecordIndex.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    func save(_ bytes: Data) throws {}
#sourceLocation(file: "Sources/JSONSift/Records/JSONRecordIndex.swift (doc comment)", line: 2)
    let index = try JSONRecordIndex(of: .path(inFolder("events.ndjson")))
    try save(JSONEncoder().encode(index))
    let record = try index.record(1_000_000, in: inFolder("events.ndjson"))
#sourceLocation()
    use(index)
    use(record)
  }
}
// Made from Sources/JSONSift/Records/JSONRecordPushReader.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONRecordPushReader_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Records/JSONRecordPushReader.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let chunk: [UInt8] = []
    func handle(_ record: JSONRecord) {}
#sourceLocation(file: "Sources/JSONSift/Records/JSONRecordPushReader.swift (doc comment)", line: 2)
    var reader = try JSONRecordPushReader()
    reader.feed(chunk)
    while let record = try reader.next() { handle(record) }   // all that are complete
    reader.finish()
    while let record = try reader.next() { handle(record) }   // the last one
#sourceLocation()
    use(reader)
  }
}
// Made from Sources/JSONSift/Records/JSONRecords.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONRecords_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Records/JSONRecords.swift", line: 2, output: nil, isRun: false, body: example1),
    Example(page: "Sources/JSONSift/Records/JSONRecords.swift", line: 7, output: nil, isRun: false, body: example2),
    Example(page: "Sources/JSONSift/Records/JSONRecords.swift", line: 14, output: nil, isRun: false, body: example3),
    Example(page: "Sources/JSONSift/Records/JSONRecords.swift", line: 18, output: nil, isRun: false, body: example4),
    Example(page: "Sources/JSONSift/Records/JSONRecords.swift", line: 21, output: nil, isRun: false, body: example5),
    Example(page: "Sources/JSONSift/Records/JSONRecords.swift", line: 24, output: nil, isRun: false, body: example6),
    Example(page: "Sources/JSONSift/Records/JSONRecords.swift", line: 32, output: nil, isRun: false, body: example7),
    Example(page: "Sources/JSONSift/Records/JSONRecords.swift", line: 37, output: nil, isRun: false, body: example8),
    Example(page: "Sources/JSONSift/Records/JSONRecords.swift", line: 43, output: nil, isRun: false, body: example9),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let path = "x"
#sourceLocation(file: "Sources/JSONSift/Records/JSONRecords.swift (doc comment)", line: 2)
    for try await record in JSONRecords(inFolder("events.ndjson")) {
      if record["level"].string == "error" { print(record.line, record["message"].stringValue) }
    }
#sourceLocation()
     use(path)
  }

  static func example2() async throws {
    let saved: JSONCheckpoint? = nil
    func save(_ checkpoint: JSONCheckpoint) throws {}
#sourceLocation(file: "Sources/JSONSift/Records/JSONRecords.swift (doc comment)", line: 7)
    let records = JSONRecords(inFolder("events.ndjson"), resumingAt: saved).makeAsyncIterator()
    while let record = try await records.next() {
      use(record)
      if record.line.isMultiple(of: 10_000) { try save(records.checkpoint) }
    }
#sourceLocation()
    use(records)
  }

  static func example3() async throws {
    let records = JSONRecords("events.ndjson")
#sourceLocation(file: "Sources/JSONSift/Records/JSONRecords.swift (doc comment)", line: 14)
    for try await record in records { use(record) }
    print(records.errorCount, "bad records were skipped")
#sourceLocation()
  }

  static func example4() async throws {
    let path = "x"
#sourceLocation(file: "Sources/JSONSift/Records/JSONRecords.swift (doc comment)", line: 18)
    let lines = try await JSONRecords(inFolder("events.ndjson")).count()
#sourceLocation()
     use(path)
    use(lines)
  }

  static func example5() async throws {
    let path = "x"
#sourceLocation(file: "Sources/JSONSift/Records/JSONRecords.swift (doc comment)", line: 21)
    for try await record in JSONRecords(path).where("@.level == 'error'") { use(record) }
#sourceLocation()
     use(path)
  }

  static func example6() async throws {
    let path = "x"
#sourceLocation(file: "Sources/JSONSift/Records/JSONRecords.swift (doc comment)", line: 24)
    for try await result in JSONRecords(path).results {
      switch result {
      case .success(let record): use(record)
      case .failure(let bad): print(bad.position.line, bad.error)
      }
    }
#sourceLocation()
     use(path)
  }

  static func example7() async throws {
    let path = "x"
    struct LogLine: Codable { var time: Int; var message: String }
#sourceLocation(file: "Sources/JSONSift/Records/JSONRecords.swift (doc comment)", line: 32)
    for try await hit in JSONRecords(path).where("@.level == 'error'").decode(LogLine.self) {
      print(hit.time, hit.message)
    }
#sourceLocation()
  }

  static func example8() async throws {
    struct Slow: Sendable { init(at line: Int, _ milliseconds: Double) {} }
#sourceLocation(file: "Sources/JSONSift/Records/JSONRecords.swift (doc comment)", line: 37)
    let slow = JSONRecords(inFolder("requests.ndjson")).workers { record in
      record["ms"].double.flatMap { $0 > 1000 ? Slow(at: record.line, $0) : nil }
    }
    for try await request in slow { use(request) }
#sourceLocation()
    use(slow)
  }

  static func example9() async throws {
    let path = "x"
#sourceLocation(file: "Sources/JSONSift/Records/JSONRecords.swift (doc comment)", line: 43)
    for try await id in JSONRecords(inFolder("events.ndjson")).workers({ $0["id"].int }) { use(id) }
#sourceLocation()
     use(path)
  }
}
// Made from Sources/JSONSift/Records/JSONReformatter.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONReformatter_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Records/JSONReformatter.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    struct Output { func write(_ bytes: [UInt8]) {} }
    let output = Output()
#sourceLocation(file: "Sources/JSONSift/Records/JSONReformatter.swift (doc comment)", line: 2)
    var reformatter = try JSONReformatter(.path(inFolder("huge.json")), as: .pretty)
    var text: [UInt8] = []
    while try reformatter.next(into: &text) {
      output.write(text)
      text.removeAll(keepingCapacity: true)
    }
#sourceLocation()
    use(reformatter)
    use(text)
  }
}
// Made from Sources/JSONSift/Records/JSONShape+Reader.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONShape_Reader_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Records/JSONShape+Reader.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/Records/JSONShape+Reader.swift (doc comment)", line: 2)
    var reader = try JSONShape.Reader(.path(inFolder("events.ndjson")))
    while try reader.next() {}
    for path in reader.takeShape().paths { print(path.path, path.count) }
#sourceLocation()
    use(reader)
  }
}
// Made from Sources/JSONSift/Shape/JSONShape.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONShape_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Shape/JSONShape.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    var reader = try JSONRecordReader(.path("events.ndjson"))
#sourceLocation(file: "Sources/JSONSift/Shape/JSONShape.swift (doc comment)", line: 2)
    var shape = JSONShape()
    while let record = try reader.next() { shape.add(record.value) }
    for path in shape.paths { print(path.path, path.count, path.examples) }
#sourceLocation()
    use(shape)
  }
}
// Made from Sources/JSONSift/Stream/JSONBuilder.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONBuilder_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Stream/JSONBuilder.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let chunks: [[UInt8]] = []
#sourceLocation(file: "Sources/JSONSift/Stream/JSONBuilder.swift (doc comment)", line: 2)
    var builder = try JSONBuilder(.keeping(["$.meta", "$.records[*].user.id"]))
    for chunk in chunks { try builder.feed(chunk) }
    let json = try builder.finish()
    _ = json["records"][0]["user"]["id"].int
#sourceLocation()
    use(json)
  }
}
// Made from Sources/JSONSift/Stream/JSONMatch+Decoding.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONMatch_Decoding_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Stream/JSONMatch+Decoding.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    struct User: Decodable {}
    var users: [User] = []
    var matches = try JSONMatches(of: "$", in: .bytes([]))
#sourceLocation(file: "Sources/JSONSift/Stream/JSONMatch+Decoding.swift (doc comment)", line: 2)
    while let match = try matches.next() { users.append(try match.decode(User.self)) }
#sourceLocation()
  }
}
// Made from Sources/JSONSift/Stream/JSONPath+Streaming.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONPath_Streaming_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Stream/JSONPath+Streaming.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let path: JSONPath = "$"
#sourceLocation(file: "Sources/JSONSift/Stream/JSONPath+Streaming.swift (doc comment)", line: 2)
    print(path.streaming)  // streams; buffers each value that a filter looks at
#sourceLocation()
  }
}
// Made from Sources/JSONSift/Value/JSON+Children.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSON_Children_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Value/JSON+Children.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let json = JSON.null
#sourceLocation(file: "Sources/JSONSift/Value/JSON+Children.swift (doc comment)", line: 2)
    for (key, value) in json["headers"] { print(key, value.stringValue) }
#sourceLocation()
  }
}
// Made from Sources/JSONSift/Value/JSON+Merge.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSON_Merge_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Value/JSON+Merge.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/Value/JSON+Merge.swift (doc comment)", line: 2)
    var record: JSON = ["level": "debug", "trace": 1, "user": ["id": 7]]
    record.applyMergePatch(["level": "info", "trace": JSON.null, "user": ["name": "Ada"]])
    // {"level":"info","user":{"id":7,"name":"Ada"}}
#sourceLocation()
    use(record)
  }
}
// Made from Sources/JSONSift/Value/JSON+Parsing.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSON_Parsing_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Value/JSON+Parsing.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let messages: [[UInt8]] = []
    var total = 0
#sourceLocation(file: "Sources/JSONSift/Value/JSON+Parsing.swift (doc comment)", line: 2)
    var parser = JSONParser()
    for message in messages {
      let json = try parser.parse(message)
      total += json["amount"].intValue
    }
#sourceLocation()
    use(parser)
  }
}
// Made from Sources/JSONSift/Value/JSON+Writing.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSON_Writing_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Value/JSON+Writing.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let json = JSON.null
    struct Connection { func send(_ bytes: RawSpan) throws {} }
    let connection = Connection()
#sourceLocation(file: "Sources/JSONSift/Value/JSON+Writing.swift (doc comment)", line: 2)
    try json.write { chunk in try connection.send(chunk) }
#sourceLocation()
  }
}
// Made from Sources/JSONSift/Value/JSON.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSON_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Value/JSON.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/Value/JSON.swift (doc comment)", line: 2)
    var json = try JSON(contentsOf: inFolder("users.json"))
    _ = json["users"][3]["name"].stringValue
    json["users"][3]["name"] = "Ada"
#sourceLocation()
    use(json)
  }
}
// Made from Sources/JSONSift/Value/JSONWriterOptions.swift by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum JSONSift_JSONWriterOptions_Examples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/Value/JSONWriterOptions.swift", line: 2, output: nil, isRun: false, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
    let json = JSON.null
#sourceLocation(file: "Sources/JSONSift/Value/JSONWriterOptions.swift (doc comment)", line: 2)
    var options = JSONWriterOptions.pretty
    options.sortsKeys = true
    let text = try json.bytes(options)
#sourceLocation()
    use(options)
    use(text)
  }
}
