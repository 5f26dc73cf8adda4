import JSONSift

/// The groups of all records, and the summary of the numbers and values in each.
package struct Groups {
  /// The number of paths that select numbers, and of those whose distinct values are counted.
  private let numberPaths, distinctPaths: Int
  /// Whether the first value of each key is an interval of time.
  private let areTimed: Bool
  private let maxGroups: Int
  /// The maximum size of keys and examples, if records beyond are counted together; `nil` if they end the run.
  private let maxBytes: Int?
  private var exampleBytes = 0
  private var found = GroupKeys()
  /// By group: the number of its records.
  private var counts: [Int] = []
  /// By group: the first and the last interval of its records, where they are known.
  private var spans: [ClosedRange<Int128>?] = []
  /// By group: the message of its first record. Empty without templates.
  private var examples: [MessageExample] = []
  /// By group, and within it by path.
  private var summaries: [NumberSummary] = []
  /// The same for the paths whose distinct values are counted.
  private var distincts: [DistinctCount] = []

  /// - Parameter maxBytes: With this size of keys and examples, or with `maxGroups`, no more groups are added, and ``others``
  ///   counts the records of all further ones, in ``add(counts:input:)``. `nil` if these records end the run.
  package init(numbers: Int, distinct: Int, areTimed: Bool, maxGroups: Int, foldingBeyond maxBytes: Int? = nil) {
    self.maxBytes = maxBytes
    (numberPaths, distinctPaths) = (numbers, distinct)
    self.areTimed = areTimed
    self.maxGroups = maxGroups
  }

  /// Whether a record belongs to a group beyond the maximum. No record is counted from that record on.
  package private(set) var isFull = false

  /// The number of records that are in none of the groups, because there were too many.
  package private(set) var others = 0

  /// Iterates over collected rows.
  package struct Cursor {
    fileprivate let rows: CollectedRows
    fileprivate let input: Int
    fileprivate var record = 0
    /// The index in the groups of the rows.
    fileprivate var group = 0
    fileprivate var values = Values()
    /// By group of the rows: its index among all groups.
    fileprivate var groups: [Int] = []

    /// The indices of the next number, of its text, and of the next distinct value.
    fileprivate struct Values {
      var number = 0
      var text = 0
      var distinct = 0
    }

    /// - Parameter input: The number of the input that the rows are from.
    package init(_ rows: CollectedRows, input: Int) { (self.rows, self.input) = (rows, input) }
  }

  /// Adds all collected rows, of groups that are only counted.
  ///
  /// - Parameter times: The times of the same records, for ``span(of:)``.
  package mutating func add(counts rows: CollectedRows, at times: TimedRows? = nil, input: Int) {
    var cursor = Cursor(rows, input: input)
    let records = rows.countsByKey
    let found = records.indices.map { findGroup($0, &cursor) }
    for (group, count) in zip(found, records) {
      if group >= 0 { counts[group] &+= count } else { others &+= count }
    }
    guard let times else { return }
    while spans.count < counts.count { spans.append(nil) }
    for (row, time) in zip(rows.groups, times.rows.groups) {
      let group = found[row.index]
      guard group >= 0, let interval = times.seconds[time.index] else { continue }
      let span = spans[group] ?? interval...interval
      spans[group] = min(span.lowerBound, interval)...max(span.upperBound, interval)
    }
  }

  /// The first and the last interval of a group's records, if they were added with times.
  package func span(of group: Int) -> ClosedRange<Int128>? { group < spans.count ? spans[group] : nil }

  /// Adds collected rows after those already counted.
  ///
  /// - Parameter end: The index of the first record that is not added.
  package mutating func add(_ cursor: inout Cursor, to end: Int = .max) {
    let end = min(end, cursor.rows.count)
    while cursor.record < end {
      guard !isFull, findGroups(&cursor) else { return }
      let first = cursor.values
      repeat {
        let group = cursor.groups[cursor.rows.groups[cursor.group].index]
        cursor.group &+= 1
        // All groups of a record get the same values.
        cursor.values = first
        counts[group] &+= 1
        for path in 0..<numberPaths { addNumbers(&cursor, to: group &* numberPaths &+ path) }
        for path in 0..<distinctPaths { addValues(&cursor, to: group &* distinctPaths &+ path) }
      } while cursor.group < cursor.rows.groups.count && cursor.rows.groups[cursor.group].isFurther
      cursor.record &+= 1
    }
  }

  /// Numbers the groups of the next record. Returns `false` if there are too many.
  private mutating func findGroups(_ cursor: inout Cursor) -> Bool {
    var index = cursor.group
    repeat {
      let local = cursor.rows.groups[index].index
      index &+= 1
      // Groups are numbered in the order of their first occurrence.
      while cursor.groups.count <= local {
        let group = findGroup(cursor.groups.count, &cursor)
        if isFull { return false }
        cursor.groups.append(group)
      }
    } while index < cursor.rows.groups.count && cursor.rows.groups[index].isFurther
    return true
  }

  /// Returns the number of a group of the rows among all, and adds it if it is new; -1 if there are too many.
  private mutating func findGroup(_ next: Int, _ cursor: inout Cursor) -> Int {
    if let maxBytes, counts.count >= maxGroups || found.byteCount + exampleBytes >= maxBytes {
      return found.number(ofKnown: cursor.rows.keys[next]) ?? -1
    }
    let group = found.number(of: cursor.rows.keys[next], spelled: cursor.rows.keys.spelling(of: next))
    guard group == counts.count else { return group }
    guard group < maxGroups else {
      isFull = true
      return -1
    }
    counts.append(0)
    if next < cursor.rows.examples.count {
      examples.append(cursor.rows.examples[next])
      examples[group].input = cursor.input
      exampleBytes += examples[group].text.count
    }
    for _ in 0..<numberPaths { summaries.append(NumberSummary()) }
    for _ in 0..<distinctPaths { distincts.append(DistinctCount()) }
    return group
  }

  /// Adds the values that one path selected in one record.
  private mutating func addNumbers(_ cursor: inout Cursor, to summary: Int) {
    repeat {
      let number = cursor.rows.numbers.values[cursor.values.number]
      cursor.values.number &+= 1
      switch number.exponent {
      case CollectedRows.Number.missing: summaries[summary].addAbsent()
      case CollectedRows.Number.wrong: summaries[summary].addWrong()
      default:
        let end = cursor.values.text &+ Int(number.textCount)
        summaries[summary].add(number.double, number.short, in: cursor.rows.texts, cursor.values.text..<end)
        cursor.values.text = end
      }
    } while cursor.rows.numbers.isFurther(at: cursor.values.number)
  }

  /// Adds the distinct values that one path selected in one record.
  private mutating func addValues(_ cursor: inout Cursor, to index: Int) {
    repeat {
      let value = cursor.rows.distinct.values[cursor.values.distinct]
      cursor.values.distinct &+= 1
      if value.isAbsent { distincts[index].addAbsent() } else { distincts[index].add(value.hash) }
    } while cursor.rows.distinct.isFurther(at: cursor.values.distinct)
  }

  /// The number of records of a group.
  package func count(_ group: Int) -> Int { counts[group] }

  /// The first message of a group; `nil` without templates.
  package func example(_ group: Int) -> MessageExample? { group < examples.count ? examples[group] : nil }

  /// The summary of the numbers that one path selected in a group.
  package func numbers(_ group: Int, path: Int) -> NumberSummary { summaries[group * numberPaths + path] }

  /// The distinct values that one path selected in a group.
  package func distinct(_ group: Int, path: Int) -> DistinctCount { distincts[group * distinctPaths + path] }

  /// The texts of the values that the records of a group have in common; an absent value has an empty text.
  package func key(_ group: Int) -> [ArraySlice<UInt8>] { GroupKey.texts(found.spelling(of: group) ?? found[group]) }

  /// The same values with their canonical texts, which are equal for equal values.
  package func canonicalKey(_ group: Int) -> [ArraySlice<UInt8>] { GroupKey.texts(found[group]) }

  /// The number of the interval of a group, whose key begins with one; `nil` for records without a time.
  package func interval(of group: Int) -> Int128? { GroupKey.interval(found[group]) }

  /// Returns the indices of the groups: those of intervals by time, others in the order of their first records.
  ///
  /// - Parameter top: The number of groups with the most records to return, most first; `nil` for all groups.
  package func order(top: Int?) -> [Int] {
    // A record that belongs to too many groups is in none of them.
    var order = counts.indices.filter { counts[$0] > 0 }
    if areTimed {
      let intervals = order.map(interval)
      // Records without a time are last.
      order.sort { (left, right) in
        guard intervals[left] != intervals[right] else { return left < right }
        guard let first = intervals[left] else { return false }
        return intervals[right].map { first < $0 } ?? true
      }
    }
    guard let top else { return order }
    let ranked = order.enumerated().sorted { (left, right) in
      let (most, other) = (counts[left.element], counts[right.element])
      return most != other ? most > other : left.offset < right.offset
    }
    return ranked.prefix(top).map(\.element)
  }
}
