import JSONSift
import JSONSiftAnalysis
import JSONSiftArrow

/// The columns that are read from each record.
struct ColumnQuery: Sendable {
  let columns: [NamedPath]
  let types: [ArrowType]
  let limits: JSONLimits
  /// The name of the column of bad records, after the others; `nil` if they are not rows.
  let rejectsInline: String?
  /// The unit of numbers in columns of timestamps; `nil` if a number is not a time there.
  let numberUnit: JSONTimeUnit?

  /// The columns of the Arrow stream.
  var arrowColumns: [ArrowColumn] {
    zip(columns, types).map { ArrowColumn($0.name, $1) } + (rejectsInline.map { [ArrowColumn($0, .json)] } ?? [])
  }

  /// Returns the members of an object that describes a value that does not have the type of its column.
  func members(of miss: ArrowStreamWriter.Miss, at byteOffset: Int) -> [(String, Cell)] {
    let column = columns[miss.column]
    return [
      ("offset", Cell(byteOffset)), ("length", Cell(miss.length)), ("error", .text("expected \(miss.type)")),
      ("column", .text(column.name)), ("path", .text(column.path.description + miss.path)),
      // A text that is cut may end inside a character.
      ("raw", .text(String(decoding: miss.text, as: UTF8.self))),
      ("truncated", miss.text.count < miss.length ? .json(Array("true".utf8)) : .absent),
    ]
  }
}

/// Rows of typed columns of several records.
struct CollectedColumns: Sendable {
  /// The location of a value that does not have the type of its column.
  struct Location: Sendable {
    let line: Int?
    let byteOffset: Int
  }

  var rows: ArrowRows
  /// By miss.
  var locations: [Location] = []
}

/// Collects the columns of records.
struct ColumnCollector: RowCollector {
  private let query: ColumnQuery
  private var collected: CollectedColumns
  var hasBorrowed = false
  var elements: ElementRows?

  private static let maxBytes = 1 << 20
  /// The maximum number of misses that the object of one row describes. A list can have any number of wrong elements.
  private static let maxInlineMisses = 100

  init(_ query: ColumnQuery) {
    self.query = query
    collected = CollectedColumns(rows: ArrowRows(query.arrowColumns, numbersIn: query.numberUnit))
  }

  var limits: JSONLimits { query.limits }

  mutating func addBorrowed(from matches: inout JSONMatches) -> Bool {
    // Borrowed text is copied as it is.
    if unsafe SurrogatePolicy.replacesInOutput { return false }
    var isBorrowed = false
    while collected.rows.byteCount < Self.maxBytes {
      let count = matches.borrowColumns { [query] borrowed in Self.add(borrowed, to: &collected, query) }
      guard count > 0 else { break }
      isBorrowed = true
    }
    return isBorrowed
  }

  private static func add(
    _ borrowed: borrowing BorrowedColumns, to collected: inout CollectedColumns, _ query: ColumnQuery
  ) {
    var locations: [CollectedColumns.Location] = []
    collected.rows.append(borrowed) { row, misses in
      let known = locations.count
      for (_, miss) in misses {
        let location = borrowed.location(column: miss.column, row: row)
        locations.append(.init(line: location.line, byteOffset: location.byteOffset + miss.byteOffset))
      }
      return query.rejectsInline == nil ? nil : text(of: misses.map { $0.miss }, locations[known...], query)
    }
    collected.locations += locations
  }

  mutating func add(_ found: Found) throws(JSONError) {
    var offsets = query.columns.map { _ in [Int]() }
    do throws(JSONError) {
      let questions = PathEvaluations(of: found.value, count: query.columns.count, limits: query.limits)
      for (index, column) in query.columns.enumerated() {
        if column.path.isSingular {
          guard let value = try questions.value(ofSingular: column.path) else { continue }
          offsets[index] = append(value, to: index)
        } else {
          offsets[index] = append(try questions.values(column.path), of: found, to: index)
        }
      }
    } catch {
      collected.rows.dropRow()
      throw error
    }
    var next = offsets.map { _ in 0 }
    for miss in collected.rows.openMisses {
      let known = offsets[miss.column]
      let offset = known.isEmpty ? found.byteOffset : known[min(next[miss.column], known.count - 1)]
      next[miss.column] += 1
      collected.locations.append(.init(line: found.line, byteOffset: offset + miss.byteOffset))
    }
    endRow()
  }

  /// Ends the current row. The locations of its misses have been added.
  private mutating func endRow() {
    let misses = collected.rows.openMisses
    if query.rejectsInline != nil, !misses.isEmpty {
      let text = Self.text(of: misses, collected.locations.suffix(misses.count), query)
      unsafe text.withUnsafeBytes { _ = unsafe collected.rows.append($0, to: query.columns.count) }
    }
    collected.rows.endRow()
  }

  /// Returns the text of an object that describes the misses of a row.
  private static func text(
    of misses: [ArrowStreamWriter.Miss], _ locations: ArraySlice<CollectedColumns.Location>, _ query: ColumnQuery
  ) -> [UInt8] {
    var text = Array("{\"misses\":[".utf8)
    for (index, (miss, location)) in zip(misses, locations).prefix(maxInlineMisses).enumerated() {
      if index > 0 { text.append(UInt8(ascii: ",")) }
      text.append(object: query.members(of: miss, at: location.byteOffset))
    }
    text.append(UInt8(ascii: "]"))
    let left = misses.count - maxInlineMisses
    if left > 0 { text += ",\"more\":\(left)".utf8 }
    text.append(UInt8(ascii: "}"))
    return text
  }

  mutating func append(_ bad: JSONBadRecord, of file: InputFile, into open: OpenBatch) {
    let text = JSONRejectWriter.object(bad)
    unsafe text.withUnsafeBytes { _ = unsafe collected.rows.append($0, to: query.columns.count) }
    collected.rows.endRow()
    open.batch.count += 1
  }

  /// Returns the offset of the text to which the offsets of misses are relative.
  private mutating func append(_ value: JSON, to column: Int) -> [Int] {
    unsafe value.borrowOutput { _ = unsafe collected.rows.append($0, to: column) }
    return value.byteRange.map { [$0.lowerBound] } ?? []
  }

  /// Appends the matches of a path that can have several: as a list, or as a JSON array. Returns for each miss the offset
  /// of the text to which its own offset is relative.
  private mutating func append(_ values: [JSON], of found: Found, to column: Int) -> [Int] {
    let size = values.reduce(2) { $0 + ($1.byteRange?.count ?? 0) + 1 }
    guard size <= ArrowRows.maxTextBytes else {
      unsafe found.value.borrowRawBytes { unsafe collected.rows.appendMiss($0, to: column) }
      return []
    }
    guard case .list = query.types[column] else {
      var text: [UInt8] = []
      text.append(list: values)
      unsafe text.withUnsafeBytes { _ = unsafe collected.rows.append($0, to: column) }
      return []
    }
    var offsets: [Int] = []
    for value in values {
      let known = collected.rows.missCount
      unsafe value.borrowOutput { _ = unsafe collected.rows.append(element: $0, to: column) }
      for _ in known..<collected.rows.missCount { offsets.append(value.byteRange?.lowerBound ?? found.byteOffset) }
    }
    collected.rows.endList(in: column)
    return offsets
  }

  /// Whether the rows are to be passed on.
  var isFull: Bool { hasBorrowed || collected.rows.byteCount >= Self.maxBytes }

  var count: Int { collected.rows.count }

  mutating func gather(from input: OpenInput<JSONMatches>, into open: OpenBatch) {
    hasBorrowed = false
    guard collected.rows.count > 0 else { return }
    var next = CollectedColumns(rows: ArrowRows(like: collected.rows))
    swap(&next, &collected)
    open.batch.columns = next
  }
}
