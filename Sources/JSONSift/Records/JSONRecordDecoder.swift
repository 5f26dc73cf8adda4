/// Decodes the records of a stream, one at a time, in bounded memory.
///
/// ```swift
/// var lines = try JSONRecordReader(.path("events.ndjson")).decode(LogLine.self)
/// while let line = try lines.next() { total += line.amount }
/// ```
///
/// ``JSONRecordOptions/recovery`` controls how a bad record is handled, whether it is not JSON or not of the type. Under
/// ``JSONRecovery/stop`` its error is thrown, a ``JSONError`` or a `DecodingError`, and the next call continues after it. So
/// one loop can keep the good records:
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
/// Under ``JSONRecovery/report`` ``nextElement()`` returns it as a ``JSONBadRecord``, with coding path, line and bytes:
///
/// ```swift
/// var options = JSONRecordOptions()
/// options.recovery = .report
/// var lines = try JSONRecordReader(.path("events.ndjson"), options: options).decode(LogLine.self)
/// while let element = try lines.nextElement() {
///   switch element {
///   case .record(let line): keep(line)
///   case .bad(let bad): try rejects.write(bad, file: "events.ndjson")
///   }
/// }
/// ```
///
/// ``checkpoint`` is where another decoder continues, even in another process:
///
/// ```swift
/// var lines = try JSONRecordDecoder(LogLine.self, from: .path("events.ndjson"), resumingAt: saved)
/// while let line = try lines.next() { keep(line) }
/// ```
///
/// After a value of another type reading can always continue; after text that is not JSON, only in some framings.
public struct JSONRecordDecoder<Element: Decodable>: ~Copyable {
  /// The reader of the records. Its ``JSONRecordReader/recordBytes`` are those of the last record, good or bad.
  public private(set) var reader: JSONRecordReader
  private var decoding: RecordDecoding<Element>

  /// Creates a decoder for the remaining records of a reader.
  public init(
    _ type: Element.Type, from reader: consuming JSONRecordReader, with decoder: JSONSiftDecoder = JSONSiftDecoder()
  ) {
    self.reader = reader
    decoding = RecordDecoding(decoder)
  }

  /// Opens a source and decodes its records.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - source: The input.
  ///   - options: How it is cut, and how bad records are handled.
  ///   - checkpoint: Where reading continues: the ``checkpoint`` of an earlier decoder or reader of the same input.
  ///   - decoder: The options for decoding.
  /// - Throws: The errors of ``JSONRecordReader/init(_:options:resumingAt:)``.
  public init(
    _ type: Element.Type, from source: JSONSource, options: JSONRecordOptions = JSONRecordOptions(),
    resumingAt checkpoint: JSONCheckpoint? = nil, with decoder: JSONSiftDecoder = JSONSiftDecoder()
  ) throws(JSONError) {
    self.init(type, from: try JSONRecordReader(source, options: options, resumingAt: checkpoint), with: decoder)
  }

  /// Where reading continues after the last record that was returned, good or bad. Store it, and pass it as `resumingAt:` to
  /// another reader of the same input; see ``JSONCheckpoint``.
  public var checkpoint: JSONCheckpoint { reader.checkpoint }

  /// The number of bad records so far, including those of another type.
  public var errorCount: Int { reader.errorCount }

  /// The line on which the last record, good or bad, began. From 1; 0 before the first.
  public var line: Int { reader.line }

  /// The offset in the input of the last record, good or bad.
  public var recordOffset: Int { reader.recordOffset }

  /// Returns the next record of the type, or `nil` at the end of the stream. Under ``JSONRecovery/skip`` and
  /// ``JSONRecovery/report`` bad records are skipped, and counted in ``JSONRecordReader/errorCount``.
  ///
  /// - Throws: ``JSONError``, as ``JSONRecordReader/next()`` does. Under ``JSONRecovery/stop`` also `DecodingError` for a
  ///   record that is not of the type, with coding path, line and byte in the input, and any error of an initializer of
  ///   `Element`. The next call continues after such a record.
  public mutating func next() throws -> Element? {
    while let record = try reader.next() {
      do throws(RejectedRecord) {
        return try decoding.decode(record)
      } catch {
        reader.count(error)
        if reader.options.recovery == .stop { throw error.cause }
      }
    }
    return nil
  }

  /// Returns the next record of the type or the next bad one; `nil` at the end of the stream. If
  /// ``JSONRecordOptions/recovery`` has been set to another policy than ``JSONRecovery/report``, it is equivalent to
  /// ``next()``.
  ///
  /// - Throws: The errors of ``JSONRecordReader/nextElement()``, and under other policies those of ``next()``.
  public mutating func nextElement() throws -> JSONRecordElement<Element>? {
    guard reader.options.recoveryOfElements == .report else { return try next().map { .record($0) } }
    switch try reader.nextElement() {
    case nil: return nil
    case .bad(let bad): return .bad(bad)
    case .record(let record):
      do throws(RejectedRecord) {
        return .record(try decoding.decode(record))
      } catch {
        reader.count(error)
        return .bad(reader.badRecord(of: error))
      }
    }
  }
}

extension JSONRecordReader {
  /// Returns a decoder for the remaining records, as values of one of your own types.
  public consuming func decode<T: Decodable>(
    _ type: T.Type, with decoder: JSONSiftDecoder = JSONSiftDecoder()
  ) -> JSONRecordDecoder<T> {
    JSONRecordDecoder(type, from: self, with: decoder)
  }
}

extension JSONRecord {
  /// Decodes the record as one of your own types.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - decoder: The options; without one, the defaults.
  /// - Throws: `DecodingError`, with line and byte in the input; any error of a type's initializer.
  public func decode<T: Decodable>(_ type: T.Type, with decoder: JSONSiftDecoder? = nil) throws -> T {
    try JSONSiftDecoder.decode(type, from: value, line: line, with: decoder?.settings ?? DecoderSettings.defaults)
  }
}
