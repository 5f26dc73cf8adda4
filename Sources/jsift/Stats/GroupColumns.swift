/// The columns of a group with `--of` and `--distinct`, after the values that records are grouped by.
///
/// Rows of numbers and rows of distinct values share the columns `count` and `absent`. In a row of one kind, the other
/// columns of the other kind are absent.
struct GroupColumns {
  let hasNumbers: Bool
  let hasDistinct: Bool

  var names: [String] {
    guard hasDistinct else { return NumberSummary.names }
    guard hasNumbers else { return DistinctCount.names }
    return Array(NumberSummary.names.dropLast(2)) + ["distinct", "absent", "wrong", "distinctError"]
  }

  /// Returns the row of numbers.
  func cells(of numbers: NumberSummary) -> [Cell] {
    let cells = numbers.cells
    guard hasDistinct else { return cells }
    return Array(cells.dropLast(2)) + [.absent] + Array(cells.suffix(2)) + [.absent]
  }

  /// Returns the row of distinct values of a group.
  ///
  /// - Parameter count: The number of records of the group.
  func cells(of distinct: DistinctCount, ofRecords count: Int) -> [Cell] {
    let cells = distinct.cells(ofRecords: count)
    guard hasNumbers else { return cells }
    let absent = Array(repeating: Cell.absent, count: NumberSummary.names.count - 3)
    return Array(cells.prefix(1)) + absent + Array(cells[1...2]) + [.absent] + Array(cells.suffix(1))
  }
}
