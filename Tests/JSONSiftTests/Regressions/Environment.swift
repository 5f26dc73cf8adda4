import Foundation

/// The system resources that tests of large inputs need.
enum Environment {
  static var runsLarge: Bool { ProcessInfo.processInfo.environment["JSONSIFT_TEST_LARGE"] != nil }

  static func temporaryPath(_ name: String) -> String {
    FileManager.default.temporaryDirectory.appendingPathComponent(name).path
  }

  /// Writes a file in chunks and returns its length.
  static func writing(to path: String, _ body: ((([UInt8]) -> Void)) -> Void) throws -> Int {
    _ = FileManager.default.createFile(atPath: path, contents: nil)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
    var count = 0
    body { bytes in
      file.write(Data(bytes))
      count += bytes.count
    }
    try file.close()
    return count
  }

  static func remove(_ path: String) { try? FileManager.default.removeItem(atPath: path) }
}
