/// Decodes records into values: the step that all decoders of records share.
final class RecordDecoding {
  /// The decoder that was given; its options are copied when it is first used.
  fileprivate let decoder: JSONSiftDecoder?
  private let settings: Frozen<DecoderSettings>
  private let session = DecodingSession(keepsSettings: true)

  init(_ decoder: JSONSiftDecoder?) {
    self.decoder = decoder
    settings = decoder?.settings ?? DecoderSettings.defaults
  }

  /// Decodes one record. The record is released on return, so that its memory can be reused.
  func decode<T: Decodable>(_ record: consuming JSONRecord, as type: T.Type) throws(RejectedRecord) -> T {
    if T.self == JSON.self { return unsafe unsafeBitCast(record.value, to: T.self) }
    do {
      return try session.decode(type, from: record.value, line: record.line, with: settings)
    } catch {
      throw RejectedRecord(record, error, session.failed)
    }
  }
}

extension JSONRecordReader {
  /// Returns the next record as a value of one of your own types, or `nil` at the end of the stream.
  ///
  /// ```swift
  /// var reader = try JSONRecordReader(.path("events.ndjson"))
  /// while let line = try reader.next(as: LogLine.self) { total += line.amount }
  /// ```
  ///
  /// ``JSONRecordOptions/recovery`` controls how a bad record is handled, whether it is not JSON or not of the type. Under
  /// ``JSONRecordOptions/Recovery/stop`` its error is thrown, and the next call continues after it. So one loop can keep the
  /// good records:
  ///
  /// ```swift
  /// while true {
  ///   do {
  ///     guard let line = try reader.next(as: LogLine.self) else { break }
  ///     keep(line)
  ///   } catch {
  ///     print(reader.line, reader.recordOffset, error)
  ///     if reader.stopReason != nil { break }
  ///   }
  /// }
  /// ```
  ///
  /// After a value of another type reading can always continue; after text that is not JSON, only in some framings.
  ///
  /// - Parameters:
  ///   - type: The type. It can differ from one record to the next.
  ///   - decoder: The options for decoding, which are copied when a decoder is first used. The default is those of a new
  ///     ``JSONSiftDecoder``.
  /// - Throws: ``JSONError``, as ``next()`` does. Under ``JSONRecordOptions/Recovery/stop`` also `DecodingError` for a
  ///   record that is not of the type, with coding path, line and byte in the input, and any error of an initializer of the
  ///   type.
  public mutating func next<T: Decodable>(as type: T.Type, with decoder: JSONSiftDecoder? = nil) throws -> T? {
    while let record = try next() {
      do throws(RejectedRecord) {
        return try decoding(with: decoder).decode(record, as: type)
      } catch {
        _ = try reject(error, reports: false)
      }
    }
    return nil
  }

  /// Returns the next record as a value of one of your own types, or the next bad record, with coding path, line and bytes;
  /// `nil` at the end of the stream. If ``JSONRecordOptions/recovery`` has been set to another policy than
  /// ``JSONRecordOptions/Recovery/report``, it is equivalent to ``next(as:with:)``.
  ///
  /// ```swift
  /// var reader = try JSONRecordReader(.path("events.ndjson"))
  /// while let result = try reader.nextResult(as: LogLine.self) {
  ///   switch result {
  ///   case .success(let line): keep(line)
  ///   case .failure(let bad): try rejects.write(bad, from: "events.ndjson")
  ///   }
  /// }
  /// ```
  ///
  /// - Throws: The errors of ``nextResult()``, and under other policies those of ``next(as:with:)``.
  public mutating func nextResult<T: Decodable>(
    as type: T.Type, with decoder: JSONSiftDecoder? = nil
  ) throws -> Result<T, JSONBadRecord>? {
    while let result = try nextResult() {
      switch result {
      case .failure(let bad): return .failure(bad)
      case .success(let record):
        do throws(RejectedRecord) {
          return .success(try decoding(with: decoder).decode(record, as: type))
        } catch {
          if let bad = try reject(error, reports: true) { return .failure(bad) }
        }
      }
    }
    return nil
  }

  private mutating func decoding(with decoder: JSONSiftDecoder?) -> RecordDecoding {
    if let decoding, decoding.decoder === decoder { return decoding }
    let new = RecordDecoding(decoder)
    decoding = new
    return new
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

/// A record whose value is not of the requested type.
struct RejectedRecord: Error {
  /// The error for a program without a recovery policy: a `DecodingError`, or an error of an initializer.
  let cause: any Error
  /// The cause as an error of the input.
  let error: JSONError
  /// The keys that lead to the wrong value.
  let codingPath: [String]
  fileprivate let record: JSONRecord

  /// - Parameters:
  ///   - record: The record.
  ///   - cause: The error of the decoder or of an initializer.
  ///   - decoding: The decoding of this record. Reason and offset are taken from an error of this decoding only. If a
  ///     type decodes the text inside a string, the offset of that error refers to the inner text.
  init(_ record: JSONRecord, _ cause: any Error, _ decoding: JSONError.DecodingIdentity?) {
    self.cause = cause
    self.record = record
    guard let context = (cause as? DecodingError)?.context else {
      codingPath = []
      error = JSONError(.typeMismatch, at: record.byteRange.lowerBound, .reason(String(describing: cause)))
      return
    }
    codingPath = context.codingPath.map { $0.stringValue }
    var reason = context.debugDescription
    let offset: Int
    if let mismatch = context.underlyingError as? JSONError,
      case .mismatch(let itsReason, let itsDecoding) = mismatch.payload, itsDecoding.object == decoding?.object
    {
      // The description of the context also contains the position, so the reason replaces it.
      reason = itsReason
      offset = mismatch.byteOffset
    } else {
      offset = Self.offset(of: context.codingPath, in: record)
    }
    if case DecodingError.keyNotFound(let key, _) = cause {
      reason = "Expected a member \"\(key.stringValue)\" but found none."
    }
    error = JSONError(.typeMismatch, at: offset, .reason(CodingPathKey.text(for: context.codingPath) + reason))
  }

  /// Returns the offset of the value at a coding path, or of the last value that the path leads to: a key strategy may have
  /// changed the names.
  private static func offset(of path: [any CodingKey], in record: JSONRecord) -> Int {
    var value = record.value
    for key in path {
      var next = value[key.stringValue]
      if value.type == .array { next = key.intValue.map { value[$0] } ?? .null }
      guard next.byteRange != nil else { break }
      value = next
    }
    return value.byteRange?.lowerBound ?? 0
  }
}

extension JSONRecordReader {
  /// Handles the last record, whose value the caller rejected. Counts it, and returns it as a bad one if `reports` is true.
  ///
  /// - Throws: Under ``JSONRecordOptions/Recovery/stop`` the cause of the rejection.
  mutating func reject(_ rejected: RejectedRecord, reports: Bool) throws -> JSONBadRecord? {
    // Reading can continue, unless there are too many bad records.
    if let error = policy.count(rejected.error) { failure = error }
    switch policy.outcome(forResult: reports) {
    case .thrown: throw rejected.cause
    case .returned: return badRecord(of: rejected)
    case .skipped: return nil
    }
  }

  /// Returns the bad record for the last record, which was rejected.
  mutating func badRecord(of rejected: RejectedRecord) -> JSONBadRecord {
    let error = rejected.error
    guard let children = framer.children else {
      let bad = badRecord(of: error)
      return JSONBadRecord(
        error: error, position: bad.position, line: bad.line, byteRange: bad.byteRange, rawBytes: bad.rawBytes,
        codingPath: rejected.codingPath)
    }
    // The window has advanced, but the child has its own bytes.
    let value = rejected.record.value
    let range = rejected.record.byteRange
    return value.withRawBytes { bytes in
      unsafe bytes.withUnsafeBytes { bytes in
        let before = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(max(error.byteOffset - range.lowerBound, 0)))
        var lines = LineCount(feeds: line, lastStart: children.lineStart)
        unsafe lines.add(LineCount(of: before, at: range.lowerBound))
        return JSONBadRecord(
          error: error, position: lines.position(of: error.byteOffset), line: line, byteRange: range,
          rawBytes: unsafe Array(bytes.prefix(options.rawByteLimit)), codingPath: rejected.codingPath)
      }
    }
  }
}
