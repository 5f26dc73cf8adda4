// Made from Sources/JSONSift/JSONSift.docc/Guides/Paths.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum GuidePathsExamples {
  static let all: [Example] = [
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Paths.md", line: 27, output: "$['store']['book'][1]['title'] Sword of Honour\n$['store']['book'][2]['title'] Moby Dick\n", isRun: true, body: example1),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Paths.md", line: 65, output: "invalidPath 8\npath '$.items.[0]': expected a name or '*' after '.', or '[' without '.', found '['\n    | $.items.[0]\n    |         ^ did you mean '$.items[0]'?\n", isRun: true, body: example2),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Paths.md", line: 86, output: "$.store.book[*].title — streams\n$.store.bicycle.color — streams, and stops when its result is known\n$..book[?@.price < 10].title — streams; buffers each value that the filter looks at, one at a time, and matches until the outermost container that holds them ends\n$.store.book[-1] — streams; buffers the last element of an array\n$[?@.a == $.b] — cannot be streamed: expected '@' instead of '$' inside a filter: '$' is the whole text, which a stream does not keep\n", isRun: true, body: example3),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Paths.md", line: 105, output: "2 disk full\n", isRun: true, body: example4),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Paths.md", line: 123, output: nil, isRun: true, body: example5),
    Example(page: "Sources/JSONSift/JSONSift.docc/Guides/Paths.md", line: 139, output: nil, isRun: true, body: example6),
  ]

  static let consoles: [Console] = [
  ]

  static func example1() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Paths.md (guide)", line: 27)
    let store = try JSON(contentsOf: inFolder("store.json"))
    claim(try store.query("$.store.book[*].author").count, "4", line: 28)
    claim(try store.query("$..price").map { $0.doubleValue }, "[8.95, 12.99, 8.99, 22.99, 399.0]", line: 29)
    claim(try store.query("$..book[-1].title"), "[The Lord of the Rings]", line: 30)
    claim(try store.query("$..book[?@.isbn && @.price < 10].title"), "[Moby Dick]", line: 31)
    claim(try store.query("$..book[?match(@.author, '.*Mel.*')].title"), "[Moby Dick]", line: 32)
    claim(try store.query("$..book[?length(@.title) > 21].author"), "[Nigel Rees]", line: 33)
    for match in try store.matches(of: "$.store.book[1:3].title") { print(match.location, match.value) }
#sourceLocation()
    use(store)
  }

  static func example2() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Paths.md (guide)", line: 65)
    let text = "$.items.[0]"
    do {
      _ = try JSONPath(text)
    } catch {
      print(error.code, error.byteOffset)
    }
    if let diagnosis = JSONPath.Diagnosis(text) { print(diagnosis) }
#sourceLocation()
    use(text)
  }

  static func example3() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Paths.md (guide)", line: 86)
    let texts = ["$.store.book[*].title", "$.store.bicycle.color", "$..book[?@.price < 10].title", "$.store.book[-1]", "$[?@.a == $.b]"]
    for text in texts { print(text, "—", try JSONPath(text).streaming) }
#sourceLocation()
    use(texts)
  }

  static func example4() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Paths.md (guide)", line: 105)
    let condition = try JSONCondition("@.level == 'error' && @.ms > 1000")
    var reader = try JSONRecordReader(.path(inFolder("events.ndjson")), options: JSONRecordOptions(framing: .lines, recovery: .skip))
    while let record = try reader.next() {
      if try condition.holds(for: record.value) { print(record.line, record["message"]) }
    }
#sourceLocation()
    use(condition)
    use(reader)
  }

  static func example5() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Paths.md (guide)", line: 123)
    var store = try JSON(contentsOf: inFolder("store.json"))
    claim(store[pointer: "/store/book/0/title"].string, "\"Sayings of the Century\"", line: 124)
    store[pointer: "/store/bicycle/color"] = "blue"
    claim(store["store"]["bicycle"]["color"].string, "\"blue\"", line: 126)

    let place: JSONPointer = "/store/book/1/title"
    let next = try JSONPointer.Relative("1+1/title")
    claim(store.value(at: next, from: place).string, "\"Moby Dick\"", line: 130)
#sourceLocation()
    use(store)
    use(place)
    use(next)
  }

  static func example6() async throws {
#sourceLocation(file: "Sources/JSONSift/JSONSift.docc/Guides/Paths.md (guide)", line: 139)
    var user = try JSON(parsing: #"{"name":"Ada","tags":["old"],"trace":1}"#)
    try user.apply(JSONPatch([
      ["op": "test", "path": "/name", "value": "Ada"], ["op": "add", "path": "/tags/-", "value": "new"],
    ]))
    claim(user["tags"][1].string, "\"new\"", line: 143)
    user.applyMergePatch(["trace": JSON.null, "level": 2])
    claim(user["trace"].exists(), "false", line: 145)
    claim(user["level"].int, "2", line: 146)
#sourceLocation()
    use(user)
  }
}
