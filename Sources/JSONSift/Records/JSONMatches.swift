/// What became of one path in a stream.
public struct JSONPathSummary: Sendable, Hashable {
  /// What a path has found.
  public enum Outcome: Sendable, Hashable {
    /// It has selected values.
    case matched
    /// What its last step selects in was there, and held nothing that it selects.
    case empty
    /// What its last step selects in was not there, or is no array or object of the kind that it selects in.
    case absent
  }

  /// The name that the path was given, or its text.
  public let name: String
  /// How many values it has selected so far.
  public let count: Int
  /// What it has found so far.
  public let outcome: Outcome
}

/// Reads the values that paths select in a stream, in one pass.
///
/// ```swift
/// var matches = try JSONMatches(of: "$.records[*].user.id", in: .path("huge.json"))
/// while let match = try matches.next() { total += match.value.intValue }
/// ```
///
/// In one document every byte is checked, and nothing is built but what a path asks for: ``JSONPath/streaming`` says what
/// that is. The matches of one path come in the order of RFC 9535, as in memory; those of several paths as they become
/// known. When all paths have only names and indexes, the reading stops once all are answered; bytes after that are not
/// checked. In records the paths start at each record, and a bad record is thrown as ``JSONRecordReader/next()`` does.
public struct JSONMatches: ~Copyable {
  var content: DocumentOrRecords<DocumentMatches, RecordMatches>
  private let names: [String]
  /// How the stream is cut into records.
  public let framing: JSONFraming
  private let isDocument: Bool

  /// Starts reading for some paths, each with a name.
  ///
  /// - Parameters:
  ///   - paths: What is asked for, and what it is called in ``JSONMatch/name``.
  ///   - condition: Of records, only those for which it holds are asked. One document is a record then, and kept as one.
  ///   - source: What is read.
  ///   - framing: One document, or how the stream is cut into records.
  ///   - keepsDocument: One document is read as a whole before it is asked, at most ``JSONLimits/recordBytes`` of it. Then
  ///     every path can be asked, those too that ask for the root inside a filter.
  ///   - options: Limits, and whether what cannot match is passed over.
  /// - Throws: ``JSONError/Code/unreadable`` if the source cannot be opened; ``JSONError/Code/invalidPath`` if a path is a bad
  ///   literal, or if it asks for the root inside a filter and the input is one document that is not kept.
  public init(
    of paths: [(name: String, path: JSONPath)], where condition: JSONCondition? = nil, in source: JSONSource,
    framing: JSONFraming = .document, keepsDocument: Bool = false, options: JSONOptions = JSONOptions()
  ) throws(JSONError) {
    try self.init(
      of: paths, where: condition, in: source, records: JSONRecordOptions(framing: framing, reading: options),
      keepsDocument: keepsDocument)
  }

  /// Starts reading for some paths, each with a name, in records that are cut and read as `options` say.
  ///
  /// - Parameters:
  ///   - paths: What is asked for, and what it is called in ``JSONMatch/name``.
  ///   - condition: Of records, only those for which it holds are asked.
  ///   - source: What is read.
  ///   - options: How it is cut and read. What is said of recovery does not count: a bad record is thrown.
  ///   - keepsDocument: One document is read as a whole before it is asked.
  ///   - checkpoint: Where reading begins, if not at the start of the input; not for one document that is not kept.
  /// - Throws: As above.
  public init(
    of paths: [(name: String, path: JSONPath)], where condition: JSONCondition? = nil, in source: JSONSource,
    records options: JSONRecordOptions, keepsDocument: Bool = false, resumingAt checkpoint: JSONCheckpoint? = nil
  ) throws(JSONError) {
    try self.init(
      of: paths, where: condition, in: source, records: options, keepsDocument: keepsDocument, resumingAt: checkpoint,
      keeping: nil)
  }

  /// - Parameter kept: What will be asked of the matches in records, if that is all that will be. With
  ///   ``JSONOptions/fastForward-swift.property`` there is no more of them then.
  package init(
    of paths: [(name: String, path: JSONPath)], where condition: JSONCondition?, in source: JSONSource,
    records options: JSONRecordOptions, keepsDocument: Bool, resumingAt checkpoint: JSONCheckpoint?,
    keeping kept: [JSONPath]?
  ) throws(JSONError) {
    var queries: [PathQuery] = []
    for (_, path) in paths { queries.append(try path.checked()) }
    let names = paths.map { $0.name }
    var window = try ReadWindow(source, readsAhead: true)
    let cut = try window.framing(options, name: source.name, resumingAt: checkpoint)
    if cut == .document, condition == nil, !keepsDocument, checkpoint == nil {
      let matcher = try PathMatcher(queries, names: names, limits: options.reading.limits)
      self.init(DocumentOrRecords(DocumentMatches(matcher, window, options.reading)), names, cut)
    } else {
      let reader = try JSONRecordReader(window, framing: cut, options: options, at: checkpoint)
      var asked: [PathQuery]?
      if let kept {
        asked = []
        for path in kept { asked?.append(try path.checked()) }
      }
      let matches = RecordMatches(queries, names: names, condition, reader, options.reading, keeping: asked)
      self.init(DocumentOrRecords(records: matches), names, cut)
    }
  }

  private init(
    _ content: consuming DocumentOrRecords<DocumentMatches, RecordMatches>, _ names: [String], _ framing: JSONFraming
  ) {
    self.content = content
    self.names = names
    self.framing = framing
    isDocument = framing == .document
  }

  /// Starts reading for one path.
  public init(
    of path: JSONPath, in source: JSONSource, framing: JSONFraming = .document, options: JSONOptions = JSONOptions()
  ) throws(JSONError) {
    try self.init(of: [(path.description, path)], in: source, framing: framing, options: options)
  }

  /// Compiles the path and starts.
  ///
  /// - Throws: ``JSONError/Code/invalidPath`` too.
  @_disfavoredOverload
  public init(
    of path: String, in source: JSONSource, framing: JSONFraming = .document, options: JSONOptions = JSONOptions()
  ) throws(JSONError) {
    try self.init(of: JSONPath(path), in: source, framing: framing, options: options)
  }

  /// The next match, or `nil` when there is none left.
  ///
  /// - Throws: ``JSONError``. Matches before the error have been handed out before.
  public mutating func next() throws(JSONError) -> JSONMatch? {
    if let match = try content.document?.next() { return match }
    return try content.records?.next()
  }

  /// ``next()`` with ``recordLine``.
  package mutating func nextWithLine() throws(JSONError) -> (match: JSONMatch, line: Int?)? {
    if let match = try content.document?.next() { return (match, nil) }
    guard let match = try content.records?.next() else { return nil }
    return (match, isDocument ? Optional.none : content.records?.currentLine())
  }

  /// Goes on to the next match, and lends its path, by its place in the list, and its text. Cheaper than ``next()``.
  ///
  /// - Returns: `false` when there is none left.
  package mutating func lendNext(
    _ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void
  ) throws(JSONError) -> Bool {
    if try unsafe content.document?.lendNext({ path, text, _ in unsafe body(path, text) }) == true { return true }
    return try unsafe content.records?.lendNext(body) == true
  }

  /// The same in one document, with the key of a match that is a member.
  package mutating func lendNextChild(
    _ body: (_ key: UnsafeRawBufferPointer?, _ text: UnsafeRawBufferPointer) -> Void
  ) throws(JSONError) -> Bool {
    try unsafe content.document?.lendNext { _, text, place in unsafe body(MatchLocation.lastName(of: place), text) }
      == true
  }

  /// Goes over records whose matches are they themselves, and lends what will be asked of them, each text with the number of its
  /// path, where the condition holds.
  ///
  /// - Parameter endRow: Is called behind the texts of each record, and returns whether another record is wanted.
  /// - Returns: How many records were gone over. If it is 0, the next match has to be asked for.
  package mutating func lendRows(
    _ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void, endRow: () -> Bool
  ) -> Int {
    unsafe content.records?.lendRows(body, endRow: endRow) ?? 0
  }

  /// The line on which the record of the last match begins, from 1. `nil` in one document, and before the first record.
  public var recordLine: Int? {
    guard framing != .document else { return nil }
    switch content.records {
    case .some(let matches): return matches.reader.line > 0 ? matches.reader.line : nil
    case .none: return nil
    }
  }

  /// What became of each path so far, in the order of the list. All of it is known when ``next()`` has returned `nil`.
  public var summaries: [JSONPathSummary] {
    names.indices.map { path in
      let count = count(of: path)
      let isReached = count > 0 || reachedEnd(path)
      return JSONPathSummary(
        name: names[path], count: count, outcome: count > 0 ? .matched : isReached ? .empty : .absent)
    }
  }

  private func count(of path: Int) -> Int {
    switch content.document {
    case .some(let matches): return matches.matchCount(of: path)
    case .none: break
    }
    switch content.records {
    case .some(let matches): return matches.counts[path]
    case .none: return 0
    }
  }

  private func reachedEnd(_ path: Int) -> Bool {
    switch content.document {
    case .some(let matches): return matches.reachedEnd(path)
    case .none: break
    }
    switch content.records {
    case .some(let matches): return matches.hasReached(path)
    case .none: return false
    }
  }

  /// How many lines were passed over without a parser, since the condition cannot hold for them. They were proven to be JSON
  /// where bad lines count; else nobody knows whether they are. What else could have been is not counted, where the prefilter had stepped aside. See ``JSONPrefilter``.
  public var ruledOutLineCount: Int {
    switch content.records {
    case .some(let matches):
      return (matches.reader.prefilter?.ruledOut ?? 0) + (matches.reader.projection?.ruledOut ?? 0)
    case .none: return 0
    }
  }

  /// Bad lines may be ruled out, and are no errors then.
  package var rulesOutLines: Bool {
    switch content.records {
    case .some(let matches):
      return framing == .lines
        && (matches.reader.prefilter?.proves == false || matches.reader.projection?.rulesOutUnproven == true)
    case .none: return false
    }
  }

  /// Where the proof of what nobody asks for was in doubt.
  package var doubts: ProofDoubts {
    switch content.document {
    case .some(let matches): return matches.doubts
    case .none: break
    }
    switch content.records {
    case .some(let matches): return matches.reader.doubts
    case .none: return ProofDoubts()
    }
  }

  /// Line and column of an error that the last call threw.
  public func position(of error: JSONError) -> SourcePosition { content.position(of: error) }

  /// The text around an error that the last call threw, if it is still in memory.
  public func excerpt(of error: JSONError) -> SourceExcerpt? { content.excerpt(of: error) }

  /// Why reading cannot go on after an error of the last call; `nil` if it can.
  public var stopReason: String? { content.stopReason }

  /// The bad record whose error the last call threw; `nil` in one document. See ``JSONRecordReader/badRecord(of:)``.
  public mutating func badRecord(of error: JSONError) -> JSONBadRecord? { content.badRecord(of: error) }
}
