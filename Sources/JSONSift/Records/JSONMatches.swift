extension JSONMatches {
  /// The result of one path in a stream.
  public struct Summary: Sendable, Hashable {
    /// The outcome of a path.
    public enum Outcome: Sendable, Hashable {
      /// The path has selected values.
      case matched
      /// The container in which its last step selects occurred, but contained no value that it selects.
      case empty
      /// The container in which its last step selects did not occur, or is not an array or object of the required kind.
      case absent
    }

    /// The name given for the path, or its text.
    public let name: String
    /// The number of values selected so far.
    public let count: Int
    /// The outcome so far.
    public let outcome: Outcome
  }
}

/// Reads the values that paths select in a stream, in one pass.
///
/// ```swift
/// var matches = try JSONMatches(of: "$.records[*].user.id", in: .path("huge.json"))
/// while let match = try matches.next() { total += match.value.intValue }
/// ```
///
/// In one document every byte is validated, and only the values that a path needs are built; see ``JSONPath/streaming``. The
/// matches of one path are returned in the order of RFC 9535, as in memory; the matches of several paths as they become
/// known. If all paths have only names and indexes, reading stops once the result of each is known; bytes after that are not
/// validated. In records the paths start at each record, and a bad record is thrown as in ``JSONRecordReader/next()``.
public struct JSONMatches: ~Copyable {
  var content: DocumentOrRecords<DocumentMatches, RecordMatches>
  private let names: [String]
  /// How the stream is cut into records. With ``JSONFraming/automatic``, one document becomes ``JSONFraming/values`` when
  /// another value follows it.
  public private(set) var framing: JSONFraming
  private var isDocument: Bool
  private let queries: [PathQuery]
  private let options: JSONRecordOptions
  /// The result of each path in the first value, if others follow it.
  private var first: [(count: Int, isReached: Bool)] = []

  /// Opens a source for several paths, each with a name.
  ///
  /// - Parameters:
  ///   - paths: The paths, each with its name in ``JSONMatch/name``.
  ///   - condition: If present, only records that satisfy it are searched. One document then counts as a record, and is held
  ///     in memory.
  ///   - source: The input.
  ///   - framing: One document, or how the stream is cut into records.
  ///   - keepsDocument: Whether one document is read as a whole before the paths are evaluated, at most
  ///     ``JSONLimits/recordBytes`` of it. All paths are then supported, even those that refer to the root inside a filter.
  ///   - options: Limits, and the handling of lone surrogates.
  /// - Throws: ``JSONError/Code/unreadable`` if the source cannot be opened; ``JSONError/Code/invalidPath`` if a path is an
  ///   invalid literal, or if it refers to the root inside a filter and the input is one document that is not held in
  ///   memory.
  public init(
    of paths: [(name: String, path: JSONPath)], where condition: JSONCondition? = nil, in source: JSONSource,
    framing: JSONFraming = .document, keepsDocument: Bool = false, options: JSONOptions = JSONOptions()
  ) throws(JSONError) {
    try self.init(
      of: paths, where: condition, in: source, records: JSONRecordOptions(framing: framing, reading: options),
      keepsDocument: keepsDocument)
  }

  /// Opens a source for several paths, each with a name, in records that are cut and read according to `options`.
  ///
  /// - Parameters:
  ///   - paths: The paths, each with its name in ``JSONMatch/name``.
  ///   - condition: If present, only records that satisfy it are searched.
  ///   - source: The input.
  ///   - options: How it is cut and read. The recovery policy is ignored: a bad record is thrown.
  ///   - keepsDocument: Whether one document is read as a whole before the paths are evaluated.
  ///   - checkpoint: Where reading begins, if not at the start of the input. A document is then held in memory.
  /// - Throws: The same errors as ``init(of:where:in:framing:keepsDocument:options:)``.
  public init(
    of paths: [(name: String, path: JSONPath)], where condition: JSONCondition? = nil, in source: JSONSource,
    records options: JSONRecordOptions, keepsDocument: Bool = false, resumingAt checkpoint: JSONCheckpoint? = nil
  ) throws(JSONError) {
    try self.init(
      of: paths, where: condition, in: source, records: options, keepsDocument: keepsDocument, resumingAt: checkpoint,
      keeping: nil)
  }

  /// - Parameter kept: The paths that will be evaluated for the matches in records, if there are no others. The matches
  ///   can then contain nothing else.
  package init(
    of paths: [(name: String, path: JSONPath)], where condition: JSONCondition?, in source: JSONSource,
    records options: JSONRecordOptions, keepsDocument: Bool, resumingAt checkpoint: JSONCheckpoint?,
    keeping kept: [JSONPath]?
  ) throws(JSONError) {
    // An invalid path is reported before the source is opened.
    _ = try paths.map(\.path).checked()
    var (options, checkpoint) = (options, checkpoint)
    let source = source.nested(&options, &checkpoint)
    var window = try ReadWindow(source, readsAhead: true)
    let framing = try window.framing(options, name: source.name, resumingAt: checkpoint)
    try self.init(
      of: paths, where: condition, in: window, framing, records: options, keepsDocument: keepsDocument,
      resumingAt: checkpoint, keeping: kept)
  }

  /// Opens a window that is at its start, and whose framing is known.
  init(
    of paths: [(name: String, path: JSONPath)], where condition: JSONCondition? = nil, in window: consuming ReadWindow,
    _ framing: JSONFraming, records options: JSONRecordOptions, keepsDocument: Bool = false,
    resumingAt checkpoint: JSONCheckpoint?, keeping kept: [JSONPath]? = nil
  ) throws(JSONError) {
    let queries = try paths.map(\.path).checked()
    let names = paths.map { $0.name }
    var cut = framing
    // Paths that need the whole document find the next value as an error.
    let readsOn =
      cut == .document && checkpoint == nil && (options.isGuessed || options.guessesFraming)
      && !keepsDocument && !paths.isEmpty && paths.allSatisfy { $0.path.streaming.stopsEarly }
    if readsOn, options.guessesFraming, window.beginsWithValues() { cut = .values }
    if cut == .document, condition == nil, !keepsDocument, checkpoint == nil {
      let matcher = try PathMatcher(queries, names: names, limits: options.reading.limits)
      let matches = DocumentMatches(matcher, window, options.reading, readingOn: readsOn)
      self.init(DocumentOrRecords(matches), names, cut, queries, options)
    } else {
      let reader = try JSONRecordReader(window, framing: cut, options: options, at: checkpoint)
      let matches = RecordMatches(
        queries, names: names, condition, reader, options.reading, keeping: try kept?.checked())
      self.init(DocumentOrRecords(records: matches), names, cut, queries, options)
    }
  }

  private init(
    _ content: consuming DocumentOrRecords<DocumentMatches, RecordMatches>, _ names: [String], _ framing: JSONFraming,
    _ queries: [PathQuery], _ options: JSONRecordOptions
  ) {
    self.content = content
    self.names = names
    self.queries = queries
    self.options = options
    self.framing = framing
    isDocument = framing == .document
  }

  /// Opens a source for one path.
  public init(
    of path: JSONPath, in source: JSONSource, framing: JSONFraming = .document, options: JSONOptions = JSONOptions()
  ) throws(JSONError) {
    try self.init(of: [(path.description, path)], in: source, framing: framing, options: options)
  }

  /// Compiles a path, and opens a source for it.
  ///
  /// - Throws: ``JSONError/Code/invalidPath`` too.
  @_disfavoredOverload
  public init(
    of path: String, in source: JSONSource, framing: JSONFraming = .document, options: JSONOptions = JSONOptions()
  ) throws(JSONError) {
    try self.init(of: JSONPath(path), in: source, framing: framing, options: options)
  }

  /// Returns the next match, or `nil` if none is left.
  ///
  /// - Throws: ``JSONError``. Matches before the error have been returned by then.
  public mutating func next() throws(JSONError) -> JSONMatch? {
    if let match = try content.document?.next() { return match }
    try readOn()
    return try content.records?.nextPlaced()
  }

  /// Goes on with the values behind the first one, if there are any.
  private mutating func readOn() throws(JSONError) {
    guard isDocument, let start = content.document?.nextValue else { return }
    first = names.indices.map { (count(of: $0), reachedEnd($0)) }
    guard let document = content.document.take() else { return }
    (framing, isDocument) = (.values, false)
    let checkpoint = JSONCheckpoint(
      byteOffset: start.byteOffset, line: start.line, lineOffset: start.byteOffset - start.column + 1, framing: .values)
    let reader = try JSONRecordReader(
      document.takeRest(from: start.byteOffset), framing: .values, options: options, at: checkpoint)
    content = DocumentOrRecords(records: RecordMatches(queries, names: names, nil, reader, options.reading))
  }

  /// Returns the result of ``next()`` with ``recordLine``.
  package mutating func nextWithLine() throws(JSONError) -> (match: JSONMatch, line: Int?)? {
    if let match = try content.document?.next() { return (match, nil) }
    try readOn()
    guard let match = try content.records?.nextPlaced() else { return nil }
    return (match, currentLine())
  }

  /// Advances to the next match, and passes the index of its path and its text. Cheaper than ``next()``.
  ///
  /// - Returns: `false` if none is left.
  package mutating func borrowNext(
    _ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void
  ) throws(JSONError) -> Bool {
    if try unsafe content.document?.borrowNext({ path, text, _, _ in unsafe body(path, text) }) == true { return true }
    try readOn()
    return try unsafe content.records?.borrowNext(body) == true
  }

  /// Like ``borrowNext(_:)``, but passes the offset of the match and its line, too.
  mutating func borrowNextPlaced(
    _ body: (_ path: Int, _ text: UnsafeRawBufferPointer, _ offset: Int, _ line: Int) -> Void
  ) throws(JSONError) -> Bool {
    var found: (path: Int, offset: Int, text: [UInt8])?
    let isFound = try unsafe content.document?.borrowNext { path, text, _, offset in
      found = unsafe (path, offset, Array(text))
    }
    if isFound == true, let found {
      let feeds = unsafe found.text.withUnsafeBytes { unsafe ByteScan.countLineFeeds($0) }
      // The start of a long match is no longer in memory.
      let line = (content.document?.line(at: found.offset + found.text.count) ?? 1) - feeds
      unsafe found.text.withUnsafeBytes { unsafe body(found.path, $0, found.offset, line) }
      return true
    }
    try readOn()
    guard let match = try content.records?.next() else { return false }
    let line = content.records?.currentLine() ?? 1
    unsafe match.value.borrowRawBytes { unsafe body(match.pathIndex, $0, match.byteRange.lowerBound, line) }
    return true
  }

  /// Whether no match was found because the input has no bytes yet.
  var wouldBlock: Bool { content.records.borrow { !$0.reader.hasEnded && $0.reader.window.wouldBlock } ?? false }

  /// Passes the index of the path and the text of each match that is in memory, as long as `body` returns true. It reads
  /// nothing, throws no error, and costs a fraction of ``borrowNext(_:)`` for each match.
  ///
  /// - Returns: The number of matches. If it is 0, the caller requests the next match.
  package mutating func borrowMatches(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Bool) -> Int {
    let count = unsafe content.document?.borrowMatches(body) ?? 0
    return count > 0 ? count : unsafe content.records?.borrowMatches(body) ?? 0
  }

  /// Like ``borrowNext(_:)`` in one document, as long as ``framing`` is one, but passes the key of a match that is a member
  /// instead of the path.
  package mutating func borrowNextChild(
    _ body: (_ key: UnsafeRawBufferPointer?, _ text: UnsafeRawBufferPointer) -> Void
  ) throws(JSONError) -> Bool {
    let found = try unsafe content.document?.borrowNext(locating: true) { _, text, packed, _ in
      unsafe body(MatchLocation.lastName(of: packed), text)
    }
    if found == true { return true }
    try readOn()
    return false
  }

  /// For the path `$`, with or without a condition: scans records, and passes the texts of the kept paths for the records that
  /// satisfy the condition, each text with the index of its path.
  ///
  /// - Parameters:
  ///   - body: Receives the index of a path and the text.
  ///   - endRow: Called after the texts of each record; returns whether to continue with another record.
  /// - Returns: The number of records scanned. If it is 0, the caller requests the next match.
  package mutating func borrowRows(
    _ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void, endRow: () -> Bool
  ) -> Int {
    unsafe content.records?.borrowRows(body, endRow: endRow) ?? 0
  }

  /// Passes the same records by column.
  package mutating func borrowColumns(_ body: (borrowing BorrowedColumns) -> Void) -> Int {
    content.records?.borrowColumns(body) ?? 0
  }

  /// Reads until the next record is complete, so that it can be passed. Returns whether a read was needed.
  package mutating func completeRecord() -> Bool { content.records?.completeRecord() ?? false }

  /// Switches the matches of `$` in records to counting: ``borrowNext(_:)`` then passes an empty text for a record, and
  /// ``skippedRecords`` counts those beyond.
  package mutating func onlyCountRecords() { content.records?.reader.skipValidated() }

  /// The number of records that were counted without being returned.
  package var skippedRecords: Int { content.records.borrow { $0.reader.skippedRecords } ?? 0 }

  /// The line on which the record of the last match begins, from 1. `nil` in one document, and before the first record.
  public var recordLine: Int? {
    guard framing != .document else { return nil }
    return content.records.borrow { $0.reader.line > 0 ? $0.reader.line : nil } ?? nil
  }

  /// The same, for each record of a group: borrowed matches are copied.
  package mutating func currentLine() -> Int? { isDocument ? Optional.none : content.records?.currentLine() }

  /// See ``JSONRecordReader/inputIndex``.
  package var inputIndex: Int { content.records.borrow { $0.reader.inputIndex } ?? 0 }

  /// The result of each path so far, in the order of the paths. Final when ``next()`` has returned `nil`.
  public var summaries: [Summary] {
    names.indices.map { path in
      let before = first.isEmpty ? (count: 0, isReached: false) : first[path]
      let count = before.count + count(of: path)
      let isReached = count > 0 || before.isReached || reachedEnd(path)
      return Summary(name: names[path], count: count, outcome: count > 0 ? .matched : isReached ? .empty : .absent)
    }
  }

  private func count(of path: Int) -> Int {
    content.document?.matchCount(of: path) ?? content.records.borrow { $0.counts[path] } ?? 0
  }

  private func reachedEnd(_ path: Int) -> Bool {
    content.document?.reachedEnd(path) ?? content.records?.hasReached(path) ?? false
  }

  /// Returns the records without a time, for a window of time, since the last call.
  package mutating func takeTimeMisses() -> TimeMisses { content.records?.takeMisses() ?? TimeMisses() }

  /// What was not validated, and what had to be parsed. See ``JSONRecordOptions/Prefilter``.
  package var tally: ReadingTally { content.tally }

  /// Returns the line and column of an error that the last call threw.
  public func position(of error: JSONError) -> JSONError.Position { content.position(of: error) }

  /// Returns the text around an error that the last call threw, if it is still in memory.
  public func excerpt(of error: JSONError) -> JSONError.Excerpt? { content.excerpt(of: error) }

  /// Why reading cannot continue after the error of the last call; `nil` if it can.
  public var stopReason: String? { content.stopReason }

  /// Returns the bad record whose error the last call threw; `nil` in one document. See ``JSONRecordReader/badRecord(of:)``.
  public mutating func badRecord(of error: JSONError) -> JSONBadRecord? { content.badRecord(of: error) }
}
