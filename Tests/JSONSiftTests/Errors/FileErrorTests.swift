import Foundation
import TestSupport
import Testing

@testable import JSONSift
@testable import JSONSiftAnalysis

@Suite struct FileErrorTests {
  private static let absent = "/nowhere/nope.json"

  /// What a program does with a file, by name.
  private static let uses: [(String, @Sendable (String) async throws -> Void)] = [
    ("value", { _ = try JSON(contentsOf: $0) }), ("mapped", { _ = try JSON(contentsOf: $0, loading: .mapped) }),
    ("URL", { _ = try JSON(contentsOf: URL(filePath: $0)) }),
    (
      "parser",
      { path in
        var parser = JSONParser()
        _ = try parser.parse(contentsOf: path)
      }
    ),
    ("kept", { _ = try JSON(contentsOf: $0, keeping: ["$.a"]) }),
    (
      "records",
      { path in
        var reader = try JSONRecordReader(.path(path))
        _ = try reader.next()
      }
    ),
    (
      "guessed records",
      { _ = try JSONRecordReader(.path($0), options: JSONRecordOptions(framing: .automatic, recovery: .skip)) }
    ),

    (
      "matches",
      { path in
        var matches = try JSONMatches(of: "$.a", in: .path(path))
        _ = try matches.next()
      }
    ),
    ("reformatter", { _ = try JSONReformatter(.path($0), as: .pretty) }),
    ("shape", { _ = try JSONShape.Reader(.path($0)) }), ("record index", { _ = try JSONRecordIndex(of: .path($0)) }),
    ("task", { for try await _ in JSONRecords($0) {} }),
    ("workers", { for try await _ in JSONRecords($0).workers(2) {} }),
    ("elements", { for try await _ in JSONRecords($0).results {} }),
    ("count", { _ = try await JSONRecords($0).count() }), ("block index", { _ = try JSONBlockIndex(contentsOf: $0) }),
    ("write", { try JSON(1).write(to: $0) }), ("rejects", { _ = try JSONRejectWriter(path: $0) }),
  ]

  @Test func `issue 48: the error of a file that is not there names the file`() async throws {
    for (name, use) in Self.uses {
      do {
        try await use(Self.absent)
        Issue.record("\(name): no error")
      } catch let error as JSONError {
        #expect(error.description == "\"\(Self.absent)\": No such file or directory", "\(name)")
        #expect(error.file == Self.absent, "\(name)")
        #expect(!error.message.contains("nope"), "\(name)")
      }
    }
  }

  @Test func `issue 48: the error of a file that cannot be read names the file`() async throws {
    for (name, use) in Self.uses where name != "write" && name != "rejects" {
      do {
        try await use("/")
        Issue.record("\(name): no error")
      } catch let error as JSONError {
        #expect(error.description.hasPrefix("\"/\": ") && error.file == "/", "\(name): \(error)")
      }
    }
  }

  @Test func `issue 48: blocks and the making of an index name the file`() async throws {
    try await onThread {
      let uses: [(String) throws -> Void] = [
        { path in
          var blocks = try JSONRecordBlocks(.path(path), workers: 2) { reader in try reader.next()?.line }
          while try blocks.next() != nil {}
        },
        { _ = try JSONBlockIndex(of: $0, paths: ["$.a"]) }, { _ = try JSONBlockIndex(of: $0, elementsOf: "$") },
        { _ = try JSONRecordIndex(of: .bytes(Array("1\n".utf8))).record(0, in: $0) },
      ]
      for (number, use) in uses.enumerated() {
        let error = #expect(throws: JSONError.self) { try use(Self.absent) }
        #expect(error?.description == "\"\(Self.absent)\": No such file or directory", "\(number)")
      }
    }
  }

  @Test func `a file that is not JSON is named with the offset; a control character in its name is escaped`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "file errors \(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let path = folder.appending(path: "a.json").path
    try Data("[1,]".utf8).write(to: URL(filePath: path))
    let error = #expect(throws: JSONError.self) { try JSON(contentsOf: path) }
    #expect(error?.description.hasPrefix("\"\(path)\": byte 3: expected a value") == true)
    let odd = #expect(throws: JSONError.self) { try JSON(contentsOf: "a\nb") }
    #expect(odd?.description.contains("\n") == false)
  }

  @Test func `file and position are data beside the cause`() {
    let error = JSONError(.invalidNumber, at: 7)
    let position = JSONError.Position(byteOffset: 7, line: 2, column: 3)
    #expect(error.file == nil && error.position == nil)
    let located = error.located(at: position)
    #expect(located == error && located.hashValue == error.hashValue && located.position == position)
    let named = located.naming("a")
    #expect(named != error && named.file == "a" && named.position == position && named.naming("b").file == "a")
    #expect(named.message == error.message && MemoryLayout<JSONError>.size <= 32)
  }
}
