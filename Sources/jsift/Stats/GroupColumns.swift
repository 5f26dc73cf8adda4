import JSONSiftAnalysis

/// The columns of a group with `--of` and `--distinct`, after the values that records are grouped by.
///
/// Rows of numbers and rows of distinct values share the columns `count` and `absent`. In a row of one kind, the other
/// columns of the other kind are absent.
struct GroupColumns {
  let names: [String]
  /// For each column its index among the columns of numbers and of distinct values; `nil` if they do not have it.
  private let numberIndexes: [Int?]
  private let distinctIndexes: [Int?]

  init(hasNumbers: Bool, hasDistinct: Bool) {
    let numbers = hasNumbers ? NumberSummary.names : []
    let distinct = hasDistinct ? DistinctCount.names : []
    // Results come before `absent`; `wrong` and `distinctError` follow it. In each batch the columns of numbers come first.
    let numbersEnd = numbers.firstIndex(of: "absent") ?? numbers.endIndex
    let distinctEnd = distinct.firstIndex(of: "absent") ?? distinct.endIndex
    var names: [String] = []
    for batch in [numbers[..<numbersEnd], distinct[..<distinctEnd], numbers[numbersEnd...], distinct[distinctEnd...]] {
      for name in batch where !names.contains(name) { names.append(name) }
    }
    self.names = names
    numberIndexes = names.map { numbers.firstIndex(of: $0) }
    distinctIndexes = names.map { distinct.firstIndex(of: $0) }
  }

  /// Returns the row of numbers.
  func cells(of numbers: NumberSummary) -> [Cell] { Self.cells(numbers.columns, numberIndexes) }

  /// Returns the row of distinct values of a group.
  ///
  /// - Parameter count: The number of records of the group.
  func cells(of distinct: DistinctCount, ofRecords count: Int) -> [Cell] {
    Self.cells(distinct.columns(ofRecords: count), distinctIndexes)
  }

  private static func cells(_ columns: [(name: String, text: String?)], _ indexes: [Int?]) -> [Cell] {
    indexes.map { $0.flatMap { columns[$0].text }.map { .json(Array($0.utf8)) } ?? .absent }
  }
}
