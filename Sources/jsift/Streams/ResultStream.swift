import JSONSift

/// One result, before its encoding is known.
struct Found {
  let value: JSON
  /// The line on which its record begins; `nil` in one document.
  let line: Int?
  /// The match of a path; `nil` for a record.
  let match: JSONMatch?

  var byteOffset: Int { match?.byteRange.lowerBound ?? value.byteRange?.lowerBound ?? 0 }
}

/// The input of a command. The three protocols are its parts: a stream implements those functions that it can, and a ``Worker``
/// calls ``next()`` for the rest.
protocol ResultStream: InputReading, TextLending, ValueGathering, ~Copyable {
  /// Returns the next result; `nil` at the end.
  mutating func next() throws(JSONError) -> Found?
  /// Returns the number of values that were only counted or gathered since the last call.
  mutating func takeCounted() -> Int
}

extension ResultStream where Self: ~Copyable {
  mutating func next() throws(JSONError) -> Found? { nil }
  mutating func takeCounted() -> Int { 0 }
}

/// The reader below a stream: its blocks, its errors, and what it did not validate or did not find.
protocol InputReading: ~Copyable {
  var framing: JSONFraming { get }

  // MARK: Blocks

  /// Begins a block of complete lines or children, for a stream created on an empty input; `end(_:)` ends it.
  mutating func begin(_ block: LineBlock)
  mutating func end(_ block: LineBlock)
  /// Advances in one document to a position after some blocks of children, before anything is read.
  mutating func resume(_ rest: DocumentRest) throws(JSONError)
  /// The lines of a block of children that was read.
  var documentLines: LineCount { get }

  // MARK: Errors

  func position(of error: JSONError) -> JSONError.Position
  func excerpt(of error: JSONError) -> JSONError.Excerpt?
  /// The reason why reading cannot continue after an error, for a stream of several records.
  var stopReason: String? { get }
  /// Returns the bad record of the error that was just thrown, if there are records.
  mutating func badRecord(of error: JSONError) -> JSONBadRecord?

  // MARK: Summaries

  /// The outcome of each path; empty if there are no paths.
  var summaries: [JSONMatches.Summary] { get }
  /// Whether lines that cannot match are skipped without validation, so that bad ones may be unreported.
  var rulesOutLines: Bool { get }
  /// The number of these lines.
  var ruledOutLines: Int { get }
  /// Returns the records that a window of time excluded because they have no time, since the last call.
  mutating func takeTimeMisses() -> TimeMisses
  /// The positions where a value that is not needed had to be parsed, because the proof could not decide whether it is
  /// valid.
  var doubts: ProofDoubts { get }
}

extension InputReading where Self: ~Copyable {
  /// Whether further records can follow a bad one.
  var canContinue: Bool { framing.canResumeAfterErrors }

  mutating func resume(_ rest: DocumentRest) throws(JSONError) {}
  var documentLines: LineCount { LineCount() }
  var summaries: [JSONMatches.Summary] { [] }
  var rulesOutLines: Bool { false }
  var ruledOutLines: Int { 0 }
  mutating func takeTimeMisses() -> TimeMisses { TimeMisses() }
  var doubts: ProofDoubts { ProofDoubts() }
}

/// Lends the texts of results, so that no value is created. A stream that cannot lend a text lends none.
protocol TextLending: ~Copyable {
  /// Lends the text of the next value, if that is sufficient, with the index of the path that matched it. Calls `body`
  /// at most once. Returns `false` at the end.
  mutating func lendNext(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void) throws(JSONError) -> Bool
  /// Lends the texts of all values in memory, as long as `body` returns true, and reads nothing. Returns the number of values;
  /// if it is 0, the caller requests the next one.
  mutating func lendMatches(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Bool) -> Int
  /// Lends the next child of a container in one document, with its key if it is a member. Returns `false` at the end.
  mutating func lendNextChild(
    _ body: (_ key: UnsafeRawBufferPointer?, _ text: UnsafeRawBufferPointer) -> Void
  ) throws(JSONError) -> Bool
  /// Lends the columns of all records in memory, record by record. Returns the number of records read; not all of them
  /// need to be lent.
  mutating func lendRows(
    _ body: (_ column: Int, _ text: UnsafeRawBufferPointer) -> Void, endRow: () -> Bool
  ) -> Int
  /// Lends the columns of records in memory, many records at once. Returns the number of records read; not all of them need
  /// to be lent.
  mutating func lendColumns(_ body: (borrowing LentColumns) -> Void) -> Int
  /// Reads until the next record is complete, because the functions that lend records read nothing themselves. Returns
  /// whether a read was needed.
  mutating func completeRecord() -> Bool
}

extension TextLending where Self: ~Copyable {
  mutating func lendNext(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void) throws(JSONError) -> Bool {
    false
  }

  mutating func lendMatches(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Bool) -> Int { 0 }

  mutating func lendNextChild(
    _ body: (_ key: UnsafeRawBufferPointer?, _ text: UnsafeRawBufferPointer) -> Void
  ) throws(JSONError) -> Bool { false }

  mutating func lendRows(
    _ body: (_ column: Int, _ text: UnsafeRawBufferPointer) -> Void, endRow: () -> Bool
  ) -> Int { 0 }

  mutating func lendColumns(_ body: (borrowing LentColumns) -> Void) -> Int { 0 }
  mutating func completeRecord() -> Bool { false }
}

/// Gathers values over many records, instead of returning results.
protocol ValueGathering: ~Copyable {
  /// Whether values are gathered.
  static var gathers: Bool { get }
  /// Whether the gathered values keep the order of the records: a part with a bad record then contains only values before
  /// that record.
  static var gathersInOrder: Bool { get }
  /// Gathers the next value. Returns `false` at the end.
  mutating func step() throws(JSONError) -> Bool
  /// Gathers a bad record as a row of its own, from the text of an object that describes it.
  mutating func append(reject text: UnsafeRawBufferPointer)
  /// Whether the gathered values are large enough to be moved into a part.
  var isFull: Bool { get }
  /// Moves the gathered values into a part, and starts again.
  mutating func gather(into part: inout Part)
}

extension ValueGathering where Self: ~Copyable {
  static var gathers: Bool { false }
  static var gathersInOrder: Bool { false }
  mutating func step() throws(JSONError) -> Bool { false }
  mutating func append(reject text: UnsafeRawBufferPointer) {}
  var isFull: Bool { false }
  mutating func gather(into part: inout Part) {}
}
