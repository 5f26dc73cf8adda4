import Foundation
import JSONSift
import JSONSiftAnalysis
import TestSupport
import Testing

/// The report of the library has the numbers of the tool's report.
@Suite struct ReportValuesTests {
  private static func report(_ log: String, _ options: JSONReport.Options = .init()) throws -> JSONReport {
    var options = options
    options.maxRows = 20
    var reading = JSONRecordOptions()
    reading.recovery = .skip
    var reader = try JSONRecordReader(.bytes(Array(log.utf8)), options: reading)
    var builder = try JSONReport.Builder(options: options)
    while let record = try reader.next() { builder.add(record.value, line: record.line) }
    return builder.finish()
  }

  /// Returns the rows of a section of the tool's report.
  private static func rows(_ report: JSON, _ id: String) -> [JSON] {
    report["sections"].arrayValue.first { $0["id"].string == id }?["rows"].arrayValue ?? []
  }

  private static func text(_ value: JSON) -> String? {
    value.exists() ? String(decoding: value.rawBytes, as: UTF8.self) : nil
  }

  @Test func `the values are those of jsift report`() throws {
    var random = SeededGenerator()
    for round in 0..<ReportTests.rounds * 5 {
      let log = ReportTests.log(&random)
      let place = Comment(rawValue: "\(random), round \(round)")
      let printed = try JSON(parsing: run(["report", "--format", "json", "--examples", "all"], stdin: log).out)
      let report = try Self.report(log)
      #expect(report.recordCount == printed["records"].int, place)

      let fields = Self.rows(printed, "fields").filter { $0["path"].exists() }
      #expect(
        report.fields.map { "\($0.role) \($0.path) \($0.reason)" }
          == fields.map {
            "\($0["field"].stringValue) \($0["path"].stringValue) \($0["reason"].stringValue)"
          }, place)

      let messages = Self.rows(printed, "messages")
      #expect(report.messages.map(\.template) == messages.map { Self.text($0["message"]) }, place)
      #expect(report.messages.map(\.level) == messages.map { Self.text($0["level"]) }, place)
      #expect(report.messages.map(\.count) == messages.map { $0["count"].intValue }, place)
      #expect(report.messages.map(\.line) == messages.map { $0["line"].int }, place)
      // The tool writes the characters of a string, and not their spelling.
      let examples = try report.messages.map { try $0.example.map { try JSON(parsing: $0) } ?? .null }
      #expect(examples == messages.map { $0["example"].exists() ? $0["example"] : .null }, place)
      let counted = report.messages.reduce(report.otherMessageCount) { $0 + $1.count }
      #expect(report.fields.contains { $0.role == .message } ? counted == report.recordCount : counted == 0, place)

      let numbers = Self.rows(printed, "numbers")
      #expect(report.numbers.map(\.count) == numbers.map { $0["count"].intValue }, place)
      for (found, row) in zip(report.numbers, numbers) {
        let texts = ["min", "max", "sum", "mean", "p50", "p95", "p99"].map { Self.text(row[$0]) }
        #expect([found.min, found.max, found.sum, found.mean, found.p50, found.p95, found.p99] == texts, place)
        #expect(found.absentCount == row["absent"].int && found.wrongCount == row["wrong"].int, place)
      }

      // The tool shows a field with numbers in two intervals or more.
      let timed = report.numbers.compactMap(\.times).map(\.intervals).filter { $0.count > 1 }.joined()
      let shown = Self.rows(printed, "numbers-time")
      #expect(timed.map(\.start) == shown.map { $0["time"].stringValue }, place)
      #expect(timed.map(\.count) == shown.map { $0["count"].intValue }, place)
      #expect(
        timed.map { [$0.p50, $0.p95, $0.p99] }
          == shown.map { row in ["p50", "p95", "p99"].map { Self.text(row[$0]) } },
        place)

      for (index, found) in report.values.enumerated() {
        let rows = Self.rows(printed, "values-\(index + 1)")
        #expect(found.counts.prefix(10).map(\.count) == rows.map { $0["count"].intValue }, place)
        #expect(found.counts.reduce(found.otherCount) { $0 + $1.count } == report.recordCount, place)
      }

      var cells: [[String?]: Int] = [:]
      for level in report.times?.levels ?? [] {
        for (start, count) in zip(report.times?.starts ?? [], level.counts) where count > 0 {
          cells[[start, level.level]] = count
        }
        if level.untimedCount > 0 { cells[[nil, level.level]] = level.untimedCount }
      }
      let times = Self.rows(printed, "time").map {
        ([$0["time"].string, Self.text($0["level"])], $0["count"].intValue)
      }
      #expect(cells == Dictionary(times) { $0 + $1 }, place)

      let paths = Self.rows(printed, "shape")
      #expect(report.paths.map(\.path) == paths.map { $0["path"].stringValue }, place)
      #expect(report.paths.map(\.count) == paths.map { $0["count"].intValue }, place)
    }
  }

  @Test func `a report is the same after encoding and decoding`() throws {
    var random = SeededGenerator(seed: 3)
    let report = try Self.report(ReportTests.log(&random))
    #expect(try JSONDecoder().decode(JSONReport.self, from: JSONEncoder().encode(report)) == report)
  }

  @Test func `named fields count from the first record on, however many follow`() throws {
    var options = JSONReport.Options()
    options.message = JSONPath("$.text")
    options.values = [JSONPath("$.n")]
    options.time = JSONPath("$.at")
    let log = (0..<30_000).map { "{\"at\":\($0 + 1_770_000_000),\"text\":\"m \($0)\",\"n\":\($0)}\n" }.joined()
    let report = try Self.report(log, options)
    #expect(report.messages.map(\.template) == ["\"m <number>\""] && report.messages[0].count == 30_000)
    #expect(report.messages[0].line == 1 && report.messages[0].example == "\"m 0\"")
    #expect(report.messages[0].first == "2026-02-02T02:40:00Z" && report.messages[0].last == "2026-02-02T10:59:59Z")
    #expect(report.values[0].counts.count == 20 && report.values[0].otherCount == 29_980)
    #expect(report.times?.levels.map { $0.counts.reduce(0, +) } == [30_000])
  }

  @Test func `a report between two records changes nothing of the next one`() throws {
    var (watched, other) = (try JSONReport.Builder(), try JSONReport.Builder())
    for number in 0..<2000 {
      let record = try JSON(parsing: #"{"level":"info","message":"m \#(number)","ms":\#(number * 7)}"#)
      watched.add(record, line: number + 1)
      other.add(record, line: number + 1)
      #expect([0, 1, 7, 999, 1000, 1500].contains(number) == false || watched.finish().recordCount == number + 1)
    }
    #expect(watched.finish() == other.finish())
    #expect(watched.finish().fields.map(\.path) == ["$.level", "$.message", "$.ms"])
  }

  @Test func `records made in Swift are counted as those that were read`() throws {
    var (made, parsed) = (try JSONReport.Builder(), try JSONReport.Builder())
    for number in 0..<1500 {
      var record = JSON([:])
      record["ts"] = JSON(1_770_000_000 + number)
      record["level"] = JSON("info")
      record["message"] = JSON("m \(number)")
      record["ms"] = JSON(number * 7)
      made.add(record)
      parsed.add(try JSON(parsing: record.bytes()))
    }
    #expect(made.finish() == parsed.finish())
  }

  @Test func `no records have no fields`() throws {
    let report = try Self.report("")
    #expect(report.recordCount == 0 && report.fields.isEmpty && report.times == nil && report.paths.isEmpty)
  }

  @Test func `a path of several values is refused`() throws {
    var options = JSONReport.Options()
    options.level = JSONPath("$.levels[*]")
    #expect(throws: JSONError.self) { try JSONReport.Builder(options: options) }
  }
}
