#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file descriptor, owned or borrowed.
package struct File: ~Copyable {
  let descriptor: Int32
  private let closes: Bool

  /// A failed system call.
  package struct Failure: Error {
    /// The value of `errno`.
    package let number: Int32

    /// The system's description of the error.
    package var reason: String { unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)" }

    package init(number: Int32) { self.number = number }
  }

  /// Opens a file for reading. The path is an array of bytes, because a file name need not be UTF-8.
  init(path: [UInt8]) throws(Failure) { try self.init(path: path, flags: 0) }

  private init(path: [UInt8], flags: Int32) throws(Failure) {
    guard !path.contains(0) else { throw Failure(number: EINVAL) }
    let opened = unsafe (path + [0]).withUnsafeBytes { bytes in
      Self.retrying {
        unsafe open(
          bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self), O_RDONLY | O_CLOEXEC | flags)
      }
    }
    guard opened >= 0 else { throw Failure(number: errno) }
    descriptor = opened
    closes = true
  }

  /// Borrows a descriptor, which the caller closes.
  init(borrowing descriptor: Int32) {
    self.descriptor = descriptor
    closes = false
  }

  /// Opens a file for reading without blocking, even if it is a FIFO that no process has opened for writing.
  init(pathWithoutWaiting path: [UInt8]) throws(Failure) {
    try self.init(path: path, flags: O_NONBLOCK)
  }

  /// Reads up to `buffer.count` bytes without blocking. Returns 0 at the end, and `nil` if a read would block. No other code
  /// may read from the descriptor at the same time.
  func readIfReady(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int? {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let ready = unsafe poll(&entry, 1, 0)
    if ready == 0 { return nil }
    if ready < 0, errno != EINTR { throw Failure(number: errno) }
    return ready < 0 ? nil : try unsafe readOnce(into: buffer)
  }

  /// Whether the system reports that a read would not block.
  var isReady: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // A read from a descriptor that cannot be polled may block.
    return unsafe poll(&entry, 1, 0) > 0 && Int32(entry.revents) & (POLLNVAL | POLLERR) == 0
  }

  /// Reads up to `buffer.count` bytes, and blocks until at least one is available. Returns 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    while true {
      if let count = try unsafe readOnce(into: buffer) { return count }
      // The descriptor is in nonblocking mode.
      waitUntilReady()
    }
  }

  /// Blocks the calling thread until a read would not block.
  func waitUntilReady() {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&entry, 1, -1)
  }

  /// Reads with one successful system call. Returns `nil` if the descriptor is in nonblocking mode and has no bytes yet.
  private func readOnce(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int? {
    while true {
      #if canImport(Darwin)
        let count = unsafe Darwin.read(descriptor, buffer.baseAddress, buffer.count)
      #elseif canImport(Musl)
        let count = unsafe Musl.read(descriptor, buffer.baseAddress, buffer.count)
      #else
        let count = unsafe Glibc.read(descriptor, buffer.baseAddress, buffer.count)
      #endif
      if count >= 0 { return count }
      let number = errno
      switch number {
      case EINTR: continue
      case EAGAIN: return nil
      default: throw Failure(number: number)
      }
    }
  }

  /// Reads up to `buffer.count` bytes at an offset in the file, and does not change the position of the descriptor. Returns
  /// 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(Failure) -> Int {
    while true {
      let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      let number = errno
      guard number == EINTR else { throw Failure(number: number) }
    }
  }

  /// Reads the first bytes of a long regular file, half of them on a second thread: copying them into fresh memory takes
  /// longer than scanning them.
  ///
  /// - Returns: The number of bytes read, less than `buffer.count` if the file has become shorter; the position of the
  ///   descriptor is after them. `nil` if a second thread is not worth its cost, or not available.
  func readInParallel(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int? {
    guard buffer.count >= Self.longFile, Processors.count > 1, position == 0 else { return nil }
    let middle = buffer.count / 2
    let helper = HalfReader()
    // SAFETY: the two halves do not overlap, and this function waits for the helper, so it outlives neither the buffer nor
    // the file.
    nonisolated(unsafe) let half = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[middle...])
    let descriptor = descriptor
    guard DetachedThread.start({ unsafe helper.run(descriptor, half, at: middle) }) == 0 else { return nil }
    let first = unsafe Self.readAll(descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[..<middle]), at: 0)
    let second = helper.result()
    let count = try first.get() < middle ? first.get() : middle + second.get()
    return advance(by: count) ? count : nil
  }

  /// The minimum size in bytes for a second thread: a shorter file is read before a thread has started.
  private static let longFile = 8 << 20

  /// Reads until the buffer is full or the file ends.
  fileprivate static func readAll(
    _ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int
  ) -> Result<Int, Failure> {
    let file = File(borrowing: descriptor)
    var count = 0
    do throws(Failure) {
      while count < buffer.count {
        let rest = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[count...])
        let more = try unsafe file.read(into: rest, at: offset + count)
        if more == 0 { break }
        count += more
      }
    } catch {
      return .failure(error)
    }
    return .success(count)
  }

  /// Advances the position by `count` bytes. Returns `false` if the descriptor cannot seek (a pipe, a terminal).
  func advance(by count: Int) -> Bool { lseek(descriptor, off_t(count), SEEK_CUR) >= 0 }

  /// Skips `count` bytes of a regular file, or the rest of the file if that is shorter.
  ///
  /// - Returns: The number of bytes that were skipped; `nil` if the descriptor cannot skip bytes without reading them.
  func skip(_ count: Int) -> Int? {
    guard let size = regularSize(), let position else { return nil }
    let skipped = min(count, max(size - position, 0))
    return advance(by: skipped) ? skipped : nil
  }

  /// The offset of the next read; `nil` if the descriptor cannot seek.
  var position: Int? {
    let offset = lseek(descriptor, 0, SEEK_CUR)
    return offset >= 0 ? Int(offset) : nil
  }

  /// Returns whether the path refers to a file other than this one. Returns `false` if no file exists at the path.
  func isReplaced(at path: [UInt8]) -> Bool {
    var mine = stat()
    var theirs = stat()
    guard unsafe fstat(descriptor, &mine) == 0 else { return false }
    let found = unsafe (path + [0]).withUnsafeBytes { bytes in
      unsafe stat(bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self), &theirs)
    }
    return found == 0 && (mine.st_ino != theirs.st_ino || mine.st_dev != theirs.st_dev)
  }

  /// Returns the size of a regular file in bytes; `nil` for any other kind of file.
  func regularSize() -> Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Returns whether the descriptor refers to a directory, which can be opened but not read.
  func isFolder() -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// The treatment of an existing file that is opened for writing.
  enum Opening: Int32 {
    /// The file is truncated.
    case emptied
    /// The file keeps its content.
    case kept
    /// Opening throws an error.
    case rejected

    fileprivate var flags: Int32 {
      switch self {
      case .emptied: O_CREAT | O_TRUNC
      case .kept: O_CREAT
      case .rejected: O_CREAT | O_EXCL
      }
    }
  }

  /// Opens a file for writing, and creates it if it does not exist.
  init(writing path: [UInt8], _ opening: Opening = .emptied) throws(Failure) {
    guard !path.contains(0) else { throw Failure(number: EINVAL) }
    let opened = unsafe (path + [0]).withUnsafeBytes { bytes in
      Self.retrying {
        unsafe open(
          bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self),
          O_WRONLY | O_CLOEXEC | opening.flags, 0o666)
      }
    }
    guard opened >= 0 else { throw Failure(number: errno) }
    descriptor = opened
    closes = true
  }

  /// Truncates a regular file at an offset, and moves the position there.
  func truncate(to offset: Int) throws(Failure) {
    guard Self.retrying({ ftruncate(descriptor, off_t(offset)) }) == 0,
      lseek(descriptor, off_t(offset), SEEK_SET) >= 0
    else { throw Failure(number: errno) }
  }

  /// Waits until the written bytes are on the disk. Does nothing for a descriptor that is not a file on a disk.
  func synchronize() throws(Failure) {
    guard Self.retrying({ fsync(descriptor) }) != 0, errno != EINVAL, errno != EROFS, errno != ENOTSUP else { return }
    throw Failure(number: errno)
  }

  /// Closes the file. Throws if the system reports an error, such as a delayed write error. A borrowed descriptor stays
  /// open.
  consuming func finish() throws(Failure) {
    let (descriptor, closes) = (descriptor, closes)
    discard self
    // After EINTR the descriptor is closed, or will be soon.
    guard closes, close(descriptor) != 0, errno != EINTR else { return }
    throw Failure(number: errno)
  }

  /// Writes all bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    var written = 0
    try unsafe write(bytes, from: &written)
  }

  /// Writes the bytes from offset `written` on, and advances it by the number of bytes written, even if it throws.
  func write(_ bytes: UnsafeRawBufferPointer, from written: inout Int) throws(Failure) {
    while written < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
      #if canImport(Darwin)
        let count = unsafe Darwin.write(descriptor, rest.baseAddress, rest.count)
      #elseif canImport(Musl)
        let count = unsafe Musl.write(descriptor, rest.baseAddress, rest.count)
      #else
        let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
      #endif
      if count >= 0 {
        written += count
        continue
      }
      let number = errno
      switch number {
      case EINTR: continue
      case EAGAIN:
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&entry, 1, -1)
      default: throw Failure(number: number)
      }
    }
  }

  /// Blocks the calling thread for `milliseconds`, at least 1, or until a signal arrives.
  static func pause(milliseconds: Int) {
    let wanted = max(milliseconds, 1)
    var time = timespec(tv_sec: wanted / 1000, tv_nsec: wanted % 1000 * 1_000_000)
    _ = unsafe nanosleep(&time, nil)
  }

  /// Blocks the calling thread for `microseconds`, which must be below one million, or until a signal arrives.
  static func pause(microseconds: Int) {
    var time = timespec(tv_sec: 0, tv_nsec: microseconds * 1000)
    _ = unsafe nanosleep(&time, nil)
  }

  private static func retrying(_ call: () -> Int32) -> Int32 {
    while true {
      let result = call()
      if result < 0, errno == EINTR { continue }
      return result
    }
  }

  deinit {
    if closes { _ = close(descriptor) }
  }
}

/// Reads the second half of a file on another thread.
///
/// Unchecked `Sendable`: the result is written before the gate opens, and read after that.
private final class HalfReader: @unchecked Sendable {
  private let gate = Gate()
  private var found: Result<Int, File.Failure> = .success(0)

  func run(_ descriptor: Int32, _ buffer: UnsafeMutableRawBufferPointer, at offset: Int) {
    found = unsafe File.readAll(descriptor, buffer, at: offset)
    gate.open()
  }

  func result() -> Result<Int, File.Failure> {
    gate.wait()
    return found
  }
}
