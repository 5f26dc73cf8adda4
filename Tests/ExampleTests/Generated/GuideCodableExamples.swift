// Made from Sources/JSONSift/JSONSift.docc/Guides/Codable.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum GuideCodableExamples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Codable.md", line: 23, output: nil, isRun: true, body: example1),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Codable.md", line: 39, output: "[\"user\", \"id\"] Expected to decode Int but found a string instead. (line 1, byte 47)\n", isRun: true, body: example2),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Codable.md", line: 55, output: "1 Ada\n2 Grace\nline 3: expected ',' or '}' after a member, found a string\n4 Ada\n5 Alan\n", isRun: true, body: example3),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Codable.md", line: 80, output: "{\"n\":1}\n{\"n\":2}\n{\"n\":3}\n", isRun: true, body: example4),
  ]

  static let consoles: [Console] = [
  ]
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Codable.md (guide)", line: 13)
struct Event: Codable {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Codable.md (guide)", line: 14)
  struct User: Codable { var id: Int; var name: String }
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Codable.md (guide)", line: 15)
  var id: Int
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Codable.md (guide)", line: 16)
  var level: String
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Codable.md (guide)", line: 17)
  var amount: Decimal
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Codable.md (guide)", line: 18)
  var user: User
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Codable.md (guide)", line: 19)
}
#sourceLocation()

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Codable.md (guide)", line: 23)
    let text = #"{"id":7,"level":"info","amount":0.10,"user":{"id":17,"name":"Ada"}}"#
    let event = try JSONSiftDecoder().decode(Event.self, from: text)
    claim(event.user.name, "\"Ada\"", line: 25)
    claim(event.amount, "0.1", line: 26)
    claim(try JSONSiftEncoder().string(of: event.user), "\"{\"id\":17,\"name\":\"Ada\"}\"", line: 27)

    // Of a value that you have, and of one match of a path:
    let json = try JSON(parsing: text)
    claim(try json["user"].decode(Event.User.self).id, "17", line: 31)
#sourceLocation()
    use(text)
    use(event)
    use(json)
  }

  static func example2() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Codable.md (guide)", line: 39)
    do {
      _ = try JSONSiftDecoder().decode(Event.self, from: #"{"id":7,"level":"info","amount":1,"user":{"id":"17"}}"#)
    } catch DecodingError.typeMismatch(_, let context) {
      print(context.codingPath.map { $0.stringValue }, context.debugDescription)
    }
#sourceLocation()
  }

  static func example3() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Codable.md (guide)", line: 55)
    let options = JSONRecordOptions(framing: .lines, recovery: .report)
    let events = JSONRecords(inFolder("events.ndjson"), options: options).decode(Event.self)
    for try await result in events.results {
      switch result {
      case .success(let event): print(event.id, event.user.name)
      case .failure(let bad): print("line \(bad.line):", bad.error.message)
      }
    }
#sourceLocation()
    use(options)
    use(events)
  }

  static func example4() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Codable.md (guide)", line: 80)
    var text: [UInt8] = []
    try JSONSiftEncoder().writeLines([1, 2, 3].map { ["n": $0] }) { text += $0 }
    print(String(decoding: text, as: UTF8.self), terminator: "")
#sourceLocation()
    use(text)
  }
}
