#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

extension URL {
  /// The bytes of the file's path. A path that is not UTF-8 has no URL.
  ///
  /// - Parameter code: The code of the error.
  /// - Throws: ``JSONError`` if the URL leads to no file.
  func filePath(for code: JSONError.Code) throws(JSONError) -> [UInt8] {
    guard isFileURL else {
      throw JSONError(code, at: 0, .foreignURL(scheme: scheme))
    }
    let path = path(percentEncoded: false)
    guard !path.isEmpty else {
      throw JSONError(code, at: 0, .emptyURL)
    }
    return Array(path.utf8)
  }
}
