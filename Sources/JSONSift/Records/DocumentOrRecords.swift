/// A reader of one document that can locate an error in it.
protocol DocumentErrors: ~Copyable {
  func position(of error: JSONError) -> JSONError.Position
  func excerpt(of error: JSONError) -> JSONError.Excerpt?
  var tally: ReadingTally { get }
}

/// A reader of records that can locate an error, and return the bad record.
protocol RecordErrors: ~Copyable {
  func position(of error: JSONError) -> JSONError.Position
  func excerpt(of error: JSONError) -> JSONError.Excerpt
  var stopReason: String? { get }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord
  var tally: ReadingTally { get }
}

extension JSONRecordReader: RecordErrors {}

/// The reader of a source: either for one document or for records. Exactly one of the two exists.
///
/// A class: a method that borrows a large struct copies it where it reads a property, and the compiler took half a minute for the
/// three such methods of `JSONMatches`.
final class DocumentOrRecords<Document: DocumentErrors & ~Copyable, Records: RecordErrors & ~Copyable> {
  // SAFETY: the only owner cannot be copied, so the compiler checks the accesses to it. Worth it: checks at run time take 2 % of the
  // instructions of `$..name`.
  @safe @exclusivity(unchecked) var document: Document?
  @safe @exclusivity(unchecked) var records: Records?

  init(_ document: consuming Document) {
    self.document = consume document
    records = nil
  }

  init(records: consuming Records) {
    document = nil
    self.records = consume records
  }

  func position(of error: JSONError) -> JSONError.Position {
    document?.position(of: error) ?? records?.position(of: error)
      ?? JSONError.Position(byteOffset: error.byteOffset, line: 1, column: 1)
  }

  func excerpt(of error: JSONError) -> JSONError.Excerpt? {
    document.borrow { $0.excerpt(of: error) } ?? records?.excerpt(of: error)
  }

  var stopReason: String? { records.borrow { $0.stopReason } ?? DocumentFramer.stopReason }

  /// Returns the bad record of an error; `nil` for a document.
  func badRecord(of error: JSONError) -> JSONBadRecord? { records?.badRecord(of: error) }

  var tally: ReadingTally { document.borrow { $0.tally } ?? records.borrow { $0.tally } ?? ReadingTally() }
}

extension DocumentMatches: DocumentErrors {}

extension RecordMatches: RecordErrors {
  func position(of error: JSONError) -> JSONError.Position { reader.position(of: error) }
  func excerpt(of error: JSONError) -> JSONError.Excerpt { reader.excerpt(of: error) }
  var stopReason: String? { reader.stopReason }
  var tally: ReadingTally { reader.tally }
}
