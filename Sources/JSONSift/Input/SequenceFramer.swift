/// JSON text sequences, RFC 7464: a record separator, a value, a line feed.
///
/// The text between two separators is one record. There is no record between adjacent separators, nor after one at the very
/// end. A number or a literal must be followed by white space (section 2.4): without it the writer may have been cut off,
/// and `12` could have been `123`.
extension JSONFraming {
  /// JSON text sequences (RFC 7464): a record separator, 0x1E, precedes each value. A bad value ends at the next separator,
  /// and reading continues there.
  public static var sequence: JSONFraming { JSONFraming(SequenceFramer.self) }
}

enum SequenceFramer: RangeFramer {
  static let name = "sequence"

  static func findRecord(of reader: inout JSONRecordReader) throws(JSONError) -> Int? {
    try reader.findSequenceRecord()
  }

  static func parse(_ bytes: UnsafeRawBufferPointer, of reader: inout JSONRecordReader) throws(JSONError) -> JSONRecord
  {
    let record = try unsafe reader.record(bytes)
    switch unsafe bytes.last {
    case ASCII.quote, ASCII.closeBracket, ASCII.closeBrace: break
    case .some(let last) where last.isJSONWhitespace: break
    default:
      throw JSONError(
        .unexpectedEnd, at: reader.recordOffset + bytes.count,
        expected: .whitespaceAfterScalar)
    }
    return record
  }

  static func skipRest(of reader: inout JSONRecordReader) throws(JSONError) -> Bool {
    try reader.skipSequenceRecord()
  }
}

extension JSONRecordReader {
  fileprivate mutating func findSequenceRecord() throws(JSONError) -> Int? {
    while true {
      if isSkipping {
        guard try skipSequenceRecord() else { return nil }
        continue
      }
      if !isOpen {
        guard try beginSequenceRecord() else { return nil }
      }
      let rest = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[searched...])
      guard let count = unsafe rest.firstOffset(of: ASCII.recordSeparator).map({ searched + $0 }) else {
        searched = window.count
        guard searched <= maxSearchLength else { throw tooLongSequenceRecord() }
        if try window.fill() { continue }
        guard window.isAtEnd else { return nil }
        if window.count == 0 {
          isOpen = false
          return nil
        }
        return try endSequenceRecord(window.count)
      }
      return try endSequenceRecord(count)
    }
  }

  /// Skips the separators before a record, and white space before the first one. Returns false if no record has begun yet,
  /// or none is left.
  private mutating func beginSequenceRecord() throws(JSONError) -> Bool {
    guard try skipMark() else { return false }
    while true {
      if window.count == 0 {
        guard try window.fill() else { return false }
      }
      if unsafe window.bytes[0] == ASCII.recordSeparator {
        window.use(1)
        hasSeparator = true
        continue
      }
      guard !hasSeparator else { break }
      let blank = unsafe ByteScan.whitespacePrefix(window.bytes)
      guard blank > 0 else { break }
      unsafe countLines(UnsafeRawBufferPointer(rebasing: window.bytes[..<blank]))
      window.use(blank)
    }
    beginRecord()
    searched = 0
    isOpen = true
    return true
  }

  /// Ends the record before a separator.
  private mutating func endSequenceRecord(_ count: Int) throws(JSONError) -> Int {
    isOpen = false
    searched = 0
    pendingUse = count
    unsafe countLines(UnsafeRawBufferPointer(rebasing: window.bytes[..<count]))
    if !hasSeparator { throw missingRecordSeparator() }
    return count
  }

  /// Returns the error of a text that does not begin with a separator. The text is bad for that reason, however long it is.
  private func missingRecordSeparator() -> JSONError {
    unsafe JSONError(
      .unexpectedByte, at: recordOffset, found: window.bytes.first.map { JSONError.Found(byte: $0) },
      expected: .recordSeparator)
  }

  /// Returns the error of a record that exceeds the limit; its rest is skipped.
  private mutating func tooLongSequenceRecord() -> JSONError {
    isOpen = false
    isSkipping = true
    searched = 0
    pendingUse = 0
    guard hasSeparator else { return missingRecordSeparator() }
    return JSONError(.recordLimit, at: recordOffset, limit: limits.recordBytes)
  }

  /// Drops the rest of a record that is too long. Returns false if more of it follows.
  fileprivate mutating func skipSequenceRecord() throws(JSONError) -> Bool {
    while isSkipping {
      let found = unsafe window.bytes.firstOffset(of: ASCII.recordSeparator)
      let bytes = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[..<(found ?? window.count)])
      unsafe countLines(bytes)
      unsafe held?.take(bytes)
      window.use(bytes.count)
      if found != nil {
        isSkipping = false
      } else if try !window.fill() {
        if window.isAtEnd { isSkipping = false }
        return !isSkipping
      }
    }
    return true
  }
}
