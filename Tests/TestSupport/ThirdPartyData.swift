import Foundation

/// Test data of other projects. It is outside of the checkout and may be absent; then the tests that need it are
/// skipped with a message.
package enum ThirdPartyData {
  /// The folder in `JSONSIFT_TEST_DATA`, otherwise `../shared/data` next to the checkout; `nil` if it does not exist.
  package static let root: URL? = {
    let folder =
      ProcessInfo.processInfo.environment["JSONSIFT_TEST_DATA"].map { URL(filePath: $0) }
      ?? PackageFiles.root.deletingLastPathComponent().appending(path: "shared/data")
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  /// The reason for skipping a test, for the `.enabled` trait.
  package static let absence = "no third-party data: JSONSIFT_TEST_DATA names its folder"

  /// Whether a folder of the data exists.
  package static func has(_ folder: String) -> Bool {
    guard let root else { return false }
    return FileManager.default.fileExists(atPath: root.appending(path: folder).path)
  }

  /// One file of the data.
  package struct File: Sendable, CustomStringConvertible {
    package let name: String
    package let path: String
    package var description: String { name }

    package func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(filePath: path))) }
  }

  /// Returns the files of a folder whose names have this prefix and ending, sorted by name.
  package static func files(in folder: String, prefix: String = "", ending: String = ".json") throws -> [File] {
    guard let root else { return [] }
    let path = root.appending(path: folder).path
    return try FileManager.default.contentsOfDirectory(atPath: path).sorted()
      .filter { $0.hasPrefix(prefix) && $0.hasSuffix(ending) }
      .map { File(name: $0, path: path + "/" + $0) }
  }
}
