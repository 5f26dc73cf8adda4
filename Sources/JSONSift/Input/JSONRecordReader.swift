/// Reads the records of a stream, one at a time, in bounded memory.
///
/// ```swift
/// var reader = try JSONRecordReader(.path("events.ndjson"))
/// while let record = try reader.next() {
///   if record["level"].string == "error" { print(record.line, record["message"].stringValue) }
/// }
/// ```
///
/// It is no `Sequence`: an error in the middle of a stream would be lost in one. What becomes of a bad record is
/// ``JSONRecordOptions/recovery``; if nothing is said, its error is thrown. With ``JSONFraming/lines`` and
/// ``JSONFraming/sequence`` the next call goes on with the next record. With the other framings a stream ends at its first
/// error: later calls throw it again.
///
/// Memory is bounded by the longest record; see ``JSONLimits/recordBytes``. A record that nobody holds any more when the
/// next one is asked for costs no allocation.
public struct JSONRecordReader: ~Copyable {
  var window: ReadWindow
  var builder: DocumentBuilder
  /// How the stream is cut into records.
  public let framing: JSONFraming
  /// What cuts the stream, and whether it cuts lines: asked for each record.
  let framer: any Framer.Type
  let cutsLines: Bool
  let limits: JSONLimits
  let skipsPrefix: Bool
  let options: JSONRecordOptions
  var children: ChildReader?
  /// Rules out lines for which a condition cannot hold, which somebody asks of each record.
  var prefilter: LinePrefilter?
  /// Parses a part of each record, where what is asked of them is known and the rest is passed over.
  var projection: RecordProjection?
  /// Counts the values of lines; no record is made of them then.
  var shape: ShapeStorage?
  /// Passes over lines that are JSON, where no record is wanted.
  var proof: RecordProof?
  /// Copies records that are JSON, where nothing else is done with them.
  var copier: RecordCopier?
  /// Only the texts of records are wanted, and where in the window that of the last record is, if it is there.
  var lendsText = false
  var lentRange = 0..<0
  /// What every further call throws.
  var failure: JSONError? {
    didSet { hasFailed = failure != nil }
  }
  /// Asked for each record: a look at the error itself copies it.
  private var hasFailed = false
  /// What was reported is the last that there is.
  var hasEnded = false
  /// A bad record that is reported when its end has been seen.
  var held: HeldRecord?
  /// How many bad records there were so far.
  public internal(set) var errorCount = 0

  /// The line on which the last record, or the last bad one, began. From 1; 0 before the first.
  public internal(set) var line = 0
  /// The offset in the input at which it began.
  public internal(set) var recordOffset: Int
  /// The line of the first byte that is not used, and where it and the last record's line begin.
  var nextLine = 1
  var nextLineStart = 0
  var lineStart = 0
  /// Up to this offset all whole lines are known to be valid text.
  var validOffset = 0
  /// Up to this offset there are whole lines. It is looked for once, not for each line.
  var linesEnd = 0
  /// How many bytes behind the used ones hold no end of a record.
  var searched = 0
  /// The last record's bytes, which are used when the next one is asked for.
  var pendingUse = 0
  /// The rest of a record that is too long is being passed over.
  var isPassing = false
  /// A record has begun that is not complete.
  var isOpen = false
  /// The value that has begun, of values one behind another.
  var extent = ValueExtent()
  /// The last value is a scalar, and no white space has been seen behind it.
  var touchesNext = false
  /// Of a text sequence: a separator has come.
  var hasSeparator = false
  /// The input began with a byte order mark.
  var hasMark = false

  /// Starts reading; what becomes of a bad record is ``JSONRecovery/stop``.
  ///
  /// - Throws: ``JSONError/Code/unreadable`` if the source cannot be opened.
  public init(
    _ source: JSONSource, framing: JSONFraming = .lines, options: JSONOptions = JSONOptions()
  ) throws(JSONError) {
    try self.init(source, options: JSONRecordOptions(framing: framing, reading: options))
  }

  /// Starts reading, at the beginning or where another reader was.
  ///
  /// - Parameters:
  ///   - source: What is read.
  ///   - options: How it is cut, and what becomes of bad records.
  ///   - checkpoint: Where reading goes on. The records are those that the reader which gave it out would have handed out
  ///     next. The framing is that of the checkpoint, if it has one, whatever the options say.
  /// - Throws: ``JSONError/Code/unreadable`` if the source cannot be opened, or ends before the checkpoint;
  ///   ``JSONError/Code/invalidPath`` if the path of ``JSONFraming/children(of:)`` is none, or can select several values.
  public init(
    _ source: JSONSource, options: JSONRecordOptions, resumingAt checkpoint: JSONCheckpoint? = nil
  ) throws(JSONError) {
    var window = try ReadWindow(source, readsAhead: true)
    let framing = try window.framing(options, name: source.name, resumingAt: checkpoint)
    try self.init(window, framing: framing, options: options, at: checkpoint)
  }

  /// Goes on where another reader was, with the defaults but for the framing, which is that of the checkpoint.
  ///
  /// - Parameters:
  ///   - source: What is read.
  ///   - checkpoint: Where reading goes on.
  /// - Throws: As ``init(_:options:resumingAt:)``.
  public init(_ source: JSONSource, resumingAt checkpoint: JSONCheckpoint?) throws(JSONError) {
    try self.init(source, options: JSONRecordOptions(), resumingAt: checkpoint)
  }

  /// Without a window's guess: of one that has been asked already.
  init(
    _ window: consuming ReadWindow, framing: JSONFraming, options: JSONRecordOptions,
    at checkpoint: JSONCheckpoint? = nil
  ) throws(JSONError) {
    framer = framing.framer ?? DocumentFramer.self
    cutsLines = framer.cutsLines
    recordOffset = window.offset
    self.window = window
    self.framing = framing
    self.options = options
    builder = DocumentBuilder(options: options.reading)
    limits = options.reading.limits
    skipsPrefix = options.skipsPrefix
    if let checkpoint { resume(checkpoint) }
    try framer.begin(&self, at: checkpoint)
  }

  private mutating func resume(_ checkpoint: JSONCheckpoint) {
    nextLine = checkpoint.line
    nextLineStart = checkpoint.lineOffset
    lineStart = checkpoint.lineOffset
    touchesNext = checkpoint.touchesNext
    isPassing = checkpoint.isInsideRecord
  }

  /// The next record, or `nil` at the end of the stream. An empty input has no records, but as a ``JSONFraming/document``
  /// it is an error: a document has a value. Under ``JSONRecovery/report`` bad records are passed over here; ask
  /// ``nextElement()``.
  ///
  /// - Throws: ``JSONError``; its offset counts from the start of the input.
  public mutating func next() throws(JSONError) -> JSONRecord? {
    while true {
      if hasFailed, let failure { throw failure }
      do throws(JSONError) {
        return try advance()
      } catch {
        note(error)
        guard options.recovery != .stop, failure == nil else {
          // The error is told before the one that says that there are too many.
          if options.recovery != .stop, let failure { throw failure }
          throw error
        }
      }
    }
  }

  /// The next record or, under ``JSONRecovery/report``, the next bad one; `nil` at the end of the stream. Under the other
  /// policies it is ``next()``.
  ///
  /// - Throws: ``JSONError/Code/unreadable``, ``JSONError/Code/tooManyErrors``, and under other policies what they throw.
  public mutating func nextElement() throws(JSONError) -> JSONRecordElement<JSONRecord>? {
    guard options.recovery == .report else { return try next().map { .record($0) } }
    if held != nil { return try takeHeld().map { .bad($0) } }
    if hasFailed, let failure { throw failure }
    do throws(JSONError) {
      return try advance().map { .record($0) }
    } catch {
      guard !error.code.endsInput else {
        failure = error
        throw error
      }
      let canGoOn = note(error)
      hold(error)
      if !canGoOn {
        hasEnded = true
        if failure?.code != .tooManyErrors { failure = nil }
      }
      return try takeHeld().map { .bad($0) }
    }
  }

  /// The next record; throws at each bad one.
  @inline(__always)
  private mutating func advance() throws(JSONError) -> JSONRecord? {
    usePending()
    return try hasEnded ? nil : framer.nextRecord(of: &self)
  }

  /// Counts an error, and sets what further calls throw. Returns whether reading can go on behind it.
  @discardableResult
  private mutating func note(_ error: JSONError) -> Bool {
    guard !error.code.endsInput else {
      failure = error
      return false
    }
    errorCount += 1
    let canGoOn = framer.stopReason == nil
    if !canGoOn { failure = error }
    if let most = options.maximumErrors, errorCount > most {
      failure = JSONError(.tooManyErrors, at: error.byteOffset, limit: most)
    }
    return canGoOn
  }

  mutating func usePending() {
    window.use(min(pendingUse, window.count))
    pendingUse = 0
  }

  // MARK: Records

  /// Notes that a record begins at the first byte that is not used.
  mutating func beginRecord() {
    line = nextLine
    recordOffset = window.offset
    lineStart = nextLineStart
  }

  mutating func record(
    _ bytes: UnsafeRawBufferPointer, from start: Int = 0, isValidText: Bool
  ) throws(JSONError) -> JSONRecord {
    if let projection, unsafe !projection.needsProof || isProven(bytes, from: start, isValidText: isValidText),
      let document = unsafe projection.document(of: bytes, from: start, isValidText: isValidText, at: recordOffset)
    {
      return JSONRecord(value: JSON(document, Document.root), line: line)
    }
    if unsafe handlesText(bytes, from: start, isValidText: isValidText) { return JSONRecord(value: .null, line: line) }
    let document = try unsafe builder.document(
      copying: bytes, origin: recordOffset, from: start, trust: trust(inLine: bytes, isValidText),
      stripsMark: recordOffset == 0)
    return JSONRecord(value: JSON(document, Document.root), line: line)
  }

  /// The next line, if there is what says which part of it is wanted, and the line is as usual.
  @inline(__always)
  mutating func nextProjectedLine() throws(JSONError) -> JSONRecord? {
    guard let projection, let outcome = projection.nextRecord(&self) else { return nil }
    if case .projected(let document) = outcome { return JSONRecord(value: JSON(document, Document.root), line: line) }
    let bytes = unsafe Self.text(ofLine: UnsafeRawBufferPointer(rebasing: window.bytes[..<(pendingUse - 1)]))
    let document = try unsafe builder.document(
      copying: bytes, origin: recordOffset, from: 0, trust: projection.needsProof ? .proven : .validText,
      stripsMark: false
    )
    return JSONRecord(value: JSON(document, Document.root), line: line)
  }

  /// Counts the values of a record instead.
  mutating func countRecord(
    _ bytes: UnsafeRawBufferPointer, isValidText: Bool, in shape: ShapeStorage
  ) throws(JSONError) -> JSONRecord {
    try unsafe builder.parse(bytes, origin: recordOffset, trust: trust(inLine: bytes, isValidText)) {
      unsafe shape.add($0, bytes)
    }
    return JSONRecord(value: .null, line: line)
  }

  /// A record with more bytes is passed over before its end has been seen: one that is too long, and longer than an excerpt, so
  /// that its excerpt does not depend on where reads end.
  var maxSearchLength: Int { max(limits.recordBytes, ReadWindow.keptBytes) }

  /// Counts the lines of the next bytes to be used.
  mutating func countLines(_ bytes: UnsafeRawBufferPointer) {
    nextLine += unsafe ByteScan.countLineFeeds(bytes)
    if let last = unsafe ByteScan.lastLineFeed(bytes) { nextLineStart = window.offset + last + 1 }
  }
}

extension JSONRecordReader {
  /// The bytes of the last record, or of the last bad one, as far as they are in memory. Good until the next call.
  public var recordBytes: RawSpan {
    @_lifetime(borrow self)
    get {
      let count = min(pendingUse, window.count)
      return unsafe _overrideLifetime(UnsafeRawBufferPointer(rebasing: window.bytes[..<count]).bytes, borrowing: self)
    }
  }

  /// Line and column of an error that the last call threw.
  public func position(of error: JSONError) -> SourcePosition {
    if let position = unsafe children?.position(of: error, in: window.bytes, at: window.offset) { return position }
    let before = unsafe UnsafeRawBufferPointer(rebasing: window.bytes.prefix(max(error.byteOffset - recordOffset, 0)))
    let lines = unsafe ByteScan.countLineFeeds(before)
    let start = unsafe ByteScan.lastLineFeed(before).map { recordOffset + $0 + 1 } ?? lineStart
    return SourcePosition(
      byteOffset: error.byteOffset, line: line + lines, column: error.byteOffset - start + 1)
  }

  /// The text around an error that the last call threw.
  public func excerpt(of error: JSONError) -> SourceExcerpt {
    let lineStart = error.byteOffset - position(of: error).column + 1
    // While a record that is too long is passed over, more of it is in memory than an excerpt shows.
    let limit = children != nil || isPassing ? .max : max(pendingUse, 1)
    let excerpt = window.excerpt(at: error.byteOffset, lineStart: lineStart, limit: limit)
    return excerpt ?? SourceExcerpt(around: 0, in: [])
  }

  /// Where reading goes on after the last record that was handed out, or the last bad one. To be stored, and given to
  /// another reader of the same input; see ``JSONCheckpoint``.
  public var checkpoint: JSONCheckpoint {
    framer.checkpoint(of: self, at: isStuck ? recordOffset : window.offset + min(pendingUse, window.count))
  }

  /// A bad record behind which reading cannot go on: a resumed reader meets it again.
  var isStuck: Bool { framer.stopReason != nil && (failure != nil || hasEnded) }
}
