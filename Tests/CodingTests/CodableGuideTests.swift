import Foundation
import JSONSift
import TestSupport
import Testing

/// The examples of `Documentation/Codable.md` about records, copied from there.
@Suite struct CodableGuideTests {
  private struct LogLine: Codable, Equatable {
    struct User: Codable, Equatable { var id: Int }
    var time: Int
    var level: String
    var message: String
    var user: User
  }

  private static let text = """
    {"time":1,"level":"error","message":"disk","user":{"id":1}}
    {"time":2,"level":"info","message":"fine","user":{"id":2}}
    {"time":3,"level":"error","message":"net","user":{"id":"3"}}
    {"time":4,"level":"error","message":
    {"time":5,"level":"error","message":"fan","user":{"id":5}}
    """

  private static func withLog(_ body: (String) async throws -> Void) async throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).ndjson")
    try Data(text.utf8).write(to: file)
    defer { try? FileManager.default.removeItem(at: file) }
    try await body(file.path)
  }

  @Test func `a loop reads the matches of a condition`() async throws {
    try await Self.withLog { path in
      var messages: [String] = []
      for try await hit in JSONRecords(path).where("@.level == 'error' && @.time < 3").decode(LogLine.self) {
        messages.append(hit.message)
        if hit.time == 1 { break }
      }
      #expect(messages == ["disk"])
    }
  }

  @Test func `a loop reads values and bad records`() async throws {
    try await Self.withLog { path in
      var lines: [LogLine] = []
      var words: [String] = []
      for try await element in JSONRecords(path).where("@.level == 'error'").decode(LogLine.self).results {
        switch element {
        case .success(let line): lines.append(line)
        case .failure(let bad): words.append("\(bad.position.line) \(bad.error.message)")
        }
      }
      #expect(lines.map { $0.time } == [1, 5])
      #expect(words.first == "3 user.id: Expected to decode Int but found a string instead.")
      #expect(words.count == 2)
    }
  }

  @Test func `several workers read records, and a loop continues after an error`() async throws {
    try await Self.withLog { path in
      var options = JSONRecordOptions()
      options.recovery = .skip
      var times: [Int] = []
      for try await line in JSONRecords(path, options: options).workers().decode(LogLine.self) {
        times.append(line.time)
      }
      #expect(times == [1, 2, 5])
      var lines = try JSONRecordReader(.path(path))
      var kept: [LogLine] = []
      var bad: [Int] = []
      while true {
        do {
          guard let line = try lines.next(as: LogLine.self) else { break }
          kept.append(line)
        } catch {
          bad.append(lines.line)
        }
      }
      #expect(kept.map { $0.time } == [1, 2, 5])
      #expect(bad == [3, 4])
    }
  }
}
