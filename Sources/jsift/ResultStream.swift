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

/// The values and errors that a command reads.
protocol ResultStream: ~Copyable {
  mutating func next() throws(JSONError) -> Found?
  /// Whether values are aggregated instead of being results.
  static var gathers: Bool { get }
  /// Aggregates the next value. Returns `false` at the end.
  mutating func step() throws(JSONError) -> Bool
  /// Moves the aggregated values into a part, and starts again.
  mutating func gather(into part: inout Part)
  /// Whether aggregated values keep the order of the records: a part with a bad record then contains only values before
  /// that record.
  static var gathersInOrder: Bool { get }
  /// Whether the aggregated values are large enough to be moved into a part.
  var isFull: Bool { get }
  /// Lends the text of the next value, if that is sufficient, with the index of the path that matched it. Calls `body`
  /// at most once. Returns `false` at the end.
  mutating func lendNext(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void) throws(JSONError) -> Bool
  /// Lends the next child of a container in one document, with its key if it is a member. Returns `false` at the end.
  mutating func lendNextChild(
    _ body: (_ key: UnsafeRawBufferPointer?, _ text: UnsafeRawBufferPointer) -> Void
  ) throws(JSONError) -> Bool
  /// Lends the texts of the columns of the next record, if only these are required. Returns `false` if the caller must
  /// request the record itself.
  mutating func lendRow(_ body: (_ column: Int, _ text: UnsafeRawBufferPointer) -> Void) -> Bool
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
  var framing: JSONFraming { get }
  /// The outcome of each path; empty if there are no paths.
  var summaries: [JSONPathSummary] { get }
  /// Whether lines that cannot match are skipped without validation, so that bad lines may not be reported; and the
  /// number of skipped lines.
  var rulesOutLines: Bool { get }
  var ruledOutLines: Int { get }
  /// The positions where a value that is not needed had to be parsed, because the proof could not decide whether it is
  /// valid.
  var doubts: ProofDoubts { get }
  func position(of error: JSONError) -> SourcePosition
  func excerpt(of error: JSONError) -> SourceExcerpt?
  /// The reason why reading cannot continue after an error, for a stream of several records.
  var stopReason: String? { get }
  /// Returns the bad record of the error that was just thrown, if there are records.
  mutating func badRecord(of error: JSONError) -> JSONBadRecord?
  /// Aggregates a bad record as a row of its own, from the text of an object that describes it.
  mutating func append(reject text: UnsafeRawBufferPointer)
  /// Returns the number of values that were only counted or aggregated since the last call.
  mutating func takeCounted() -> Int
  /// Begins a block of complete lines or children, for a stream created on an empty input; `end(_:)` ends it.
  mutating func begin(_ block: LineBlock)
  mutating func end(_ block: LineBlock)
  /// Advances in one document to a position after some blocks of children, before anything is read.
  mutating func resume(_ rest: DocumentRest) throws(JSONError)
  /// The lines of a block of children that was read.
  var documentLines: LineCount { get }
}

extension ResultStream where Self: ~Copyable {
  /// Whether further records can follow a bad one.
  var canGoOn: Bool { framing.canResumeAfterErrors }

  mutating func next() throws(JSONError) -> Found? { nil }

  mutating func lendNext(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void) throws(JSONError) -> Bool {
    false
  }

  mutating func lendNextChild(
    _ body: (_ key: UnsafeRawBufferPointer?, _ text: UnsafeRawBufferPointer) -> Void
  ) throws(JSONError) -> Bool { false }

  mutating func lendRow(_ body: (_ column: Int, _ text: UnsafeRawBufferPointer) -> Void) -> Bool { false }

  mutating func lendRows(
    _ body: (_ column: Int, _ text: UnsafeRawBufferPointer) -> Void, endRow: () -> Bool
  ) -> Int { 0 }

  mutating func lendColumns(_ body: (borrowing LentColumns) -> Void) -> Int { 0 }

  mutating func completeRecord() -> Bool { false }
  static var gathers: Bool { false }
  mutating func step() throws(JSONError) -> Bool { false }
  mutating func gather(into part: inout Part) {}
  static var gathersInOrder: Bool { false }
  var isFull: Bool { false }
  mutating func append(reject text: UnsafeRawBufferPointer) {}
  mutating func takeCounted() -> Int { 0 }
  var summaries: [JSONPathSummary] { [] }
  var rulesOutLines: Bool { false }
  var ruledOutLines: Int { 0 }
  var doubts: ProofDoubts { ProofDoubts() }
  mutating func resume(_ rest: DocumentRest) throws(JSONError) {}
  var documentLines: LineCount { LineCount() }
}

struct MatchStream: ResultStream, ~Copyable {
  private var matches: JSONMatches
  init(_ matches: consuming JSONMatches) { self.matches = matches }

  mutating func next() throws(JSONError) -> Found? {
    guard let (match, line) = try matches.nextWithLine() else { return nil }
    return Found(value: match.value, line: line, match: match)
  }

  mutating func lendNext(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void) throws(JSONError) -> Bool {
    try unsafe matches.lendNext(body)
  }

  mutating func lendNextChild(
    _ body: (_ key: UnsafeRawBufferPointer?, _ text: UnsafeRawBufferPointer) -> Void
  ) throws(JSONError) -> Bool {
    try unsafe matches.lendNextChild(body)
  }

  mutating func lendRows(
    _ body: (_ column: Int, _ text: UnsafeRawBufferPointer) -> Void, endRow: () -> Bool
  ) -> Int {
    unsafe matches.lendRows(body, endRow: endRow)
  }

  mutating func lendColumns(_ body: (borrowing LentColumns) -> Void) -> Int { matches.lendColumns(body) }
  mutating func completeRecord() -> Bool { matches.completeRecord() }

  var framing: JSONFraming { matches.framing }
  var summaries: [JSONPathSummary] { matches.summaries }
  var rulesOutLines: Bool { matches.rulesOutLines }
  var ruledOutLines: Int { matches.rulesOutLines ? matches.skippedLineCount : 0 }
  var doubts: ProofDoubts { matches.doubts }
  func position(of error: JSONError) -> SourcePosition { matches.position(of: error) }
  func excerpt(of error: JSONError) -> SourceExcerpt? { matches.excerpt(of: error) }
  var stopReason: String? { matches.stopReason }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { matches.badRecord(of: error) }
  mutating func begin(_ block: LineBlock) { matches.begin(block) }
  mutating func end(_ block: LineBlock) { matches.end(block) }
  mutating func resume(_ rest: DocumentRest) throws(JSONError) { try matches.resume(rest) }
  var documentLines: LineCount { matches.documentLines }
}

struct RecordStream: ResultStream, ~Copyable {
  private var reader: JSONRecordReader
  private var counted = 0

  /// - Parameter isCounting: Whether records are only counted.
  init(_ reader: consuming JSONRecordReader, isCounting: Bool = false) {
    self.reader = reader
    if isCounting { self.reader.skipProven() }
  }

  mutating func takeCounted() -> Int {
    defer { counted = reader.skippedRecords }
    return reader.skippedRecords - counted
  }

  var doubts: ProofDoubts { reader.doubts }

  mutating func next() throws(JSONError) -> Found? {
    guard let record = try reader.next() else { return nil }
    return Found(value: record.value, line: framing == .document ? nil : record.line, match: nil)
  }

  mutating func lendNext(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void) throws(JSONError) -> Bool {
    var isLent = false
    let hasMore = try unsafe reader.lendNext {
      isLent = true
      unsafe body(0, $0)
    }
    // A record that is only counted has no text.
    if hasMore, !isLent { unsafe body(0, UnsafeRawBufferPointer(start: nil, count: 0)) }
    return hasMore
  }

  mutating func lendRow(_ body: (_ column: Int, _ text: UnsafeRawBufferPointer) -> Void) -> Bool {
    unsafe reader.lendRow(body)
  }

  mutating func lendRows(
    _ body: (_ column: Int, _ text: UnsafeRawBufferPointer) -> Void, endRow: () -> Bool
  ) -> Int {
    unsafe reader.lendRows(body, endRow: endRow)
  }

  mutating func lendColumns(_ body: (borrowing LentColumns) -> Void) -> Int { reader.lendColumns(body) }
  mutating func completeRecord() -> Bool { reader.completeRecord() }

  var framing: JSONFraming { reader.framing }
  func position(of error: JSONError) -> SourcePosition { reader.position(of: error) }
  func excerpt(of error: JSONError) -> SourceExcerpt? { reader.excerpt(of: error) }
  var stopReason: String? { reader.stopReason }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { reader.badRecord(of: error) }
  mutating func begin(_ block: LineBlock) { reader.begin(block) }
  mutating func end(_ block: LineBlock) { reader.end(block) }
}

/// Computes the shape of a file. It has no results.
struct ShapeStream: ResultStream, ~Copyable {
  private var reader: JSONShapeReader
  private var counted = 0

  /// - Parameter isLimited: Whether records are counted one by one, so that reading can stop after any of them.
  init(_ reader: consuming JSONShapeReader, isLimited: Bool) {
    self.reader = reader
    if !isLimited { self.reader.countManyLines() }
  }

  static var gathers: Bool { true }

  /// Counts a record, or a chunk of a document. Returns `false` at the end, and when there are too many paths.
  mutating func step() throws(JSONError) -> Bool { try reader.next() }

  mutating func takeCounted() -> Int {
    defer { counted = reader.recordCount }
    return reader.recordCount - counted
  }

  mutating func gather(into part: inout Part) {
    part.shape = reader.takeShape()
    counted = reader.recordCount
  }

  var framing: JSONFraming { reader.framing }
  var rulesOutLines: Bool { reader.rulesOutLines }
  var ruledOutLines: Int { reader.rulesOutLines ? reader.ruledOutLines : 0 }
  func position(of error: JSONError) -> SourcePosition { reader.position(of: error) }
  func excerpt(of error: JSONError) -> SourceExcerpt? { reader.excerpt(of: error) }
  var stopReason: String? { reader.stopReason }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { reader.badRecord(of: error) }
  mutating func begin(_ block: LineBlock) { reader.begin(block) }
  mutating func end(_ block: LineBlock) { reader.end(block) }
}

extension MatchStream {
  /// Creates a stream of the matches of paths in a file. If a path cannot be evaluated on a stream, the whole document
  /// is kept in memory.
  ///
  /// - Parameter kept: The paths that will be evaluated on the matched records, if no other part of them is required.
  init(
    _ paths: [NamedPath], where condition: JSONCondition?, in input: Input, _ options: JSONRecordOptions,
    keeping kept: [JSONPath]? = nil
  ) throws(JSONError) {
    self.init(
      try JSONMatches(
        of: paths.map { ($0.name, $0.path) }, where: condition, in: input.source,
        records: input.options(options),
        keepsDocument: paths.contains { $0.path.streaming.form == .rejected }, resumingAt: input.checkpoint,
        keeping: kept))
  }
}
