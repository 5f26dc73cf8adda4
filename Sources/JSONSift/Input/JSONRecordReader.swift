/// Reads the records of a stream, one at a time, in bounded memory.
///
/// ```swift
/// var reader = try JSONRecordReader(.path("events.ndjson"))
/// while let record = try reader.next() {
///   if record["level"].string == "error" { print(record.line, record["message"].stringValue) }
/// }
/// ```
///
/// The type is not a `Sequence`, because a sequence cannot report an error in the middle of a stream.
/// ``JSONRecordOptions/recovery`` controls how a bad record is handled; by default its error is thrown. With
/// ``JSONFraming/lines`` and ``JSONFraming/textSequence`` the next call continues with the next record. With the other framings
/// a stream ends at its first error: later calls throw it again.
///
/// Memory is bounded by the longest record; see ``JSONLimits/recordBytes``. If no copy of the last record is kept, reading
/// the next one allocates nothing.
public struct JSONRecordReader: ~Copyable {
  package var window: ReadWindow
  var builder: DocumentBuilder
  /// How the stream is cut into records.
  public let framing: JSONFraming
  let framer: any Framer
  /// Whether the framer cuts lines. Then the reader calls no framer for each record.
  let cutsLines: Bool
  let limits: JSONLimits
  let skipsPrefix: Bool
  let options: JSONRecordOptions
  /// Rules out lines that cannot satisfy the condition evaluated for each record.
  var prefilter: LinePrefilter?
  /// What is made of each record.
  var lane = RecordLane.documents
  /// Validates that records are JSON, so that they need no parser.
  var validation: RecordValidation?
  /// Decodes records, with the decoder that was used last.
  var decoding: RecordDecoding?
  /// The range of the last text in the window, if only texts are requested and this one was not parsed.
  var borrowedRange = 0..<0
  /// The error that every further call throws.
  var failure: JSONError? {
    didSet { hasFailed = failure != nil }
  }
  /// Whether `failure` is set. Tested for each record, because reading `failure` copies the error.
  private var hasFailed = false
  /// Whether the last reported element was the final one.
  var hasEnded = false
  /// A bad record that is reported when its end has been found.
  var held: HeldRecord?
  /// The number of bad records so far.
  public var errorCount: Int { policy.errorCount }
  /// The same for each record. Mutating, because the compiler copies a reader that is only borrowed.
  mutating func countOfErrors() -> Int { policy.errorCount }
  var policy: RecordPolicy

  /// The line on which the last record, good or bad, began. From 1; 0 before the first. After a step, the line of the
  /// record in the input.
  public var line: Int { window.origins?.place(of: recordOffset)?.line ?? textLine }
  /// The number of the input of the last record, or of the error that ended reading, if several inputs are merged; else 0.
  package var inputIndex: Int {
    guard let origins = window.origins else { return 0 }
    return origins.failure?.input ?? origins.place(of: recordOffset)?.input ?? 0
  }
  /// The same line, in the text that is read.
  var textLine = 0
  /// The offset in the input of the last record, good or bad; after a step, in the text that the step makes.
  public internal(set) var recordOffset: Int
  /// Where reading began, if there are steps.
  private var stepsStart: JSONCheckpoint?
  /// After a step: the offset of the last error in the text that is read.
  private var textOffset: Int?
  /// The line of the first unused byte.
  var nextLine = 1
  /// The offset at which ``nextLine`` begins.
  var nextLineStart = 0
  /// The offset at which the line of the last record begins.
  var lineStart = 0
  var lineCuts = LineCuts()
  /// The number of bytes of the last record. They are used up by the call for the next one.
  package var pendingUse = 0
  /// Whether the rest of a record that is too long is being skipped.
  var isSkipping = false
  /// Whether the input began with a byte order mark.
  var hasMark = false

  /// Opens a source. Bad records are handled as in ``JSONRecordOptions/Recovery/stop``.
  ///
  /// - Parameters:
  ///   - source: The input.
  ///   - framing: How it is cut into records.
  ///   - options: Limits, and the handling of lone surrogates.
  /// - Throws: ``JSONError/Code/unreadable`` if the source cannot be opened.
  public init(
    _ source: JSONSource, framing: JSONFraming = .lines, options: JSONOptions = JSONOptions()
  ) throws(JSONError) {
    try self.init(source, options: JSONRecordOptions(framing: framing, reading: options))
  }

  /// Opens a source, at its beginning or where another reader stopped.
  ///
  /// - Parameters:
  ///   - source: The input.
  ///   - options: How it is cut, and how bad records are handled.
  ///   - checkpoint: Where reading continues. The reader returns the records that the checkpoint's reader would have
  ///     returned next. A framing in the checkpoint overrides the one in the options.
  /// - Throws: ``JSONError/Code/unreadable`` if the source cannot be opened, or ends before the checkpoint;
  ///   ``JSONError/Code/invalidPath`` if the path of ``JSONFraming/children(of:)`` is invalid, or can select several values.
  public init(
    _ source: JSONSource, options: JSONRecordOptions, resumingAt checkpoint: JSONCheckpoint? = nil
  ) throws(JSONError) {
    let start = options.steps.isEmpty ? nil : checkpoint ?? options.start
    var (options, checkpoint) = (options, checkpoint)
    let source = source.nested(&options, &checkpoint)
    var window = try ReadWindow(source, readsAhead: true)
    let framing = try window.framing(options, name: source.name, resumingAt: checkpoint)
    try self.init(window, framing: framing, options: options, at: checkpoint)
    stepsStart = start
  }

  /// Opens a source where another reader stopped, with the framing of the checkpoint and the defaults for all other options.
  ///
  /// - Parameters:
  ///   - source: The input.
  ///   - checkpoint: Where reading continues.
  /// - Throws: The errors of ``init(_:options:resumingAt:)``.
  public init(_ source: JSONSource, resumingAt checkpoint: JSONCheckpoint?) throws(JSONError) {
    try self.init(source, options: JSONRecordOptions(), resumingAt: checkpoint)
  }

  /// Creates a reader for a window whose framing is known.
  package init(
    _ window: consuming ReadWindow, framing: JSONFraming, options: JSONRecordOptions,
    at checkpoint: JSONCheckpoint? = nil
  ) throws(JSONError) {
    let framer = framing.framer ?? DocumentFramer.self
    self.framer = framer.init()
    cutsLines = framer.cutsLines
    recordOffset = window.offset
    self.window = window
    self.framing = framing
    self.options = options
    policy = RecordPolicy(options)
    builder = DocumentBuilder(options: options.reading)
    limits = options.reading.limits
    skipsPrefix = options.skipsPrefix
    if let checkpoint {
      resume(checkpoint)
    } else if let range = options.range {
      nextLine = range.firstLine
      nextLineStart = recordOffset
    }
    try self.framer.begin(&self, at: checkpoint)
  }

  private mutating func resume(_ checkpoint: JSONCheckpoint) {
    nextLine = checkpoint.line
    nextLineStart = checkpoint.lineOffset
    lineStart = checkpoint.lineOffset
    isSkipping = checkpoint.isInsideRecord
  }

  /// Returns the next record, or `nil` at the end of the stream. An empty input has no records, except as a
  /// ``JSONFraming/document``, where it is an error: a document has a value. Under ``JSONRecordOptions/Recovery/report`` this
  /// method skips bad records; ``nextResult()`` returns them.
  ///
  /// - Throws: ``JSONError``; its offset counts from the start of the input.
  public mutating func next() throws(JSONError) -> JSONRecord? {
    while true {
      if hasFailed, let failure { throw failure }
      do throws(JSONError) {
        return try advance()
      } catch {
        let error = located(error)
        note(error)
        // The error of the record is reported before the one about too many errors.
        if policy.outcome(forResult: false) == .thrown { throw error }
        if let failure { throw failure }
      }
    }
  }

  /// Returns the next record or the next bad one; `nil` at the end of the stream. If ``JSONRecordOptions/recovery`` has been
  /// set to another policy than ``JSONRecordOptions/Recovery/report``, it is equivalent to ``next()``.
  ///
  /// - Throws: ``JSONError/Code/unreadable``, ``JSONError/Code/tooManyErrors``, and under other policies the errors of
  ///   ``next()``.
  public mutating func nextResult() throws(JSONError) -> Result<JSONRecord, JSONBadRecord>? {
    guard policy.outcome(forResult: true) == .returned else { return try next().map { .success($0) } }
    if held != nil { return try takeHeld().map { .failure($0) } }
    if hasFailed, let failure { throw failure }
    do throws(JSONError) {
      return try advance().map { .success($0) }
    } catch {
      let error = located(error)
      guard !error.code.endsInput, window.origins?.failure == nil else {
        failure = error
        throw error
      }
      let canContinue = note(error)
      hold(error)
      if !canContinue {
        hasEnded = true
        if failure?.code != .tooManyErrors { failure = nil }
      }
      return try takeHeld().map { .failure($0) }
    }
  }

  /// Returns the next record; throws the error of each bad one.
  private mutating func advance() throws(JSONError) -> JSONRecord? {
    usePending()
    if hasEnded { return nil }
    return cutsLines ? try nextRecordOfLine() : try framer.nextRecord(of: &self)
  }

  /// Returns an error of the text that a step has made, with its place in the input.
  private mutating func located(_ error: JSONError) -> JSONError {
    guard let origins = window.origins, origins.failure == nil, !error.code.endsInput,
      let place = origins.place(of: error.byteOffset)
    else { return error }
    textOffset = error.byteOffset
    if place.kind == .unended { return JSONError(.unexpectedEnd, at: place.offset) }
    if place.kind == .missing {
      return JSONError(
        .typeMismatch, at: place.offset, .reason("expected a string that holds JSON at the path of the step"))
    }
    return error.shifted(by: place.offset - error.byteOffset)
  }

  /// Counts an error, and sets the error that further calls throw. Returns whether reading can continue after it.
  @discardableResult
  private mutating func note(_ error: JSONError) -> Bool {
    guard !error.code.endsInput, window.origins?.failure == nil else {
      failure = error
      return false
    }
    let canContinue = framer.stopReason == nil
    if !canContinue { failure = error }
    if let tooMany = policy.count(error) { failure = tooMany }
    return canContinue
  }

  mutating func usePending() {
    window.use(min(pendingUse, window.count))
    pendingUse = 0
  }

  // MARK: Records

  /// Marks the first unused byte as the start of a record.
  mutating func beginRecord() {
    textLine = nextLine
    recordOffset = window.offset
    lineStart = nextLineStart
    window.countRecord()
  }

  mutating func record(_ bytes: UnsafeRawBufferPointer, from start: Int = 0) throws(JSONError) -> JSONRecord {
    if let projection, unsafe isValidated(bytes, from: start),
      let document = unsafe projection.document(of: bytes, from: start, at: recordOffset)
    {
      return record(of: document)
    }
    if unsafe handlesText(bytes, from: start) { return JSONRecord(value: .null, line: line) }
    let document = try unsafe builder.document(
      copying: bytes, origin: recordOffset, from: start, trust: trust(inLine: bytes),
      // Files that were put together have a mark at the start of each.
      stripsMark: recordOffset == lineStart)
    return record(of: document)
  }

  private func record(of document: Document) -> JSONRecord {
    let place = window.origins?.place(of: recordOffset)
    return JSONRecord(
      value: JSON(document, Document.root), line: place?.line ?? textLine, inputIndex: place?.input ?? 0)
  }

  // Forced inlining in this file saves 0.7 % of `functions` (Scripts/measure instructions).
  /// Returns the next line, if there is a projection and its scanner accepts the line.
  @inline(__always)
  mutating func nextProjectedLine() throws(JSONError) -> JSONRecord? {
    guard let projection, let outcome = try nextOutcome(projection) else { return nil }
    if case .projected(let document) = outcome { return record(of: document) }
    let bytes = unsafe Self.text(ofLine: UnsafeRawBufferPointer(rebasing: window.bytes[..<(pendingUse - 1)]))
    let document = try unsafe builder.document(
      copying: bytes, origin: recordOffset, from: 0, trust: .validated, stripsMark: false)
    return record(of: document)
  }

  /// Returns how the next line is to be processed; `nil` if the scanner does not accept it. Reads until the line is complete.
  private mutating func nextOutcome(_ projection: RecordProjection) throws(JSONError) -> LineTrieScanner.Outcome? {
    if let outcome = projection.nextRecord(&self) { return outcome }
    if completeLine() { return projection.nextRecord(&self) }
    if hasFailed, let failure { throw failure }
    return nil
  }

  /// The maximum number of bytes to search for the end of a record; a longer one is skipped. It is at least the length of an
  /// excerpt, so that an excerpt does not depend on where reads end.
  var maxSearchLength: Int { max(limits.recordBytes, ReadWindow.keptBytes) }

  /// Counts the lines in bytes that are about to be used.
  mutating func countLines(_ bytes: UnsafeRawBufferPointer) {
    nextLine += unsafe ByteScan.countLineFeeds(bytes)
    if let last = unsafe ByteScan.lastLineFeed(bytes) { nextLineStart = window.offset + last + 1 }
  }
}

extension JSONRecordReader {
  /// The bytes of the last record, good or bad, as far as they are in memory. Valid until the next call.
  public var recordBytes: RawSpan {
    @_lifetime(borrow self)
    get {
      let count = min(pendingUse, window.count)
      return unsafe _overrideLifetime(UnsafeRawBufferPointer(rebasing: window.bytes[..<count]).bytes, borrowing: self)
    }
  }

  // The time to compile a method that borrows the reader grows with the square of the properties that it reads, so these are short.

  /// Returns the line and column of an error that the last call threw.
  public func position(of error: JSONError) -> JSONError.Position {
    if let origins = window.origins, let position = origins.position(ofError: textOffset) { return position }
    return positionInText(of: error)
  }

  private func positionInText(of error: JSONError) -> JSONError.Position {
    if let position = unsafe framer.children?.position(of: error, in: window.bytes, at: window.offset) {
      return position
    }
    return error.code == .unreadable ? endPosition(of: error) : positionInRecord(of: error.byteOffset)
  }

  private func positionInRecord(of byteOffset: Int) -> JSONError.Position {
    let start = recordOffset
    var lines = LineCount(feeds: textLine, lastStart: lineStart)
    let before = unsafe UnsafeRawBufferPointer(rebasing: window.bytes.prefix(max(byteOffset - start, 0)))
    unsafe lines.add(LineCount(of: before, at: start))
    return lines.position(of: byteOffset)
  }

  /// Returns where reading stopped.
  private func endPosition(of error: JSONError) -> JSONError.Position {
    let used = min(pendingUse, window.count)
    let rest = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[used...])
    let first = cutsLines ? window.offset + used : nextLineStart
    let start = unsafe ByteScan.lastLineFeed(rest).map { window.offset + used + $0 + 1 } ?? first
    let line = unsafe nextLine + ByteScan.countLineFeeds(rest)
    return JSONError.Position(byteOffset: error.byteOffset, line: line, column: max(error.byteOffset - start, 0) + 1)
  }

  /// Returns the text around an error that the last call threw.
  public func excerpt(of error: JSONError) -> JSONError.Excerpt {
    let found = window.origins.flatMap { $0.excerpt(ofError: textOffset) } ?? excerptOfText(of: error)
    return found ?? JSONError.Excerpt(around: 0, in: [])
  }

  private func excerptOfText(of error: JSONError) -> JSONError.Excerpt? {
    let lineStart = error.byteOffset - position(of: error).column + 1
    // While a record that is too long is skipped, more of it is in memory than an excerpt shows.
    let limit = framer.children != nil || isSkipping ? .max : max(pendingUse, 1)
    return window.excerpt(at: error.byteOffset, lineStart: lineStart, limit: limit)
  }

  /// Where reading continues after the last record that was returned, good or bad; before a bad one behind which reading
  /// cannot continue. Store it, and pass it to another reader of the same input; see ``JSONCheckpoint``.
  ///
  /// With ``JSONRecordOptions/steps`` it is where the reader began: a record of the input has no position inside.
  public var checkpoint: JSONCheckpoint {
    if let stepsStart { return stepsStart }
    return framer.checkpoint(of: self, at: isStuck ? recordOffset : window.offset + min(pendingUse, window.count))
  }

  /// Whether reading cannot continue after the last, bad record: a resumed reader reads it again.
  var isStuck: Bool {
    guard framer.stopReason != nil else { return false }
    if let failure { return !failure.code.endsInput }
    return hasEnded
  }
}
