import TestSupport
import Testing

@testable import JSONSift
@testable import JSONSiftArrow

private struct InvalidColumns: Error {}

func makeWriter(
  _ columns: [ArrowColumn], maxBatchRows: Int = 65_536, maxBatchBytes: Int = 8 << 20
) throws -> ArrowStreamWriter {
  guard let writer = ArrowStreamWriter(columns, maxBatchRows: maxBatchRows, maxBatchBytes: maxBatchBytes) else {
    throw InvalidColumns()
  }
  return writer
}

@Suite struct ArrowStreamWriterTests {
  private static func stream(
    _ columns: [ArrowColumn], _ rows: [String], maxBatchRows: Int = 65_536, maxBatchBytes: Int = 8 << 20
  ) throws -> (bytes: [UInt8], misses: [ArrowStreamWriter.Miss]) {
    var writer = try makeWriter(columns, maxBatchRows: maxBatchRows, maxBatchBytes: maxBatchBytes)
    var bytes: [UInt8] = []
    var misses: [ArrowStreamWriter.Miss] = []
    for row in rows {
      let record = try JSON(parsing: Array(row.utf8))
      misses += writer.append(columns.map { record[$0.name] })
      bytes += writer.takeBytes()
    }
    writer.finish()
    return (bytes + writer.takeBytes(), misses)
  }

  /// The ends of the messages of a stream, and of the end marker.
  private static func ends(_ stream: [UInt8]) -> [Int] {
    var ends: [Int] = []
    var position = 0
    func number(_ index: Int, _ count: Int) -> Int {
      (0..<count).reduce(0) { $0 | Int(stream[index + $1]) << ($1 * 8) }
    }
    while position + 8 <= stream.count {
      let length = number(position + 4, 4)
      let start = position + 8
      position = start + length
      guard length > 0 else {
        ends.append(position)
        break
      }
      // The body's length is the last field of the message's table.
      let table = start + number(start, 4)
      let fields = table - number(table, 4)
      position += number(table + number(fields + 10, 2), 8)
      ends.append(position)
    }
    return ends
  }

  /// pyarrow, polars and nanoarrow read these bytes as a column `a` with the integer 5.
  @Test func `a stream of one column and one row has these bytes`() throws {
    let (bytes, _) = try Self.stream([ArrowColumn("a", .int64)], [#"{"a":5}"#])
    let hex = bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    #expect(hex == Self.golden)
  }

  private static let golden =
    "ffffffff8800000014000000000000000c0014000600050008000c000c0000000001040014000000000000000000000008000800"
    + "00000400080000000400000001000000180000000000120014001000070006000c0000000800000012000000000002010c000000"
    + "140000001c0000000000000008000c00080007000800000000000001400000000100000061000000ffffffff8800000014000000"
    + "000000000c0016000600050008000c000c0000000003040018000000080000000000000000000a0018000c00080004000a000000"
    + "14000000380000000100000000000000000000000200000000000000000000000000000000000000000000000000000008000000"
    + "000000000000000001000000010000000000000000000000000000000500000000000000ffffffff00000000"

  @Test func `a stream without rows is a schema and the end marker`() throws {
    let (bytes, _) = try Self.stream([ArrowColumn("a", .json)], [])
    #expect(Self.ends(bytes).count == 2)
    #expect(bytes.suffix(8) == [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 0, 0])
  }

  @Test func `until the end, the bytes never end between two messages`() throws {
    var writer = try makeWriter([ArrowColumn("a", .utf8)], maxBatchRows: 2)
    var bytes = writer.takeBytes()
    var sizes = [bytes.count]
    for number in 0..<9 {
      writer.append([JSON(string: "text \(number)")])
      bytes += writer.takeBytes()
      sizes.append(bytes.count)
    }
    writer.finish()
    bytes += writer.takeBytes()
    let ends = Self.ends(bytes)
    #expect(ends.count == 7)
    #expect(ends.last == bytes.count)
    for size in sizes { #expect(ends.contains(size + 8)) }
  }

  @Test func `batches end at the same rows for every division into parts`() throws {
    let columns = [
      ArrowColumn("a", .utf8), ArrowColumn("b", .list(.int64)),
      ArrowColumn("c", .structure([ArrowColumn("x", .bool), ArrowColumn("y", .list(.utf8))])),
      ArrowColumn("d", .dictionary),
      ArrowColumn("e", .decimal(precision: 20, scale: 2)), ArrowColumn("f", .date),
    ]
    var generator = SeededGenerator()
    let rows = (0..<60).map { number -> [String?] in
      [
        "\"\(String(repeating: "x", count: number % 17))\"", number % 3 == 0 ? nil : "[\(number),null,2]",
        number % 5 == 0 ? "null" : "{\"y\":[\"\(number)\",null],\"x\":true}", "\"\(number % 4)\"", "\(number).25",
        "\"2026-01-\(10 + number % 20)\"",
      ]
    }
    func filled(_ range: Range<Int>) -> ArrowRows {
      var part = ArrowRows(columns)
      for row in range {
        for (column, text) in rows[row].enumerated() {
          guard let text else { continue }
          unsafe Array(text.utf8).withUnsafeBytes { _ = unsafe part.append($0, to: column) }
        }
        part.endRow()
      }
      return part
    }
    for (maxRows, maxBytes) in [(7, 1 << 20), (1000, 300), (1000, 1), (1, 1), (13, 900)] {
      var expected: [UInt8]?
      for round in 0..<20 {
        var writer = try makeWriter(columns, maxBatchRows: maxRows, maxBatchBytes: maxBytes)
        var start = 0
        while start < rows.count {
          let end = round == 0 ? start + 1 : Int.random(in: (start + 1)...rows.count, using: &generator)
          let part = filled(start..<end)
          let middle = Int.random(in: 0...part.count, using: &generator)
          writer.append(part, 0..<middle)
          writer.append(part, middle..<part.count)
          start = end
        }
        writer.finish()
        let bytes = writer.takeBytes()
        if let expected { #expect(bytes == expected, "\(generator)") } else { expected = bytes }
      }
    }
  }

  @Test func `a value that misses its type is null, and is returned with its location and text`() throws {
    let type = try #require(ArrowType("list<struct<a:int64>>"))
    let (_, misses) = try Self.stream([ArrowColumn("v", type)], [#"{"v":[{"a":1}, {"a": "x"}, 7]}"#, #"{"v":{}}"#])
    #expect(misses.map(\.path) == ["[1]['a']", "[2]", ""])
    #expect(misses.map(\.byteOffset) == [16, 22, 0])
    #expect(misses.map { String(decoding: $0.text, as: UTF8.self) } == [#""x""#, "7", "{}"])
    #expect(misses.map(\.type.description) == ["int64", "struct<a:int64>", "list<struct<a:int64>>"])
  }

  @Test func `rows that are dropped leave nothing behind`() throws {
    let columns = [ArrowColumn("a", .list(.utf8)), ArrowColumn("b", .decimal(precision: 5, scale: 1))]
    func add(_ texts: [String], to rows: inout ArrowRows) {
      for (column, text) in texts.enumerated() {
        unsafe Array(text.utf8).withUnsafeBytes { _ = unsafe rows.append($0, to: column) }
      }
    }
    var dropped = ArrowRows(columns)
    var plain = ArrowRows(columns)
    for number in 0..<5 {
      add(["[\"\(number)\"]", "\(number).5"], to: &dropped)
      add(["[\"\(number)\"]", "\(number).5"], to: &plain)
      dropped.endRow()
      plain.endRow()
      add(["[\"lost\",1]", "\"miss\""], to: &dropped)
      dropped.dropRow()
    }
    var (bytes, expected) = ([UInt8](), [UInt8]())
    unsafe dropped.borrowBatch { unsafe bytes.append(contentsOf: $0) }
    unsafe plain.borrowBatch { unsafe expected.append(contentsOf: $0) }
    #expect(bytes == expected)
    #expect(dropped.misses.isEmpty)
  }
}

@Suite struct ArrowTypeTests {
  @Test(arguments: [
    "int64", "float64", "bool", "utf8", "json", "timestamp", "timestamp(ms)", "timestamp(ns)", "date", "decimal(38,0)",
    "list<list<bool>>",
    "struct<a:int64,b.c:utf8>", #"struct<"a b":int64,"":list<decimal(3,3)>,"q\"":json>"#, "dictionary<utf8>",
  ])
  func `a type has a text form that is read back`(_ text: String) throws {
    #expect(try #require(ArrowType(text)).description == text)
  }

  @Test(arguments: [
    "", "int", "int64 x", "list", "list<>", "list<int64", "struct<>", "struct<a>", "struct<a:int64,>",
    "struct<a:int64,a:bool>",
    "timestamp(", "timestamp()", "timestamp(s)", "timestamp(ns", "decimal", "decimal(0,0)", "decimal(39,1)",
    "decimal(3,4)", "decimal(3,-1)", "dictionary", "dictionary<int64>",
    String(repeating: "list<", count: 64) + "bool" + String(repeating: ">", count: 64),
    String(repeating: "list<", count: 100_000), #"struct<"a:int64>"#, #"struct<"a\"#,
  ])
  func `a text that is no type is rejected`(_ text: String) { #expect(ArrowType(text) == nil) }
}

@Suite struct ArrowTextTests {
  private func int64(_ text: String) -> Int64? {
    unsafe Array(text.utf8).withUnsafeBytes { unsafe ArrowText.int64($0) }
  }

  private func decimal(_ text: String, _ precision: Int, _ scale: Int) -> Int128? {
    unsafe Array(text.utf8).withUnsafeBytes { unsafe ArrowText.decimal($0, precision, scale) }
  }

  private func microseconds(_ text: String) -> Int64? {
    unsafe Array(text.utf8).withUnsafeBytes { unsafe ArrowText.timestamp($0, .microseconds) }
  }

  private func dayNumber(_ text: String) -> Int32? {
    unsafe Array(text.utf8).withUnsafeBytes { unsafe ArrowText.day($0) }
  }

  /// Returns whether all children are inside the text, and their number; at most 100 are read.
  private func children(_ text: String) -> (areInside: Bool, count: Int) {
    unsafe Array(text.utf8).withUnsafeBytes { bytes in
      var cursor = ArrowChildCursor()
      var (areInside, count) = (true, 0)
      while count < 100, let child = unsafe cursor.next(bytes) {
        areInside = areInside && child.value.upperBound <= bytes.count && (child.key?.upperBound ?? 0) <= bytes.count
        count += 1
      }
      return (areInside, count)
    }
  }

  @Test func `integers are exact or a miss`() {
    let expected: [(String, Int64?)] = [
      ("0", 0), ("-0", 0), ("1.0", 1), ("1e3", 1000), ("10e-1", 1), ("1.5", nil), ("9223372036854775807", .max),
      ("9223372036854775808", nil), ("-9223372036854775808", .min), ("-9223372036854775809", nil),
      ("1e99999999999", nil),
      ("0e99999999999", 0), ("1e-99999999999", nil), ("9.223372036854775807e18", .max),
    ]
    for (text, number) in expected { #expect(int64(text) == number, "\(text)") }
  }

  @Test func `decimals are exact or a miss`() {
    let expected: [(String, Int128?)] = [
      ("1", 100), ("1.25", 125), ("1.255", nil), ("-0.01", -1), ("999.99", 99999), ("1000", nil), ("1e2", 10000),
      ("1e3", nil),
      ("0", 0), ("0e9999999", 0), ("1e-2", 1), ("1e-3", nil), ("1.2500000", 125),
    ]
    for (text, number) in expected { #expect(decimal(text, 5, 2) == number, "\(text)") }
    let largest = String(repeating: "9", count: 38)
    #expect(decimal(largest, 38, 0).map { "\($0)" } == largest)
  }

  @Test func `times are exact to the microsecond or a miss`() {
    let expected: [(String, Int64?)] = [
      ("1970-01-01T00:00:00Z", 0), ("1970-01-01T01:00:00+01:00", 0), ("1969-12-31T23:59:59.999999z", -1),
      ("2000-02-29t12:00:00.5Z", 951_825_600_500_000), ("2026-01-31 23:59:59.123456000Z", 1_769_903_999_123_456),
      ("2026-01-31T23:59:59.1234567Z", nil), ("2026-01-31T23:59:60Z", nil), ("2026-01-31T23:59:59", nil),
      ("2026-02-29T00:00:00Z", nil), ("1970-01-01T00:00:00+24:00", nil), ("1970-01-01T00:00:00.Z", nil),
      ("1970-01-01T00:00:00+01:0", nil), ("0000-03-01T00:00:00Z", -62_162_035_200_000_000), ("", nil), ("Z", nil),
    ]
    for (text, number) in expected {
      #expect(microseconds("\"\(text)\"") == number, "\(text)")
    }
  }

  private func timestamp(_ text: String, _ places: ArrowText.Places) -> Int64? {
    unsafe Array(text.utf8).withUnsafeBytes { unsafe ArrowText.timestamp($0, places) }
  }

  @Test func `issue 48, row 12: times are exact in each unit or a miss`() {
    #expect(ArrowType("timestamp(us)") == .timestamp)
    let time = "\"2026-09-15T10:00:00.123456789Z\""
    #expect(timestamp(time, .nanoseconds) == 1_789_466_400_123_456_789)
    #expect(timestamp(time, .microseconds) == nil)
    #expect(timestamp("\"2026-09-15T10:00:00.123456000Z\"", .microseconds) == 1_789_466_400_123_456)
    #expect(timestamp("\"2026-09-15T10:00:00.120Z\"", .milliseconds) == 1_789_466_400_120)
    #expect(timestamp("\"2026-09-15T10:00:00.1201Z\"", .milliseconds) == nil)
    #expect(timestamp("\"2262-04-11T23:47:16.854775807Z\"", .nanoseconds) == .max)
    #expect(timestamp("\"2262-04-11T23:47:16.854775808Z\"", .nanoseconds) == nil)
    #expect(timestamp("\"9999-12-31T00:00:00Z\"", .nanoseconds) == nil)
    #expect(timestamp("\"2026-09-15 10:00:00,5 +0000\"", .milliseconds) == 1_789_466_400_500)
    #expect(timestamp("\"2026-09-15T10:00:00\"", .milliseconds) == nil)
    let numbers: [(String, JSONTimeUnit, ArrowText.Places, Int64?)] = [
      ("1789466400.123", .seconds, .milliseconds, 1_789_466_400_123),
      ("1789466400123", .milliseconds, .nanoseconds, 1_789_466_400_123_000_000),
      ("1789466400123", .milliseconds, .microseconds, 1_789_466_400_123_000),
      ("1789466400123456789", .nanoseconds, .microseconds, nil),
      ("1e400", .seconds, .nanoseconds, nil), ("-1.5", .seconds, .milliseconds, -1500),
      ("0", .seconds, .nanoseconds, 0),
      ("9999999999999", .seconds, .nanoseconds, nil), ("1e-400", .seconds, .nanoseconds, nil),
    ]
    for (text, unit, places, expected) in numbers {
      let found = unsafe Array(text.utf8).withUnsafeBytes { unsafe ArrowText.timestamp(number: $0, unit, places) }
      #expect(found == expected, "\(text)")
    }
  }

  @Test func `issue 48: a time or a date with an escape is one, and zero keeps its sign`() {
    #expect(microseconds(#""1970-01-01\u005400:00:00\u005A""#) == 0)
    #expect(microseconds(#""1970-01-01\u005500:00:00Z""#) == nil)
    #expect(dayNumber(#""1970\u002d01-02""#) == 1)
    for text in [#""1970\u002d01-0""#, #""1970-01-02\u0020""#, "\"1970-01-0\\\"", "\"\"", "\""] {
      #expect(dayNumber(text) == nil)
    }
    for text in ["-0", "-0.0", "-0e1", "-1e-400", "0", "1e-400"] {
      let double = unsafe Array(text.utf8).withUnsafeBytes { unsafe ArrowText.float64($0) }
      #expect(double == 0 && double?.sign == (text.hasPrefix("-") ? .minus : .plus), "\(text)")
    }
  }

  @Test func `issue 48, row 12: the type of a column holds every time`() {
    func type(_ times: String...) -> ArrowType? {
      var tree = ArrowTypeTree(maxKeys: 10, maxPaths: 10)
      for time in times { unsafe Array("{\"t\":\"\(time)\"}".utf8).withUnsafeBytes { unsafe tree.add($0) } }
      return tree.columns.first?.type
    }
    #expect(type("2026-09-15T10:00:00.123456789Z") == .timestampNanoseconds)
    #expect(type("2026-09-15T10:00:00Z", "2026-09-15T10:00:00.123456789Z") == .timestampNanoseconds)
    #expect(type("2026-09-15T10:00:00Z", "2026-09-15 10:00:00,5+01") == .timestamp)
    #expect(type("9999-09-15T10:00:00Z") == .timestamp)
    #expect(type("9999-09-15T10:00:00Z", "2026-09-15T10:00:00.123456789Z") == .utf8)
    #expect(type("2026-09-15T10:00:00.1234567891Z") == .utf8)
  }

  @Test func `every day from year 0 to 9999 has the number after the day before`() {
    var expected: Int32 = -719_528
    for year in 0...9999 {
      for month in 1...12 {
        for day in 1...31 {
          let text =
            "\""
            + [(year, 4), (month, 2), (day, 2)].map { number, width in
              String(repeating: "0", count: width - "\(number)".count) + "\(number)"
            }.joined(separator: "-") + "\""
          guard let found = dayNumber(text) else { continue }
          #expect(found == expected, "\(text)")
          expected += 1
        }
      }
    }
    #expect(expected == 2_932_897)
  }

  @Test func `a text that is not valid JSON has children inside its bounds`() {
    for text in ["[", "{", "[\"", "{\"a", "{\"a\":", "[1,\\", "{\"\\", "[[[", "[}", "{]", "{,:,}", "[\"\\"] {
      let found = children(text)
      #expect(found.areInside && found.count < 100, "\(text)")
    }
  }
}
