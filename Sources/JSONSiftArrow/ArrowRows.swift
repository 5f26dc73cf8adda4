import JSONSift

/// Rows of columns, before they become a batch of a stream.
///
/// Workers fill rows of their own. ``ArrowStreamWriter`` copies them into its batches, so that batches do not depend on how the
/// input was divided among the workers.
package struct ArrowRows: Sendable {
  private(set) var columns: [ArrowColumnData]
  /// The number of complete rows.
  package private(set) var count = 0
  /// An upper bound of the size in bytes, apart from misses.
  package private(set) var byteCount = 0
  /// The values that did not have the type of their column, in the order of the rows, each with the row.
  package private(set) var misses: [(row: Int, miss: ArrowStreamWriter.Miss)] = []
  /// The misses in the current row.
  package private(set) var openMisses: [ArrowStreamWriter.Miss] = []
  private var completeBytes = 0

  /// - Parameter numberUnit: The unit of numbers in columns of timestamps; `nil` if a number is a miss there.
  package init(_ columns: [ArrowColumn], numbersIn numberUnit: JSONTimeUnit? = nil) {
    self.columns = columns.map { ArrowColumnData($0.type, numbersIn: numberUnit) }
  }

  /// Creates empty rows with the same columns, and room for as many values.
  package init(like other: borrowing ArrowRows) {
    columns = other.columns
    for index in columns.indices { columns[index].removeAll() }
  }

  /// Sets the value of a column in the current row.
  ///
  /// - Parameters:
  ///   - text: The text of a JSON value, without white space around it.
  ///   - column: The index of the column. A second value for it is ignored.
  /// - Returns: Whether the value, or a value in it, did not have its type.
  package mutating func append(_ text: UnsafeRawBufferPointer, to column: Int) -> Bool {
    guard columns[column].count == count else { return false }
    let known = openMisses.count
    unsafe columns[column].append(text, &openMisses)
    return endValue(of: text.count, in: column, misses: known)
  }

  /// Appends an element to the list of a column in the current row, which ``endList(in:)`` ends.
  package mutating func append(element text: UnsafeRawBufferPointer, to column: Int) -> Bool {
    let known = openMisses.count
    unsafe columns[column].append(element: text, &openMisses)
    return endValue(of: text.count, in: column, misses: known)
  }

  /// Counts the bytes of a value. Returns whether it has added misses to those before, which then get their column.
  @inline(__always)
  private mutating func endValue(of bytes: Int, in column: Int, misses known: Int) -> Bool {
    byteCount &+= bytes &+ 32
    guard openMisses.count > known else { return false }
    for index in known..<openMisses.count { openMisses[index].column = column }
    return true
  }

  /// Sets a column of the current row to null, and adds a miss for the text.
  package mutating func appendMiss(_ text: UnsafeRawBufferPointer, to column: Int) {
    guard columns[column].count == count else { return }
    var miss = unsafe ArrowStreamWriter.Miss(columns[column].type, text)
    miss.column = column
    openMisses.append(miss)
    columns[column].appendNull()
  }

  /// The maximum length of the texts of a column's value.
  package static var maxTextBytes: Int { ArrowColumnData.maxTextBytes }

  /// The number of misses in the current row.
  package var missCount: Int { openMisses.count }

  /// Ends a list in the current row.
  package mutating func endList(in column: Int) { columns[column].endList() }

  /// Ends the current row. Columns without a value have null.
  ///
  /// - Returns: The misses of the row. ``misses`` contains them, too.
  @discardableResult
  package mutating func endRow() -> ArraySlice<(row: Int, miss: ArrowStreamWriter.Miss)> {
    for index in columns.indices where columns[index].count == count { columns[index].appendNull() }
    let known = misses.count
    if !openMisses.isEmpty {
      for miss in openMisses {
        misses.append((count, miss))
        byteCount &+= miss.text.count &+ 128
      }
      openMisses.removeAll()
    }
    byteCount &+= columns.count &* 17
    completeBytes = byteCount
    count += 1
    return misses[known...]
  }

  /// Appends rows with the values of the first columns. The current row must be empty.
  ///
  /// - Parameters:
  ///   - borrowed: The texts of the values.
  ///   - note: Called for each row that has misses, with its number in `borrowed` and these misses, which are also added to
  ///     ``misses``. Returns the value of the last column, as JSON, if there is one more column than in `borrowed`.
  package mutating func append(
    _ borrowed: borrowing BorrowedColumns,
    note: (_ row: Int, _ misses: ArraySlice<(row: Int, miss: ArrowStreamWriter.Miss)>) -> [UInt8]?
  ) {
    let new = appendValues(borrowed)
    var rest = new[...]
    if borrowed.columnCount < columns.count {
      let last = borrowed.columnCount
      for row in 0..<borrowed.rowCount {
        let ofRow = rest.prefix { $0.row == row }
        rest = rest.dropFirst(ofRow.count)
        if !ofRow.isEmpty, let text = note(row, ofRow) {
          unsafe text.withUnsafeBytes { unsafe columns[last].append($0, &openMisses) }
          byteCount &+= text.count
        } else {
          columns[last].appendNull()
        }
      }
    } else {
      while let row = rest.first?.row {
        let ofRow = rest.prefix { $0.row == row }
        rest = rest.dropFirst(ofRow.count)
        _ = note(row, ofRow)
      }
    }
    for (row, miss) in new {
      misses.append((count + row, miss))
      byteCount &+= miss.text.count &+ 128
    }
    byteCount &+= borrowed.textBytes &+ borrowed.rowCount &* columns.count &* 49
    completeBytes = byteCount
    count += borrowed.rowCount
  }

  /// Returns the misses in the order of rows and columns.
  private mutating func appendValues(
    _ borrowed: borrowing BorrowedColumns
  ) -> [(row: Int, miss: ArrowStreamWriter.Miss)] {
    var new: [(row: Int, miss: ArrowStreamWriter.Miss)] = []
    for column in 0..<borrowed.columnCount {
      let known = new.count
      columns[column].append(borrowed, column: column, &new)
      for index in known..<new.count { new[index].miss.column = column }
    }
    guard !new.isEmpty else { return [] }
    // A stable sort by row: the misses are in the order of columns, and in each column in the order of rows.
    return new.enumerated().sorted { ($0.element.row, $0.offset) < ($1.element.row, $1.offset) }.map(\.element)
  }

  /// Removes the values of the current row after an error.
  package mutating func dropRow() {
    for index in columns.indices { columns[index].truncate(to: count) }
    openMisses.removeAll()
    byteCount = completeBytes
  }

  /// Appends a range of the rows of other rows with the same columns, without their misses.
  mutating func append(_ other: borrowing ArrowRows, _ range: Range<Int>) {
    for index in columns.indices { columns[index].append(other.columns[index], range) }
    count += range.count
  }

  mutating func removeAll() {
    for index in columns.indices { columns[index].removeAll() }
    count = 0
    byteCount = 0
    completeBytes = 0
    misses.removeAll()
  }

  /// The size of the first rows in bytes.
  func byteCount(ofFirst count: Int) -> Int { columns.reduce(0) { $0 + $1.byteCount(ofFirst: count) } }

  /// Passes the messages of a batch with these rows, in several chunks.
  func borrowBatch(_ body: (UnsafeRawBufferPointer) -> Void) {
    var batch = ArrowMessages.Body()
    var dictionaries: [UInt8] = []
    var number = 0
    for column in columns { column.write(to: &batch, &dictionaries, &number) }
    if !dictionaries.isEmpty { unsafe dictionaries.withUnsafeBytes(body) }
    unsafe ArrowMessages.borrow(batch: batch, rows: count, body)
  }
}
