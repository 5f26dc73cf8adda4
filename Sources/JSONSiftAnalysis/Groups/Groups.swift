import JSONSift

/// The groups of all records, and the summary of the numbers and values in each.
package struct Groups {
  /// The number of paths that select numbers, and of those whose distinct values are counted.
  private let numberPaths, distinctPaths: Int
  /// Whether the first value of each key is an interval of time.
  private let areTimed: Bool
  private let maxGroups: Int
  private var found = GroupKeys()
  /// By group: the number of its records.
  private var counts: [Int] = []
  /// By group: the message of its first record. Empty without templates.
  private var examples: [MessageExample] = []
  /// By group, and within it by path.
  private var summaries: [NumberSummary] = []
  /// The same for the paths whose distinct values are counted.
  private var distincts: [DistinctCount] = []

  package init(numbers: Int, distinct: Int, areTimed: Bool, maxGroups: Int) {
    (numberPaths, distinctPaths) = (numbers, distinct)
    self.areTimed = areTimed
    self.maxGroups = maxGroups
  }

  /// Whether a record belongs to a group beyond the maximum. No record is counted from that record on.
  package private(set) var isFull = false

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
        let next = cursor.groups.count
        let group = found.number(of: cursor.rows.keys[next], spelled: cursor.rows.keys.spelling(of: next))
        if group == counts.count {
          guard group < maxGroups else {
            isFull = true
            return false
          }
          counts.append(0)
          if next < cursor.rows.examples.count {
            examples.append(cursor.rows.examples[next])
            examples[group].input = cursor.input
          }
          for _ in 0..<numberPaths { summaries.append(NumberSummary()) }
          for _ in 0..<distinctPaths { distincts.append(DistinctCount()) }
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

  /// Returns the indices of the groups: those of intervals by time, others in the order of their first records.
  ///
  /// - Parameter top: The number of groups with the most records to return, most first; `nil` for all groups.
  package func order(top: Int?) -> [Int] {
    // A record that belongs to too many groups is in none of them.
    var order = counts.indices.filter { counts[$0] > 0 }
    if areTimed {
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
}
