import TestSupport
import Testing

@testable import JSONSift

/// Many paths, each of which selects one value, applied to records with many members.
@Suite struct ManyColumnsTests {
  /// Returns members in a random order for each record, some missing, some repeated, some with escapes in their names.
  private static func record(_ source: inout SeededGenerator, members: Int) -> (text: String, first: [String: String]) {
    var first: [String: String] = [:]
    var parts: [String] = []
    var numbers = Array(0..<members)
    for index in numbers.indices { numbers.swapAt(index, Int(source.next() % UInt64(members))) }
    for (index, number) in numbers.enumerated() where source.next() % 8 > 0 {
      let name = "k\(number)"
      let value = source.next() % 4 == 0 ? "[\(index),{\"k1\":0}]" : "\(index)"
      let written = source.next() % 16 == 0 ? "\\u006b\(number)" : name
      parts.append("\"\(written)\":\(value)")
      if first[name] == nil { first[name] = value }
      guard source.next() % 16 == 0 else { continue }
      // A duplicate, adjacent or later.
      parts.append("\"\(name)\":\"second\"")
    }
    return ("{" + parts.joined(separator: ",") + "}", first)
  }

  @Test(arguments: [8, 9, 40, 500])
  func `each column has the first member of its name, in any order and for any number of columns`(
    columns: Int
  ) throws {
    for isLarge in [false, true] {
      var source = SeededGenerator(seed: UInt64(columns))
      let members = isLarge ? 600 : 50
      let records = (0..<20).map { _ in Self.record(&source, members: members) }
      var names = (0..<columns).map { "k\(Int($0) * 7 % 620)" }
      // A name that no record has, and a column that occurs twice.
      names[0] = "none"
      names[columns - 1] = names[columns / 2]
      let bytes = Array(records.map(\.text).joined(separator: "\n").utf8)
      var matches = try JSONMatches(
        of: names.map { ($0, try JSONPath("$.\($0)")) }, in: .bytes(bytes), records: JSONRecordOptions(framing: .lines))
      let expected = records.flatMap { record in names.compactMap { name in record.first[name].map { "\(name) \($0)" } }
      }
      let found = try drain { try matches.next().map { "\($0.name) \($0.value.rawText)" } }
      #expect(found == expected)

      var reader = try JSONRecordReader(
        .bytes(bytes), options: JSONRecordOptions(framing: .lines))
      try reader.keep(only: names.map { try JSONPath("$.\($0)") })
      var rows: [String] = []
      while true {
        if unsafe reader.borrowRows(
          { unsafe rows.append("\(names[$0]) \(String(decoding: $1, as: UTF8.self))") }, endRow: { false }) > 0
        {
          continue
        }
        guard let record = try reader.next() else { break }
        let questions = PathEvaluations(of: record.value, count: columns, limits: JSONLimits())
        for name in names {
          if let value = try questions.value(ofSingular: JSONPath("$.\(name)")) {
            rows.append("\(name) \(value.rawText)")
          }
        }
      }
      #expect(rows == expected)
    }
  }

  @Test func `a query has the step count that it has alone whatever the number of queries`() throws {
    let record = try JSON(parsing: "{" + (0..<500).map { "\"k\($0)\":0" }.joined(separator: ",") + "}")
    let path: JSONPath = "$.k3"
    for steps in [1, 20, 33, 34, 100] {
      let limits = with(JSONLimits()) { $0.querySteps = steps }
      let answers = [1, 1000].map { count in
        let questions = PathEvaluations(of: record, count: count, limits: limits)
        return Result { () throws(JSONError) in try questions.value(ofSingular: path)?.int }
      }
      #expect(answers[0] == answers[1])
    }
  }
}
