import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// Conditions that are decided from the texts of lines, without a document for each line.
@Suite struct TextConditionTests {
  private static let values = [
    "0", "-0", "0.0", "1", "1.0", "1e0", "10e-1", "2", "-1.5", "9007199254740993", "9007199254740992.0", "1e400",
    "-1e400",
    "0.1", "0.10000000000000000001", "123456789012345", "1234567890123456", "123456789012345678901234567890", "null",
    "true",
    "false", #""""#, #""a""#, #""ab""#, #""b""#, #""\u0061""#, #""a\u0062""#, #""é""#, #""\u00e9""#, #""e\u0301""#,
    #""\ud83d\ude00""#, #""😀""#, #""1""#, "[]", "[1]", "{}", #"{"b":1}"#, #"{"a":"a"}"#,
    #""2026-11-24T14:05:00Z""#, #""2026-11-24T15:04:59.9+01:00""#, "1795529100",
  ]
  private static let literals = [
    "0", "1", "-0.0", "1.0", "2e0", "9007199254740993", "9007199254740992", "0.1", "1e400", "1234567890123456",
    "123456789012345678901234567890", "null", "true", "'a'", "'ab'", "''", #"'\u00e9'"#, "'😀'",
    "'2026-11-24T14:05:00Z'",
  ]
  private static let keys = [#""a""#, #""b""#, #""c""#, #""\u0061""#, #""x""#, #""""#]
  private static let queries = ["@.a", "@.b", "@.a.b", "@['']", "@.b.a", "@.c", "@.a.a"]
  private static let paths = ["$", "$.a", "$.b", "$.a.b", "$.c", "$.x"]

  private static func blanks(_ random: inout SeededGenerator) -> String { random.below(4) == 0 ? " " : "" }

  private static func object(_ random: inout SeededGenerator, _ depth: Int) -> String {
    let members = (0..<random.below(4)).map { _ in
      let value = depth < 2 && random.below(3) == 0 ? object(&random, depth + 1) : random.pick(values)
      return blanks(&random) + random.pick(keys) + blanks(&random) + ":" + blanks(&random) + value + blanks(&random)
    }
    return "{" + members.joined(separator: ",") + "}"
  }

  private static func line(_ random: inout SeededGenerator) -> String {
    switch random.below(30) {
    case 0: ""
    case 1: random.pick(values)
    case 2: object(&random, 0) + "\r"
    case 3: "{\"a\":1,}"
    case 4: "{\"a\":\"\u{1}\"}"
    case 5: "\(object(&random, 0)) {}"
    default: blanks(&random) + object(&random, 0)
    }
  }

  private static func condition(_ random: inout SeededGenerator, _ depth: Int = 0) throws -> JSONCondition {
    func text(_ depth: Int) -> String {
      switch random.below(depth < 2 ? 8 : 5) {
      case 0: return random.pick(queries)
      case 1...3:
        let comparison = random.pick(["==", "!=", "<", "<=", ">", ">="])
        return "\(random.pick(queries)) \(comparison) \(random.pick(literals))"
      case 4: return "\(random.pick(literals)) \(random.pick(["==", "<", ">="])) \(random.pick(queries))"
      case 5: return "!(\(text(depth + 1)))"
      case 6: return "(\(text(depth + 1)) && \(text(depth + 1)))"
      default: return "(\(text(depth + 1)) || \(text(depth + 1)))"
      }
    }
    let plain = try JSONCondition(text(depth))
    guard random.below(4) == 0 else { return plain }
    let since = random.pick([nil, "2026-11-24T14:04:59.95Z", "2026-11-24T14:05:00Z", "0"])
    let until = random.pick([nil, "2026-11-24T14:05:00.000000001Z"])
    return plain.and(JSONCondition(try JSONTimeWindow(of: random.pick(["$.a", "$.b"]), since: since, until: until)))
  }

  /// The matches and errors that `next` returns, until it returns `nil`.
  private static func read(
    _ matches: inout JSONMatches, _ next: (inout JSONMatches) throws(JSONError) -> String?
  ) -> [String] {
    var found: [String] = []
    while found.count < 10_000 {
      do throws(JSONError) {
        guard let match = try next(&matches) else { break }
        found.append(match)
      } catch {
        found.append("\(error)")
      }
    }
    return found
  }

  private static func open(
    _ paths: [String], _ condition: JSONCondition, _ source: JSONSource, _ options: JSONRecordOptions
  ) throws -> JSONMatches {
    try JSONMatches(of: try paths.map { ($0, try JSONPath($0)) }, where: condition, in: source, records: options)
  }

  /// The texts of matches as they are passed, the errors, and the summaries of the paths at the end.
  private static func borrowedMatches(
    _ paths: [String], _ condition: JSONCondition, _ source: JSONSource, _ options: JSONRecordOptions
  ) throws -> [String] {
    var matches = try open(paths, condition, source, options)
    let found = read(&matches) { (matches) throws(JSONError) in
      var match = ""
      let hasMore = try unsafe matches.borrowNext { path, text in
        match = unsafe "\(path) " + String(decoding: text, as: UTF8.self)
      }
      return hasMore ? match : nil
    }
    return found + matches.summaries.map { "\($0)" }
  }

  /// The matches as values, and the errors.
  private static func matches(
    _ paths: [String], _ condition: JSONCondition, _ source: JSONSource, _ options: JSONRecordOptions
  ) throws -> [String] {
    var matches = try open(paths, condition, source, options)
    return read(&matches) { (matches) throws(JSONError) in
      try matches.next().map { "\($0.pathIndex) \($0.byteRange) \($0.value.rawText)" }
    }
  }

  /// The same, where the condition is evaluated on the document of each record.
  private static func expected(
    _ paths: [String], _ condition: JSONCondition, _ source: JSONSource, _ options: JSONRecordOptions
  ) throws -> [String] {
    let paths = try paths.map { try JSONPath($0) }
    var reader = try JSONRecordReader(source, options: options)
    var found: [String] = []
    while found.count < 10_000 {
      do throws(JSONError) {
        guard let record = try reader.next() else { break }
        guard try condition.holds(for: record.value, limits: options.reading.limits) else { continue }
        for (number, path) in paths.enumerated() {
          for value in try record.value.query(path) {
            found.append("\(number) \(value.byteRange ?? 0..<0) \(value.rawText)")
          }
        }
      } catch {
        found.append("\(error)")
      }
    }
    return found
  }

  @Test func `a condition on texts selects the same records and reports the same errors as one on documents`() throws {
    var random = SeededGenerator.announced()
    for round in 0..<(isDebug ? 400 : 2000) {
      let lines = (0..<(1 + random.below(40))).map { _ in Self.line(&random) }
      let bytes = Array(lines.joined(separator: "\n").utf8)
      let condition = try Self.condition(&random)
      let paths = Array(Self.paths.shuffled(using: &random).prefix(1 + random.below(2)))
      let options = with(JSONRecordOptions()) { $0.prefilter = random.pick([.never, .never, .automatic]) }
      let expected = try Self.expected(paths, condition, .bytes(bytes), options)
      // A condition with a comparison of two literals is not evaluated on texts.
      let slowly = try Self.borrowedMatches(paths, condition.and(try JSONCondition("1 == 1")), .bytes(bytes), options)
      for size in [bytes.count + 1, 1 + random.below(60)] {
        let borrowed = try Self.borrowedMatches(paths, condition, source(of: bytes, inPiecesOf: size), options)
        #expect(borrowed == slowly, "round \(round): \(condition) \(paths) in chunks of \(size)")
        if borrowed != slowly { return }
        let found = try Self.matches(paths, condition, source(of: bytes, inPiecesOf: size), options)
        #expect(
          found == expected,
          "round \(round): \(condition) \(paths) in chunks of \(size):\n\(lines.joined(separator: "\n"))")
        if found != expected { return }
      }
    }
  }

  @Test func `a record on which a condition exceeds its limit of steps is an error, wherever reads end`() throws {
    let long = String(repeating: "x", count: 4000)
    let lines = [#"{"a":"b"}"#, "{\"a\":\"\(long)\"}", #"{"a":"c","b":1}"#, #"{"a":"a"}"#]
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    let condition = try JSONCondition("@.a >= 'b'")
    var options = JSONRecordOptions()
    options.prefilter = .never
    options.reading.limits.querySteps = 12
    let expected = try Self.expected(["$.a"], condition, .bytes(bytes), options)
    #expect(expected.count == 3)
    #expect(expected.contains { $0.contains("queryLimit") || $0.contains("steps") }, "\(expected)")
    #expect(try Self.matches(["$.a"], condition, .bytes(bytes), options) == expected)
    let difference = try differenceOverEveryChunking(of: bytes) { size in
      try Self.matches(["$.a"], condition, .chunks(Chunks(bytes, size: size)), options)
    }
    #expect(difference == nil)
  }
}
