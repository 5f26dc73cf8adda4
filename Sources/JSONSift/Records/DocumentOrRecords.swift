/// Says where an error is in the one document that it reads.
protocol DocumentErrors: ~Copyable {
  func position(of error: JSONError) -> SourcePosition
  func excerpt(of error: JSONError) -> SourceExcerpt?
}

/// The same of a stream of records, with what becomes of a bad one.
protocol RecordErrors: ~Copyable {
  func position(of error: JSONError) -> SourcePosition
  func excerpt(of error: JSONError) -> SourceExcerpt
  var stopReason: String? { get }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord
}

extension JSONRecordReader: RecordErrors {}

/// What reads a source: as one document, or record by record. One of the two is there.
struct DocumentOrRecords<Document: DocumentErrors & ~Copyable, Records: RecordErrors & ~Copyable>: ~Copyable {
  var document: Document?
  var records: Records?

  init(_ document: consuming Document) {
    self.document = consume document
    records = nil
  }

  init(records: consuming Records) {
    document = nil
    self.records = consume records
  }

  func position(of error: JSONError) -> SourcePosition {
    switch document {
    case .some(let document): return document.position(of: error)
    case .none: break
    }
    switch records {
    case .some(let records): return records.position(of: error)
    case .none: return SourcePosition(byteOffset: error.byteOffset, line: 1, column: 1)
    }
  }

  func excerpt(of error: JSONError) -> SourceExcerpt? {
    switch document {
    case .some(let document): return document.excerpt(of: error)
    case .none: break
    }
    switch records {
    case .some(let records): return records.excerpt(of: error)
    case .none: return nil
    }
  }

  var stopReason: String? {
    switch records {
    case .some(let records): return records.stopReason
    case .none: return nil
    }
  }

  /// `nil` in one document.
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { records?.badRecord(of: error) }
}

extension DocumentMatches: DocumentErrors {}

extension RecordMatches: RecordErrors {
  func position(of error: JSONError) -> SourcePosition { reader.position(of: error) }
  func excerpt(of error: JSONError) -> SourceExcerpt { reader.excerpt(of: error) }
  var stopReason: String? { reader.stopReason }
}
