import TestSupport
import Testing

@testable import JSONSift
@testable import JSONSiftArrow

/// Columns of lines whose texts are passed, many records at once, beside those of each record as a value.
@Suite struct BorrowedColumnsTests {
  private struct Columns: Equatable {
    var stream: [UInt8] = []
    /// By value of another type: row, line, offset, column, and location and text in it.
    var misses: [String] = []

    mutating func add(_ miss: ArrowStreamWriter.Miss, row: Int, line: Int, byteOffset: Int) {
      misses.append(
        "\(row) \(line) \(byteOffset + miss.byteOffset) \(miss.column) \(miss.path) \(String(decoding: miss.text, as: UTF8.self))"
      )
    }
  }

  private struct Column {
    let path: JSONPath
    let type: ArrowType

    init(_ path: String, _ type: String) throws {
      self.path = try JSONPath(path)
      self.type = try #require(ArrowType(type))
    }
  }

  private static func writer(_ columns: [Column]) throws -> ArrowStreamWriter {
    try makeWriter(columns.enumerated().map { ArrowColumn("\($0)", $1.type) }, maxBatchRows: 50)
  }

  private static func selected(in record: JSONRecord, _ columns: [Column]) throws -> [JSON?] {
    let answers = PathEvaluations(of: record.value, count: columns.count, limits: JSONLimits())
    return try columns.map { try answers.value(ofSingular: $0.path) }
  }

  /// Columns of records that are read as values.
  private static func ofValues(_ text: [UInt8], _ columns: [Column], where condition: String?) throws -> Columns {
    var found = Columns()
    var writer = try writer(columns)
    let condition = try condition.map { try JSONCondition($0) }
    var reader = try JSONRecordReader(.bytes(text), options: JSONRecordOptions(framing: .lines))
    while let record = try reader.next() {
      if let condition, try !condition.holds(for: record.value) { continue }
      let values = try selected(in: record, columns)
      for miss in writer.append(values) {
        let start = values[miss.column]?.byteRange?.lowerBound ?? 0
        found.add(miss, row: writer.rowCount - 1, line: record.line, byteOffset: start)
      }
    }
    writer.finish()
    found.stream = writer.takeBytes()
    return found
  }

  /// The same of texts that are passed; `borrowed` counts the records of which no value was made.
  private static func ofTexts(
    _ text: [UInt8], _ columns: [Column], size: Int?, where condition: String?, borrowed: inout Int
  ) throws -> Columns {
    var found = Columns()
    var writer = try writer(columns)
    let options = JSONRecordOptions(framing: .lines)
    var matches = try JSONMatches(
      of: [("", "$")], where: try JSONCondition(condition ?? "@ != null"), in: .chunks(Chunks(text, size: size)),
      records: options, keepsDocument: false, resumingAt: nil, keeping: columns.map(\.path))
    var reader = try JSONRecordReader(.chunks(Chunks(text, size: size)), options: options)
    try reader.keep(only: columns.map(\.path))
    while true {
      var rows = ArrowRows(writer.columns)
      let first = writer.rowCount
      let add = { (columns: borrowing BorrowedColumns) in
        rows.append(columns) { row, misses in
          for (_, miss) in misses {
            let place = columns.location(column: miss.column, row: row)
            found.add(miss, row: first + row, line: place.line, byteOffset: place.byteOffset)
          }
          return nil
        }
      }
      let count = condition == nil ? reader.borrowColumns(add) : matches.borrowColumns(add)
      borrowed += count
      if count == 0 {
        guard let record = try condition == nil ? reader.next() : next(&matches) else { break }
        let values = try selected(in: record, columns)
        for (number, value) in values.enumerated() {
          if let value { unsafe value.borrowRawBytes { _ = unsafe rows.append($0, to: number) } }
        }
        for (_, miss) in rows.endRow() {
          let start = values[miss.column]?.byteRange?.lowerBound ?? 0
          found.add(miss, row: first, line: record.line, byteOffset: start)
        }
      }
      var bytes: [UInt8] = []
      unsafe writer.append(rows, 0..<rows.count) { unsafe bytes.append(contentsOf: $0) }
      found.stream += bytes + writer.takeBytes()
    }
    writer.finish()
    found.stream += writer.takeBytes()
    return found
  }

  private static func next(_ matches: inout JSONMatches) throws -> JSONRecord? {
    guard let match = try matches.next() else { return nil }
    return JSONRecord(value: match.value, line: matches.recordLine ?? 0)
  }

  private static func expectSame(
    _ text: [UInt8], _ columns: [Column], sizes: [Int?]? = nil, where condition: String? = nil,
    _ comment: String
  ) throws -> Int {
    let expected = try ofValues(text, columns, where: condition)
    var borrowed = 0
    let difference = try differenceOverEveryChunking(of: text, sizes: sizes) { size in
      let found = try ofTexts(text, columns, size: size, where: condition, borrowed: &borrowed)
      #expect(found.misses == expected.misses, "\(comment), chunks of \(size ?? 0)")
      #expect(found.stream == expected.stream, "\(comment), chunks of \(size ?? 0)")
      return found == expected
    }
    #expect(difference == nil, "\(comment)")
    return borrowed
  }

  private static let columns: [(path: String, types: [String])] = [
    ("$.time", ["timestamp", "utf8"]), ("$.level", ["utf8", "json", "dictionary<utf8>", "int64"]),
    ("$.user.id", ["int64", "float64", "decimal(10,2)"]), ("$.user.name", ["utf8", "json"]),
    ("$.ms", ["float64", "int64"]), ("$.tags", ["list<utf8>", "json"]), ("$.ok", ["bool"]),
    ("$.day", ["date"]), ("$.size", ["struct<w:int64,h:utf8>", "json"]), ("$.level", ["utf8"]),
  ]

  /// Lines of few forms, some with other members, other types, escaped keys or white space.
  private static func lines(_ count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
    func pick(_ texts: [String]) -> String { texts.randomElement(using: &generator) ?? "" }
    func text() -> String {
      let length = [0, 3, 15, 16, 17, 40, 63, 64, 100].randomElement(using: &generator) ?? 0
      let letters = (0..<length).map { _ in
        pick(["a", "b", "é", "€", " ", ",", "}", "]", ":", "\\n", "\\\"", "\\\\", "\\u00e9"])
      }
      return "\"" + (Bool.random(using: &generator) ? letters.joined() : String(repeating: "x", count: length)) + "\""
    }
    let numbers = ["0", "-1", "12.5", "1e3", "-0", "9223372036854775807", "9223372036854775808", "0.1", "1e400"]
    let times = [
      "\"2026-01-31T23:59:59.25Z\"", "\"2026-01-31T00:00:00+01:00\"", "\"2026-02-30T00:00:00Z\"", "\"2026-01-31\"",
      "\"2026-02-01T10:20:30.123456Z\"", "\"2026-02-01T10:20:3:Z\"", "\"1969-12-31T23:59:59Z\"",
    ]
    var lines = ""
    for _ in 0..<count {
      var members = [
        "\"time\":\(pick(times))", "\"level\":\(text())",
        "\"user\":{\"id\":\(pick(numbers)),\"name\":\(text())}", "\"ms\":\(pick(numbers))",
        "\"tags\":[\(text()),\(pick(numbers))]", "\"ok\":\(pick(["true", "false", "null", "1"]))",
        "\"day\":\(pick(times))", "\"size\":{\"w\":\(pick(numbers)),\"h\":\(text())}",
      ]
      switch Int.random(in: 0..<12, using: &generator) {
      case 0: members.remove(at: Int.random(in: 0..<members.count, using: &generator))
      case 1: members.shuffle(using: &generator)
      case 2: members.append("\"level\":1")
      case 3: members.insert("\"l\\u0065vel\":\"escaped\"", at: 0)
      case 4: members[2] = "\"user\":\(pick(["null", "[]", "{}", "7", "{\"name\":\"n\",\"id\":{}}"]))"
      case 5: members.insert("\"other\":[{\"level\":{\"id\":\(text())}}]", at: 1)
      default: break
      }
      lines +=
        "{" + members.joined(separator: pick([",", ",", ",", ", "])) + "}" + pick(["\n", "\n", "\n", " \r\n", "\n\n"])
    }
    return Array(lines.utf8)
  }

  @Test func `columns of borrowed texts are those of values, for every chunking`() throws {
    var generator = SeededGenerator()
    var borrowed = 0
    for round in 0..<(isDebug ? 6 : 40) {
      let chosen = Self.columns.shuffled(using: &generator).prefix(1 + round % 7)
      let columns = try chosen.map { try Column($0.path, $0.types.randomElement(using: &generator) ?? "json") }
      let text = Self.lines([1, 20, 300][round % 3], &generator)
      let condition: String? = round % 4 == 3 ? "@.ms > 0" : nil
      let sizes: [Int?]? = text.count > 20_000 ? [4096, 65536, nil] : [7, 64, 4096, nil]
      borrowed += try Self.expectSame(text, columns, sizes: sizes, where: condition, "\(generator), round \(round)")
    }
    // Few lines of many forms may all be read as values; many lines are not.
    #expect(borrowed > 0, "\(generator)")
  }

  @Test func `values of many megabytes are those of the records, too`() throws {
    let long = String(repeating: "long text, ", count: 300_000)
    let lines = [
      #"{"a":"short","b":[1]}"#, #"{"a":"\#(long)\n","b":["\#(long)"]}"#, #"{"a":"short","b":[2]}"#, "",
    ]
    let text = Array(lines.joined(separator: "\n").utf8)
    for type in ["list<utf8>", "json"] {
      let columns = [try Column("$.a", "utf8"), try Column("$.b", type)]
      _ = try Self.expectSame(text, columns, sizes: [1 << 16, nil], "\(type)")
    }
  }

  @Test func `bytes that are passed in chunks are those that are taken`() throws {
    var generator = SeededGenerator()
    let columns = [ArrowColumn("a", .utf8), ArrowColumn("b", .dictionary), ArrowColumn("c", .bool)]
    for _ in 0..<50 {
      var taking = try makeWriter(columns, maxBatchRows: 9)
      var lending = try makeWriter(columns, maxBatchRows: 9)
      var (taken, borrowed) = ([UInt8](), [UInt8]())
      for _ in 0..<Int.random(in: 0..<12, using: &generator) {
        var rows = ArrowRows(columns)
        for number in 0..<Int.random(in: 0..<25, using: &generator) {
          unsafe Array("\"\(number)\"".utf8).withUnsafeBytes { _ = unsafe rows.append($0, to: number % 2) }
          rows.endRow()
        }
        taking.append(rows, 0..<rows.count)
        if Bool.random(using: &generator) { taken += taking.takeBytes() }
        unsafe lending.append(rows, 0..<rows.count) { unsafe borrowed.append(contentsOf: $0) }
        if Bool.random(using: &generator) { borrowed += lending.takeBytes() }
        #expect(lending.rowCount == taking.rowCount)
      }
      taking.finish()
      lending.finish()
      #expect(borrowed + lending.takeBytes() == taken + taking.takeBytes(), "\(generator)")
    }
  }
}
