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
    guard isFileURL else {
      let found = scheme.map { "one of the scheme '\($0)'" } ?? "one without a scheme"
      throw JSONError(code, at: 0, expected: "expected the URL of a file, found \(found)")
    }
    let path = path(percentEncoded: false)
    guard !path.isEmpty else {
      throw JSONError(code, at: 0, expected: "expected the URL of a file, found one whose path is empty or not UTF-8")
    }
    return Array(path.utf8)
  }
}
