// Made from README.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum READMEExamples {
  static let all: [Example] = [
    Example(page: "README.md", line: 144, output: nil, isRun: true, body: example1),
    Example(page: "README.md", line: 162, output: "2 disk full\n3 expected ',' or '}' after a member, found a string\n4 no route\n", isRun: true, body: example2),
    Example(page: "README.md", line: 186, output: "disk full 2.2\nno route 3.3\nGrace\nAlan\n", isRun: true, body: example3),
    Example(page: "README.md", line: 204, output: "Sayings of the Century\nMoby Dick\nred\nid $['records'][0]['user']['id'] 83..<85\nslow $['records'][1] 126..<184\nid $['records'][1]['user']['id'] 142..<146\nid $['records'][2]['user']['id'] 206..<207\n", isRun: true, body: example4),
    Example(page: "README.md", line: 228, output: nil, isRun: true, body: example5),
  ]

  static let consoles: [Console] = [
    Console(page: "README.md", line: 8, text: "$ jsift '$.user.id' app.log\n17\n4821\n17\n9\njsift: app.log:2:44: expected ',' or '}' after a member, found a string (byte 101)\n  2 | …10:00:02\",\"level\":\"error\",\"ms\":1205 \"user\":{\"id\":18}}\n    |                                      ^\njsift: app.log: 1 bad record was skipped; --on-error stop ends at the first"),
    Console(page: "README.md", line: 52, text: "$ jsift -r '$..book[?@.price < 10].title' store.json\nSayings of the Century\nMoby Dick\n\n$ jsift records --where '@.level == \"warn\"' --select id='$.id' --select who='$.user.name' events.ndjson 2>/dev/null\n{\"id\":5,\"who\":\"Alan\"}\n\n$ jsift each '$.records' huge.json\n{\"user\": {\"id\": 17, \"name\": \"Ada\"}, \"latency_ms\": 12}\n{\"user\": {\"id\": 4821, \"name\": \"Grace\"}, \"latency_ms\": 205}\n{\"user\": {\"id\": 9, \"name\": \"Alan\"}, \"latency_ms\": 131}\n\n$ jsift '$.trailer.checksum' huge.json\n12345678901234567890123\n\n$ jsift stats --of ms='$.ms' --by level='$.level' --format table app.log 2>/dev/null\nname  level  count    sum  min    max   mean  p50    p95    p99  absent  wrong\n----  -----  -----  -----  ---  -----  -----  ---  -----  -----  ------  -----\nms    info       2     43   12     31   21.5   12     31     31       0      0\nms    error      2  30250  250  30000  15125  250  30000  30000       0      0\n\n$ jsift shape --format table events.ndjson 2>/dev/null\npath         type    count  records  range           examples\n-----------  ------  -----  -------  --------------  ----------------------------------\n$            object      4  100 %    6 members\n$.id         number      4  100 %    1 … 5           1, 2, 4\n$.level      string      4  100 %    4…5 characters  \"info\", \"error\", \"warn\"\n$.ms         number      4  100 %    12 … 2750       12, 1205, 31\n$.message    string      4  100 %    4…9 characters  \"started\", \"disk full\", \"no route\"\n$.amount     number      4  100 %    1.10 … 4.40     1.10, 2.20, 3.30\n$.user       object      4  100 %    2 members\n$.user.id    number      4  100 %    9 … 4821        17, 4821, 9\n$.user.name  string      4  100 %    3…5 characters  \"Ada\", \"Grace\", \"Alan\"\n\n$ jsift records --format csv --select id='$.id' --select who='$.user.name' --select ms='$.ms' events.ndjson 2>/dev/null\nid,who,ms\n1,Ada,12\n2,Grace,1205\n4,Ada,31\n5,Alan,2750\n\n$ jsift '$.items.[0]' users.json\njsift: path '$.items.[0]': expected a name or '*' after '.'; before '[' there is no '.', found '['\n    | $.items.[0]\n    |         ^ did you mean '$.items[0]'?"),
  ]
#sourceLocation(file: "README.md", line: 186)
struct LogLine: Codable { var level: String; var message: String; var amount: Decimal }
#sourceLocation(file: "README.md", line: 187)
struct User: Codable { var id: Int; var name: String }
#sourceLocation()

  static func example1() async throws {
#sourceLocation(file: "README.md", line: 144)


    let json = try JSON(contentsOf: inFolder("users.json"))
    claim(json["users"][3]["name"].stringValue, "\"Edsger\"", line: 147)
    claim(json["users", 3, "balance"].numberText, "\"12.50\"", line: 148)
    claim(json["users"][3]["id"].exactly(Int32.self), "4", line: 149)
    claim(json["users"][9]["name"].error, "indexOutOfBounds", line: 150)

    // A change costs what it changes, also in a document of 100 MB; the rest is written out as it was read.
    var edited = json
    edited["users"][3]["name"] = "Ada"
    edited["users", 3, "tags"] = ["new", 7, JSON.null]
    let text = try edited.bytes(.pretty)
#sourceLocation()
    use(json)
    use(edited)
    use(text)
  }

  static func example2() async throws {
#sourceLocation(file: "README.md", line: 162)
    var reader = try JSONRecordReader(.path(inFolder("events.ndjson")))
    while true {
      do {
        guard let record = try reader.next() else { break }
        if record["level"].string == "error" { print(record.line, record["message"].stringValue) }
      } catch {
        print(reader.position(of: error).line, error.message)
        if error.code.endsInput { break }             // the file is unreadable, not the line
      }
    }
#sourceLocation()
    use(reader)
  }

  static func example3() async throws {
#sourceLocation(file: "README.md", line: 186)
    var options = JSONRecordOptions()
    options.recovery = .skip
    let records = JSONRecords(inFolder("events.ndjson"), options: options)
    for try await hit in records.where("@.level == 'error'").decode(LogLine.self) { print(hit.message, hit.amount) }

    let slow = records.where("@.ms > 1000").workers { $0["user"]["name"].string }
    for try await name in slow { print(name) }
#sourceLocation()
    use(options)
    use(records)
    use(slow)
  }

  static func example4() async throws {
#sourceLocation(file: "README.md", line: 204)
    let store = try JSON(contentsOf: inFolder("store.json"))
    for title in try store.query("$..book[?@.price < 10].title") { print(title.stringValue) }
    print(store[pointer: "/store/bicycle/color"].stringValue)

    var matches = try JSONMatches(
      of: [("id", "$.records[*].user.id"), ("slow", "$.records[?@.latency_ms > 200]")], in: .path(inFolder("huge.json")))
    while let match = try matches.next() { print(match.name, match.location, match.byteRange) }
#sourceLocation()
    use(store)
    use(matches)
  }

  static func example5() async throws {
#sourceLocation(file: "README.md", line: 228)
    // Your own types, from a text, a value, a match or each record, and back. All of Codable, as Foundation has it.
    let json = try JSON(contentsOf: inFolder("users.json"))
    let user = try json["users"][3].decode(User.self)
    let line = try JSONSiftEncoder().string(of: user); claim(line, "\"{\"id\":4,\"name\":\"Edsger\"}\"", line: 231)

    // One huge document as a value that holds only what the paths select; or one that is checked only where it is touched.
    let small = try JSON(contentsOf: inFolder("huge.json"), keeping: ["$.meta", "$.records[*].user.id"])
    let third = try JSON(contentsOf: inFolder("huge.json"), options: .fastForward)["records"][2]["user"]["id"].int; claim(third, "9", line: 235)
#sourceLocation()
    use(json)
    use(user)
    use(line)
    use(small)
    use(third)
  }
}
