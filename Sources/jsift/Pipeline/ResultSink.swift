import JSONSift

/// Receives the batches that workers produce. Called on one thread, in the order of the input.
protocol ResultSink {
  /// Whether bad records are the results of the command, and none is skipped.
  static var acceptsBadRecords: Bool { get }
  /// Whether values are aggregated, and written after all input was read.
  static var gathers: Bool { get }
  /// Whether the sink has reached its limit, and the run has failed.
  var isFull: Bool { get }
  /// Whether a sink that becomes full has accepted the records of a batch up to an exact record. If not, the bad records of
  /// that batch are not reported, because it is unknown which of them are before it.
  static var stopsAtExactRecord: Bool { get }
  /// Writes complete results.
  ///
  /// - Parameter kinds: The types of their cells, if they are rows of columns.
  mutating func write(_ results: ArraySlice<UInt8>, kinds: ArraySlice<UInt8>)
  /// Writes a bad record that is a result.
  mutating func write(_ report: ErrorReport)
  /// Begins a batch with values that are aggregated in order.
  mutating func begin(_ batch: inout Batch)
  /// Aggregates the values before the record with index `end`: the records after it may end the run.
  mutating func gather(to end: Int)
  /// Aggregates the values of a batch.
  mutating func gather(_ batch: inout Batch)
  /// Returns lines for the file of bad records that are about results, such as a value of a wrong type, since the last call.
  mutating func takeRejects() -> [UInt8]
  /// The exit status of a run without an error, if it does not depend on the number of results.
  var status: Int32? { get }
  /// Writes the remaining output.
  mutating func finish()
  /// Writes the remaining output of a run that has failed.
  mutating func finishAfterFailure()
}

extension ResultSink {
  static var acceptsBadRecords: Bool { false }
  static var gathers: Bool { false }
  var isFull: Bool { false }
  static var stopsAtExactRecord: Bool { true }
  mutating func write(_ results: ArraySlice<UInt8>, kinds: ArraySlice<UInt8>) {}
  mutating func write(_ report: ErrorReport) {}
  mutating func begin(_ batch: inout Batch) {}
  mutating func gather(to end: Int) {}
  mutating func gather(_ batch: inout Batch) {}
  mutating func takeRejects() -> [UInt8] { [] }
  var status: Int32? { nil }
  mutating func finish() {}
  mutating func finishAfterFailure() { finish() }
}

/// Writes results immediately: a JSON text on each line, one array, rows, or a table.
struct RowSink: ResultSink {
  private var output: RowOutput
  private var columns: ColumnTypes

  /// - Parameter hasHeader: Whether the names of the columns are written, for a format with a header.
  init(_ format: RowFormat, _ line: ResultLine?, hasHeader: Bool = true) {
    output = RowOutput(format, header: hasHeader ? line?.rows?.header ?? [] : [])
    columns = ColumnTypes(line?.columnNames ?? [])
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

/// Writes text unchanged.
struct TextSink: ResultSink {
  func write(_ results: ArraySlice<UInt8>, kinds: ArraySlice<UInt8>) {
    unsafe results.withUnsafeBytes { unsafe Output.standard.write(borrowed: $0) }
  }
}

/// Writes each bad record, for `check`.
struct VerdictSink: ResultSink {
  static let acceptsBadRecords = true

  func write(_ report: ErrorReport) {
    unsafe Output.standard.write((report.message.text(coloured: Style.isOnOutput) + "\n").utf8)
  }
}
