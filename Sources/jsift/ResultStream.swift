import JSONSift

/// One result, before it is known how it is written.
struct Found {
  let value: JSON
  /// The line on which its record begins; `nil` in one document.
  let line: Int?
  /// How a path has found it; `nil` of a record.
  let match: JSONMatch?

  var byteOffset: Int { match?.byteRange.lowerBound ?? value.byteRange?.lowerBound ?? 0 }
}

/// What a command reads: values, and errors with their place.
protocol ResultStream: ~Copyable {
  mutating func next() throws(JSONError) -> Found?
  /// Values are no results: they are gathered.
  static var gathers: Bool { get }
  /// Gathers the next value. False at the end.
  mutating func step() throws(JSONError) -> Bool
  /// Hands over what was gathered, and begins anew.
  mutating func gather(into part: inout Part)
  /// What is gathered says where each record stands, so a part with a bad record has what stands before that.
  static var gathersInOrder: Bool { get }
  /// So much is gathered that it is to be handed over.
  var isFull: Bool { get }
  /// The same of values whose text is enough: lends it once, with the number of the path that has found it. `false` at the
  /// end.
  mutating func lendNext(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void) throws(JSONError) -> Bool
  /// The same of the children of a container in one document, with the keys of members.
  mutating func lendNextChild(
    _ body: (_ key: UnsafeRawBufferPointer?, _ text: UnsafeRawBufferPointer) -> Void
  ) throws(JSONError) -> Bool
  /// Lends the texts of the columns of the next record, where only these are asked for. `false` if the record has to be asked
  /// for them.
  mutating func lendRow(_ body: (_ column: Int, _ text: UnsafeRawBufferPointer) -> Void) -> Bool
  /// The same of record after record, as many as are in memory. Returns how many records were gone over: not all have to be
  /// lent.
  mutating func lendRows(
    _ body: (_ column: Int, _ text: UnsafeRawBufferPointer) -> Void, endRow: () -> Bool
  ) -> Int
  var framing: JSONFraming { get }
  /// What became of each path, if there are some.
  var summaries: [JSONPathSummary] { get }
  /// Bad lines that no result can come from may be no errors, and how many lines were not checked.
  var rulesOutLines: Bool { get }
  var ruledOutLines: Int { get }
  /// Where what nobody needs was not proven to be JSON, and was parsed.
  var doubts: ProofDoubts { get }
  func position(of error: JSONError) -> SourcePosition
  func excerpt(of error: JSONError) -> SourceExcerpt?
  /// Why reading cannot go on after an error, of a stream of several records.
  var stopReason: String? { get }
  /// The bad record of an error that was just thrown, if there are records.
  mutating func badRecord(of error: JSONError) -> JSONBadRecord?
  /// How many values were only counted or gathered since this was last asked.
  mutating func takeCounted() -> Int
  /// Goes on with a block of whole lines, of a stream that was made for an empty input; `end(_:)` gives it back.
  mutating func begin(_ block: LineBlock)
  mutating func end(_ block: LineBlock)
}

extension ResultStream where Self: ~Copyable {
  /// Whether there can be a record behind a bad one.
  var canGoOn: Bool { framing.goesOnBehindErrors }

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

  static var gathers: Bool { false }
  mutating func step() throws(JSONError) -> Bool { false }
  mutating func gather(into part: inout Part) {}
  static var gathersInOrder: Bool { false }
  var isFull: Bool { false }
  mutating func takeCounted() -> Int { 0 }
  var summaries: [JSONPathSummary] { [] }
  var rulesOutLines: Bool { false }
  var ruledOutLines: Int { 0 }
  var doubts: ProofDoubts { ProofDoubts() }
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

  var framing: JSONFraming { matches.framing }
  var summaries: [JSONPathSummary] { matches.summaries }
  var rulesOutLines: Bool { matches.rulesOutLines }
  var ruledOutLines: Int { matches.rulesOutLines ? matches.ruledOutLineCount : 0 }
  var doubts: ProofDoubts { matches.doubts }
  func position(of error: JSONError) -> SourcePosition { matches.position(of: error) }
  func excerpt(of error: JSONError) -> SourceExcerpt? { matches.excerpt(of: error) }
  var stopReason: String? { matches.stopReason }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { matches.badRecord(of: error) }
  mutating func begin(_ block: LineBlock) { matches.begin(block) }
  mutating func end(_ block: LineBlock) { matches.end(block) }
}

struct RecordStream: ResultStream, ~Copyable {
  private var reader: JSONRecordReader
  private var counted = 0

  /// - Parameter isCounting: Nobody looks at the records.
  init(_ reader: consuming JSONRecordReader, isCounting: Bool = false) {
    self.reader = reader
    if isCounting { self.reader.passProven() }
  }

  mutating func takeCounted() -> Int {
    defer { counted = reader.passedRecords }
    return reader.passedRecords - counted
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

  var framing: JSONFraming { reader.framing }
  func position(of error: JSONError) -> SourcePosition { reader.position(of: error) }
  func excerpt(of error: JSONError) -> SourceExcerpt? { reader.excerpt(of: error) }
  var stopReason: String? { reader.stopReason }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { reader.badRecord(of: error) }
  mutating func begin(_ block: LineBlock) { reader.begin(block) }
  mutating func end(_ block: LineBlock) { reader.end(block) }
}

/// The shape of a file. It has no results.
struct ShapeStream: ResultStream, ~Copyable {
  private var reader: JSONShapeReader
  private var counted = 0

  /// - Parameter isLimited: Records are counted one by one, so that the reading can stop behind any of them.
  init(_ reader: consuming JSONShapeReader, isLimited: Bool) {
    self.reader = reader
    if !isLimited { self.reader.countRuns() }
  }

  static var gathers: Bool { true }

  /// Counts a record, or a piece of a document. False at the end, and where there are too many paths.
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
  func position(of error: JSONError) -> SourcePosition { reader.position(of: error) }
  func excerpt(of error: JSONError) -> SourceExcerpt? { reader.excerpt(of: error) }
  var stopReason: String? { reader.stopReason }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { reader.badRecord(of: error) }
  mutating func begin(_ block: LineBlock) { reader.begin(block) }
  mutating func end(_ block: LineBlock) { reader.end(block) }
}

extension MatchStream {
  /// Asks paths of a file. What a stream cannot answer is asked of the whole document.
  ///
  /// - Parameter kept: What will be asked of what is found in records, if that is all.
  init(
    _ paths: [NamedPath], where condition: JSONCondition?, in input: Input, _ options: JSONRecordOptions,
    keeping kept: [JSONPath]? = nil
  ) throws(JSONError) {
    self.init(
      try JSONMatches(
        of: paths.map { ($0.name, $0.path) }, where: condition, in: input.source, records: options,
        keepsDocument: paths.contains { $0.path.streaming.form == .refused }, resumingAt: input.checkpoint,
        keeping: kept))
  }
}
