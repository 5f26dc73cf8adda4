import JSONSift

/// Counts what workers gather, and writes the groups at the end.
struct GroupSink: ResultSink {
  static let gathers = true

  private var groups: Groups
  private var cursor: Groups.Cursor?
  private let most: Int
  private let format: RowFormat
  private let null: [UInt8]

  init(_ question: GroupQuestion, most: Int, _ format: RowFormat, null: [UInt8]) {
    groups = Groups(question, most: most)
    self.most = most
    self.format = format
    self.null = null
  }

  var isFull: Bool { groups.isFull }

  mutating func begin(_ part: inout Part) {
    cursor = part.groups.map { Groups.Cursor($0) }
    part.groups = nil
  }

  /// The groups are full at a record, and not at a part: so it does not matter how the input was cut into parts.
  mutating func gather(to end: Int) {
    guard var rows = cursor.take() else { return }
    groups.add(&rows, to: end)
    cursor = rows
  }

  mutating func finish() {
    if isFull {
      ErrorReport.write(
        "jsift: expected at most \(most) groups, found one more; --max-groups allows more, at about 200 bytes each")
    }
    groups.write(format, null: null)
  }
}
