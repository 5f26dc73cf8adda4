/// A record that is not JSON, that breaks a limit, or that is not of the type that it was to be decoded into.
///
/// It says enough to find the record again and to put it aside: ``byteRange`` are its bytes in the input, all of them, and
/// ``rawBytes`` as many of them as ``JSONRecordOptions/rawByteLimit`` allows. ``JSONRejectWriter`` writes it down.
public struct JSONBadRecord: Sendable, Hashable {
  /// What is wrong with it. The offset counts from the start of the input.
  public let error: JSONError
  /// Where that is: offset, line and column in the input.
  public let position: SourcePosition
  /// The line on which the record begins, from 1.
  public let line: Int
  /// The whole record in the input; of compressed input, in what it holds. Of a line without its line feed. Where the end
  /// of a record cannot be known, it goes as far as was read.
  public let byteRange: Range<Int>
  /// The first bytes of the record, as they were read.
  public let rawBytes: [UInt8]
  /// Why reading cannot go on behind it; `nil` if it can.
  public let stopReason: String?
  /// Of a record that is not of the type: the keys that lead to the value which is wrong. Empty if that is the record, and
  /// of all other bad records.
  public let codingPath: [String]

  /// Whether ``rawBytes`` is only the start of the record.
  public var isTruncated: Bool { rawBytes.count < byteRange.count }

  init(
    error: JSONError, position: SourcePosition, line: Int, byteRange: Range<Int>, rawBytes: [UInt8],
    stopReason: String? = nil, codingPath: [String] = []
  ) {
    self.error = error
    self.position = position
    self.line = line
    self.byteRange = byteRange
    self.rawBytes = rawBytes
    self.stopReason = stopReason
    self.codingPath = codingPath
  }
}

/// One element of a stream that reports bad records in their order among the good ones.
///
/// All readers use it: ``JSONRecordReader`` and ``JSONRecords`` with a ``JSONRecord`` as its value, decoders with a value of
/// their type, and workers with what their closure returned.
public enum JSONRecordElement<Value> {
  /// A good record, or what became of it.
  case record(Value)
  /// A record that is not JSON, that breaks a limit, or that is not of the type it was to be decoded into.
  case bad(JSONBadRecord)
}

extension JSONRecordElement: Sendable where Value: Sendable {}
