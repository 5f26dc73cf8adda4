import JSONSift

/// Answers several queries about the same records, which are read once.
package struct GroupCollectors {
  private var collectors: [GroupCollector]
  /// By the index of a path among all: its query, and its index among those of the query.
  private let places: [(query: Int, column: Int)]

  /// - Parameter queries: Queries whose paths select at most one value each.
  package init(_ queries: [GroupQuery]) {
    collectors = queries.map { GroupCollector($0, maxGroups: .max, of: nil) }
    places = queries.indices.flatMap { query in queries[query].paths.indices.map { (query, $0) } }
  }

  /// The number of records since ``takeRows()``.
  package var count: Int { collectors.first?.count ?? 0 }

  package var isFull: Bool { collectors.contains { $0.isFull } }

  /// Adds the records that are in memory. Returns `false` if the next record must be requested as a value.
  package mutating func addBorrowed(from matches: inout JSONMatches) -> Bool {
    var count = 0
    var needsLine: Bool
    for index in collectors.indices { collectors[index].beginKey() }
    repeat {
      needsLine = false
      count += unsafe matches.borrowRows { column, text in
        let place = places[column]
        unsafe collectors[place.query].take(text, ofColumn: place.column)
      } endRow: {
        for index in collectors.indices where collectors[index].endRow() { needsLine = true }
        return !needsLine
      }
      if needsLine { for index in collectors.indices { collectors[index].setLine(matches.recordLine) } }
    } while needsLine
    return count > 0
  }

  /// Adds a record.
  ///
  /// - Parameter line: The line on which it begins, if it is known.
  package mutating func add(_ record: JSON, line: Int?) throws(JSONError) {
    for index in collectors.indices { try collectors[index].add(record, line: line) }
  }

  /// Returns the collected rows of each query, and starts again; empty if there are none.
  package mutating func takeRows() -> [CollectedRows] { collectors.indices.compactMap { collectors[$0].takeRows() } }
}
