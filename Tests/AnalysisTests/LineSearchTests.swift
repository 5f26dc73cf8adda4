import Foundation
import TestSupport
import Testing

@testable import JSONSift
@testable import JSONSiftAnalysis

/// Lines and records that are found by their numbers.
@Suite struct LineSearchTests {
  private static let texts: [String: String] = [
    "line feeds": (1...4).map { "{\"id\":\($0)}\n" }.joined(),
    "no last line feed": (1...4).map { "{\"id\":\($0)}" }.joined(separator: "\n"),
    "carriage returns": (1...4).map { "{\"id\":\($0)}\r\n" }.joined(),
    "blank and bad lines": "\n{\"id\":2,}\n{\"id\":3}\r\n \n{\"id\":5}\n\n",
    "a byte order mark": "\u{FEFF}{\"id\":1}\n{\"id\":2}\n", "a mark and a blank line": "\u{FEFF} \n{\"id\":2}\n",
    "a mark alone": "\u{FEFF}", "one line": "{\"id\":1}", "only blank lines": "\n \n\r\n", "nothing": "",
    "marks on lines of their own":
      "{\"id\":1}\n\u{FEFF}\n\u{FEFF} \r\n\u{FEFF}{\"id\":2}\n \u{FEFF}\n{\"id\":3}\n\u{FEFF}",
    "marks that are text": "\u{FEFF}\u{FEFF}\n\u{FEC0}\n{\"id\":1}\nx\u{FEFF}\n\u{FEFF}x\n{\"id\":2}",
    "a control character": "\u{B}\n{\"id\":2}\n\u{0}\n",
  ]

  /// Returns what a reader of a file, or of a range of it, reads: the line and offset of each record, good or bad.
  private static func elements(_ path: String, in range: JSONInputRange? = nil) throws -> [[Int]] {
    let options = with(JSONRecordOptions(framing: .lines, recovery: .report)) { $0.range = range }
    var reader = try JSONRecordReader(.path(path), options: options)
    var found: [[Int]] = []
    while let element = try reader.nextResult() {
      switch element {
      case .success(let record): found.append([record.line, record.byteRange.lowerBound])
      case .failure(let bad): found.append([bad.position.line, bad.byteRange.lowerBound])
      }
    }
    return found
  }

  private static func search(_ path: String, from known: CountedPosition = CountedPosition()) throws -> LineSearch {
    try LineSearch(Array(path.utf8), .lines, from: known)
  }

  @Test(arguments: texts.keys.sorted())
  func `any lines and records of a small file are those of a reader of all of it`(kind: String) throws {
    let text = Array((Self.texts[kind] ?? "").utf8)
    let lines = text.split(separator: 10, omittingEmptySubsequences: false).count - (text.last == 10 ? 1 : 0)
    try withFile(text) { path in
      let all = try Self.elements(path)
      for (unit, count) in [(LineUnit.line, lines), (.record, all.count)] where count > 0 {
        for first in 1...count {
          for last in Array(first...(count + 2)) + [nil, .max] {
            var search = try Self.search(path)
            guard case .found(let range) = try search.find(first, through: last, counting: unit) else {
              Issue.record("\(unit) \(first) was not found")
              continue
            }
            let expected =
              unit == .line
              ? all.filter { ($0[0]...$0[0]).clamped(to: first...max(last ?? .max, first)) == $0[0]...$0[0] }
              : Array(all.dropFirst(first - 1).prefix((last.map { min($0, count) } ?? count) - first + 1))
            #expect(try Self.elements(path, in: range) == expected, "\(unit) \(first) \(last ?? -1)")
          }
        }
        var search = try Self.search(path)
        let beyond = try search.find(count + 1, through: nil, counting: unit)
        // The empty line of an empty file can be read, but is not counted.
        guard case .tooFew(text.isEmpty ? 0 : count) = beyond else {
          Issue.record("\(unit) \(count + 1): \(beyond)")
          continue
        }
      }
      if all.isEmpty {
        var search = try Self.search(path)
        guard case .tooFew(0) = try search.find(1, through: 1, counting: .record) else {
          Issue.record("a record was found")
          return
        }
      }
    }
  }

  @Test func `random lines and records of a large file are the same from any line that an index knows`() async throws {
    try await onThread { try Self.expectSameFromAnyKnownLine() }
  }

  private static func expectSameFromAnyKnownLine() throws {
    var random = SeededGenerator()
    var text: [UInt8] = []
    while text.count < (isDebug ? 2_000_000 : 8_000_000) {
      switch Int.random(in: 0..<50, using: &random) {
      case 0: text += "\n \r\n".utf8
      case 1: text += "{\"id\":,}\n".utf8
      case 2:
        text += "{\"pad\":\"\(String(repeating: "x", count: Int.random(in: 0..<70_000, using: &random)))\"}\n".utf8
      default: text += "{\"id\":\(text.count),\"pad\":\"\(String(repeating: "y", count: text.count % 90))\"}\r\n".utf8
      }
    }
    try withFile(text) { path in
      let all = try Self.elements(path)
      let index = try JSONBlockIndex(of: path, paths: [])
      #expect(index.blocks.count > 2 && index.end.count == all.count)
      #expect(try JSONRecordIndex(of: .path(path)).count == all.count)
      for _ in 0..<100 {
        let first = Int.random(in: 1...all.count, using: &random)
        let last = min(first + Int.random(in: 0...40, using: &random), all.count)
        let expected = Array(all[(first - 1)..<last])
        for known in [CountedPosition(), index.lineStart(upTo: first, counting: .record)] {
          var search = try Self.search(path, from: known)
          guard case .found(let range) = try search.find(first, through: last, counting: .record) else {
            Issue.record("record \(first) was not found; \(random)")
            continue
          }
          #expect(try Self.elements(path, in: range) == expected, "records \(first) to \(last); \(random)")
        }
        let line = expected[0][0]
        var search = try Self.search(path, from: index.lineStart(upTo: line, counting: .line))
        guard case .found(let range) = try search.find(line, through: expected[expected.count - 1][0]) else {
          Issue.record("line \(line) was not found; \(random)")
          continue
        }
        #expect(try Self.elements(path, in: range) == expected, "line \(line); \(random)")
      }
    }
  }

  @Test func `records are counted the same however the text is cut`() {
    for (kind, text) in Self.texts {
      let bytes = Array(text.utf8)
      func starts(_ size: Int) -> [[Int]] {
        var scanner = RecordLineScanner()
        var found: [[Int]] = []
        var offset = 0
        for chunk in chunks(of: bytes, size: size) {
          unsafe chunk.withUnsafeBytes { unsafe scanner.add($0, at: offset) { found.append([$0.offset, $0.line]) } }
          offset += chunk.count
        }
        scanner.finish { found.append([$0.offset, $0.line]) }
        #expect(scanner.records == found.count)
        return found
      }
      let whole = starts(1 << 20)
      for size in 1...max(bytes.count, 1) { #expect(starts(size) == whole, "\(kind) \(size)") }
    }
  }
}
