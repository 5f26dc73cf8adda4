import ArgumentParser
import JSONSift

/// Collects values of records. ``gather(into:)`` moves the collected values into a ``Part``.
protocol Collector {
  /// Collects the next results of a stream. Returns `false` at its end.
  mutating func collect<Records: ResultStream & ~Copyable>(from records: inout Records) throws(JSONError) -> Bool
  /// Collects a bad record as a row of its own, from the text of an object that describes it.
  mutating func append(reject text: UnsafeRawBufferPointer)
  /// Moves the collected values into a part, and starts again.
  mutating func gather(into part: inout Part)
  /// Whether the collected values keep the order of the records.
  static var gathersInOrder: Bool { get }
  /// Whether the collected values are large enough to be moved into a part.
  var isFull: Bool { get }
  /// The number of records collected since `gather(into:)`.
  var count: Int { get }
}

extension Collector {
  mutating func append(reject text: UnsafeRawBufferPointer) {}
  static var gathersInOrder: Bool { false }
  var isFull: Bool { false }
}

/// A collector that needs only the texts of some values, if the stream can lend them.
protocol RowCollector: Collector {
  var limits: JSONLimits { get }
  /// Whether all records from one read have been collected.
  var hasLent: Bool { get set }
  /// Collects the next records without creating values. Returns `false` if the next record must be requested as a value.
  mutating func addLent<Records: ResultStream & ~Copyable>(from records: inout Records) -> Bool
  /// - Throws: ``JSONError`` if a path exceeds a limit. Nothing of this record is collected then.
  mutating func add(_ found: Found) throws(JSONError)
}

extension RowCollector {
  static var gathersInOrder: Bool { true }

  /// Collects the records that are in memory, or the next one. Returns `false` at the end.
  mutating func collect<Records: ResultStream & ~Copyable>(from records: inout Records) throws(JSONError) -> Bool {
    if limits.countsNoSteps, addLent(from: &records) {
      hasLent = true
      return true
    }
    if records.completeRecord() { return true }
    guard let found = try records.next() else { return false }
    try add(found)
    return true
  }
}

/// Collects the results of another stream. It returns no results of its own.
struct CollectingStream<Records: ResultStream & ~Copyable, Values: Collector>: ResultStream, ~Copyable {
  private var records: Records
  private var values: Values
  /// The number of collected records that `takeCounted()` has returned.
  private var counted = 0

  /// - Parameter records: If possible, the stream lends the texts that the collector needs, in its order.
  init(_ records: consuming Records, into values: Values) {
    self.records = records
    self.values = values
  }

  static var gathers: Bool { true }
  static var gathersInOrder: Bool { Values.gathersInOrder }
  var isFull: Bool { values.isFull }
  mutating func step() throws(JSONError) -> Bool { try values.collect(from: &records) }
  mutating func append(reject text: UnsafeRawBufferPointer) { unsafe values.append(reject: text) }

  mutating func gather(into part: inout Part) {
    values.gather(into: &part)
    counted = 0
  }

  mutating func takeCounted() -> Int {
    defer { counted = values.count }
    return values.count - counted
  }

  // The collector reads nothing itself.
  var doubts: ProofDoubts { records.doubts }
  var framing: JSONFraming { records.framing }
  var rulesOutLines: Bool { records.rulesOutLines }
  var ruledOutLines: Int { records.ruledOutLines }
  mutating func takeTimeMisses() -> TimeMisses { records.takeTimeMisses() }
  func position(of error: JSONError) -> JSONError.Position { records.position(of: error) }
  func excerpt(of error: JSONError) -> JSONError.Excerpt? { records.excerpt(of: error) }
  var stopReason: String? { records.stopReason }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { records.badRecord(of: error) }
  mutating func begin(_ block: LineBlock) { records.begin(block) }
  mutating func end(_ block: LineBlock) { records.end(block) }
  mutating func resume(_ rest: DocumentRest) throws(JSONError) { try records.resume(rest) }
  var documentLines: LineCount { records.documentLines }
}

extension Run {
  /// Reads the records that satisfy a condition, and collects values of them.
  ///
  /// - Parameters:
  ///   - condition: Selects records; `nil` selects all.
  ///   - kept: The paths whose values are collected; `nil` if whole records are.
  ///   - collector: Makes a collector for a worker.
  /// - Returns: The exit status.
  func collect<Values: Collector & SendableMetatype>(
    where condition: JSONCondition?, keeping kept: [JSONPath]?, into collector: @escaping @Sendable () -> Values
  ) -> ExitCode {
    let options = plan.records
    guard let condition else {
      return read { (input) throws(JSONError) in
        CollectingStream(try RecordStream(of: input, options, keeping: kept), into: collector())
      }
    }
    return read { (input) throws(JSONError) in
      CollectingStream(
        try MatchStream(recordsWhere: condition, in: input, options, keeping: kept), into: collector())
    }
  }
}

extension JSONLimits {
  /// Whether a collector may read values without counting the steps of a path. False if the limit is so low that a path
  /// of names alone could exceed it: then the error would be missing.
  var countsNoSteps: Bool { querySteps >= 1 << 12 }
}
