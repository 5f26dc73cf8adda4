/// A record that is not JSON, that exceeds a limit, or that does not match the requested type. It is the failure of a result
/// in ``JSONRecords/results`` and ``JSONRecordReader/nextResult()``, and is not thrown: its ``error`` is.
///
/// It contains enough to find the record again and to save it: ``byteRange`` is its whole range in the input, and
/// ``rawBytes`` holds as many of these bytes as ``JSONRecordOptions/rawByteLimit`` allows. ``JSONRejectWriter`` writes bad
/// records to a file.
public struct JSONBadRecord: Error, Sendable, Hashable {
  /// The error. Its offset counts from the start of the input.
  public let error: JSONError
  /// The position of the error: offset, line and column in the input.
  public let position: JSONError.Position
  /// The line on which the record begins, from 1.
  public let line: Int
  /// The range of the whole record in the input; for compressed input, in the decompressed bytes. For a line, without its
  /// line feed. If the end of the record is unknown, the range ends where reading stopped.
  public let byteRange: Range<Int>
  /// The first bytes of the record, as they were read.
  public let rawBytes: [UInt8]
  /// Why reading cannot continue after this record; `nil` if it can.
  public internal(set) var stopReason: String?
  /// For a record that is not of the expected type: the keys that lead to the wrong value. Empty if the record itself is
  /// wrong, and for all other bad records.
  public internal(set) var codingPath: [String] = []

  /// Whether ``rawBytes`` is only the start of the record.
  public var isTruncated: Bool { rawBytes.count < byteRange.count }
}

extension JSONBadRecord: CustomStringConvertible {
  /// The position of the error, and what was found and expected.
  public var description: String { error.located(at: position).description }
}
