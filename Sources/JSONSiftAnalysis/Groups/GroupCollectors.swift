import JSONSift

/// Answers several queries about the same records, which are read once.
package struct GroupCollectors {
  private var collectors: [GroupCollector]
  /// By the index of a path among all: its query, and its index among those of the query.
  private let places: [(query: Int, column: Int)]

  /// Whether a record has a line.
  private let hasLines: Bool

  /// - Parameters:
  ///   - queries: Queries whose paths select at most one value each.
  ///   - hasLines: Whether a record has a line.
  package init(_ queries: [GroupQuery], hasLines: Bool) {
    self.hasLines = hasLines
    collectors = queries.map { GroupCollector($0, maxGroups: .max, of: nil) }
    places = queries.indices.flatMap { query in queries[query].paths.indices.map { (query, $0) } }
  }

  /// The number of records since ``takeRows()``.
  package var count: Int { collectors.first?.count ?? 0 }

  /// Whether the rows of all queries together are to be passed on.
  package var isFull: Bool { collectors.reduce(0) { $0 + $1.byteCount } >= CollectedRows.maxBytes }

  /// Adds the records that are in memory. Returns `false` if the next record must be requested as a value.
  package mutating func addBorrowed(from matches: inout JSONMatches) -> Bool {
    var (count, seen) = (0, 0)
    var needsLine: Bool
    for index in collectors.indices { collectors[index].beginKey() }
    repeat {
      needsLine = false
      count += unsafe matches.borrowRows { column, text in
        let place = places[column]
        unsafe collectors[place.query].take(text, ofColumn: place.column)
      } endRow: {
        for index in collectors.indices where collectors[index].endRow() { needsLine = true }
        seen &+= 1
        return !needsLine && (seen & 63 != 0 || !isFull)
      }
      if needsLine {
        let line = hasLines ? matches.currentLine() : nil
        for index in collectors.indices { collectors[index].setLine(line) }
      }
    } while needsLine && !isFull
    return count > 0
  }

  /// Adds a record.
  ///
  /// - Parameter line: The line on which it begins, if it is known.
  package mutating func add(_ record: JSON, line: Int?) throws(JSONError) {
    for index in collectors.indices { try collectors[index].add(record, line: hasLines ? line : nil) }
  }

  /// Returns the collected rows of each query, and starts again; empty if there are none.
  package mutating func takeRows() -> [CollectedRows] { collectors.indices.compactMap { collectors[$0].takeRows() } }
}
