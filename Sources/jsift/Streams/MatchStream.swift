import JSONSift

/// The matches of paths in records or in one document.
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

  mutating func lendMatches(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Bool) -> Int {
    unsafe matches.lendMatches(body)
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
  var summaries: [JSONMatches.Summary] { matches.summaries }
  var rulesOutLines: Bool { matches.rulesOutLines }
  var ruledOutLines: Int { matches.rulesOutLines ? matches.skippedLineCount : 0 }
  mutating func takeTimeMisses() -> TimeMisses { matches.takeTimeMisses() }
  var doubts: ProofDoubts { matches.doubts }
  func position(of error: JSONError) -> JSONError.Position { matches.position(of: error) }
  func excerpt(of error: JSONError) -> JSONError.Excerpt? { matches.excerpt(of: error) }
  var stopReason: String? { matches.stopReason }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { matches.badRecord(of: error) }
  mutating func begin(_ block: LineBlock) { matches.begin(block) }
  mutating func end(_ block: LineBlock) { matches.end(block) }
  mutating func resume(_ rest: DocumentRest) throws(JSONError) { try matches.resume(rest) }
  var documentLines: LineCount { matches.documentLines }
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

  /// Creates a stream of the records that satisfy a condition.
  init(
    recordsWhere condition: JSONCondition, in input: Input, _ options: JSONRecordOptions,
    keeping kept: [JSONPath]? = nil
  ) throws(JSONError) {
    try self.init([NamedPath(name: "", path: "$")], where: condition, in: input, options, keeping: kept)
  }
}
