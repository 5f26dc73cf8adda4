import JSONSift

/// The reasons why a file cannot be indexed, or is not an index.
extension JSONError {
  /// The records of the file are not lines.
  static let notLines = ofIndex("expected records that are lines, found another framing, which cannot be indexed")
  /// The file has changed while it was read.
  static let changedFile = ofIndex("expected a file that does not change while it is indexed, found a change")
  /// The file is not an index, or one of another version.
  static let notAnIndex = ofIndex("expected an index of this version of JSONSift, found other data")
  /// A part of an index does not have its checksum, or does not fit the others.
  static let damagedIndex = ofIndex("expected an undamaged index, found one whose checksum or content is wrong")

  /// The document has no array with elements at this path.
  static func noElements(_ path: JSONPath) -> JSONError {
    ofIndex("expected an array with elements at \(path), found none")
  }

  private static func ofIndex(_ reason: String) -> JSONError {
    JSONError(code: .unreadable, byteOffset: 0, reason: reason)
  }
}
