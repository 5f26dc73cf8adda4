import JSONSift

/// The reason why a file cannot be indexed, or is not an index.
enum IndexFault {
  /// The records of the file are not lines.
  case notLines
  /// The file is not a regular one.
  case notRegular
  /// The file has changed while it was read.
  case changedFile
  /// The file is not an index, or one of another version.
  case notAnIndex
  /// The document has no array with elements at this path.
  case noElements(String)
  /// A part of an index does not have its checksum, or does not fit the others.
  case damaged

  var error: JSONError {
    let reason =
      switch self {
      case .notLines: "expected records that are lines, found another framing, which cannot be indexed"
      case .notRegular: "expected a regular file, which has a size, found another kind of file"
      case .changedFile: "expected a file that does not change while it is indexed, found a change"
      case .notAnIndex: "expected an index of this version of JSONSift, found other data"
      case .noElements(let path): "expected an array with elements at \(path), found none"
      case .damaged: "expected an undamaged index, found one whose checksum or content is wrong"
      }
    return JSONError(code: .unreadable, byteOffset: 0, reason: reason)
  }
}
