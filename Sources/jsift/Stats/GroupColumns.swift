import JSONSiftAnalysis

/// The columns of a group with `--of` and `--distinct`, after the values that records are grouped by.
///
/// Rows of numbers and rows of distinct values share the columns `count` and `absent`. In a row of one kind, the other
/// columns of the other kind are absent.
struct GroupColumns {
  let names: [String]

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
  }

  /// Returns the cells of a row, which has some of the columns.
  func cells(of columns: [(name: String, text: String?)]) -> [Cell] {
    names.map { name in columns.first { $0.name == name }?.text.map { .json(Array($0.utf8)) } ?? .absent }
  }
}
