/// The step from a record to a value: what decoders of records have in common, however they get them.
struct RecordDecoding<Element: Decodable> {
  private let settings: Frozen<DecoderSettings>
  private let session = DecodingSession(keepsSettings: true)

  init(_ decoder: JSONSiftDecoder) { settings = decoder.settings }

  /// One at a time. The record is done with when this returns, so that its memory can be used again.
  func decode(_ record: consuming JSONRecord) throws(RefusedRecord) -> Element {
    if Element.self == JSON.self { return unsafe unsafeBitCast(record.value, to: Element.self) }
    do {
      return try session.decode(Element.self, from: record.value, line: record.line, with: settings)
    } catch {
      throw RefusedRecord(record, error, session.refusals)
    }
  }
}

/// A record whose value is not of the type that was asked for.
struct RefusedRecord: Error {
  /// What a program that has no policy is told: a `DecodingError`, or what an initialiser has thrown.
  let cause: any Error
  /// The same as an error of the input.
  let error: JSONError
  /// The keys that lead to the value which is wrong.
  let codingPath: [String]
  fileprivate let record: JSONRecord

  /// - Parameter refusals: The parts of the errors that the decoder has made last: the cause may be one of them.
  init(_ record: JSONRecord, _ cause: any Error, _ refusals: [DecodingContext.Refusal]) {
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
    if let refusal = refusals.last(where: { $0.description == context.debugDescription }) {
      // Who reads the error has the place beside it.
      reason = refusal.reason
      offset = refusal.byteOffset
    } else {
      offset = Self.offset(of: context.codingPath, in: record)
    }
    if case DecodingError.keyNotFound(let key, _) = cause {
      reason = "Expected a member \"\(key.stringValue)\" but found none."
    }
    error = JSONError(.wrongShape, at: offset, .reason(Self.words(for: context.codingPath) + reason))
  }

  private static func context(of error: any Error) -> DecodingError.Context? {
    switch error {
    case DecodingError.keyNotFound(_, let context), DecodingError.typeMismatch(_, let context),
      DecodingError.valueNotFound(_, let context), DecodingError.dataCorrupted(let context):
      context
    default: nil
    }
  }

  /// A coding path as people write it: `lines[3].street: `; nothing for the record itself.
  private static func words(for path: [any CodingKey]) -> String {
    var words = ""
    for key in path {
      if let key = key as? CodingPathKey, case .index(let index) = key {
        words += "[\(index)]"
      } else {
        words += (words.isEmpty ? "" : ".") + key.stringValue
      }
    }
    return words.isEmpty ? "" : words + ": "
  }

  /// Where the value at a coding path begins, as far as it leads: a key strategy may have made other names.
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
  /// Counts the last record among the bad ones: who asked for it has refused its value. Reading can go on behind it, unless
  /// there are now too many.
  mutating func count(_ refused: RefusedRecord) {
    errorCount += 1
    if let most = options.maximumErrors, errorCount > most {
      failure = JSONError(.tooManyErrors, at: refused.error.byteOffset, limit: most)
    }
  }

  /// What is known of the last record, which was refused.
  mutating func badRecord(of refused: RefusedRecord) -> JSONBadRecord {
    let error = refused.error
    guard children != nil else {
      let bad = badRecord(of: error)
      return JSONBadRecord(
        error: error, position: bad.position, line: bad.line, byteRange: bad.byteRange, rawBytes: bad.rawBytes,
        codingPath: refused.codingPath)
    }
    // The window has gone on, but the child has its own bytes.
    let value = refused.record.value
    let range = refused.record.byteRange
    return value.withRawBytes { bytes in
      unsafe bytes.withUnsafeBytes { bytes in
        let before = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(max(error.byteOffset - range.lowerBound, 0)))
        let lines = unsafe ByteScan.countLineFeeds(before)
        let start = unsafe ByteScan.lastLineFeed(before).map { range.lowerBound + $0 + 1 } ?? children?.lineStart ?? 0
        let position = SourcePosition(
          byteOffset: error.byteOffset, line: line + lines, column: error.byteOffset - start + 1)
        return JSONBadRecord(
          error: error, position: position, line: line, byteRange: range,
          rawBytes: unsafe Array(bytes.prefix(options.rawByteLimit)), codingPath: refused.codingPath)
      }
    }
  }
}
