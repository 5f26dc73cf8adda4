/// Sorts the values that a kernel finds in lines along a trie into columns, one for each query.
struct TrieColumns: ~Copyable {
  /// By branch: the first query that ends there, or -1.
  private var queries: [Int]
  /// The queries that end at the branch of an earlier query, each with that query. Their columns are copies.
  private var copies: [(query: Int, original: Int)] = []
  private(set) var borrowed: BorrowedColumns

  init(_ trie: borrowing QueryTrie) {
    queries = Array(repeating: -1, count: trie.branches.count)
    for (number, query) in trie.queries.enumerated() {
      if queries[query.branch] < 0 {
        queries[query.branch] = number
      } else {
        copies.append((number, queries[query.branch]))
      }
    }
    borrowed = BorrowedColumns(columns: trie.queries.count, maxRows: LineScan.lineRoom)
  }

  /// Begins rows without values. See ``BorrowedColumns``.
  mutating func begin(_ bytes: UnsafeRawBufferPointer, at offset: Int, line: Int, rows: Int) {
    unsafe borrowed.begin(bytes, at: offset, line: line, rows: rows)
  }

  /// Sets the value that was found at a branch, if a query ends there.
  mutating func set(_ range: Range<Int>, branch: Int, row: Int) {
    let column = queries[branch]
    if column >= 0 { borrowed.set(range, column: column, row: row) }
  }

  /// Drops the rows that do not satisfy a condition, and the columns that only the condition needs.
  ///
  /// - Parameter misses: Receives the records without a time.
  mutating func finish(_ condition: TextCondition?, _ misses: inout TimeMisses) {
    for copy in copies { borrowed.copy(column: copy.original, to: copy.query) }
    guard let condition else { return }
    borrowed.keepRows { borrowed, row in
      var lacksTime = false
      if unsafe condition.holds(&lacksTime, { unsafe borrowed.text(column: $0, row: row) }) { return true }
      if lacksTime {
        unsafe misses.add(
          condition.valueInPlaceOfTime { unsafe borrowed.text(column: $0, row: row) },
          line: borrowed.location(column: 0, row: row).line)
      }
      return false
    }
    borrowed.dropLastColumns(condition.queryCount)
  }
}
