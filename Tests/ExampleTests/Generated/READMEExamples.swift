// Made from README.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum READMEExamples {
  static let all: [Example] = [
    Example(page: "README.md", line: 94, output: "disk full 2.2\nno route 3.3\nid $['records'][0]['user']['id'] 83..<85\nslow $['records'][1] 126..<184\nid $['records'][1]['user']['id'] 142..<146\nid $['records'][2]['user']['id'] 206..<207\n", isRun: true, body: example1),
  ]

  static let consoles: [Console] = [
    Console(page: "README.md", line: 7, text: "$ jsift '$.user.id' app.log\n17\n4821\n17\n9\njsift: app.log:2:44: expected ',' or '}' after a member, found a string (byte 101)\n  2 | …10:00:02\",\"level\":\"error\",\"ms\":1205 \"user\":{\"id\":18}}\n    |                                      ^\njsift: app.log: 1 bad record was skipped; --on-error stop ends at the first"),
    Console(page: "README.md", line: 61, text: "$ jsift -r '$..book[?@.price < 10].title' store.json\nSayings of the Century\nMoby Dick\n\n$ jsift records --where '@.level == \"warn\"' --select id='$.id' --select who='$.user.name' events.ndjson 2>/dev/null\n{\"id\":5,\"who\":\"Alan\"}\n\n$ jsift each '$.records' huge.json\n{\"user\": {\"id\": 17, \"name\": \"Ada\"}, \"latency_ms\": 12}\n{\"user\": {\"id\": 4821, \"name\": \"Grace\"}, \"latency_ms\": 205}\n{\"user\": {\"id\": 9, \"name\": \"Alan\"}, \"latency_ms\": 131}\n\n$ jsift stats --of ms='$.ms' --by level='$.level' --format table app.log 2>/dev/null\nname  level  count    sum  min    max   mean  p50    p95    p99  absent  wrong\n----  -----  -----  -----  ---  -----  -----  ---  -----  -----  ------  -----\nms    info       2     43   12     31   21.5   12     31     31       0      0\nms    error      2  30250  250  30000  15125  250  30000  30000       0      0\n\n$ jsift '$.items.[0]' users.json\njsift: path '$.items.[0]': expected a name or '*' after '.', or '[' without '.', found '['\n    | $.items.[0]\n    |         ^ did you mean '$.items[0]'?"),
  ]
#sourceLocation(file: "README.md", line: 94)
struct LogLine: Codable { var level: String; var message: String; var amount: Decimal }
#sourceLocation()

  static func example1() async throws {
#sourceLocation(file: "README.md", line: 94)


    // A document: validated as a whole, parsed where a value is read.
    let json = try JSON(contentsOf: inFolder("users.json"))
    claim(json["users"][3]["name"].stringValue, "\"Edsger\"", line: 98)
    claim(json["users", 3, "balance"].numberText, "\"12.50\"", line: 99)
    claim(json["users"][9]["name"].error, "indexOutOfBounds", line: 100)

    // A log: one record in memory at a time, decoded into a Codable type; bad lines are skipped.
    var options = JSONRecordOptions()
    options.recovery = .skip
    let records = JSONRecords(inFolder("events.ndjson"), options: options)
    for try await line in records.where("@.level == 'error'").decode(LogLine.self) { print(line.message, line.amount) }

    // One document of any size: the matches of two paths in one pass.
    var matches = try JSONMatches(
      of: [("id", "$.records[*].user.id"), ("slow", "$.records[?@.latency_ms > 200]")], in: .path(inFolder("huge.json")))
    while let match = try matches.next() { print(match.name, match.location, match.byteRange) }
#sourceLocation()
    use(json)
    use(options)
    use(records)
    use(matches)
  }
}
