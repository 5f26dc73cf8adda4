#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension URL {
  /// Returns the bytes of the file's path. A URL cannot express a path that is not UTF-8.
  ///
  /// - Parameter code: The code of the error to throw.
  /// - Throws: ``JSONError`` if the URL is not a file URL or its path is empty.
  func filePath(for code: JSONError.Code) throws(JSONError) -> [UInt8] {
    guard isFileURL else { throw JSONError(code, at: 0, .foreignURL(scheme: scheme)) }
    let path = path(percentEncoded: false)
    guard !path.isEmpty else { throw JSONError(code, at: 0, .emptyURL) }
    return Array(path.utf8)
  }
}
