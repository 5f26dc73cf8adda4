import Foundation

/// The files of the checkout that tests read.
package enum PackageFiles {
  /// The folder that contains `Package.swift`.
  package static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Returns the bytes of a file, given its path relative to ``root``.
  package static func bytes(of path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: root.appending(path: path)))
  }
}

/// A file that is removed when its owner is deallocated.
package final class TemporaryFile: Sendable {
  package let path: String

  /// Writes `bytes` to a new file.
  package init(_ bytes: [UInt8], ending: String = ".json") throws {
    let name = "jsonsift-\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)\(ending)"
    path = FileManager.default.temporaryDirectory.resolvingSymlinksInPath().appending(path: name).path
    try Data(bytes).write(to: URL(filePath: path))
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }
}

/// Returns the processor time of this thread in seconds. Unlike wall-clock time, it is independent of concurrent tests.
package func threadSeconds() -> Double {
  var time = timespec()
  unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}
