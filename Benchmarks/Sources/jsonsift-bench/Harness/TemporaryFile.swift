import Foundation

/// A file that is gone when its owner is.
///
/// `run` gives a folder of its own and removes it, so that nothing is left behind by Ctrl-C either.
final class TemporaryFile {
  let path: String

  /// - Parameter write: Is handed a function that takes one block after another.
  init(_ name: String, _ write: (@escaping ([UInt8]) throws -> Void) throws -> Void) throws {
    let folder = ProcessInfo.processInfo.environment["JSONSIFT_BENCH_TEMPORARY"] ?? NSTemporaryDirectory()
    path = URL(fileURLWithPath: folder).appendingPathComponent("jsonsift-bench-\(getpid())-\(name)").path
    guard let file = fopen(path, "w") else { throw CannotWrite(path: path) }
    defer { fclose(file) }
    try write { [path] block in
      guard fwrite(block, 1, block.count, file) == block.count else { throw CannotWrite(path: path) }
    }
    guard fflush(file) == 0 else { throw CannotWrite(path: path) }
  }

  convenience init(_ name: String, bytes: [UInt8]) throws {
    try self.init(name) { write in try write(bytes) }
  }

  deinit { unlink(path) }

  struct CannotWrite: Error, CustomStringConvertible {
    let path: String
    var description: String { "cannot write \(path): \(String(cString: strerror(errno)))" }
  }
}
