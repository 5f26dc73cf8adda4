#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that replaces another one atomically: it is written under a temporary name in the same directory, and renamed
/// when it is complete. Until then, and after an error, the existing file stays. A path that is not a regular file, such as
/// a FIFO or a terminal, is written directly.
package final class ReplacementFile {
  private var file: File?
  /// The path of the file that is replaced, without symbolic links.
  package let path: [UInt8]
  /// The path of the temporary file, while it exists.
  private var temporary: [UInt8]?

  /// Opens the file for writing.
  ///
  /// - Parameters:
  ///   - path: The path of the file to replace. A symbolic link is followed: its target is replaced, and not the link.
  ///   - limit: The permissions that the file has at most. An existing file otherwise keeps its own.
  ///   - creating: Must call its argument, which creates the temporary file and returns its path, or `nil` if that failed.
  ///     So the caller can register the path for cleanup in the same step.
  package init(
    _ path: [UInt8], atMost limit: UInt32 = 0o7777, creating: (_ create: () -> [UInt8]?) -> Void = { _ = $0() }
  ) throws(File.Failure) {
    guard !path.isEmpty, !path.contains(0) else { throw File.Failure(number: path.isEmpty ? ENOENT : EINVAL) }
    // Without the status a FIFO or a link would be replaced.
    let status = try File.existingStatus(at: path)
    if let status, status.kind != .regular {
      self.path = path
      file = try File(writing: path, .kept)
      return
    }
    // The target of a dangling link is created, as it would be without a temporary file.
    let target = status == nil ? Self.target(of: path) : System.of(path).resolve(path) ?? path
    let temporaryPath = Self.temporaryPath(target)
    self.path = target
    // The temporary file is never more open than the final one.
    let permissions = (status?.permissions ?? 0o666) & limit
    var failure: File.Failure?
    creating {
      do throws(File.Failure) {
        file = try File(writing: temporaryPath, .rejected, permissions: permissions & 0o777)
        return temporaryPath
      } catch {
        failure = error
        return nil
      }
    }
    if let failure { throw failure }
    temporary = temporaryPath
    if status != nil { _ = File.retrying { System.of(descriptor).setPermissions(descriptor, permissions) } }
  }

  /// The descriptor of the file that is written; -1 after ``close()``.
  package var descriptor: Int32 { file?.descriptor ?? -1 }

  /// Whether the output goes to a temporary file, which ``discard()`` can delete.
  package var isReplacement: Bool { temporary != nil }

  package func write(_ bytes: UnsafeRawBufferPointer) throws(File.Failure) { try unsafe file?.write(bytes) }

  /// Waits until the content of a temporary file has reached the disk, and closes the file. What is checked after this is
  /// checked directly before ``complete()`` renames the file.
  package func close() throws(File.Failure) {
    if temporary != nil { try file?.synchronize() }
    try file.take()?.finish()
  }

  /// Renames the temporary file to its final path, after its content has reached the disk: a crash of the machine must not
  /// leave an empty file at that path. Returns when the new name has reached the disk, too. If only that fails, the error is
  /// thrown although the path refers to the new file.
  package func complete() throws(File.Failure) {
    try close()
    guard let temporary else { return }
    _ = try File.succeeding { System.of(temporary).rename(temporary, to: path) }
    self.temporary = nil
    try synchronizeFolder()
  }

  /// Waits until the names in the folder of the file are on the disk. Does nothing for a folder that cannot be opened: it
  /// may be writable without being readable.
  private func synchronizeFolder() throws(File.Failure) {
    let folder = path.lastIndex(of: ASCII.slash).map { Array(path[...$0]) } ?? [ASCII.dot]
    let file: File
    do throws(File.Failure) { file = try File(path: folder) } catch { return }
    try file.synchronize()
  }

  /// Deletes the temporary file, so that the existing file stays. Does nothing after ``complete()``.
  package func discard() {
    guard let temporary else { return }
    _ = File.retrying { System.of(temporary).remove(temporary) }
    self.temporary = nil
  }

  /// Deletes the temporary file and the existing file; if that is a symbolic link, its target. If the run fails, a reader then
  /// finds no result of an earlier run.
  package func discardBoth() throws(File.Failure) {
    guard isReplacement else { return }
    discard()
    let result = File.retrying { System.of(path).remove(path) }
    guard result < 0, result != -Int(ENOENT) else { return }
    throw File.Failure(number: Int32(-result))
  }

  deinit { discard() }

  /// Returns a unique path in the same directory: a rename is atomic only within a file system.
  private static func temporaryPath(_ path: [UInt8]) -> [UInt8] {
    let start = path.lastIndex(of: ASCII.slash).map { $0 + 1 } ?? 0
    // A file name is limited to 255 bytes.
    let own = path[start...].prefix(200)
    let mark = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    return path[..<start] + [ASCII.dot] + own + Array(".\(mark).part".utf8)
  }

  /// Returns the path that a dangling symbolic link refers to, after at most 40 links; the path itself if it is not a link.
  private static func target(of path: [UInt8]) -> [UInt8] {
    var path = path
    // The system follows at most 40 links.
    for _ in 0..<40 {
      var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = unsafe text.withUnsafeMutableBytes { text in
        File.retrying { unsafe System.of(path).readLink(path, text) }
      }
      guard count > 0 else { return path }
      let folder = path.lastIndex(of: ASCII.slash).map { path[...$0] } ?? []
      path = (text[0] == ASCII.slash ? [] : Array(folder)) + text[..<count]
    }
    return path
  }
}
