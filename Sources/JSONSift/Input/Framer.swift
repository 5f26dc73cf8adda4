/// How a stream is cut into records: what a ``JSONRecordReader`` asks of its framing.
///
/// A framing is one file, with its framer and its constant of ``JSONFraming``, and a line of ``JSONFraming/all``. Most are a
/// ``RangeFramer``, which needs a name and says where the next record is. The bytes and what is known of them are the reader's:
/// a framer has no state.
protocol Framer: Sendable {
  /// What checkpoints store.
  static var name: String { get }
  /// Each record is a line that ends with a line feed, so that many are proven or ruled out at once. The default is false.
  /// Workers cut only ``JSONFraming/lines``.
  static var cutsLines: Bool { get }
  /// Whether each record can be proven by itself, before it is parsed.
  static var provesRecords: Bool { get }
  /// Why reading cannot go on behind a bad record; `nil`, which is the default, if it can.
  static var stopReason: String? { get }

  /// Prepares a reader whose fields have been set from the checkpoint.
  static func begin(_ reader: inout JSONRecordReader, at checkpoint: JSONCheckpoint?) throws(JSONError)

  /// The next record; `nil` at the end of the input, and before the end of a record that is pushed. Throws at a bad one.
  static func nextRecord(of reader: inout JSONRecordReader) throws(JSONError) -> JSONRecord?

  /// Drops the rest of a record that is too long, if the framer has set the reader's `isPassing`.
  ///
  /// - Returns: Whether its end has been reached.
  static func passRest(of reader: inout JSONRecordReader) throws(JSONError) -> Bool

  /// Where reading goes on: at an offset behind the last record, or before it if the reader is stuck there.
  static func checkpoint(of reader: borrowing JSONRecordReader, at offset: Int) -> JSONCheckpoint
}

extension Framer {
  static var cutsLines: Bool { false }
  static var provesRecords: Bool { false }
  static var stopReason: String? { nil }
  static func begin(_ reader: inout JSONRecordReader, at checkpoint: JSONCheckpoint?) throws(JSONError) {}
  static func passRest(of reader: inout JSONRecordReader) throws(JSONError) -> Bool { true }

  static func checkpoint(of reader: borrowing JSONRecordReader, at offset: Int) -> JSONCheckpoint {
    let (line, start) =
      reader.isStuck ? (reader.line, reader.lineStart) : (reader.nextLine, reader.nextLineStart)
    return JSONCheckpoint(
      byteOffset: offset, line: line, lineOffset: start, framing: reader.framing, touchesNext: reader.touchesNext,
      isInsideRecord: reader.isPassing)
  }
}

/// A framer that has the bytes of a record together before they are parsed.
protocol RangeFramer: Framer {
  /// Finds the next record: uses what stands before it, notes its start with ``JSONRecordReader/beginRecord()``, and counts the
  /// lines in it.
  ///
  /// How many bytes were searched is noted in the reader's `searched`, so that a long record is not searched once more with
  /// each read. Where the end of a record is not among the first `maxSearchLength` bytes, the framer sets `isPassing` and throws
  /// ``JSONError/Code/recordLimit``, so that memory stays bounded; ``passRest(of:)`` drops the rest then. A framer with a
  /// ``stopReason`` may return more bytes than the limit instead: then the record is refused.
  ///
  /// - Returns: How many bytes at the front of the window are the record's; `nil` as ``nextRecord(of:)``.
  static func findRecord(of reader: inout JSONRecordReader) throws(JSONError) -> Int?

  /// Parses the bytes that were found. The default asks no more of them than the parser does.
  static func parse(_ bytes: UnsafeRawBufferPointer, of reader: inout JSONRecordReader) throws(JSONError) -> JSONRecord
}

extension RangeFramer {
  static var provesRecords: Bool { true }

  static func parse(_ bytes: UnsafeRawBufferPointer, of reader: inout JSONRecordReader) throws(JSONError) -> JSONRecord
  {
    try unsafe reader.record(bytes, isValidText: false)
  }

  static func nextRecord(of reader: inout JSONRecordReader) throws(JSONError) -> JSONRecord? {
    guard let count = try findRecord(of: &reader) else { return nil }
    reader.pendingUse = count
    guard count <= reader.limits.recordBytes else {
      throw JSONError(.recordLimit, at: reader.recordOffset, limit: reader.limits.recordBytes)
    }
    return try unsafe parse(UnsafeRawBufferPointer(rebasing: reader.window.bytes[..<count]), of: &reader)
  }
}
