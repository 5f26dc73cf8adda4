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
  private let path: [UInt8]
  /// The path of the temporary file, while it exists.
  private var temporary: [UInt8]?

  /// Opens the file for writing.
  ///
  /// - Parameters:
  ///   - path: The path of the file to replace. A symbolic link is followed: its target is replaced, and not the link.
  ///   - creating: Must call its argument, which creates the temporary file and returns its path, or `nil` if that failed.
  ///     So the caller can register the path for cleanup in the same step.
  package init(
    _ path: [UInt8], creating: (_ create: () -> [UInt8]?) -> Void = { _ = $0() }
  ) throws(File.Failure) {
    guard !path.isEmpty, !path.contains(0) else { throw File.Failure(number: path.isEmpty ? ENOENT : EINVAL) }
    var status = stat()
    let isThere = unsafe Self.withText(path) { unsafe stat($0, &status) } == 0
    // Links in a circle have no target. The file must not replace one of them.
    if !isThere, errno == ELOOP { throw File.Failure(number: ELOOP) }
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      self.path = path
      file = try File(writing: path, .kept)
      return
    }
    // The target of a dangling link is created, as it would be without a temporary file.
    let target = isThere ? Self.resolved(path) : Self.target(of: path)
    let temporaryPath = Self.temporaryPath(target)
    self.path = target
    var failure: File.Failure?
    creating {
      do throws(File.Failure) {
        file = try File(writing: temporaryPath, .rejected)
        return temporaryPath
      } catch {
        failure = error
        return nil
      }
    }
    if let failure { throw failure }
    temporary = temporaryPath
    if isThere { _ = fchmod(descriptor, status.st_mode & 0o7777) }
  }

  /// The descriptor of the file that is written; -1 after ``complete()``.
  package var descriptor: Int32 { file?.descriptor ?? -1 }

  /// Whether the output goes to a temporary file, which ``discard()`` can delete.
  package var isReplacement: Bool { temporary != nil }

  func write(_ bytes: UnsafeRawBufferPointer) throws(File.Failure) { try unsafe file?.write(bytes) }

  /// Renames the temporary file to its final path, after its content has reached the disk: a crash of the machine must not
  /// leave an empty file at that path.
  package func complete() throws(File.Failure) {
    if temporary != nil { try file?.synchronize() }
    try file.take()?.finish()
    guard let temporary else { return }
    let moved = unsafe Self.withText(temporary) { from in unsafe Self.withText(path) { unsafe rename(from, $0) } }
    guard moved == 0 else { throw File.Failure(number: errno) }
    self.temporary = nil
  }

  /// Deletes the temporary file, so that the existing file stays. Does nothing after ``complete()``.
  package func discard() {
    guard let temporary else { return }
    _ = unsafe Self.withText(temporary) { unsafe unlink($0) }
    self.temporary = nil
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
      let count = unsafe withText(path) { link in
        unsafe text.withUnsafeMutableBytes { bytes in
          unsafe readlink(
            link, bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self), bytes.count)
        }
      }
      guard count > 0 else { return path }
      let folder = path.lastIndex(of: ASCII.slash).map { path[...$0] } ?? []
      path = (text[0] == ASCII.slash ? [] : Array(folder)) + text[..<count]
    }
    return path
  }

  private static func resolved(_ path: [UInt8]) -> [UInt8] {
    guard let found = unsafe withText(path, { unsafe realpath($0, nil) }) else { return path }
    defer { unsafe free(found) }
    // SAFETY: `realpath` returns a string that ends with a zero byte.
    return unsafe Array(UnsafeRawBufferPointer(start: found, count: strlen(found)))
  }

  /// Calls `body` with the path as a C string.
  private static func withText<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    unsafe (path + [0]).withUnsafeBytes { bytes in
      unsafe body(bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self))
    }
  }
}
