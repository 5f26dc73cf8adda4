import JSONSift

/// Adds up the rows that workers collect, and writes the groups at the end.
struct GroupSink: ResultSink {
  static let gathers = true

  private var groups: Groups
  private var cursor: Groups.Cursor?
  private let maxGroups: Int
  private let top: Int?
  /// The memory that a group needs, as text for the message about too many groups.
  private let memory: String
  private let format: RowFormat
  private let null: [UInt8]

  /// - Parameter top: The number of groups to write, those with the most records; `nil` for all groups.
  init(_ query: GroupQuery, maxGroups: Int, top: Int?, _ format: RowFormat, null: [UInt8]) {
    groups = Groups(query, maxGroups: maxGroups)
    self.maxGroups = maxGroups
    self.top = top
    memory =
      "about 200 bytes per group" + (query.distinct.isEmpty ? "" : ", and up to 115 KiB for each --distinct")
    self.format = format
    self.null = null
  }

  var isFull: Bool { groups.isFull }

  mutating func begin(_ batch: inout Batch) {
    cursor = batch.groups.map { Groups.Cursor($0) }
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
      ErrorReport.write(
        "expected at most \(maxGroups) groups, found more; raise --max-groups (\(memory))"
      )
    }
    groups.write(format, null: null, top: top)
  }
}
