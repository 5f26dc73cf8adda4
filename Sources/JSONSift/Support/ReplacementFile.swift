#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A file that is written beside its place, and moved there when it is complete: until then, and after an error, what was
/// there stays. What is no regular file, such as a FIFO or a terminal, is written to as it is.
package final class ReplacementFile {
  private var file: File?
  private let path: [UInt8]
  /// The file beside it, while there is one.
  private var temporary: [UInt8]?

  /// - Parameters:
  ///   - path: Where the file will be. What a symbolic link leads to is replaced, and not the link.
  ///   - creating: Calls what it is given, which makes the file beside the place and returns its name, or `nil` if there is
  ///     none.
  package init(
    _ path: [UInt8], creating: (_ create: () -> [UInt8]?) -> Void = { _ = $0() }
  ) throws(File.Failure) {
    guard !path.isEmpty, !path.contains(0) else { throw File.Failure(number: path.isEmpty ? ENOENT : EINVAL) }
    var status = stat()
    let isThere = unsafe Self.withText(path) { unsafe stat($0, &status) } == 0
    if isThere, status.st_mode & S_IFMT != S_IFREG {
      self.path = path
      file = try File(writing: path, .kept)
      return
    }
    // A link that leads nowhere is written through, as it would be without a file beside it.
    let target = isThere ? Self.resolved(path) : Self.target(of: path)
    let beside = Self.beside(target)
    self.path = target
    var failure: File.Failure?
    creating {
      do throws(File.Failure) {
        file = try File(writing: beside, .refused)
        return beside
      } catch {
        failure = error
        return nil
      }
    }
    if let failure { throw failure }
    temporary = beside
    if isThere { _ = fchmod(descriptor, status.st_mode & 0o7777) }
  }

  /// What is written to.
  package var descriptor: Int32 { file?.descriptor ?? -1 }

  /// Whether there is something to leave as it was.
  package var isReplacement: Bool { temporary != nil }

  func write(_ bytes: UnsafeRawBufferPointer) throws(File.Failure) { try unsafe file?.write(bytes) }

  /// Puts the file in its place, once it is on the disk: after a crash of the machine there must not be an empty file in the
  /// place of the one before.
  package func complete() throws(File.Failure) {
    if temporary != nil { try file?.synchronize() }
    try file.take()?.finish()
    guard let temporary else { return }
    let moved = unsafe Self.withText(temporary) { from in unsafe Self.withText(path) { unsafe rename(from, $0) } }
    guard moved == 0 else { throw File.Failure(number: errno) }
    self.temporary = nil
  }

  /// Leaves what was there before.
  package func discard() {
    guard let temporary else { return }
    _ = unsafe Self.withText(temporary) { unsafe unlink($0) }
    self.temporary = nil
  }

  deinit { discard() }

  /// A name in the same folder, which no other writer has: only there can a file take the place of another at once.
  private static func beside(_ path: [UInt8]) -> [UInt8] {
    let start = path.lastIndex(of: ASCII.slash).map { $0 + 1 } ?? 0
    // A name may have 255 bytes.
    let own = path[start...].prefix(200)
    let mark = String(UInt64.random(in: 0...UInt64.max), radix: 36)
    return path[..<start] + [ASCII.dot] + own + Array(".\(mark).part".utf8)
  }

  /// Where a path leads whose last link leads to no file; the path if it is no link.
  private static func target(of path: [UInt8]) -> [UInt8] {
    var path = path
    // The system follows no more of them.
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

  /// Lends a path as the system takes it.
  private static func withText<Result>(_ path: [UInt8], _ body: (UnsafePointer<CChar>) -> Result) -> Result {
    unsafe (path + [0]).withUnsafeBytes { bytes in
      unsafe body(bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self))
    }
  }
}
