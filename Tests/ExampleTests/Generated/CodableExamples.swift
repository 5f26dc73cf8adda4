// Made from Documentation/Codable.md by Scripts/pages examples.
// swift-format-ignore-file

import Foundation
import JSONSift

enum CodableExamples {
  static let all: [Example] = [
    Example(page: "Documentation/Codable.md", line: 20, output: nil, isRun: true, body: example1),
    Example(page: "Documentation/Codable.md", line: 31, output: nil, isRun: true, body: example2),
    Example(page: "Documentation/Codable.md", line: 43, output: nil, isRun: true, body: example3),
    Example(page: "Documentation/Codable.md", line: 57, output: nil, isRun: true, body: example4),
    Example(page: "Documentation/Codable.md", line: 73, output: nil, isRun: true, body: example5),
    Example(page: "Documentation/Codable.md", line: 97, output: nil, isRun: true, body: example6),
  ]

  static let consoles: [Console] = [
  ]
#sourceLocation(file: "Documentation/Codable.md", line: 20)
struct User: Codable { var id: Int; var name: String }
#sourceLocation(file: "Documentation/Codable.md", line: 21)
struct LogLine: Codable { struct User: Codable { var id: Int }; var time: Int; var message: String; var user: User }
#sourceLocation()

  static func example1() async throws {
    let bytes = Array(#"{"id":1,"name":"Ada"}"#.utf8)
    let json = try JSON(contentsOf: inFolder("users.json"))
    var matches = try JSONMatches(of: "$.records[*].user", in: .path(inFolder("huge.json")))
    guard let match = try matches.next() else { return }
#sourceLocation(file: "Documentation/Codable.md", line: 20)
    let user = try JSONSiftDecoder().decode(User.self, from: bytes)  // [UInt8], Data, a slice, a RawSpan, a String, a JSON
    let third = try json["users"][3].decode(User.self)               // of a value that you have
    let hit = try match.decode(User.self)                            // of a match of a path
    let data = try JSONSiftEncoder().encode(user)                    // Data; also bytes(of:), string(of:), json(of:)
    let value = try JSON(encoding: user)                             // a JSON to change and write
#sourceLocation()
    use(user)
    use(third)
    use(hit)
    use(data)
    use(value)
  }

  static func example2() async throws {
#sourceLocation(file: "Documentation/Codable.md", line: 31)
    let encoder = JSONSiftEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
    encoder.keyEncodingStrategy = .convertToSnakeCase
    claim(try encoder.string(of: ["b": 1, "a": 2]).count, "24", line: 34)
#sourceLocation()
    use(encoder)
  }

  static func example3() async throws {
    let path = inFolder("lines.ndjson")
#sourceLocation(file: "Documentation/Codable.md", line: 43)
    for try await hit in JSONRecords(path).where("@.level == 'error'").decode(LogLine.self) {
      print(hit.time, hit.message)
    }
#sourceLocation()
  }

  static func example4() async throws {
    let path = inFolder("lines.ndjson")
    func keep(_ line: LogLine) {}
#sourceLocation(file: "Documentation/Codable.md", line: 57)
    for try await result in JSONRecords(path).decode(LogLine.self).results {
      switch result {
      case .success(let line): keep(line)
      case .failure(let bad): print(bad.position.line, bad.error.message); claimPrinted("3 user.id: Expected to decode Int but found a string instead.", line: 60)
      }
    }
#sourceLocation()
  }

  static func example5() async throws {
    let path = inFolder("lines.ndjson")
    func keep(_ line: LogLine) {}
#sourceLocation(file: "Documentation/Codable.md", line: 73)
    var lines = try JSONRecordReader(.path(path))
    while true {
      do {
        guard let line = try lines.next(as: LogLine.self) else { break }
        keep(line)
      } catch {
        print(lines.line, lines.recordOffset, error)
        if lines.stopReason != nil { break }
      }
    }
#sourceLocation()
    use(lines)
  }

  static func example6() async throws {
    let events = [User(id: 1, name: "Ada")]
    let stream = AsyncStream<User> { $0.finish() }
    let place = inFolder("written.ndjson")
    _ = FileManager.default.createFile(atPath: place, contents: nil)
    guard let handle = FileHandle(forWritingAtPath: place) else { return }
    struct Socket { func send(_ bytes: [UInt8]) async throws {} }
    let socket = Socket()
#sourceLocation(file: "Documentation/Codable.md", line: 97)
    try JSONSiftEncoder().writeLines(events) { try handle.write(contentsOf: $0) }
    try await JSONSiftEncoder().writeLines(stream) { try await socket.send($0) }
#sourceLocation()
  }
}
