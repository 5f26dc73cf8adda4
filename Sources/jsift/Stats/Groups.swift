import JSONSift

/// The groups of all records, and the summary of the numbers and values in each.
struct Groups {
  private let query: GroupQuery
  private let numbers: [NamedPath]
  private let distinct: [NamedPath]
  private let maxGroups: Int
  private var found = GroupKeys()
  /// By group: the number of its records.
  private var counts: [Int] = []
  /// By group, and within it by path.
  private var summaries: [NumberSummary] = []
  /// The same for the paths whose distinct values are counted.
  private var distincts: [DistinctCount] = []
  private(set) var recordCount = 0

  init(_ query: GroupQuery, maxGroups: Int) {
    self.query = query
    numbers = query.numbers
    distinct = query.distinct
    self.maxGroups = maxGroups
  }

  var isEmpty: Bool { counts.isEmpty }

  /// Whether a record belongs to a group beyond the maximum. No record is counted from that record on.
  private(set) var isFull = false

  /// Iterates over collected rows.
  struct Cursor {
    fileprivate let rows: CollectedRows
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

    init(_ rows: CollectedRows) { self.rows = rows }
  }

  /// Adds collected rows after those already counted.
  ///
  /// - Parameter end: The index of the first record that is not added.
  mutating func add(_ cursor: inout Cursor, to end: Int = .max) {
    let end = min(end, cursor.rows.count)
    let paths = numbers.count
    while cursor.record < end {
      guard !isFull, findGroups(&cursor) else { return }
      let first = cursor.values
      repeat {
        let group = cursor.groups[cursor.rows.groups[cursor.group].index]
        cursor.group &+= 1
        // All groups of a record get the same values.
        cursor.values = first
        counts[group] &+= 1
        for path in 0..<paths { addNumbers(&cursor, to: group &* paths &+ path) }
        for path in distinct.indices { addValues(&cursor, to: group &* distinct.count &+ path) }
      } while cursor.group < cursor.rows.groups.count && cursor.rows.groups[cursor.group].isFurther
      cursor.record &+= 1
      recordCount &+= 1
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
        let next = cursor.groups.count
        let group = found.number(of: cursor.rows.keys[next], spelled: cursor.rows.keys.spelling(of: next))
        if group == counts.count {
          guard group < maxGroups else {
            isFull = true
            return false
          }
          counts.append(0)
          for _ in numbers { summaries.append(NumberSummary()) }
          for _ in distinct { distincts.append(DistinctCount()) }
        }
        cursor.groups.append(group)
      }
    } while index < cursor.rows.groups.count && cursor.rows.groups[index].isFurther
    return true
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

  /// Writes the groups.
  ///
  /// - Parameter top: The number of groups with the most records to write, most first; `nil` for all groups.
  func write(_ format: RowFormat, null: [UInt8], top: Int?) {
    let names = query.keyNames
    guard !numbers.isEmpty || !distinct.isEmpty else {
      var rows = RowWriter(format, names + ["count"], null: null)
      for group in order(top: top) { rows.write(cells(group) + [Cell(counts[group])]) }
      return rows.finish()
    }
    let columns = GroupColumns(hasNumbers: !numbers.isEmpty, hasDistinct: !distinct.isEmpty)
    var rows = RowWriter(format, ["name"] + names + columns.names, null: null)
    for group in order(top: top) {
      let cells = cells(group)
      for (path, number) in numbers.enumerated() {
        rows.write([.text(number.name)] + cells + columns.cells(of: summaries[group * numbers.count + path]))
      }
      for (path, value) in distinct.enumerated() {
        let count = distincts[group * distinct.count + path]
        rows.write([.text(value.name)] + cells + columns.cells(of: count, ofRecords: counts[group]))
      }
    }
    rows.finish()
  }

  /// Returns the indices of the groups in the order in which they are written.
  private func order(top: Int?) -> [Int] {
    // A record that belongs to too many groups is in none of them.
    var order = counts.indices.filter { counts[$0] > 0 }
    if query.intervals != nil {
      let intervals = order.map { GroupKey.texts(found[$0]).first.flatMap(IntervalFinder.number) }
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

  /// Returns the values that the records of a group have in common.
  private func cells(_ group: Int) -> [Cell] {
    guard query.keyCount > 0 else { return [] }
    var texts = GroupKey.texts(found.spelling(of: group) ?? found[group])[...]
    var cells: [Cell] = []
    if let intervals = query.intervals {
      let number = texts.popFirst().flatMap(IntervalFinder.number)
      cells.append(number.map { .text(intervals.text(of: $0)) } ?? .absent)
    }
    return cells
      + texts.map { text in
        // The text was already parsed as JSON.
        guard !text.isEmpty, let value = try? JSON(parsing: text) else { return .absent }
        return Cell(value)
      }
  }
}
