/// Decodes the records of a stream, one at a time, in bounded memory.
///
/// ```swift
/// var lines = try JSONRecordReader(.path("events.ndjson")).decode(LogLine.self)
/// while let line = try lines.next() { total += line.amount }
/// ```
///
/// What becomes of a bad record is ``JSONRecordOptions/recovery``, whether it is no JSON or not of the type. Under
/// ``JSONRecovery/stop`` its error is thrown, a ``JSONError`` or a `DecodingError`, and the next call goes on behind it. So
/// one loop can keep what is good:
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
/// Under ``JSONRecovery/report`` ``nextElement()`` hands it out as a ``JSONBadRecord``, with coding path, line and bytes:
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
/// ``checkpoint`` is where another decoder goes on, in another process too:
///
/// ```swift
/// var lines = try JSONRecordDecoder(LogLine.self, from: .path("events.ndjson"), resumingAt: saved)
/// while let line = try lines.next() { keep(line) }
/// ```
///
/// Behind a value of another type reading can always go on; behind a text that is no JSON it cannot with every framing.
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

  /// Opens a source and decodes its records.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - source: What is read.
  ///   - options: How it is cut, and what becomes of bad records.
  ///   - checkpoint: Where reading goes on: the ``checkpoint`` of an earlier decoder or reader of the same input.
  ///   - decoder: Options of decoding.
  /// - Throws: As ``JSONRecordReader/init(_:options:resumingAt:)``.
  public init(
    _ type: Element.Type, from source: JSONSource, options: JSONRecordOptions = JSONRecordOptions(),
    resumingAt checkpoint: JSONCheckpoint? = nil, with decoder: JSONSiftDecoder = JSONSiftDecoder()
  ) throws(JSONError) {
    self.init(type, from: try JSONRecordReader(source, options: options, resumingAt: checkpoint), with: decoder)
  }

  /// Where reading goes on after the last record, good or bad, that was handed out. To be stored, and given as
  /// `resumingAt:` to another reader of the same input; see ``JSONCheckpoint``.
  public var checkpoint: JSONCheckpoint { reader.checkpoint }

  /// The number of bad records so far, those of another type included.
  public var errorCount: Int { reader.errorCount }

  /// The line on which the last record, or the last bad one, began. From 1; 0 before the first.
  public var line: Int { reader.line }

  /// The offset in the input at which it began.
  public var recordOffset: Int { reader.recordOffset }

  /// The next record of the type, or `nil` at the end of the stream. Under ``JSONRecovery/skip`` and
  /// ``JSONRecovery/report`` bad records are passed over and counted, in ``JSONRecordReader/errorCount``.
  ///
  /// - Throws: ``JSONError``, as ``JSONRecordReader/next()`` does. Under ``JSONRecovery/stop`` also `DecodingError` for a
  ///   record that is not of the type, with coding path, line and byte in the input, and what an initialiser of
  ///   `Element` throws. Such a record is done with: the next call goes on behind it.
  public mutating func next() throws -> Element? {
    while let record = try reader.next() {
      do throws(RefusedRecord) {
        return try decoding.decode(record)
      } catch {
        reader.count(error)
        if reader.options.recovery == .stop { throw error.cause }
      }
    }
    return nil
  }

  /// The next record of the type or, under ``JSONRecovery/report``, the next bad one; `nil` at the end of the stream. Under
  /// the other policies it is ``next()``.
  ///
  /// - Throws: As ``JSONRecordReader/nextElement()``, and under other policies what ``next()`` throws.
  public mutating func nextElement() throws -> JSONRecordElement<Element>? {
    guard reader.options.recovery == .report else { return try next().map { .record($0) } }
    switch try reader.nextElement() {
    case nil: return nil
    case .bad(let bad): return .bad(bad)
    case .record(let record):
      do throws(RefusedRecord) {
        return .record(try decoding.decode(record))
      } catch {
        reader.count(error)
        return .bad(reader.badRecord(of: error))
      }
    }
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
  /// - Parameters:
  ///   - type: The type.
  ///   - decoder: Options; without one, the defaults.
  /// - Throws: `DecodingError`, with line and byte in the input; what an initialiser of a type throws.
  public func decode<T: Decodable>(_ type: T.Type, with decoder: JSONSiftDecoder? = nil) throws -> T {
    try JSONSiftDecoder.decode(type, from: value, line: line, with: decoder?.settings ?? DecoderSettings.defaults)
  }
}
