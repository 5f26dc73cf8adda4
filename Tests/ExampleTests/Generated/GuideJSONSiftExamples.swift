// Made from Sources/JSONSift/JSONSift.docc/JSONSift.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum GuideJSONSiftExamples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/JSONSift.docc/JSONSift.md", line: 21, output: "Edsger\n2 fine\n$['records'][0]['user']['name'] Ada\n$['records'][1]['user']['name'] Grace\n$['records'][2]['user']['name'] Alan\n", isRun: true, body: example1),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/JSONSift.md (guide)", line: 21)


    // Values
    let json = try JSON(contentsOf: inFolder("users.json"))
    print(json["users"][3]["name"].stringValue)

    // Records
    for try await record in JSONRecords(inFolder("lines.ndjson")).where("@.level == 'info'") { print(record.line, record["message"]) }

    // Paths
    var matches = try JSONMatches(of: "$.records[*].user.name", in: .path(inFolder("huge.json")))
    while let match = try matches.next() { print(match.location, match.value) }
#sourceLocation()
    use(json)
    use(matches)
  }
}
