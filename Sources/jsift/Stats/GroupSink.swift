import JSONSift
import JSONSiftAnalysis

extension GroupCollector: RowCollector {
  mutating func add(_ found: Found) throws(JSONError) { try add(found.value, line: found.line) }

  mutating func gather(from input: OpenInput<JSONMatches>, into open: OpenBatch) {
    hasBorrowed = false
    if let misses = elements?.takeTimeMisses() { open.batch.timeMisses.add(misses) }
    if let rows = takeRows() { open.batch.groups = rows }
  }
}

/// The names of the paths by which records are grouped, and of those whose values are summarized.
struct GroupNames {
  let numbers: [String]
  let distinct: [String]
  /// The names of the values in the key of a group.
  let keys: [String]
  /// The names of the columns of an example, after all others.
  let example: [String]
  /// The names of the inputs.
  let inputs: [String]

  /// The name of the interval of time that records are grouped by.
  static let time = "time"
}

/// Adds up the rows that workers collect, and writes the groups at the end.
struct GroupSink: ResultSink {
  static let gathers = true

  private let names: GroupNames
  private let intervals: TimeIntervals?
  private var groups: Groups
  private var cursor: Groups.Cursor?
  private let maxGroups: Int
  private let top: Int?
  /// The memory that a group needs, as text for the message about too many groups.
  private let memory: String
  private let format: RowFormat
  private let null: [UInt8]

  /// - Parameter top: The number of groups to write, those with the most records; `nil` for all groups.
  init(_ query: GroupQuery, _ names: GroupNames, maxGroups: Int, top: Int?, _ format: RowFormat, null: [UInt8]) {
    self.names = names
    intervals = query.intervals
    groups = Groups(
      numbers: query.numbers.count, distinct: query.distinct.count, areTimed: query.intervals != nil,
      maxGroups: maxGroups)
    self.maxGroups = maxGroups
    self.top = top
    memory =
      "about 200 bytes per group" + (names.example.isEmpty ? "" : " and its first message")
      + (query.distinct.isEmpty ? "" : ", and up to 115 KiB for each --distinct")
    self.format = format
    self.null = null
  }

  var isFull: Bool { groups.isFull }

  mutating func begin(_ batch: inout Batch) {
    cursor = batch.groups.map { [input = batch.input] in Groups.Cursor($0, input: input) }
    batch.groups = nil
  }

  /// Adds records up to an exact record, not a whole batch, so the groups do not depend on how the input was split.
  mutating func gather(to end: Int) {
    guard var rows = cursor.take() else { return }
    groups.add(&rows, to: end)
    cursor = rows
  }

  mutating func finish() {
    if isFull {
      ErrorReport.write("expected at most \(maxGroups) groups, found more; raise --max-groups (\(memory))")
    }
    write()
  }

  private func write() {
    guard !names.numbers.isEmpty || !names.distinct.isEmpty else {
      var rows = RowWriter(format, names.keys + ["count"] + names.example, null: null)
      for group in groups.order(top: top) { rows.write(cells(group) + [Cell(groups.count(group))] + example(group)) }
      return rows.finish()
    }
    let columns = GroupColumns(hasNumbers: !names.numbers.isEmpty, hasDistinct: !names.distinct.isEmpty)
    var rows = RowWriter(format, ["name"] + names.keys + columns.names + names.example, null: null)
    for group in groups.order(top: top) {
      let (cells, example) = (cells(group), example(group))
      for (path, number) in names.numbers.enumerated() {
        rows.write([.text(number)] + cells + columns.cells(of: groups.numbers(group, path: path).columns) + example)
      }
      for (path, value) in names.distinct.enumerated() {
        let distinct = groups.distinct(group, path: path).columns(ofRecords: groups.count(group))
        rows.write([.text(value)] + cells + columns.cells(of: distinct) + example)
      }
    }
    rows.finish()
  }

  /// Returns the values that the records of a group have in common.
  private func cells(_ group: Int) -> [Cell] {
    guard !names.keys.isEmpty else { return [] }
    var texts = groups.key(group)[...]
    var cells: [Cell] = []
    if let intervals {
      let number = texts.popFirst().flatMap(IntervalFinder.number)
      cells.append(number.map { .text(intervals.text(of: $0)) } ?? .absent)
    }
    return cells + texts.map { value(Array($0)) }
  }

  /// Returns the first message of a group and where it is.
  private func example(_ group: Int) -> [Cell] {
    guard let example = groups.example(group) else { return [] }
    let file: [Cell] = names.example.contains(Self.file) ? [.text(names.inputs[example.input])] : []
    return [value(example.text)] + file + [example.line.map { Cell($0) } ?? .absent]
  }

  private static let file = "file"

  /// The names of the columns of an example. Without several files their name is omitted.
  static func exampleNames(hasFiles: Bool) -> [String] { ["example"] + (hasFiles ? [file] : []) + ["line"] }

  private func value(_ text: [UInt8]) -> Cell {
    guard !text.isEmpty else { return .absent }
    var text = text
    if unsafe SurrogatePolicy.replacesInOutput { text.replaceLoneSurrogates(from: 0) }
    // The text was already parsed as JSON.
    return (try? JSON(parsing: text)).map { Cell($0) } ?? .absent
  }
}
