import Foundation
import TestSupport
import Testing

@testable import JSONSift
@testable import JSONSiftAnalysis

@Suite struct BlockIndexTests {
  /// A log in which values of `n` and `s` are near others of the same kind, so that blocks differ.
  private static func log(_ bytes: Int, _ random: inout SeededGenerator) -> [UInt8] {
    var text: [UInt8] = []
    var number = 0
    while text.count < bytes {
      let end = number % 13 == 4 ? "\r\n" : "\n"
      switch Int.random(in: 0..<400, using: &random) {
      case 0: text += "\(end)".utf8
      case 1: text += "{\"id\":\(number),\"n\":\(number)\(end)".utf8
      case 2: text += "[\(number)]\(end)".utf8
      case 3: text += "{\"id\":\"\(number)\",\"n\":null,\"s\":[]}\(end)".utf8
      case 4: text += "{\"id\":\(number).0,\"n\":\(number)e0,\"s\":\"s\\u002d\(number / 500)\"}\(end)".utf8
      case 5: text += "{\"id\":1,\"id\":\(number),\"o\":{\"k\":[\(number % 3)]}}\(end)".utf8
      default:
        let pad = String(repeating: "x", count: Int.random(in: 0...600, using: &random))
        text += "{\"id\":\(number),\"n\":\(number),\"s\":\"s-\(number / 500)\",\"o\":{\"k\":[\(number % 3)]},".utf8
        text += "\"pad\":\"\(pad)\"}\(end)".utf8
      }
      number += 1
    }
    return text
  }

  private static let paths: [JSONPath] = ["$.n", "$.s", "$.id", "$.o.k[0]"]

  @Test func `an index is at most as open as the file that it indexes, also where it replaces another one`()
    async throws
  {
    try await onThread(withFile: Array("{\"n\":1}\n".utf8)) { path in
      let stored = path + ".idx"
      defer { try? FileManager.default.removeItem(atPath: stored) }
      func permissions(_ path: String) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
      }
      for mode in [0o644, 0o600] {
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        try JSONBlockIndex(of: path, paths: Self.paths).write(to: stored)
        #expect(try permissions(stored).map { $0 & ~mode } == 0)
        try FileManager.default.setAttributes([.posixPermissions: 0o644], ofItemAtPath: stored)
      }
      try Data("{\"n\":[1,2]}".utf8).write(to: URL(fileURLWithPath: path))
      try JSONBlockIndex(of: path, elementsOf: "$.n").write(to: stored)
      #expect(try permissions(stored) == 0o600)
    }
  }

  @Test func `an index is written to a file and read from it, as a whole or for one condition`() async throws {
    try await onThread(withFile: Array("{\"n\":1}\n{\"n\":2}\n".utf8)) { path in
      let index = try JSONBlockIndex(of: path, paths: Self.paths)
      let stored = path + ".idx"
      defer { try? FileManager.default.removeItem(atPath: stored) }
      try index.write(to: stored)
      try index.write(to: stored)
      let read = try JSONBlockIndex(contentsOf: stored)
      #expect(read.encoded() == index.encoded() && read.isValid(for: path))
      let condition = try JSONCondition("@.n == 2")
      let part = try JSONBlockIndex(contentsOf: stored, for: condition)
      #expect(part.ranges(where: condition) == index.ranges(where: condition))
      #expect(throws: JSONError.self) { try JSONBlockIndex(contentsOf: path) }
    }
  }

  @Test(arguments: [nil, 1, 3])
  func `the ranges contain every record that satisfies a condition, and begin with lines`(workers: Int?) async throws {
    try await onThread {
      var random = SeededGenerator()
      var text = Self.log(isDebug ? 1_500_000 : 6_000_000, &random)
      if Bool.random(using: &random) { text += "{\"n\":7777777}".utf8 }
      let lines = try Self.lines(of: text)
      try withFile(text) { path in
        let index = try JSONBlockIndex(of: path, paths: Self.paths, workers: workers)
        let read = try JSONBlockIndex(stored: index.encoded())
        #expect(index.blocks.count > 3 && read.blocks == index.blocks && read.sketches == index.sketches)
        #expect(
          read.paths == index.paths && read.identity == index.identity && read.end == index.end)
        #expect(index.isValid(for: path) && read.isValid(for: path, trusting: .grown))
        // Without paths the records are counted, not read.
        let counted = try JSONBlockIndex(of: path, paths: [], workers: workers)
        #expect(counted.blocks == index.blocks && counted.end == index.end)
        var skipped = 0
        for _ in 0..<60 {
          let condition = try Self.condition(below: lines.count, &random)
          let ranges = read.ranges(where: condition)
          try Self.check(ranges, of: lines, condition, random)
          if ranges.first?.lowerBound != 0 || ranges.count > 1 { skipped += 1 }
          let part = try JSONBlockIndex(stored: index.encoded(), for: condition)
          #expect(part.ranges(where: condition) == ranges, "\(condition); \(random)")
        }
        #expect(skipped > 10, "\(random)")
        #expect(index.ranges(where: try JSONCondition("@.pad == 'x'")).map { $0.lowerBound } == [0])
      }
    }
  }

  @Test(arguments: [("1\n2\n3", 2), ("1\n2\n3\n", 3), ("1\n2\n ", 2), ("1\n\n", 1), ("1", 0), ("1\n{", 1), ("", 0)])
  func `a last record that can still grow is not counted`(text: String, records: Int) throws {
    let index = try JSONBlockIndex(inTurn: Array(text.utf8), paths: ["$"])
    #expect(index.end.count == records)
    if text.isEmpty { #expect(index.ranges(where: try JSONCondition("@ == 1")) == [JSONInputRange(0...)]) }
  }

  @Test func `filters take at most one percent of the file, and times have none`() async throws {
    try await onThread {
      var random = SeededGenerator()
      var text: [UInt8] = []
      var number = 0
      func name(_ number: Int) -> String { "name-\(number &* 0x9E37_79B9 % 1_000_003)" }
      while text.count < (isDebug ? 2_000_000 : 9_000_000) {
        let time = "2026-11-26T\(10 + number / 3600):\(10 + number / 60 % 60):\(10 + number % 60)Z"
        text += "{\"t\":\"\(time)\",\"n\":\(number - Int.random(in: 0...3, using: &random)),".utf8
        text +=
          "\"a\":\"\(name(number))\",\"b\":\(random.next() % 100_000_000),\"c\":{\"d\":\"\(random.next())\"},".utf8
        text += "\"pad\":\"\(String(repeating: "x", count: 100))\"}\n".utf8
        number += 1
      }
      try withFile(text) { path in
        let index = try JSONBlockIndex(of: path, paths: ["$.t", "$.n", "$.a", "$.b", "$.c.d"])
        let filterBytes = index.sketches.joined().map(\.hashes.bytes.count).reduce(0, +)
        #expect(filterBytes <= text.count / 100)
        // Times and numbers that rise: one byte for each block.
        #expect(
          index.sketches[0].allSatisfy { $0.hashes == .all } && index.sketches[1].allSatisfy { $0.hashes == .all })
        #expect(index.sketches[2...].joined().map(\.hashes.bytes.count).reduce(0, +) > text.count / 120)
        func size(_ condition: String) throws -> Int {
          try index.ranges(where: JSONCondition(condition)).map { ($0.upperBound ?? text.count) - $0.lowerBound }
            .reduce(0, +)
        }
        let largest = zip(index.blocks, index.blocks.dropFirst()).map { $1.start.offset - $0.start.offset }.max() ?? 0
        for wanted in [5, number / 2, number - 5] {
          #expect(try size("@.n == \(wanted)") <= 3 * largest)
        }
        #expect(try size("@.n == \(number + 10)") == 0)
        // With eight bits for each name a filter is wrong for one other name of forty.
        var others = 0
        for wanted in stride(from: 5, to: number, by: number / 100) {
          let found = try size("@.a == '\(name(wanted))'")
          #expect(found > 0)
          others += try max(found - largest, 0) + size("@.a == 'nowhere-\(wanted)'")
        }
        #expect(others <= text.count * 200 / 10, "\(random)")
      }
    }
  }

  private static func condition(below count: Int, _ random: inout SeededGenerator) throws -> JSONCondition {
    func part() -> String {
      let number = Int.random(in: -5...(count + 5), using: &random)
      let comparison = ["==", "==", "==", "<", ">", "<=", ">=", "!="].randomElement(using: &random) ?? "=="
      return [
        "@.n \(comparison) \(number)", "@.id \(comparison) \(number).0", "@.s \(comparison) 's-\(number / 500)'",
        "@.o.k[0] \(comparison) \(number % 4)", "@.n == null", "\(number) \(comparison) $.n", "@.id == '\(number)'",
      ].randomElement(using: &random) ?? ""
    }
    let parts = (0...Int.random(in: 0...2, using: &random)).map { _ in part() }
    return try JSONCondition(parts.joined(separator: Bool.random(using: &random) ? " && " : " || "))
  }

  private struct Line {
    let offset: Int
    let number: Int
    let value: JSON?
  }

  private static func lines(of text: [UInt8]) throws -> [Line] {
    let options = with(JSONRecordOptions(framing: .lines)) { $0.recovery = .report }
    var reader = try JSONRecordReader(.bytes(text), options: options)
    var lines: [Line] = []
    while let element = try reader.nextResult() {
      let value: JSON? = if case .success(let record) = element { record.value } else { nil }
      lines.append(Line(offset: reader.recordOffset, number: reader.line, value: value))
    }
    return lines
  }

  private static func check(
    _ ranges: [JSONInputRange], of lines: [Line], _ condition: JSONCondition, _ random: SeededGenerator
  ) throws {
    var rest = ranges[...]
    for line in lines {
      while let range = rest.first, let end = range.upperBound, end <= line.offset { rest.removeFirst() }
      let isInside = rest.first.map { $0.lowerBound <= line.offset } ?? false
      if let range = rest.first, range.lowerBound == line.offset {
        #expect(range.firstLine == line.number, "\(random)")
      }
      guard !isInside else { continue }
      let holds = try line.value.map { try condition.holds(for: $0) } ?? false
      #expect(!holds, "line \(line.number): \(condition); \(random)")
    }
    for (range, next) in zip(ranges, ranges.dropFirst()) { #expect(range.upperBound ?? .max < next.lowerBound) }
    #expect(ranges.last?.upperBound == nil)
  }

  // MARK: Damage

  private static let two = Array("{\"n\":1,\"s\":\"a\"}\n{\"n\":2,\"s\":\"b\"}\n".utf8)

  @Test func `an index with a changed byte, or without its end, is rejected`() throws {
    let bytes = try JSONBlockIndex(inTurn: Self.two, paths: ["$.n", "$.s"]).encoded()
    _ = try JSONBlockIndex(stored: bytes)
    for index in bytes.indices {
      for bit in 0..<8 as Range<UInt8> {
        var damaged = bytes
        damaged[index] ^= 1 << bit
        #expect(throws: JSONError.self, "byte \(index)") { try JSONBlockIndex(stored: damaged) }
      }
      #expect(throws: JSONError.self) { try JSONBlockIndex(stored: Array(bytes[..<index])) }
    }
  }

  @Test func `an index with wrong content and the right hashes does not trap`() async throws {
    try await onThread(withFile: Self.two) { path in
      var random = SeededGenerator()
      let index = try JSONBlockIndex(of: path, paths: ["$.n", "$.s"])
      let condition = try JSONCondition("@.n == 1 || @.s < 'b'")
      let bytes = index.encoded()
      for _ in 0..<20_000 {
        var damaged = bytes
        for _ in 0...Int.random(in: 0...2, using: &random) {
          damaged[Int.random(in: 16..<bytes.count, using: &random)] = UInt8.random(in: 0...255, using: &random)
        }
        Self.repairHashes(&damaged)
        guard let read = try? JSONBlockIndex(stored: damaged) else { continue }
        _ = read.ranges(where: condition)
        _ = read.isValid(for: path)
      }
    }
  }

  /// Computes the hashes of a header and of the sections that it names again, as far as they are there.
  private static func repairHashes(_ bytes: inout [UInt8]) {
    func number(_ offset: Int) -> Int? {
      guard offset >= 0, offset + 8 <= bytes.count else { return nil }
      let value = bytes[offset..<(offset + 8)].reversed().reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      return value < 1 << 40 ? Int(value) : nil
    }
    func store(_ hash: UInt64, _ offset: Int) {
      for place in 0..<8 { bytes[offset + place] = UInt8(truncatingIfNeeded: hash >> UInt64(8 * place)) }
    }
    guard let header = number(8), header <= bytes.count, header >= 120 else { return }
    var offset = 8 + 8 + 56 + 40
    while offset + 40 <= header {
      guard let length = number(offset), let start = number(offset + 8 + length),
        let count = number(offset + 16 + length),
        start + count <= bytes.count, offset + 32 + length <= header
      else { break }
      store(Array(bytes[start..<(start + count)]).sketchHash, offset + 24 + length)
      offset += 32 + length
    }
    store(Array(bytes[..<(header - 8)]).sketchHash, header - 8)
  }

  // MARK: Other files

  @Test func `an index is believed only for the file that was indexed`() async throws {
    try await onThread {
      let first = Array("{\"n\":1}\n{\"n\":2}\n".utf8)
      try withFile(first) { path in
        let index = try JSONBlockIndex(of: path, paths: ["$.n"])
        func change(_ bytes: String, at offset: UInt64?) throws {
          let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
          if let offset { try file.seek(toOffset: offset) } else { try file.seekToEnd() }
          try file.write(contentsOf: Data(bytes.utf8))
          try file.close()
        }
        #expect(index.isValid(for: path) && index.isValid(for: path, trusting: .grown))
        try change("{\"n\":3}\n", at: nil)
        #expect(!index.isValid(for: path) && index.isValid(for: path, trusting: .grown))
        // What was appended is in the last range.
        let range = try #require(index.ranges(where: try JSONCondition("@.n == 3")).last)
        #expect(range.lowerBound == first.count && range.firstLine == 3 && range.upperBound == nil)
        try change("9", at: 5)
        #expect(!index.isValid(for: path, trusting: .grown))
        try change("1", at: 5)
        #expect(index.isValid(for: path, trusting: .grown))
        try FileHandle(forUpdating: URL(fileURLWithPath: path)).truncate(atOffset: 8)
        #expect(!index.isValid(for: path, trusting: .grown))
        try FileManager.default.removeItem(atPath: path)
        #expect(!index.isValid(for: path) && !index.isValid(for: path, trusting: .grown))
        try Data(first).write(to: URL(fileURLWithPath: path))
        #expect(!index.isValid(for: path))
      }
    }
  }

  @Test(arguments: ["[1,\n2]", "\u{1E}{}\n"])
  func `a file whose records are not lines cannot be indexed`(text: String) async throws {
    try await onThread {
      try withFile(Array(text.utf8)) { path in
        let error = #expect(throws: JSONError.self) { try JSONBlockIndex(of: path, paths: ["$.n"]) }
        #expect(error?.message == "expected records that are lines, found another framing, which cannot be indexed")
      }
      let missing = #expect(throws: JSONError.self) { try JSONBlockIndex(of: "/nonexistent/log", paths: ["$.n"]) }
      #expect(missing?.code == .unreadable)
      let several = #expect(throws: JSONError.self) { try JSONBlockIndex(of: "/nonexistent/log", paths: ["$..n"]) }
      #expect(several?.code == .invalidPath)
    }
  }

  @Test func `an index that cannot be written, or of what is no regular file, is an error`() async throws {
    try await onThread {
      let index = try JSONBlockIndex(inTurn: Array("1\n".utf8), paths: ["$"])
      let unwritable = jsonError { try index.write(to: "/nowhere/at/all.jsidx") }
      #expect(unwritable?.code == .unwritable && unwritable?.byteOffset == 0)
      #expect(unwritable?.message == "the output cannot be written: No such file or directory")
      let other = jsonError { _ = try JSONBlockIndex(of: "/dev/null", paths: ["$"]) }
      #expect(other?.code == .unreadable && other?.byteOffset == 0)
      #expect(other?.message == "expected a regular file, which has a size, found another kind of file")
    }
  }
}
