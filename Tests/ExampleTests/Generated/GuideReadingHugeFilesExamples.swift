// Made from Sources/JSONSift/JSONSift.docc/Guides/ReadingHugeFiles.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift
import JSONSiftCompression

enum GuideReadingHugeFilesExamples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/ReadingHugeFiles.md", line: 39, output: "made $['meta']['made'] 2026-11-22\nslow $['records'][1]['user']['name'] Grace\nslow $['records'][2]['user']['name'] Alan\nmade 1 matched\nslow 2 matched\n", isRun: true, body: example1),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/ReadingHugeFiles.md", line: 59, output: "67..<120 Ada\n126..<184 Grace\n190..<244 Alan\n", isRun: true, body: example2),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/ReadingHugeFiles.md", line: 77, output: "{\n  \"meta\" : {\n    \"made\" : \"2026-11-22\",\n    \"count\" : 3\n  },\n  \"records\" : [\n    {\n      \"user\" : {\n        \"id\" : 17\n      }\n    },\n    {\n      \"user\" : {\n        \"id\" : 4821\n      }\n    },\n    {\n      \"user\" : {\n        \"id\" : 9\n      }\n    }\n  ]\n}\n", isRun: true, body: example3),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/ReadingHugeFiles.md", line: 112, output: nil, isRun: true, body: example4),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/ReadingHugeFiles.md", line: 120, output: "{\"meta\":{\"made\":\"2026-11-22\",\"count\":3},\"records\":[{\"user\":{\"id\":17,\"name\":\"Ada\"},\"latency_ms\":12},{\"user\":{\"id\":4821,\"name\":\"Grace\"},\"latency_ms\":205},{\"user\":{\"id\":9,\"name\":\"Alan\"},\"latency_ms\":131}],\"trailer\":{\"checksum\":12345678901234567890123}}\n", isRun: true, body: example5),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/ReadingHugeFiles.md", line: 138, output: nil, isRun: false, body: example6),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/ReadingHugeFiles.md (guide)", line: 39)
    var matches = try JSONMatches(
      of: [("made", "$.meta.made"), ("slow", "$.records[?@.latency_ms > 100].user.name")], in: .path(inFolder("huge.json")))
    while let match = try matches.next() { print(match.name, match.location, match.value) }
    for summary in matches.summaries { print(summary.name, summary.count, summary.outcome) }
#sourceLocation()
    use(matches)
  }

  static func example2() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/ReadingHugeFiles.md (guide)", line: 59)
    var reader = try JSONRecordReader(
      .path(inFolder("huge.json")), options: JSONRecordOptions(framing: .children(of: "$.records")))
    while let record = try reader.next() { print(record.byteRange, record["user"]["name"]) }
#sourceLocation()
    use(reader)
  }

  static func example3() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/ReadingHugeFiles.md (guide)", line: 77)
    let small = try JSON(contentsOf: inFolder("huge.json"), keeping: ["$.meta", "$.records[*].user.id"])
    print(small)
#sourceLocation()
    use(small)
  }

  static func example4() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/ReadingHugeFiles.md (guide)", line: 112)
    let json = try JSON(contentsOf: inFolder("huge.json"))
    claim(json["records"][2]["user"]["id"].int, "9", line: 113)
    claim(json["records"].count, "3", line: 114)
#sourceLocation()
    use(json)
  }

  static func example5() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/ReadingHugeFiles.md (guide)", line: 120)
    var reformatter = try JSONReformatter(.path(inFolder("huge.json")), as: .compact)
    var text: [UInt8] = []
    while try reformatter.next(into: &text) {}
    print(String(decoding: text, as: UTF8.self), terminator: "")
#sourceLocation()
    use(reformatter)
    use(text)
  }

  static func example6() async throws {
#if Compression
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/ReadingHugeFiles.md (guide)", line: 138)


    var reader = try JSONRecordReader(.path("events.ndjson.gz").decompressing())
    while let record = try reader.next() { print(record["id"]) }

    for try await record in JSONRecords("events.ndjson.zst").decompressing().where("@.level == 'error'") { print(record.line) }
#sourceLocation()
    use(reader)
#endif
  }
}
