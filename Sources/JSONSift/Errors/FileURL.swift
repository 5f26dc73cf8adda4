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
