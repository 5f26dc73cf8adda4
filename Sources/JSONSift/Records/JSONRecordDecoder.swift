/// Decodes the records of a stream, one at a time, in bounded memory.
///
/// ```swift
/// var lines = try JSONRecordReader(.path("events.ndjson")).decode(LogLine.self)
/// while let line = try lines.next() { total += line.amount }
/// ```
///
/// With ``JSONFraming/lines`` a line that is no JSON is one thrown ``JSONError``, and one that is not of the type is
/// one thrown `DecodingError`; the next call goes on with the next line. So one loop can keep what is good:
///
/// ```swift
/// while true {
///   do {
///     guard let line = try lines.next() else { break }
///     keep(line)
///   } catch {
///     print(lines.line, lines.recordOffset, error)
///   }
/// }
/// ```
///
/// With the other framings a text that is no JSON ends the stream, and a value of another shape does not.
public struct JSONRecordDecoder<Element: Decodable>: ~Copyable {
  /// The records. Its ``JSONRecordReader/recordBytes`` are those of the last one, good or bad.
  public private(set) var reader: JSONRecordReader
  private var decoding: RecordDecoding<Element>

  /// Decodes what a reader reads, from its next record on.
  public init(
    _ type: Element.Type, from reader: consuming JSONRecordReader, with decoder: JSONSiftDecoder = JSONSiftDecoder()
  ) {
    self.reader = reader
    decoding = RecordDecoding(decoder)
  }

  /// The line on which the last record, or the last bad one, began. From 1; 0 before the first.
  public var line: Int { reader.line }

  /// The offset in the input at which it began.
  public var recordOffset: Int { reader.recordOffset }

  /// The next record, or `nil` at the end of the stream.
  ///
  /// - Throws: ``JSONError``, as ``JSONRecordReader/next()`` does; `DecodingError` for a record of another shape, with
  ///   coding path, line and byte in the input; what an initialiser of `Element` throws. Such a record is done with:
  ///   the next call goes on behind it.
  public mutating func next() throws -> Element? {
    guard let record = try reader.next() else { return nil }
    return try decoding.decode(record)
  }
}

/// The step from a record to a value: what decoders of records have in common, however they get them.
struct RecordDecoding<Element: Decodable> {
  private let decoder: JSONSiftDecoder
  private let session = DecodingSession()

  init(_ decoder: JSONSiftDecoder) { self.decoder = decoder }

  /// One at a time. The record is done with when this returns, so that its memory can be used again.
  func decode(_ record: consuming JSONRecord) throws -> Element {
    if Element.self == JSON.self { return unsafe unsafeBitCast(record.value, to: Element.self) }
    return try session.decode(Element.self, from: record.value, line: record.line, with: decoder)
  }
}

extension JSONRecordReader {
  /// The records from the next one on, as values of one of your own types.
  public consuming func decode<T: Decodable>(
    _ type: T.Type, with decoder: JSONSiftDecoder = JSONSiftDecoder()
  ) -> JSONRecordDecoder<T> {
    JSONRecordDecoder(type, from: self, with: decoder)
  }
}

extension JSONRecord {
  /// The record as one of your own types.
  ///
  /// - Throws: `DecodingError`, with line and byte in the input; what an initialiser of a type throws.
  public func decode<T: Decodable>(
    _ type: T.Type, with decoder: JSONSiftDecoder = JSONSiftDecoder()
  ) throws -> T {
    try decoder.decode(type, from: value, line: line)
  }
}
