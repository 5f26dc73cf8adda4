#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file and its owner.
package struct File: ~Copyable {
  let descriptor: Int32
  private let closes: Bool

  /// What the system refused.
  package struct Failure: Error {
    package let number: Int32

    /// The system's words for it.
    package var reason: String { unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)" }

    package init(number: Int32) { self.number = number }
  }

  /// Opens a file for reading. The path is bytes: a file name need not be UTF-8.
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

  /// Uses a descriptor of somebody else, who closes it.
  init(borrowing descriptor: Int32) {
    self.descriptor = descriptor
    closes = false
  }

  /// Opens a file for reading without waiting: a FIFO may have nobody who writes yet.
  init(pathWithoutWaiting path: [UInt8]) throws(Failure) {
    try self.init(path: path, flags: O_NONBLOCK)
  }

  /// Reads up to `buffer.count` bytes, 0 at the end; `nil` if it would have to wait. Nobody else may read the descriptor
  /// at the same time.
  func readIfReady(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int? {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    let ready = unsafe poll(&entry, 1, 0)
    if ready == 0 { return nil }
    if ready < 0, errno != EINTR { throw Failure(number: errno) }
    return ready < 0 ? nil : try unsafe readOnce(into: buffer)
  }

  /// A read would not wait, as far as the system knows.
  var isReady: Bool {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    // What cannot be polled may wait.
    return unsafe poll(&entry, 1, 0) > 0 && Int32(entry.revents) & (POLLNVAL | POLLERR) == 0
  }

  /// Reads up to `buffer.count` bytes. 0 is the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    while true {
      if let count = try unsafe readOnce(into: buffer) { return count }
      // A descriptor that does not wait by itself.
      waitUntilReady()
    }
  }

  /// Blocks this thread until a read would not.
  func waitUntilReady() {
    var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    _ = unsafe poll(&entry, 1, -1)
  }

  /// `nil` if there is nothing yet, and the descriptor does not wait by itself.
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

  /// Reads up to `buffer.count` bytes from a place in the file, and leaves alone where the descriptor stands. 0 is the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(Failure) -> Int {
    while true {
      let count = unsafe pread(descriptor, buffer.baseAddress, buffer.count, off_t(offset))
      if count >= 0 { return count }
      let number = errno
      guard number == EINTR else { throw Failure(number: number) }
    }
  }

  /// Reads the first bytes of a long regular file, half of them on a second thread: to copy them, into memory that nobody
  /// has touched, takes longer than to look through them.
  ///
  /// - Returns: How many bytes there are from the start on; fewer than asked for if the file has become shorter. The
  ///   descriptor stands behind them. `nil` if this is not worth while.
  func readWithHelp(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int? {
    guard buffer.count >= Self.longFile, Processors.count > 1, position == 0 else { return nil }
    let middle = buffer.count / 2
    let helper = HalfReader()
    // SAFETY: the two halves do not overlap, and the helper is waited for before the buffer or the file can go.
    nonisolated(unsafe) let half = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[middle...])
    let descriptor = descriptor
    guard DetachedThread.start({ unsafe helper.run(descriptor, half, at: middle) }) == 0 else { return nil }
    let first = unsafe Self.readAll(descriptor, UnsafeMutableRawBufferPointer(rebasing: buffer[..<middle]), at: 0)
    let second = helper.result()
    let count = try first.get() < middle ? first.get() : middle + second.get()
    return advance(by: count) ? count : nil
  }

  /// A shorter file is read before a thread has begun.
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

  /// Goes forward over `count` bytes. Returns false where there is nothing to go in: a pipe, a terminal.
  func advance(by count: Int) -> Bool { lseek(descriptor, off_t(count), SEEK_CUR) >= 0 }

  /// Goes forward over `count` bytes of a regular file, or to its end if that comes first.
  ///
  /// - Returns: The number of bytes that were skipped; `nil` where nothing can be skipped without reading it.
  func skip(_ count: Int) -> Int? {
    guard let size = regularSize(), let position else { return nil }
    let skipped = min(count, max(size - position, 0))
    return advance(by: skipped) ? skipped : nil
  }

  /// Where the next read begins; `nil` of a pipe.
  var position: Int? {
    let place = lseek(descriptor, 0, SEEK_CUR)
    return place >= 0 ? Int(place) : nil
  }

  /// Whether a path leads to another file than this one. A path that leads nowhere does not.
  func isReplaced(at path: [UInt8]) -> Bool {
    var mine = stat()
    var theirs = stat()
    guard unsafe fstat(descriptor, &mine) == 0 else { return false }
    let found = unsafe (path + [0]).withUnsafeBytes { bytes in
      unsafe stat(bytes.baseAddress.unsafelyUnwrapped.assumingMemoryBound(to: CChar.self), &theirs)
    }
    return found == 0 && (mine.st_ino != theirs.st_ino || mine.st_dev != theirs.st_dev)
  }

  /// The size of a regular file; `nil` for a pipe, a terminal, or what has no size.
  func regularSize() -> Int? {
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    return Int(status.st_size)
  }

  /// Whether this is a folder, which can be opened and not read.
  func isFolder() -> Bool {
    var status = stat()
    return unsafe fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
  }

  /// What becomes of a file that is there when it is opened for writing.
  enum Opening: Int32 {
    /// It is emptied.
    case emptied
    /// It stays as it is.
    case kept
    /// It is an error.
    case refused

    fileprivate var flags: Int32 {
      switch self {
      case .emptied: O_CREAT | O_TRUNC
      case .kept: O_CREAT
      case .refused: O_CREAT | O_EXCL
      }
    }
  }

  /// Opens a file for writing, and makes it if there is none.
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

  /// Ends a regular file at an offset, where the next write goes.
  func truncate(to offset: Int) throws(Failure) {
    guard Self.retrying({ ftruncate(descriptor, off_t(offset)) }) == 0,
      lseek(descriptor, off_t(offset), SEEK_SET) >= 0
    else { throw Failure(number: errno) }
  }

  /// Waits until what was written is on the disk. What is no file on a disk has nothing to wait for.
  func synchronize() throws(Failure) {
    guard Self.retrying({ fsync(descriptor) }) != 0, errno != EINVAL, errno != EROFS, errno != ENOTSUP else { return }
    throw Failure(number: errno)
  }

  /// Closes the file. What the system could not write until then is an error of this call. A borrowed descriptor stays open.
  consuming func finish() throws(Failure) {
    let (descriptor, closes) = (descriptor, closes)
    discard self
    // After EINTR the descriptor is closed, or soon will be.
    guard closes, close(descriptor) != 0, errno != EINTR else { return }
    throw Failure(number: errno)
  }

  /// Writes all bytes.
  func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    var written = 0
    try unsafe write(bytes, from: &written)
  }

  /// Writes the bytes from an offset on, which then says how many are written, also after an error.
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

  /// Waits for so many milliseconds, or until a signal comes.
  static func pause(milliseconds: Int) {
    let wanted = max(milliseconds, 1)
    var time = timespec(tv_sec: wanted / 1000, tv_nsec: wanted % 1000 * 1_000_000)
    _ = unsafe nanosleep(&time, nil)
  }

  /// Waits for so many microseconds, fewer than a million, or until a signal comes.
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

/// Reads the second half of a file, and is waited for.
///
/// Sendable without the compiler's proof: the result is written before the gate is opened, and read after that.
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
