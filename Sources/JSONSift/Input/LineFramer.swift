extension JSONFraming {
  /// One value on each line. Blank lines are passed over; a line may end with a carriage return. What is wrong on one
  /// line cannot change what the next one means.
  public static var lines: JSONFraming { JSONFraming(LineFramer.self) }
}

enum LineFramer: Framer {
  static let name = "lines"
  static let cutsLines = true
  /// With text before their JSON lines are proven one by one, without it many at a time.
  static let provesRecords = true

  static func begin(_ reader: inout JSONRecordReader, at checkpoint: JSONCheckpoint?) {
    // Many lines are proven at once.
    if !reader.skipsPrefix, !reader.options.reading.fastForward {
      reader.proof = RecordProof(.lines, reader.options.reading)
    }
    // The rest of a line has been gone over.
    if let checkpoint, reader.window.offset > checkpoint.byteOffset {
      reader.nextLineStart = reader.window.offset
      reader.lineStart = reader.window.offset
    }
  }

  /// Many lines are looked at before one is cut.
  static func nextRecord(of reader: inout JSONRecordReader) throws(JSONError) -> JSONRecord? {
    if let record = try reader.nextProjectedLine() { return record }
    return try reader.nextLineRecord()
  }

  static func passRest(of reader: inout JSONRecordReader) throws(JSONError) -> Bool { try reader.passRestOfLine() }

  static func checkpoint(of reader: borrowing JSONRecordReader, at offset: Int) -> JSONCheckpoint {
    JSONCheckpoint(
      byteOffset: offset, line: reader.nextLine, lineOffset: reader.isPassing ? reader.lineStart : offset,
      framing: .lines, isInsideRecord: reader.isPassing)
  }
}

extension JSONRecordReader {
  fileprivate mutating func nextLineRecord() throws(JSONError) -> JSONRecord? {
    while true {
      if !isPassing {
        if isPrefiltering { passRuledOutLines() }
        if uses(.passedLines), passProvenLines() { return JSONRecord(value: .null, line: nextLine - 1) }
        if uses(.lines), !isPrefiltering { proveLines() }
      }
      let rest = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[searched...])
      let found = unsafe ByteScan.lineFeed(rest)
      if isPassing {
        guard try passLine(found) else { return nil }
        continue
      }
      if let found {
        let count = searched + found
        searched = 0
        if let record = try lineRecord(count, consuming: count + 1) { return record }
        continue
      }
      searched = window.count
      guard searched <= maxSearchLength else { throw tooLong() }
      if try window.fill() {
        validateWholeLines()
        continue
      }
      // Pushed bytes go on later.
      guard window.isAtEnd else { return nil }
      searched = 0
      guard window.count > 0 else { return nil }
      let count = window.count
      return try lineRecord(count, consuming: count)
    }
  }

  /// Parses a line of `count` bytes. `nil` if it is blank, or bad and ruled out.
  private mutating func lineRecord(_ count: Int, consuming used: Int) throws(JSONError) -> JSONRecord? {
    line = nextLine
    nextLine += 1
    recordOffset = window.offset
    lineStart = recordOffset
    guard count <= limits.recordBytes else {
      pendingUse = used
      throw JSONError(.recordLimit, at: recordOffset, limit: limits.recordBytes)
    }
    let bytes = unsafe Self.text(ofLine: UnsafeRawBufferPointer(rebasing: window.bytes[..<count]))
    guard unsafe !Self.isBlank(bytes, isEnded: used > count, at: recordOffset) else {
      window.use(used)
      return nil
    }
    pendingUse = used
    prefilter?.parsed(used, at: recordOffset)
    proof?.parsed(used, at: recordOffset)
    let isValid = recordOffset + count <= validOffset
    do throws(JSONError) {
      if skipsPrefix { return try unsafe prefixedRecord(bytes, isValidText: isValid) }
      if let shape { return try unsafe countRecord(bytes, isValidText: isValid, in: shape) }
      return try unsafe record(bytes, isValidText: isValid)
    } catch {
      guard unsafe prefilter?.rulesOut(bytes) == true else { throw error }
      usePending()
      return nil
    }
  }

  /// A line without the carriage return that belongs to its end.
  static func text(ofLine line: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    unsafe line.last == ASCII.carriageReturn ? UnsafeRawBufferPointer(rebasing: line.dropLast()) : line
  }

  /// A line with nothing but white space; at the start of the input also with a byte order mark. A mark and nothing else
  /// is no empty input: it is a text without a value.
  ///
  /// Static: a method of the reader would have it copied for each line.
  private static func isBlank(_ bytes: UnsafeRawBufferPointer, isEnded: Bool, at offset: Int) -> Bool {
    // Most lines say so with their first byte.
    if let first = unsafe bytes.first, first > ASCII.space, first < 0x80 { return false }
    let mark = unsafe isEnded && offset == 0 && ByteOrderMark.begins(bytes) ? ByteOrderMark.count : 0
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[mark...])
    return unsafe ByteScan.whitespacePrefix(text) == text.count
  }

  @inline(__always)
  private func uses(_ use: RecordProof.Use) -> Bool {
    switch proof {
    case .some(let proof): proof.use == use
    case .none: false
    }
  }

  /// The lines from here on are looked at before they are parsed.
  private var isPrefiltering: Bool { prefilter?.isOn(at: window.offset) == true }

  /// Checks all whole lines of the window at once: one call of the kernel for hundreds of records. Where lines are ruled
  /// out, each that is left is checked by itself.
  mutating func validateWholeLines() {
    guard !isPrefiltering, !uses(.passedLines), !uses(.lines) else { return }
    let from = max(validOffset - window.offset, 0)
    let bytes = unsafe window.bytes
    guard from < bytes.count, searched <= bytes.count else { return }
    // What was searched before holds no line feed: a long line is not gone over with each read.
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[searched...])
    guard let last = unsafe ByteScan.lastLineFeed(rest).map({ searched + $0 }), last >= from else { return }
    let lines = unsafe UnsafeRawBufferPointer(rebasing: bytes[from...last])
    // Where one is bad, each is checked by itself.
    if unsafe ByteScan.textPrefix(lines) == lines.count { validOffset = window.offset + last + 1 }
  }

  private mutating func tooLong() -> JSONError {
    line = nextLine
    recordOffset = window.offset
    lineStart = recordOffset
    isPassing = true
    searched = 0
    pendingUse = 0
    return JSONError(.recordLimit, at: recordOffset, limit: limits.recordBytes)
  }

  /// Drops what is in memory of a line that is too long. Returns false where there is no more of it yet, or at all.
  private mutating func passLine(_ found: Int?) throws(JSONError) -> Bool {
    searched = 0
    guard let found else {
      unsafe held?.take(window.bytes)
      window.use(window.count)
      if try window.fill() { return true }
      if window.isAtEnd {
        held?.pass(window.passedBytes)
        isPassing = false
      }
      return false
    }
    unsafe held?.take(UnsafeRawBufferPointer(rebasing: window.bytes[..<found]))
    window.use(found + 1)
    nextLine += 1
    isPassing = false
    return true
  }

  /// Drops the rest of a line that is too long. Returns false if there is more of it to come.
  mutating func passRestOfLine() throws(JSONError) -> Bool {
    while isPassing {
      let found = unsafe ByteScan.lineFeed(window.bytes)
      guard try passLine(found) else { return !isPassing }
    }
    return true
  }

  /// Goes over records without a look at what they are. Returns false if there are not so many.
  mutating func passLines(_ count: Int) throws(JSONError) -> Bool {
    var left = count
    usePending()
    while left > 0 {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[searched...])
      guard let found = unsafe ByteScan.lineFeed(rest) else {
        searched = window.count
        guard try window.fill() else { return false }
        continue
      }
      let line = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[..<(searched + found)])
      recordOffset = window.offset
      let isRecord = unsafe !Self.isBlank(line, isEnded: true, at: recordOffset)
      if isRecord { left -= 1 }
      window.use(searched + found + 1)
      nextLine += 1
      searched = 0
    }
    return true
  }
}
