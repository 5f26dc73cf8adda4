import Foundation
import TestSupport
import Testing

/// `-j` with one document: output, messages and exit status do not depend on the number of workers.
@Suite struct DocumentJobsTests {
  /// A document that is long enough to be divided among workers.
  private static let bytes: [UInt8] = {
    var text = "{\"meta\":{\"tags\":[\"a\",\"b\"]},\"items\":[\n"
    for number in 0..<7_000 {
      if number > 0 { text += ",\n" }
      text += "{\"id\":\(number),\"tags\":[\"é],[\",\"b\(number % 5)\"],\"message\":\""
      text += String(repeating: "x", count: 500 + number % 200) + "\"}"
    }
    return Array((text + "\n],\"items2\":[1],\"end\":true}\n").utf8)
  }()

  /// The same values as members of an object.
  private static let members: [UInt8] = {
    var text = "{"
    for number in 0..<7_000 {
      if number > 0 { text += "," }
      text += "\"m\(number % 6_000)\":{\"id\":\(number),\"message\":\"" + String(repeating: "x", count: 600) + "\"}"
    }
    return Array((text + "}").utf8)
  }()

  /// The arguments of a run, between the command and the file.
  private static let runs: [[String]] = [
    ["$.items[*].id"], ["-r", "$.items[*].tags[*]"], ["$.items[?@.id > 6990]"], ["$.items[*].id", "--count"],
    ["-p", "id=$.items[*].id", "-p", "end=$.end", "-p", "none=$.none[*]"], ["$.items[*].id", "--limit", "4321"],
    ["$.items[*].id", "--format", "json"], ["$.items[*].id", "--with-location"], ["$.items[1:5000:7].id"],
    ["$.items[*].none"], ["$..id"], ["each", "$.items"], ["each", "$"], ["each", "$.items", "--input", "json"],
    ["check"], ["check", "--count"], ["$.items[*].id", "--max-record-bytes", "2"], ["check", "--max-depth", "3"],
    ["stats", "--each", "$.items", "--of", "id=$.id", "--by", "tag=$.tags[1]", "--distinct", "m=$.message"],
    ["stats", "--each", "$.items", "--of", "id=$.id", "--where", "@.id > 77 && @.tags[1] == 'b3'"],
    ["stats", "--each", "$.items", "--by", "id=$.id", "--max-groups", "5000"], ["stats", "--each", "$", "--of", "v=$"],
    ["stats", "--each", "$.items", "--of", "id=$.id", "--limit", "4321"],
    ["stats", "--each", "$.items", "--of", "id=$.id", "--where", "$.tags[*] == 'b1'", "--max-query-steps", "3"],
  ]

  private func compare(_ arguments: [String], _ bytes: [UInt8], name: String = "a.json") throws {
    try withFolder { folder in
      let file = try folder.file(name, bytes)
      let expected = try run(arguments + [file, "-j", "1"])
      let found = try run(arguments + [file, "-j", "3"])
      #expect(found.out == expected.out)
      found.expect(err: expected.err, status: expected.status)
    }
  }

  @Test(arguments: runs)
  func `a document gives the same output, messages and status with any number of workers`(
    arguments: [String]
  ) throws {
    #expect(Self.bytes.count > 4 << 20)
    try compare(arguments, Self.bytes)
  }

  @Test(arguments: [
    ["$.*.id"], ["$[*].id", "--limit", "6999"], ["each", "$"], ["each", "$", "-r"], ["check"],
    ["stats", "--each", "$", "--of", "id=$.id"],
  ])
  func `an object gives the same output, messages and status with any number of workers`(
    arguments: [String]
  ) throws {
    #expect(Self.members.count > 4 << 20)
    try compare(arguments, Self.members)
  }

  @Test(arguments: [
    ["$.items[*].id"], ["each", "$.items"], ["check"], ["stats", "--each", "$.items", "--of", "id=$.id"],
  ])
  func `a damaged document gives the same results and the same error with any number of workers`(
    arguments: [String]
  ) throws {
    for (place, text) in [(20, "]"), (300_000, "\""), (2_500_000, "]"), (3_000_001, "\u{1}"), (4_500_000, "}")] {
      var bytes = Self.bytes
      let place = min(place, bytes.count - 40)
      bytes.replaceSubrange(place...place, with: text.utf8)
      try compare(arguments, bytes)
    }
    try compare(arguments, Array(Self.bytes.dropLast(4)))
    try compare(arguments, Array(Self.bytes.prefix(4 << 20)))
    try compare(arguments, Self.bytes + Array("[]".utf8))
  }

  @Test func `the line of an error after many blocks is counted from the start of the document`() throws {
    try withFolder { folder in
      var bytes = Self.bytes
      bytes.replaceSubrange((bytes.count - 5)..<bytes.count, with: Array("tru}\n".utf8))
      let file = try folder.file("a.json", bytes)
      let found = try run(["check", file, "-j", "3"])
      #expect(found.status == 1)
      #expect(found.text.hasPrefix("\(file):7002:"), "\(found.text)")
    }
  }
}
