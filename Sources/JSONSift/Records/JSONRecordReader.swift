/// Reads the records of a stream, one at a time, in bounded memory.
///
/// ```swift
/// var reader = try JSONRecordReader(.path("events.ndjson"))
/// while let record = try reader.next() {
///   if record["level"].string == "error" { print(record.line, record["message"].stringValue) }
/// }
/// ```
///
/// It is no `Sequence`: an error in the middle of a stream would be lost in one. With ``JSONFraming/lines`` a bad line is
/// one thrown error, and the next call goes on with the next line. With the other framings a stream ends at its first
/// error: later calls throw it again.
///
/// Memory is bounded by the longest record; see ``JSONLimits/recordBytes``. A record that nobody holds any more when the
/// next one is asked for costs no allocation.
public struct JSONRecordReader: ~Copyable {
  private var window: ReadWindow
  private var builder: DocumentBuilder
  /// How the stream is cut into records.
  public let framing: JSONFraming
  private let limits: JSONLimits
  private var failure: JSONError?

  /// The line on which the last record, or the last bad one, began. From 1; 0 before the first.
  public private(set) var line = 0
  /// The offset in the input at which it began.
  public private(set) var recordOffset = 0
  /// The line of the first byte that is not used, and where it and the last record's line begin.
  private var nextLine = 1
  private var nextLineStart = 0
  private var lineStart = 0
  /// Up to this offset all whole lines are known to be valid text.
  private var validOffset = 0
  /// How many bytes behind the used ones hold no line feed.
  private var searched = 0
  /// The last record's bytes, which are used when the next one is asked for.
  private var pendingUse = 0
  /// The rest of a line that is too long is being passed over.
  private var isPassingLine = false
  /// The last value is a scalar, and no white space has been seen behind it.
  private var touchesNext = false
  /// The input began with a byte order mark.
  private var hasMark = false

  /// - Throws: ``JSONError/Code/unreadable`` if the source cannot be opened.
  public init(
    _ source: JSONSource, framing: JSONFraming = .lines, options: JSONOptions = JSONOptions()
  ) throws(JSONError) {
    var window = try ReadWindow(source)
    let known = framing == .automatic ? try window.guessFraming(name: source.name) : framing
    self.init(window, framing: known, options: options)
  }

  init(_ window: consuming ReadWindow, framing: JSONFraming, options: JSONOptions) {
    self.window = window
    builder = DocumentBuilder(options: options)
    self.framing = framing
    limits = options.limits
  }

  /// The next record, or `nil` at the end of the stream. An empty input has no records, but as a ``JSONFraming/document``
  /// it is an error: a document has a value.
  ///
  /// - Throws: ``JSONError``; its offset counts from the start of the input.
  public mutating func next() throws(JSONError) -> JSONRecord? {
    if let failure { throw failure }
    usePending()
    do throws(JSONError) {
      switch framing {
      case .lines: return try nextLineRecord()
      case .values: return try nextValue()
      case .document, .automatic, .sequence, .children: return try wholeDocument()
      }
    } catch {
      // Who is starved asks again.
      if error.code != .starved, framing != .lines || error.code == .unreadable { failure = error }
      throw error
    }
  }

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
    let before = unsafe UnsafeRawBufferPointer(rebasing: window.bytes.prefix(max(error.byteOffset - recordOffset, 0)))
    let lines = unsafe ByteScan.countLineFeeds(before)
    let start = unsafe before.lastIndex(of: ASCII.lineFeed).map { recordOffset + $0 + 1 } ?? lineStart
    return SourcePosition(
      byteOffset: error.byteOffset, line: line + lines, column: error.byteOffset - start + 1)
  }

  /// The text around an error that the last call threw.
  public func excerpt(of error: JSONError) -> SourceExcerpt {
    let before = unsafe window.usedBytes.suffix(min(recordOffset - lineStart, 128))
    let text = unsafe Array(before) + window.bytes.prefix(max(pendingUse, 1))
    return unsafe SourceExcerpt(around: before.count + error.byteOffset - recordOffset, in: text)
  }

  private mutating func usePending() {
    window.use(min(pendingUse, window.count))
    pendingUse = 0
  }

  // MARK: Lines

  private mutating func nextLineRecord() throws(JSONError) -> JSONRecord? {
    while true {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[searched...])
      let found = unsafe ByteScan.lineFeed(rest)
      if isPassingLine {
        try passLine(found)
        if window.count == 0, window.isAtEnd { return nil }
        continue
      }
      if let found {
        let count = searched + found
        searched = 0
        if let record = try lineRecord(count, consuming: count + 1) { return record }
        continue
      }
      searched = window.count
      guard searched <= limits.recordBytes else { throw tooLong() }
      if try window.fill() {
        validateWholeLines()
        continue
      }
      searched = 0
      guard window.count > 0 else { return nil }
      let count = window.count
      return try lineRecord(count, consuming: count)
    }
  }

  /// Parses a line of `count` bytes. `nil` if it is blank.
  private mutating func lineRecord(_ count: Int, consuming used: Int) throws(JSONError) -> JSONRecord? {
    line = nextLine
    nextLine += 1
    recordOffset = window.offset
    lineStart = recordOffset
    guard count <= limits.recordBytes else {
      pendingUse = used
      throw JSONError(.recordLimit, at: recordOffset, number: limits.recordBytes)
    }
    var bytes = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[..<count])
    // A carriage return belongs to the end of the line.
    if unsafe bytes.last == ASCII.carriageReturn { unsafe bytes = UnsafeRawBufferPointer(rebasing: bytes.dropLast()) }
    guard unsafe !isBlank(bytes, isEnded: used > count) else {
      window.use(used)
      return nil
    }
    pendingUse = used
    return try unsafe record(bytes, isValidText: recordOffset + count <= validOffset)
  }

  /// A line with nothing but white space; at the start of the input also with a byte order mark. A mark and nothing else
  /// is no empty input: it is a text without a value.
  private func isBlank(_ bytes: UnsafeRawBufferPointer, isEnded: Bool) -> Bool {
    // Most lines say so with their first byte.
    if let first = unsafe bytes.first, first > ASCII.space, first < 0x80 { return false }
    let mark = unsafe isEnded && recordOffset == 0 && ByteOrderMark.begins(bytes) ? ByteOrderMark.count : 0
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[mark...])
    return unsafe ByteScan.whitespacePrefix(text) == text.count
  }

  /// Checks all whole lines of the window at once: one call of the kernel for hundreds of records.
  private mutating func validateWholeLines() {
    let from = max(validOffset - window.offset, 0)
    let bytes = unsafe window.bytes
    guard from < bytes.count, searched <= bytes.count else { return }
    // What was searched before holds no line feed: a long line is not gone over with each read.
    guard let last = unsafe bytes[searched...].lastIndex(of: ASCII.lineFeed), last >= from else { return }
    let lines = unsafe UnsafeRawBufferPointer(rebasing: bytes[from...last])
    // Where one is bad, each is checked by itself.
    if unsafe ByteScan.textPrefix(lines) == lines.count { validOffset = window.offset + last + 1 }
  }

  private mutating func tooLong() -> JSONError {
    line = nextLine
    recordOffset = window.offset
    lineStart = recordOffset
    isPassingLine = true
    searched = 0
    pendingUse = 0
    return JSONError(.recordLimit, at: recordOffset, number: limits.recordBytes)
  }

  /// Drops what is in memory of a line that is too long.
  private mutating func passLine(_ found: Int?) throws(JSONError) {
    searched = 0
    guard let found else {
      window.use(window.count)
      if try !window.fill() { isPassingLine = false }
      return
    }
    window.use(found + 1)
    nextLine += 1
    isPassingLine = false
  }

  // MARK: Values

  private mutating func nextValue() throws(JSONError) -> JSONRecord? {
    try skipWhitespace()
    guard window.count > 0 else {
      guard hasMark, line == 0 else { return nil }
      line = nextLine
      recordOffset = window.offset
      lineStart = nextLineStart
      throw JSONError(.unexpectedEnd, at: window.offset, expected: "a value")
    }
    line = nextLine
    recordOffset = window.offset
    lineStart = nextLineStart
    let first = unsafe window.bytes[0]
    if touchesNext, Self.beginsScalar(first) {
      throw JSONError(.missingSeparator, at: recordOffset, found: JSONError.Found(byte: first))
    }
    var extent = ValueExtent()
    var count = unsafe extent.end(in: window.bytes)
    while count == nil, window.count <= limits.recordBytes, try window.fill() {
      count = unsafe extent.end(in: window.bytes)
    }
    let length = count ?? window.count
    guard length <= limits.recordBytes else {
      throw JSONError(.recordLimit, at: recordOffset, number: limits.recordBytes)
    }
    pendingUse = length
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[..<length])
    unsafe countLines(bytes)
    do throws(JSONError) {
      let record = try unsafe record(bytes, isValidText: false)
      touchesNext = record.value.type != .array && record.value.type != .dictionary
      return record
    } catch {
      // Two words that run together, such as `truefalse`.
      guard error.code == .trailingContent else { throw error }
      throw JSONError(.missingSeparator, at: error.byteOffset, found: error.found)
    }
  }

  private static func beginsScalar(_ byte: UInt8) -> Bool {
    byte != ASCII.openBrace && byte != ASCII.openBracket && !byte.isJSONWhitespace
      && byte != ASCII.closeBrace && byte != ASCII.closeBracket && byte != ASCII.comma && byte != ASCII.colon
  }

  /// Counts the lines of the next bytes to be used.
  private mutating func countLines(_ bytes: UnsafeRawBufferPointer) {
    nextLine += unsafe ByteScan.countLineFeeds(bytes)
    if let last = unsafe bytes.lastIndex(of: ASCII.lineFeed) { nextLineStart = window.offset + last + 1 }
  }

  /// Goes to the next value, at the start of the input also over a byte order mark.
  private mutating func skipWhitespace() throws(JSONError) {
    if window.offset == 0 {
      while window.count < ByteOrderMark.count, try window.fill() {}
      if unsafe ByteOrderMark.begins(window.bytes) {
        window.use(ByteOrderMark.count)
        hasMark = true
      }
    }
    while true {
      let count = unsafe ByteScan.whitespacePrefix(window.bytes)
      if count > 0 {
        unsafe countLines(UnsafeRawBufferPointer(rebasing: window.bytes[..<count]))
        touchesNext = false
        window.use(count)
      }
      if window.count > 0 { return }
      guard try window.fill() else { return }
    }
  }

  // MARK: One value

  private mutating func wholeDocument() throws(JSONError) -> JSONRecord? {
    guard line == 0 else { return nil }
    while window.count <= limits.recordBytes, try window.fill() {}
    line = 1
    let bytes = unsafe window.bytes
    pendingUse = bytes.count
    guard bytes.count <= limits.recordBytes else {
      throw JSONError(.recordLimit, at: 0, number: limits.recordBytes)
    }
    return try unsafe record(bytes, isValidText: false)
  }

  // MARK: Records

  private mutating func record(_ bytes: UnsafeRawBufferPointer, isValidText: Bool) throws(JSONError) -> JSONRecord {
    let document = try unsafe builder.document(
      copying: bytes, origin: recordOffset, isValidText: isValidText, stripsMark: recordOffset == 0)
    return JSONRecord(value: JSON(document, Document.root), line: line)
  }

  // MARK: Blocks

  /// A reader without an input of its own, for `read(_:)`.
  init(blocks options: JSONRecordOptions) throws(JSONError) {
    self.init(try ReadWindow(.bytes([]), readBytes: 0), framing: .lines, options: options.reading)
  }

  /// Goes on with the lines of a block; `end(_:)` gives it its memory back.
  mutating func begin(_ block: LineBlock) {
    block.range = window.exchange(&block.memory, holding: block.range, at: block.offset)
    window.close()
    nextLine = block.line
    nextLineStart = block.offset
    pendingUse = 0
    searched = window.count
    validOffset = 0
    validateWholeLines()
    searched = 0
  }

  mutating func end(_ block: LineBlock) {
    pendingUse = 0
    block.range = window.exchange(&block.memory, holding: 0..<0, at: 0)
  }
}
