import JSONSift

/// The groups of all records, and the summary of the numbers in each.
struct Groups {
  private let numbers: [NamedPath]
  private let keys: [NamedPath]
  private let maxGroups: Int
  private var found = GroupKeys()
  /// By group: the number of its records.
  private var counts: [Int] = []
  /// By group, and within it by path.
  private var summaries: [NumberSummary] = []
  /// The number of counted records.
  private(set) var recordCount = 0

  init(_ query: GroupQuery, maxGroups: Int) {
    numbers = query.numbers
    keys = query.keys
    self.maxGroups = maxGroups
  }

  var isEmpty: Bool { counts.isEmpty }

  /// Whether a record belongs to a group beyond the maximum. No record is counted from that record on.
  private(set) var isFull = false

  /// Iterates over collected rows.
  struct Cursor {
    fileprivate let rows: CollectedRows
    fileprivate var record = 0
    fileprivate var number = 0
    fileprivate var text = 0
    /// By group of the rows: its number among all groups.
    fileprivate var groups: [Int] = []

    init(_ rows: CollectedRows) { self.rows = rows }
  }

  /// Adds collected rows after those already counted.
  ///
  /// - Parameter end: The index of the first record that is not added.
  mutating func add(_ cursor: inout Cursor, to end: Int = .max) {
    let end = min(end, cursor.rows.count)
    let paths = numbers.count
    while cursor.record < end, !isFull {
      let local = Int(cursor.rows.groups[cursor.record])
      // Groups are numbered in the order of their first occurrence.
      while cursor.groups.count <= local {
        let group = found.number(of: cursor.rows.keys[cursor.groups.count])
        if group == counts.count {
          guard group < maxGroups else {
            isFull = true
            return
          }
          counts.append(0)
          for _ in 0..<paths { summaries.append(NumberSummary()) }
        }
        cursor.groups.append(group)
      }
      let group = cursor.groups[local]
      counts[group] &+= 1
      for path in 0..<paths { addNumbers(&cursor, to: group &* paths &+ path) }
      cursor.record &+= 1
      recordCount &+= 1
    }
  }

  /// Adds the values that one path selected in one record.
  private mutating func addNumbers(_ cursor: inout Cursor, to summary: Int) {
    repeat {
      let number = cursor.rows.numbers[cursor.number]
      cursor.number &+= 1
      switch number.exponent {
      case CollectedRows.Number.absent: summaries[summary].addAbsent()
      case CollectedRows.Number.wrong: summaries[summary].addWrong()
      default:
        let end = cursor.text &+ Int(number.textCount)
        summaries[summary].add(number.double, number.short, in: cursor.rows.texts, cursor.text..<end)
        cursor.text = end
      }
    } while cursor.number < cursor.rows.numbers.count && cursor.rows.numbers[cursor.number].isFurther
  }

  func write(_ format: RowFormat, null: [UInt8]) {
    let names = keys.map { $0.name }
    guard !numbers.isEmpty else {
      var rows = RowWriter(format, names + ["count"], null: null)
      for (group, count) in counts.enumerated() { rows.write(cells(group) + [Cell(count)]) }
      return rows.finish()
    }
    var rows = RowWriter(format, ["name"] + names + NumberSummary.names, null: null)
    for group in counts.indices {
      let cells = cells(group)
      for (path, number) in numbers.enumerated() {
        rows.write([.text(number.name)] + cells + summaries[group * numbers.count + path].cells)
      }
    }
    rows.finish()
  }

  /// Returns the values that the records of a group have in common.
  private func cells(_ group: Int) -> [Cell] {
    guard !keys.isEmpty else { return [] }
    return GroupKey.texts(found[group]).map { text in
      // The text was already parsed as JSON.
      guard !text.isEmpty, let value = try? JSON(parsing: text) else { return .absent }
      return Cell(value)
    }
  }
}
