import Foundation
import JSONSift
import TestSupport
import Testing

@Suite struct FilePatternTests {
  private static let names = [
    "a.log", "a.log.1", "b.jsonl", "ä.log", "x[1].log", ".hidden.log", "one/a.log", "one/two/a.log", "one/two/b.log",
    "one/.git/a.log",
  ]

  @Test(arguments: [
    ("*.log", ["a.log", "x[1].log", "ä.log"]),
    ("a.log*", ["a.log", "a.log.1"]),
    ("?.log", ["a.log", "ä.log"]),
    ("[a-c].*l*", ["a.log", "a.log.1", "b.jsonl"]),
    ("[!a].jsonl", ["b.jsonl"]),
    ("x\\[1\\].log", ["x[1].log"]),
    (".*.log", [".hidden.log"]),
    ("**/a.log", ["a.log", "one/a.log", "one/two/a.log"]),
    ("one/**", ["one/a.log", "one/two/a.log", "one/two/b.log"]),
    ("**/**/b.log", ["one/two/b.log"]),
    ("*/*/a.log", ["one/two/a.log"]),
    ("one/*/.*", []),
    ("a.log", ["a.log"]),
    ("missing", []),
    ("*[", []),
    ("one", []),
  ])
  func `a pattern finds the files that a shell finds, in order and once`(pattern: String, expected: [String]) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pattern-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: folder) }
    for name in Self.names {
      let file = folder.appendingPathComponent(name)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
    }
    let start = folder.path + "/"
    let found = FilePattern(Array((start + pattern).utf8)).files()
    #expect(found.map { String(decoding: $0.dropFirst(start.utf8.count), as: UTF8.self) } == expected)
  }
}
