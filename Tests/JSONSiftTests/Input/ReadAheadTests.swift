import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// Long files, which a thread reads ahead of the consumer.
@Suite(.serialized) struct ReadAheadTests {
  /// Long enough for the read-ahead thread, and not a whole number of blocks.
  private static let bytes: [UInt8] = {
    var random = SeededGenerator(seed: 7)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(12 << 20)
    while bytes.count < 12 << 20 { unsafe withUnsafeBytes(of: random.next()) { unsafe bytes += $0 } }
    return bytes + [1, 2, 3]
  }()

  /// Reads to the end, leaves some bytes of each window for the next one, and returns whether all bytes were right.
  private static func isSame(_ path: String, leaving: (Int) -> Int) throws -> Bool {
    var window = try ReadWindow(.path(path), readsAhead: true)
    var offset = 0
    while try window.fill() {
      let used = window.count - min(leaving(window.count), window.count)
      guard window.offset == offset, offset + window.count <= bytes.count else { return false }
      let isRight = unsafe bytes.withUnsafeBytes { unsafe window.bytes.elementsEqualMemory($0, at: offset) }
      guard isRight else { return false }
      window.use(used)
      offset += used
      let before = unsafe window.usedBytes.suffix(128)
      guard unsafe bytes[(offset - before.count)..<offset].elementsEqual(before) else { return false }
    }
    return offset + window.count == bytes.count
  }

  @Test func `unused bytes of a block precede the next one`() throws {
    var random = SeededGenerator.announced()
    try withFile(Self.bytes) { path in
      for maxCount in [1, 100, 1 << 17] {
        let isSame = try Self.isSame(path) { _ in random.below(maxCount) }
        #expect(isSame, "leaving up to \(maxCount) bytes")
      }
      let isSameWhole = try Self.isSame(path) { random.below(8) == 0 ? 0 : $0 }
      #expect(isSameWhole, "leaving whole blocks")
      let isSameAtOnce = try Self.isSame(path) { $0 }
      #expect(isSameAtOnce, "leaving everything")
    }
  }

  @Test func `a document checked on the reading thread has the same result and the same errors`()
    throws
  {
    var text = Array("{\"records\":[".utf8)
    var number = 0
    while text.count < 10 << 20 {
      let filler = String(repeating: "x", count: 100 + number % 300)
      text += Array("\(number > 0 ? ",": ""){\"s\":\"\(filler)\",\"user\":{\"id\":\(number)}}".utf8)
      number += 1
    }
    text += Array("]}\n".utf8)
    let block = ReadAhead.blockBytes
    let damages: [(offset: Int, bytes: [UInt8])] = [
      (text.count, []), (text.count - 3, []), (text.count - 300, []), (100, [1]), (5 * block, [0x22]),
      (6 * block - 1, [0x5C]), (20 * block, [0xFF]), (text.count - 20, [0x7D]), (text.count - 1, [0x78]),
    ]
    for (offset, bytes) in damages {
      var damaged = text
      if bytes.isEmpty {
        damaged = Array(text[..<offset])
      } else {
        damaged.replaceSubrange(offset..<(offset + 1), with: bytes)
      }
      func find(
        _ source: JSONSource
      ) throws -> (count: Int, last: String, error: JSONError?, position: JSONError.Position?) {
        var matches = try JSONMatches(of: "$.records[*].user.id", in: source)
        var (count, last) = (0, "")
        do throws(JSONError) {
          while let match = try matches.next() {
            count += 1
            last = "\(match.byteRange) \(match.location) \(match.value.rawText)"
          }
        } catch {
          return (count, last, error, matches.position(of: error))
        }
        return (count, last, nil, nil)
      }
      let expected = try find(.bytes(damaged))
      #expect(expected.count > 0 || offset < 1000)
      try withFile(damaged) { path in
        let found = try find(.path(path))
        #expect(
          found.count == expected.count && found.last == expected.last && found.error == expected.error
            && found.position == expected.position, "damaged at \(offset)")
      }
    }
  }

  @Test func `stopping early stops the thread and closes the file`() throws {
    try withFile(Self.bytes) { path in
      for reads in [0, 4, 5, 6, 9, 20] {
        var window = try ReadWindow(.path(path), readsAhead: true)
        for _ in 0..<reads where try window.fill() { window.use(window.count) }
        _ = consume window
        #expect(openDescriptors(of: URL(fileURLWithPath: path).resolvingSymlinksInPath().path) ?? 0 == 0)
      }
    }
  }

  @Test func `bytes that were read ahead can be skipped`() throws {
    try withFile(Self.bytes) { path in
      var window = try ReadWindow(.path(path), readsAhead: true)
      for _ in 0..<6 where try window.fill() { window.use(window.count) }
      let offset = 5_000_001
      _ = try window.skip(to: offset)
      if window.count == 0 { _ = try window.fill() }
      #expect(unsafe window.offset == offset && window.bytes.first == Self.bytes[offset])
      let error = jsonError { _ = try window.skip(to: Self.bytes.count + 1) }
      #expect(error?.code == .unreadable && error?.byteOffset == Self.bytes.count)
    }
  }

  @Test func `a file truncated during reading ends there`() throws {
    try withFile(Self.bytes) { path in
      var window = try ReadWindow(.path(path), readsAhead: true)
      for _ in 0..<6 where try window.fill() { window.use(window.count) }
      let handle = try #require(FileHandle(forWritingAtPath: path))
      try handle.truncate(atOffset: 1 << 20)
      try handle.close()
      while try window.fill() { window.use(window.count) }
      #expect(window.offset < Self.bytes.count && window.isAtEnd)
    }
  }

  @Test func `records and matches equal those of the same bytes in memory`() throws {
    var random = SeededGenerator.announced()
    var lines: [String] = []
    var count = 0
    while count < 9 << 20 {
      // Some are longer than the free space before a block, some longer than a block.
      let length = random.below(40) == 0 ? 1 << (14 + random.below(6)) : 100 + random.below(3000)
      lines.append("{\"id\":\(lines.count),\"text\":\"\(String(repeating: "x", count: length))\",\"user\":{\"id\":7}}")
      count += length
    }
    let document = Array("{\"records\":[\(lines.joined(separator: ",\n"))]}".utf8)
    try withFile(document) { path in
      var matches = try JSONMatches(of: [("id", JSONPath("$.records[*].id"))], in: .path(path))
      var sum = 0
      while let match = try matches.next() { sum += match.value.intValue }
      #expect(sum == lines.count * (lines.count - 1) / 2)
    }
    let text = Array(lines.joined(separator: "\n").utf8)
    try withFile(text) { path in
      var reader = try JSONRecordReader(.path(path))
      var number = 0
      while let record = try reader.next() {
        guard record.value["id"].int == number, record.value.rawText == lines[number] else { break }
        number += 1
      }
      #expect(number == lines.count)
    }
  }

  @Test func `a long file copied by two threads is the same value`() throws {
    let element = "\"\(String(repeating: "é", count: 500))\""
    let text = "[" + Array(repeating: element, count: 9_000).joined(separator: ",") + "]"
    try withFile(Array(text.utf8)) { path in
      let json = try JSON(contentsOf: path)
      #expect(json.count == 9_000 && json[8_999].stringValue.utf8.count == 1_000)
      #expect(json.rawText.utf8.count == text.utf8.count)
    }
  }
}
