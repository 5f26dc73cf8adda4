import JSONSift

/// What becomes of what workers hand over. It is called on one thread, in the order of the input.
protocol ResultSink {
  /// The bad records are what the command looks for: they are its results, and none is skipped.
  static var takesBadRecords: Bool { get }
  /// Values are gathered, and written when all have been read.
  static var gathers: Bool { get }
  /// It can take no more, and the run has failed.
  var isFull: Bool { get }
  /// Whether it takes the values of a part up to the one that filled it. Else nothing is said of bad records when it is full.
  static var knowsWhereItIsFull: Bool { get }
  /// Writes whole results.
  ///
  /// - Parameter kinds: The types of their cells, if they are rows of columns.
  mutating func write(_ results: ArraySlice<UInt8>, kinds: ArraySlice<UInt8>)
  /// Writes a bad record that is a result.
  mutating func write(_ report: ErrorReport)
  /// Begins with a part that has gathered values in order.
  mutating func begin(_ part: inout Part)
  /// Takes the values up to the one with a number: what follows them may end the run.
  mutating func gather(to end: Int)
  /// Takes what was gathered in a part.
  mutating func gather(_ part: inout Part)
  /// Writes what is left.
  mutating func finish()
}

extension ResultSink {
  static var takesBadRecords: Bool { false }
  static var gathers: Bool { false }
  var isFull: Bool { false }
  static var knowsWhereItIsFull: Bool { true }
  mutating func write(_ results: ArraySlice<UInt8>, kinds: ArraySlice<UInt8>) {}
  mutating func write(_ report: ErrorReport) {}
  mutating func begin(_ part: inout Part) {}
  mutating func gather(to end: Int) {}
  mutating func gather(_ part: inout Part) {}
  mutating func finish() {}
}

/// Writes results as they come: a JSON text on each line, one array, rows, or a table.
struct RowSink: ResultSink {
  private var output: RowOutput
  private var columns: ColumnTypes

  init(_ format: RowFormat, _ line: ResultLine) {
    output = RowOutput(format, header: line.rows?.header ?? [])
    columns = ColumnTypes(line.columnNames)
  }

  mutating func write(_ results: ArraySlice<UInt8>, kinds: ArraySlice<UInt8>) {
    output.write(results)
    columns.add(kinds)
  }

  mutating func finish() {
    output.finish()
    columns.report()
  }
}

/// Writes text as it is.
struct TextSink: ResultSink {
  func write(_ results: ArraySlice<UInt8>, kinds: ArraySlice<UInt8>) {
    unsafe results.withUnsafeBytes { unsafe Output.standard.write(lent: $0) }
  }
}

/// Writes each bad record, as `check` does.
struct VerdictSink: ResultSink {
  static let takesBadRecords = true

  func write(_ report: ErrorReport) {
    let text = report.text + "\n"
    unsafe Output.standard.write((Style.isOnOutput ? Style.painted(text) : text).utf8)
  }
}
