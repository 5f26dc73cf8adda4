import TestSupport
import Testing

@testable import JSONSift

/// Lines that are longer than a read. Their values are found without a document of the line.
@Suite struct LongLineTests {
  private static let pad = String(repeating: "x", count: 300_000)
  private static let list = "[" + (0..<60_000).map(String.init).joined(separator: ",") + "]"

  private static let lines = [
    "{\"x\":1,\"pad\":\"short\"}", "{\"x\":2,\"pad\":\"\(pad)\"}", "{\"pad\":\"\(pad)\",\"x\":}", "",
    " {\"list\": \(list), \"x\":3} \r", "{\"x\":4}", "{\"pad\":\"\(pad)\u{1}\",\"x\":5}", "[\(list)]",
    "{\"x\":{\"y\":6},\"list\":\(list),\"pad\":\"\(pad)\"}", "{\"x\":7,\"pad\":\"\(pad)\"}",
  ]

  /// What is read: matches as values, or as texts; or rows of columns.
  enum Form: CaseIterable { case values, texts, rows }

  /// A value in short: the number of its path, its length and hash.
  private static func line(_ path: Int, _ text: String) -> String { "\(path) \(text.utf8.count) \(text.hashValue)" }

  /// The values of both paths in a record.
  private static func values(of record: JSON) -> [String] {
    [record["x"], record["pad"]].enumerated().filter { $1.exists() }.map { line($0, $1.rawText) }
  }

  private static func found(
    _ form: Form, _ condition: JSONCondition?, _ source: JSONSource, _ options: JSONRecordOptions
  ) throws -> [String] {
    if form == .rows, condition == nil { return try rows(source, options) }
    let paths: [(String, JSONPath)] = form == .rows ? [("", "$")] : [("x", "$.x"), ("pad", "$.pad")]
    var matches = try JSONMatches(
      of: paths, where: condition, in: source, records: options, keepsDocument: false, resumingAt: nil,
      keeping: form == .rows ? ["$.x", "$.pad"] : nil)
    var found: [String] = []
    while true {
      do throws(JSONError) {
        switch form {
        case .values:
          guard let match = try matches.next() else { return found }
          found.append(line(match.pathIndex, match.value.rawText))
        case .texts:
          let hasMore = try unsafe matches.borrowNext { path, text in
            unsafe found.append(line(path, String(decoding: text, as: UTF8.self)))
          }
          guard hasMore else { return found }
        case .rows:
          let count = unsafe matches.borrowRows { path, text in
            unsafe found.append(line(path, String(decoding: text, as: UTF8.self)))
          } endRow: {
            true
          }
          if count > 0 || matches.completeRecord() { continue }
          guard let match = try matches.next() else { return found }
          found += values(of: match.value)
        }
      } catch {
        found.append("\(error)")
        if error.code.endsInput { return found }
      }
    }
  }

  private static func rows(_ source: JSONSource, _ options: JSONRecordOptions) throws -> [String] {
    var reader = try JSONRecordReader(source, options: options)
    try reader.keep(only: ["$.x", "$.pad"])
    var found: [String] = []
    while true {
      do throws(JSONError) {
        let count = unsafe reader.borrowRows { path, text in
          unsafe found.append(line(path, String(decoding: text, as: UTF8.self)))
        } endRow: {
          true
        }
        if count > 0 || reader.completeLine() { continue }
        guard let record = try reader.next() else { return found }
        found += values(of: record.value)
      } catch {
        found.append("\(error)")
        if error.code.endsInput { return found }
      }
    }
  }

  private static func expected(
    _ condition: JSONCondition?, _ bytes: [UInt8], _ options: JSONRecordOptions
  ) throws
    -> [String]
  {
    var reader = try JSONRecordReader(.bytes(bytes), options: options)
    var found: [String] = []
    while true {
      do throws(JSONError) {
        guard let record = try reader.next() else { return found }
        guard try condition?.holds(for: record.value, limits: options.reading.limits) ?? true else { continue }
        found += values(of: record.value)
      } catch {
        found.append("\(error)")
      }
    }
  }

  @Test(arguments: Form.allCases, [nil, "@.x >= 2", "!@.pad", "@.x < 3 || 1 == 1"])
  func `long lines have the same values and errors wherever reads end`(form: Form, condition: String?) throws {
    let condition = try condition.map { try JSONCondition($0) }
    for end in ["", "\n"] {
      let bytes = Array((Self.lines.joined(separator: "\n") + end).utf8)
      for limit in [1 << 20, 300_016] {
        var options = JSONRecordOptions(framing: .lines)
        options.prefilter = .never
        options.reading.limits.recordBytes = limit
        let expected = try Self.expected(condition, bytes, options)
        #expect(expected.contains { $0.contains("recordLimit") || $0.contains("bytes") } == (limit < 1 << 20))
        for size in [131_072, 150_000, 262_144, bytes.count] {
          let found = try Self.found(form, condition, source(of: bytes, inPiecesOf: size), options)
          #expect(found == expected, "chunks of \(size), limit \(limit)")
        }
      }
    }
  }

  @Test(arguments: Form.allCases)
  func `an error of reading in the middle of a long line is thrown once, after what was found before`(form: Form) throws
  {
    let text = Array((Self.lines[0] + "\n" + Self.lines[1]).utf8)
    let source = JSONSource.reading(name: nil) { () throws(JSONError) in
      FailingReader([Array(text[..<150_000]), Array(text[150_000..<200_000])])
    }
    let found = try Self.found(form, nil, source, JSONRecordOptions(framing: .lines))
    #expect(found.count == 3, "\(found)")
    #expect(found.last?.contains("unreadable") == true || found.last?.contains("cannot be read") == true, "\(found)")
  }
}

/// Returns chunks, and then fails once.
private final class FailingReader: ByteReader {
  private var chunks: [[UInt8]]
  private var hasFailed = false
  let wouldBlock = false
  let canReadAtOnce = true

  init(_ chunks: [[UInt8]]) { self.chunks = chunks.reversed() }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int {
    guard let chunk = chunks.popLast() else {
      if hasFailed { return 0 }
      hasFailed = true
      throw JSONError(.unreadable, at: offset, .readFailure(5))
    }
    unsafe buffer.copyBytes(from: chunk)
    return chunk.count
  }
}
