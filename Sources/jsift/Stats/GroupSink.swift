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
  private let format: StatsFormat
  private let isLogarithmic: Bool
  private let null: [UInt8]

  /// - Parameter top: The number of groups to write, those with the most records; `nil` for all groups.
  init(
    _ query: GroupQuery, _ names: GroupNames, maxGroups: Int, top: Int?, _ format: StatsFormat, isLogarithmic: Bool,
    null: [UInt8]
  ) {
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
    self.isLogarithmic = isLogarithmic
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
    guard case .rows(let format) = format else {
      let picture = GroupChart(groups, names, intervals, top: top, isLogarithmic: isLogarithmic)
      return format.write(picture.charts)
    }
    write(format)
  }

  private func write(_ format: RowFormat) {
    let table = GroupRows(groups, names, intervals)
    var rows = RowWriter(format, table.columns, null: null)
    table.forEach(top: top) { rows.write($0) }
    rows.finish()
  }
}

/// The rows of groups: one for each group, or for each group and path with numbers or distinct values.
struct GroupRows {
  let columns: [String]
  private let groups: Groups
  private let names: GroupNames
  private let intervals: TimeIntervals?
  /// The columns of numbers and distinct values; `nil` if records are only counted.
  private let results: GroupColumns?

  init(_ groups: Groups, _ names: GroupNames, _ intervals: TimeIntervals?) {
    (self.groups, self.names, self.intervals) = (groups, names, intervals)
    let isCounting = names.numbers.isEmpty && names.distinct.isEmpty
    let results = GroupColumns(hasNumbers: !names.numbers.isEmpty, hasDistinct: !names.distinct.isEmpty)
    self.results = isCounting ? nil : results
    columns = (isCounting ? [] : ["name"]) + names.keys + (isCounting ? ["count"] : results.names) + names.example
  }

  /// Passes the cells of each row.
  ///
  /// - Parameter top: The number of groups with the most records; `nil` for all groups.
  func forEach(top: Int? = nil, _ body: ([Cell]) -> Void) {
    for group in groups.order(top: top) { rows(of: group).forEach(body) }
  }

  /// Returns the cells of the rows of a group: of one, if records are only counted.
  func rows(of group: Int) -> [[Cell]] {
    let (cells, example) = (keys(group), example(group))
    guard let results else { return [cells + [Cell(groups.count(group))] + example] }
    return names.numbers.enumerated().map { path, number in
      [.text(number)] + cells + results.cells(of: groups.numbers(group, path: path).columns) + example
    }
      + names.distinct.enumerated().map { path, value in
        let distinct = groups.distinct(group, path: path).columns(ofRecords: groups.count(group))
        return [.text(value)] + cells + results.cells(of: distinct) + example
      }
  }

  private func keys(_ group: Int) -> [Cell] { names.keys.isEmpty ? [] : groups.cells(of: group, intervals) }

  /// Returns the first message of a group and where it is.
  private func example(_ group: Int) -> [Cell] {
    guard !names.example.isEmpty, let example = groups.example(group) else { return [] }
    let file: [Cell] = names.example.contains(Self.file) ? [.text(names.inputs[example.input])] : []
    return [Groups.cell(example.text)] + file + [example.line.map { Cell($0) } ?? .absent]
  }

  private static let file = "file"

  /// The names of the columns of an example. Without several files their name is omitted.
  static func exampleNames(hasFiles: Bool) -> [String] { ["example"] + (hasFiles ? [file] : []) + ["line"] }
}

extension Groups {
  /// Returns the values that the records of a group have in common.
  func cells(of group: Int, _ intervals: TimeIntervals?) -> [Cell] {
    // Without keys all records are one group, whose key is one empty text.
    let texts = key(group)
    guard let intervals else { return texts.map { Self.cell(Array($0)) } }
    let time = interval(of: group).map { Cell.text(intervals.text(of: $0)) } ?? .absent
    return [time] + texts.dropFirst().map { Self.cell(Array($0)) }
  }

  /// Returns the cell of a value, whose text is empty if it is absent.
  static func cell(_ text: [UInt8]) -> Cell {
    guard !text.isEmpty else { return .absent }
    var text = text
    if unsafe SurrogatePolicy.replacesInOutput { text.replaceLoneSurrogates(from: 0) }
    // The text was already parsed as JSON.
    return (try? JSON(parsing: text)).map { Cell($0) } ?? .absent
  }
}
