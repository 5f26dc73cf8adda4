/// The requirements of a framing: how a ``JSONRecordReader`` cuts a stream into records.
///
/// A framing is one file, with its framer and its constant of ``JSONFraming``, and an entry in ``JSONFraming/all``. Most
/// framers are a ``RangeFramer``, which needs a name and a method that finds the next record. A framer belongs to one reader, and
/// has the state of its cuts.
protocol Framer: AnyObject, SendableMetatype {
  /// The name stored in checkpoints.
  static var name: String { get }
  /// Whether each record is a line that ends with a line feed, so that many lines are validated or ruled out at once. The
  /// default is false. Workers cut only ``JSONFraming/lines``.
  static var cutsLines: Bool { get }
  /// Whether each record can be validated by itself, before it is parsed.
  static var validatesRecords: Bool { get }
  /// Why reading cannot continue after a bad record; `nil`, the default, if it can.
  static var stopReason: String? { get }

  init()

  /// Prepares a reader whose properties have been set from the checkpoint.
  func begin(_ reader: inout JSONRecordReader, at checkpoint: JSONCheckpoint?) throws(JSONError)

  /// Returns the next record; `nil` at the end of the input, and while a pushed record is incomplete. Throws the error of a
  /// bad record.
  func nextRecord(of reader: inout JSONRecordReader) throws(JSONError) -> JSONRecord?

  /// Drops the rest of a record that is too long, if the framer has set the reader's `isSkipping`.
  ///
  /// - Returns: Whether the end of the record has been reached.
  func skipRest(of reader: inout JSONRecordReader) throws(JSONError) -> Bool

  /// Returns the checkpoint at `offset`: after the last record, or before it if reading cannot continue after it.
  func checkpoint(of reader: borrowing JSONRecordReader, at offset: Int) -> JSONCheckpoint

  /// Reads the records, if they are the children of a container; `nil`, the default, for all other records.
  var children: ChildReader? { get }
}

extension Framer {
  static var cutsLines: Bool { false }
  static var validatesRecords: Bool { false }
  static var stopReason: String? { nil }
  func begin(_ reader: inout JSONRecordReader, at checkpoint: JSONCheckpoint?) throws(JSONError) {}
  func skipRest(of reader: inout JSONRecordReader) throws(JSONError) -> Bool { true }

  func checkpoint(of reader: borrowing JSONRecordReader, at offset: Int) -> JSONCheckpoint {
    checkpoint(of: reader, at: offset, touchesNext: false)
  }

  func checkpoint(of reader: borrowing JSONRecordReader, at offset: Int, touchesNext: Bool) -> JSONCheckpoint {
    let (line, start) =
      reader.isStuck ? (reader.textLine, reader.lineStart) : (reader.nextLine, reader.nextLineStart)
    return JSONCheckpoint(
      byteOffset: offset, line: line, lineOffset: start, framing: reader.framing, touchesNext: touchesNext,
      isInsideRecord: reader.isSkipping)
  }

  var children: ChildReader? { nil }
  var stopReason: String? { Self.stopReason }
}

/// A framer that finds all bytes of a record before they are parsed.
protocol RangeFramer: Framer {
  /// Finds the next record: uses the bytes before it, marks its start with ``JSONRecordReader/beginRecord()``, and counts
  /// its lines.
  ///
  /// The framer notes the number of searched bytes, so that a long record is not searched again
  /// after each read. If the first `maxSearchLength` bytes do not contain the end of the record, the framer sets `isSkipping`
  /// and throws ``JSONError/Code/recordLimit``, so that memory stays bounded; ``skipRest(of:)`` then drops the rest. A
  /// framer with a ``stopReason`` may return more bytes than the limit instead: then the record is rejected.
  ///
  /// The calls of the reader, in their order: `skipMark` at the start of the input, `beginRecord` at the first byte,
  /// `window.fill()` while the end is not in memory (`false` without `isAtEnd`: return `nil` and keep the state), `countLines`
  /// for the bytes of the record; before the error of a long record `pendingUse = 0` and `isSkipping = true`. A framer whose
  /// separator has several bytes writes ``skipRest(of:)`` as ``JSONRecordReader/skip(to:)`` does, and passes what it drops to
  /// `held`, the text of the bad record.
  ///
  /// - Returns: The number of bytes at the front of the window that belong to the record; `nil` as in ``nextRecord(of:)``.
  func findRecord(of reader: inout JSONRecordReader) throws(JSONError) -> Int?

  /// Parses the bytes of a record. The default only calls the parser.
  func parse(_ bytes: UnsafeRawBufferPointer, of reader: inout JSONRecordReader) throws(JSONError) -> JSONRecord
}

extension RangeFramer {
  static var validatesRecords: Bool { true }

  func parse(_ bytes: UnsafeRawBufferPointer, of reader: inout JSONRecordReader) throws(JSONError) -> JSONRecord {
    try unsafe reader.record(bytes)
  }

  func nextRecord(of reader: inout JSONRecordReader) throws(JSONError) -> JSONRecord? {
    guard let count = try findRecord(of: &reader) else { return nil }
    reader.pendingUse = count
    guard count <= reader.limits.recordBytes else {
      throw JSONError(.recordLimit, at: reader.recordOffset, limit: reader.limits.recordBytes)
    }
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: reader.window.bytes[..<count])
    return try unsafe parse(bytes, of: &reader)
  }
}

extension JSONRecordReader {
  /// Drops the rest of a record that is too long, before the separator of the next one. Returns `false` if more of it follows.
  mutating func skip(to separator: UInt8) throws(JSONError) -> Bool {
    while isSkipping {
      let found = unsafe window.bytes.firstOffset(of: separator)
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
