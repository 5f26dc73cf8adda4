extension JSONFraming {
  /// One value on each line. Blank lines are skipped; a line may end with a carriage return. An error on one line cannot
  /// change the meaning of the next one.
  public static var lines: JSONFraming { JSONFraming(LineFramer.self) }
}

final class LineFramer: Framer {
  static let name = "lines"
  static let cutsLines = true
  /// Lines that may have a prefix are validated one by one, other lines many at a time.
  static let validatesRecords = true

  init() {}

  func begin(_ reader: inout JSONRecordReader, at checkpoint: JSONCheckpoint?) {
    // Many lines are validated at once.
    if !reader.skipsPrefix {
      reader.validation = RecordValidation(.lines, reader.options.reading)
    }
    // The rest of a line has been skipped.
    if let checkpoint, reader.window.offset > checkpoint.byteOffset {
      reader.nextLineStart = reader.window.offset
      reader.lineStart = reader.window.offset
    }
  }

  func nextRecord(of reader: inout JSONRecordReader) throws(JSONError) -> JSONRecord? { try reader.nextRecordOfLine() }

  func skipRest(of reader: inout JSONRecordReader) throws(JSONError) -> Bool { try reader.skipRestOfLine() }

  func checkpoint(of reader: borrowing JSONRecordReader, at offset: Int) -> JSONCheckpoint {
    JSONCheckpoint(
      byteOffset: offset, line: reader.nextLine,
      lineOffset: reader.isSkipping ? reader.lineStart : offset,
      framing: .lines, isInsideRecord: reader.isSkipping)
  }
}

/// The state of the cuts of lines. The reader has it, not the framer, because it changes with each line.
struct LineCuts {
  /// The number of unused bytes that were searched and contain no end of a line.
  var searched = 0
  /// The end of the complete lines in the window. Cached, so that it is not lineCuts.searched for each line.
  var end = 0
  /// Where NUL bytes begin that are dropped, because they are too many for a record.
  fileprivate var gapStart: Int?
}

extension JSONRecordReader {
  /// Returns the next line. Scans many lines at once before it cuts one.
  mutating func nextRecordOfLine() throws(JSONError) -> JSONRecord? {
    if let record = try nextProjectedLine() { return record }
    return try nextLineRecord()
  }

  private mutating func nextLineRecord() throws(JSONError) -> JSONRecord? {
    while true {
      if let gapStart = lineCuts.gapStart {
        guard let error = try dropGap(from: gapStart) else { return nil }
        throw error
      }
      if !isSkipping {
        // Evaluated once for each record: it takes 30 to 40 instructions.
        let wasPrefiltering = isPrefiltering
        if wasPrefiltering { skipRuledOutLines() }
        switch validationUse {
        case .skippedLines: if skipValidatedLines() { return JSONRecord(value: .null, line: nextLine - 1) }
        // The prefilter switches itself off where it does not pay off.
        case .lines: if !wasPrefiltering || !isPrefiltering { validateLines() }
        default: break
        }
      }
      let rest = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[lineCuts.searched...])
      let found = unsafe ByteScan.lineFeed(rest)
      if isSkipping {
        guard try skipLine(found) else { return nil }
        continue
      }
      if let found {
        let count = lineCuts.searched + found
        lineCuts.searched = 0
        if let record = try lineRecord(count, consuming: count + 1) { return record }
        continue
      }
      lineCuts.searched = window.count
      if lineCuts.searched > maxSearchLength, unsafe window.bytes[0] == 0 {
        lineCuts.gapStart = window.offset
        continue
      }
      guard lineCuts.searched <= maxSearchLength else { throw tooLong() }
      if try window.fill() { continue }
      // The next bytes have not been pushed yet.
      guard window.isAtEnd else { return nil }
      lineCuts.searched = 0
      guard window.count > 0 else { return nil }
      let count = window.count
      return try lineRecord(count, consuming: count)
    }
  }

  /// Parses a line of `count` bytes. Returns `nil` if it is blank, or bad and ruled out.
  private mutating func lineRecord(_ count: Int, consuming used: Int) throws(JSONError) -> JSONRecord? {
    recordOffset = window.offset
    lineStart = recordOffset
    textLine = nextLine
    // Behind a last line without its line feed the next byte is on the same line.
    if used > count { nextLine += 1 }
    guard count <= limits.recordBytes else {
      pendingUse = used
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[..<count])
      if unsafe bytes.first == 0 { throw unsafe gap(in: Self.text(ofLine: bytes)) }
      throw JSONError(.recordLimit, at: recordOffset, limit: limits.recordBytes)
    }
    let bytes = unsafe Self.text(ofLine: UnsafeRawBufferPointer(rebasing: window.bytes[..<count]))
    guard unsafe !Self.isBlank(bytes, isEnded: used > count, at: recordOffset) else {
      window.use(used)
      return nil
    }
    pendingUse = used
    prefilter?.parsed(used, at: recordOffset)
    validation?.parsed(used, at: recordOffset)
    do throws(JSONError) {
      if skipsPrefix, unsafe bytes.first == 0 { throw JSONError(.unexpectedByte, at: recordOffset) }
      if skipsPrefix { return try unsafe prefixedRecord(bytes) }
      if let tapeWords { return try unsafe passRecord(bytes, to: tapeWords.receiver) }
      return try unsafe record(bytes)
    } catch {
      guard unsafe prefilter?.rulesOut(bytes) == true else {
        if unsafe bytes.first == 0 { throw unsafe gap(in: bytes) }
        throw error
      }
      usePending()
      return nil
    }
  }

  /// Returns the error of the NUL bytes with which a line begins. A record behind them is read next, on the same line.
  private mutating func gap(in bytes: UnsafeRawBufferPointer) -> JSONError {
    let count = unsafe Self.gapCount(bytes)
    if unsafe !Self.isBlank(UnsafeRawBufferPointer(rebasing: bytes[count...]), isEnded: true, at: recordOffset) {
      pendingUse = count
      nextLine = textLine
    }
    return JSONError(gap: recordOffset..<(recordOffset + count))
  }

  static func gapCount(_ bytes: UnsafeRawBufferPointer) -> Int { unsafe bytes.firstIndex { $0 != 0 } ?? bytes.count }

  /// Drops NUL bytes at the start of a line that are more than the memory for a record. Returns their error; `nil` if more
  /// of them can follow.
  private mutating func dropGap(from start: Int) throws(JSONError) -> JSONError? {
    while true {
      unsafe window.use(Self.gapCount(window.bytes))
      guard window.count == 0, try window.fill() else { break }
    }
    lineCuts.searched = 0
    guard window.count > 0 || window.isAtEnd else { return nil }
    lineCuts.gapStart = nil
    pendingUse = 0
    textLine = nextLine
    recordOffset = start
    lineStart = start
    return JSONError(gap: start..<(window.offset + (window.count == 0 ? window.skippedBytes : 0)))
  }

  /// Returns a line without the carriage return that belongs to its end.
  static func text(ofLine line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    unsafe line.last == ASCII.carriageReturn ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
  }

  /// Returns whether a line has only white space, also after a byte order mark. A mark alone is not an empty input: it is a
  /// text without a value.
  ///
  /// Static: a method of the reader would copy the reader for each line.
  private static func isBlank(_ bytes: UnsafeRawBufferPointer, isEnded: Bool, at offset: Int) -> Bool {
    // For most lines the first byte decides.
    if let first = unsafe bytes.first, first > ASCII.space, first < 0x80 { return false }
    let mark = unsafe (isEnded || offset > 0) && ByteOrderMark.begins(bytes) ? ByteOrderMark.count : 0
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[mark...])
    return unsafe ByteScan.whitespacePrefix(text) == text.count
  }

  var validationUse: RecordValidation.Use? { validation.borrow { $0.use } }

  /// Reads until the first line is complete, so that its values are found in place, without a copy and without a tape.
  /// Returns whether a read was needed. A line that may be too long is left to ``next()``, which also throws an error
  /// of reading.
  mutating func completeLine() -> Bool {
    guard projection != nil, cutsLines, !isSkipping, !skipsPrefix, !hasEnded, lineCuts.searched == 0, failure == nil,
      held == nil
    else { return false }
    usePending()
    // The prefilter knows the end of the complete lines, so that they are not searched again.
    guard window.offset >= lineCuts.end else { return false }
    var end = 0
    var hasRead = false
    while unsafe ByteScan.lineFeed(UnsafeRawBufferPointer(rebasing: window.bytes[end...])) == nil {
      end = window.count
      guard end <= maxSearchLength else { return false }
      do throws(JSONError) {
        guard try window.fill() else { return false }
      } catch {
        failure = error
        return false
      }
      hasRead = true
    }
    guard hasRead else { return false }
    leaveOutLongLine()
    return true
  }

  /// Excludes the first line from the prefilter if the line is longer than a read. With the prefilter the line would be
  /// parsed as a whole; without it the values are found in place.
  mutating func leaveOutLongLine() {
    guard prefilter != nil, projection != nil, window.count > ReadWindow.readBytes,
      unsafe ByteScan.lineFeed(UnsafeRawBufferPointer(rebasing: window.bytes[..<ReadWindow.readBytes])) == nil,
      let rest = unsafe ByteScan.lineFeed(UnsafeRawBufferPointer(rebasing: window.bytes[ReadWindow.readBytes...]))
    else { return }
    prefilter?.leaveOut(to: window.offset + ReadWindow.readBytes + rest + 1)
  }

  /// Whether the lines from here on are searched by the prefilter before they are parsed.
  private var isPrefiltering: Bool { prefilter?.isOn(at: window.offset) == true }

  private mutating func tooLong() -> JSONError {
    textLine = nextLine
    recordOffset = window.offset
    lineStart = recordOffset
    isSkipping = true
    lineCuts.searched = 0
    pendingUse = 0
    return JSONError(.recordLimit, at: recordOffset, limit: limits.recordBytes)
  }

  /// Drops the bytes in memory of a line that is too long. Returns false if no more of it has arrived, and at the
  /// end of the input.
  private mutating func skipLine(_ found: Int?) throws(JSONError) -> Bool {
    lineCuts.searched = 0
    guard let found else {
      unsafe held?.take(window.bytes)
      window.use(window.count)
      if try window.fill() { return true }
      if window.isAtEnd {
        held?.skip(window.skippedBytes)
        isSkipping = false
      }
      return false
    }
    unsafe held?.take(UnsafeRawBufferPointer(rebasing: window.bytes[..<found]))
    window.use(found + 1)
    nextLine += 1
    isSkipping = false
    return true
  }

  /// Drops the rest of a line that is too long. Returns false if more of it follows.
  mutating func skipRestOfLine() throws(JSONError) -> Bool {
    while isSkipping {
      let found = unsafe ByteScan.lineFeed(window.bytes)
      guard try skipLine(found) else { return !isSkipping }
    }
    return true
  }

  /// Skips records without parsing them. Returns false if the input has fewer.
  mutating func skipLines(_ count: Int) throws(JSONError) -> Bool {
    var left = count
    usePending()
    while left > 0 {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[lineCuts.searched...])
      guard let found = unsafe ByteScan.lineFeed(rest) else {
        lineCuts.searched = window.count
        guard try window.fill() else { return false }
        continue
      }
      let line = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[..<(lineCuts.searched + found)])
      recordOffset = window.offset
      let isRecord = unsafe !Self.isBlank(line, isEnded: true, at: recordOffset)
      if isRecord { left -= 1 }
      window.use(lineCuts.searched + found + 1)
      nextLine += 1
      lineCuts.searched = 0
    }
    return true
  }
}

extension JSONRecordReader {
  /// Appends pushed bytes to the window.
  package mutating func push(_ bytes: UnsafeRawBufferPointer) { unsafe window.push(bytes) }
}
