/// JSON text sequences, RFC 7464: a record separator, a value, a line feed.
///
/// The text between two separators is one record. There is no record between adjacent separators, nor after one at the very
/// end. A number or a literal must be followed by white space (section 2.4): without it the writer may have been cut off,
/// and `12` could have been `123`.
extension JSONFraming {
  /// JSON text sequences (RFC 7464): a record separator, 0x1E, precedes each value. A bad value ends at the next separator,
  /// and reading continues there.
  public static var textSequence: JSONFraming { JSONFraming(SequenceFramer.self) }
}

final class SequenceFramer: RangeFramer {
  static let name = "sequence"
  /// Whether a separator has been read.
  private var hasSeparator = false
  /// Whether a record has begun that is not complete.
  private var isOpen = false
  private var searched = 0
  /// The offset of the separator before the next record, if it has been used up: a checkpoint lies before it.
  private var separator: Int?

  init() {}

  func findRecord(of reader: inout JSONRecordReader) throws(JSONError) -> Int? {
    while true {
      if reader.isSkipping {
        guard try reader.skip(to: ASCII.recordSeparator) else { return nil }
        continue
      }
      if !isOpen {
        guard try begin(&reader) else { return nil }
      }
      let rest = unsafe UnsafeRawBufferPointer(rebasing: reader.window.bytes[searched...])
      guard let count = unsafe rest.firstOffset(of: ASCII.recordSeparator).map({ searched + $0 }) else {
        searched = reader.window.count
        guard searched <= reader.maxSearchLength else { throw tooLong(&reader) }
        if try reader.window.fill() { continue }
        guard reader.window.isAtEnd else { return nil }
        if reader.window.count == 0 {
          isOpen = false
          return nil
        }
        return try end(reader.window.count, &reader)
      }
      return try end(count, &reader)
    }
  }

  /// Skips the separators before a record, and white space before the first one. Returns false if no record has begun yet,
  /// or none is left.
  private func begin(_ reader: inout JSONRecordReader) throws(JSONError) -> Bool {
    guard try reader.skipMark() else { return false }
    while true {
      if reader.window.count == 0 {
        guard try reader.window.fill() else { return false }
      }
      if unsafe reader.window.bytes[0] == ASCII.recordSeparator {
        separator = reader.window.offset
        reader.window.use(1)
        hasSeparator = true
        continue
      }
      guard !hasSeparator else { break }
      let blank = unsafe ByteScan.whitespacePrefix(reader.window.bytes)
      guard blank > 0 else { break }
      unsafe reader.countLines(UnsafeRawBufferPointer(rebasing: reader.window.bytes[..<blank]))
      reader.window.use(blank)
    }
    reader.beginRecord()
    searched = 0
    isOpen = true
    return true
  }

  /// Ends the record before a separator.
  private func end(_ count: Int, _ reader: inout JSONRecordReader) throws(JSONError) -> Int {
    isOpen = false
    searched = 0
    separator = nil
    reader.pendingUse = count
    unsafe reader.countLines(UnsafeRawBufferPointer(rebasing: reader.window.bytes[..<count]))
    if !hasSeparator { throw missingSeparator(in: reader) }
    return count
  }

  /// Returns the error of a text that does not begin with a separator. The text is bad for that reason, however long it is.
  private func missingSeparator(in reader: borrowing JSONRecordReader) -> JSONError {
    unsafe JSONError(
      .unexpectedByte, at: reader.recordOffset, found: reader.window.bytes.first.map { JSONError.Found(byte: $0) },
      expected: .recordSeparator)
  }

  /// Returns the error of a record that exceeds the limit; its rest is skipped.
  private func tooLong(_ reader: inout JSONRecordReader) -> JSONError {
    isOpen = false
    separator = nil
    reader.isSkipping = true
    searched = 0
    reader.pendingUse = 0
    guard hasSeparator else { return missingSeparator(in: reader) }
    return JSONError(.recordLimit, at: reader.recordOffset, limit: reader.limits.recordBytes)
  }

  func parse(_ bytes: UnsafeRawBufferPointer, of reader: inout JSONRecordReader) throws(JSONError) -> JSONRecord {
    let record = try unsafe reader.record(bytes)
    switch unsafe bytes.last {
    case ASCII.quote, ASCII.closeBracket, ASCII.closeBrace: break
    case .some(let last) where last.isJSONWhitespace: break
    default:
      throw JSONError(.unexpectedEnd, at: reader.recordOffset + bytes.count, expected: .whitespaceAfterScalar)
    }
    return record
  }

  func checkpoint(of reader: borrowing JSONRecordReader, at offset: Int) -> JSONCheckpoint {
    // At the end, of a range too, the last separators have been read.
    let hasEnded = reader.window.isAtEnd && !isOpen
    return checkpoint(of: reader, at: hasEnded ? offset : separator ?? offset, touchesNext: false)
  }

  func skipRest(of reader: inout JSONRecordReader) throws(JSONError) -> Bool {
    try reader.skip(to: ASCII.recordSeparator)
  }
}
