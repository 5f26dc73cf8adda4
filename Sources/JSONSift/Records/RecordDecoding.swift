/// Decodes a record into a value: the step that all decoders of records share.
struct RecordDecoding<Element: Decodable> {
  private let settings: Frozen<DecoderSettings>
  private let session = DecodingSession(keepsSettings: true)

  init(_ decoder: JSONSiftDecoder) { settings = decoder.settings }

  /// Decodes one record. The record is released on return, so that its memory can be reused.
  func decode(_ record: consuming JSONRecord) throws(RejectedRecord) -> Element {
    if Element.self == JSON.self { return unsafe unsafeBitCast(record.value, to: Element.self) }
    do {
      return try session.decode(Element.self, from: record.value, line: record.line, with: settings)
    } catch {
      throw RejectedRecord(record, error, session.failed)
    }
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
    guard let context = Self.context(of: cause) else {
      codingPath = []
      error = JSONError(.wrongShape, at: record.byteRange.lowerBound, .reason(String(describing: cause)))
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
    error = JSONError(.wrongShape, at: offset, .reason(Self.text(for: context.codingPath) + reason))
  }

  private static func context(of error: any Error) -> DecodingError.Context? {
    switch error {
    case DecodingError.keyNotFound(_, let context), DecodingError.typeMismatch(_, let context),
      DecodingError.valueNotFound(_, let context), DecodingError.dataCorrupted(let context):
      context
    default: nil
    }
  }

  /// Returns a coding path in the usual notation, `lines[3].street: `; empty for the record itself.
  private static func text(for path: [any CodingKey]) -> String {
    var text = ""
    for key in path {
      if let key = key as? CodingPathKey, case .index(let index) = key {
        text += "[\(index)]"
      } else {
        text += (text.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return text.isEmpty ? "" : text + ": "
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
  /// Counts the last record as bad, because its value was rejected. Reading can continue, unless there are too many bad
  /// ones.
  mutating func count(_ rejected: RejectedRecord) {
    errorCount += 1
    if let maximum = options.maximumErrors, errorCount > maximum {
      failure = JSONError(.tooManyErrors, at: rejected.error.byteOffset, limit: maximum)
    }
  }

  /// Returns the bad record for the last record, which was rejected.
  mutating func badRecord(of rejected: RejectedRecord) -> JSONBadRecord {
    let error = rejected.error
    guard children != nil else {
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
        let lines = unsafe ByteScan.countLineFeeds(before)
        let start = unsafe ByteScan.lastLineFeed(before).map { range.lowerBound + $0 + 1 } ?? children?.lineStart ?? 0
        let position = SourcePosition(
          byteOffset: error.byteOffset, line: line + lines, column: error.byteOffset - start + 1)
        return JSONBadRecord(
          error: error, position: position, line: line, byteRange: range,
          rawBytes: unsafe Array(bytes.prefix(options.rawByteLimit)), codingPath: rejected.codingPath)
      }
    }
  }
}
