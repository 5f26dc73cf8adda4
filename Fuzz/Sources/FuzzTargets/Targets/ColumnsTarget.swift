import JSONSift
import JSONSiftArrow

extension FuzzTarget {
  /// Compares the columns of lines whose texts are passed, many records at once, with those of each record as a value: the
  /// bytes of the stream, the values that do not have the types of their columns, and their locations. Whether a value has
  /// its type is compared with the accessors of the value. The lines occur several times, because the forms of lines are
  /// remembered.
  static let columns = FuzzTarget(name: "columns") { (bytes) throws(Difference) in
    var input = FuzzInput(bytes)
    var options = JSONRecordOptions(framing: .lines, reading: input.options())
    options.recovery = .skip
    let choices = input.choices(4)
    let size = input.choice()
    let copies = 1 + input.choice() % 4
    let columns = choices.enumerated().prefix(1 + choices[0] % 4).map { number, choice in
      Column(name: "\(number)", path: paths[choice % paths.count], type: types[choice / 16 % types.count])
    }
    let line = input.text
    let text = Array(repeatElement(line + [0x0A], count: copies).joined())
    guard let expected = columnsOfValues(text, options, columns) else { return }
    let found = try borrowedColumns(source(text, size), options, columns)
    try expectEqual("the stream of borrowed columns", found.stream, expected.stream)
    try expectEqual("the values of other types in borrowed columns", found.misses, expected.misses)
    try expect(expected.wrong == nil, "a value has a type as its accessor says", expected.wrong ?? "")
  }
}

private struct Column {
  let name: String
  let path: String
  let type: String
}

private let paths = ["$.a", "$.b", "$.c", "$.a.b", "$.b.a", "$.user.id", "$.level", "$.a.c", "$.x", "$.d"]

private let types = [
  "int64", "float64", "utf8", "json", "bool", "timestamp", "date", "decimal(9,2)", "list<int64>",
  "struct<a:utf8,b:json>",
  "dictionary<utf8>", "list<struct<a:int64>>",
]

private struct Columns: Equatable {
  var stream: [UInt8] = []
  /// By value: its row, line and offset, and the miss.
  var misses: [String] = []
  /// A value for which its accessor says something else.
  var wrong: String?

  mutating func add(_ miss: ArrowStreamWriter.Miss, row: Int, line: Int, byteOffset: Int) {
    misses.append("\(row) \(line) \(byteOffset + miss.byteOffset) \(miss.column) \(miss.path) \(miss.text)")
  }
}

private func arrowColumns(_ columns: [Column]) -> [ArrowColumn] {
  columns.map { ArrowColumn($0.name, ArrowType($0.type) ?? .json) }
}

/// Returns the columns of records that are read as values; `nil` if reading them failed.
private func columnsOfValues(_ text: [UInt8], _ options: JSONRecordOptions, _ columns: [Column]) -> Columns? {
  var found = Columns()
  do throws(JSONError) {
    guard var writer = ArrowStreamWriter(arrowColumns(columns)) else { return nil }
    let queries = try columns.map { column throws(JSONError) in try JSONPath(column.path) }
    var reader = try JSONRecordReader(.bytes(text), options: options)
    while let record = try reader.next() {
      let answers = PathEvaluations(of: record.value, count: queries.count, limits: JSONLimits())
      let values = try queries.map { query throws(JSONError) in try answers.value(ofSingular: query) }
      let misses = writer.append(values)
      for miss in misses {
        let start = values[miss.column]?.byteRange?.lowerBound ?? 0
        found.add(miss, row: writer.rowCount - 1, line: record.line, byteOffset: start)
      }
      for (number, value) in values.enumerated() {
        guard let value, let has = hasType(value, columns[number].type) else { continue }
        if has == misses.contains(where: { $0.column == number }) { found.wrong = "\(columns[number]) \(value)" }
      }
    }
    writer.finish()
    found.stream = writer.takeBytes()
    return found
  } catch {
    return nil
  }
}

/// Returns whether a value has a type, or is null; `nil` for types without an accessor.
private func hasType(_ value: JSON, _ type: String) -> Bool? {
  if value.type == .null { return true }
  switch type {
  case "int64": return value.type == .number && value.exactly(Int64.self) != nil
  case "float64": return value.type == .number && value.doubleValue.isFinite
  case "utf8", "dictionary<utf8>": return value.type == .string
  case "bool": return value.type == .bool
  case "json": return true
  default: return nil
  }
}

/// Returns the columns of the same records from texts that are passed, where that is possible.
private func borrowedColumns(
  _ source: JSONSource, _ options: JSONRecordOptions, _ columns: [Column]
) throws(Difference) -> Columns {
  var found = Columns()
  do throws(JSONError) {
    let arrow = arrowColumns(columns)
    guard var writer = ArrowStreamWriter(arrow) else { return found }
    let queries = try columns.map { column throws(JSONError) in try JSONPath(column.path) }
    var reader = try JSONRecordReader(source, options: options)
    try reader.keep(only: queries)
    while true {
      var rows = ArrowRows(arrow)
      let first = writer.rowCount
      let count = reader.borrowColumns { borrowed in
        rows.append(borrowed) { row, misses in
          for (_, miss) in misses {
            let place = borrowed.location(column: miss.column, row: row)
            found.add(miss, row: first + row, line: place.line, byteOffset: place.byteOffset)
          }
          return nil
        }
      }
      if count == 0 {
        guard let record = try reader.next() else { break }
        let answers = PathEvaluations(of: record.value, count: queries.count, limits: JSONLimits())
        var starts: [Int] = []
        for (number, query) in queries.enumerated() {
          let value = try answers.value(ofSingular: query)
          starts.append(value?.byteRange?.lowerBound ?? 0)
          if let value { unsafe value.borrowRawBytes { _ = unsafe rows.append($0, to: number) } }
        }
        for (_, miss) in rows.endRow() {
          found.add(miss, row: first, line: record.line, byteOffset: starts[miss.column])
        }
      }
      writer.append(rows, 0..<rows.count)
    }
    writer.finish()
    found.stream = writer.takeBytes()
    return found
  } catch {
    throw Difference("borrowed columns of readable text", error, "")
  }
}
