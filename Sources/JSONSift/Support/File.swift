#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// An open file descriptor, owned or borrowed.
package struct File: ~Copyable {
  package let descriptor: Int32
  private let closes: Bool

  /// A failed system call.
  package struct Failure: Error {
    /// The value of `errno`.
    package let number: Int32

    /// The system's description of the error.
    package var reason: String { unsafe strerror(number).map { unsafe String(cString: $0) } ?? "error \(number)" }

    package init(number: Int32) { self.number = number }

    /// Whether there is no file with that name.
    var isMissing: Bool { number == Self.missing }
    static var missing: Int32 { ENOENT }

    /// Whether the process, or the system, has as many files open as it may have.
    var isOfOpenFiles: Bool { number == EMFILE || number == ENFILE }

    /// The number of the error that the process has as many files open as it may have.
    static var openFiles: Int32 { EMFILE }
  }

  /// Opens a file for reading. The path is an array of bytes, because a file name need not be UTF-8.
  package init(path: [UInt8]) throws(Failure) { try self.init(path: path, flags: 0) }

  private init(path: [UInt8], flags: Int32) throws(Failure) {
    guard !path.contains(0) else { throw Failure(number: EINVAL) }
    descriptor = Int32(
      try Self.succeeding { System.of(path).open(path, O_RDONLY | O_CLOEXEC | flags, permissions: 0o666) })
    closes = true
  }

  /// Borrows a descriptor, which the caller closes.
  package init(borrowing descriptor: Int32) {
    self.descriptor = descriptor
    closes = false
  }

  /// Opens a file for reading without blocking, even if it is a FIFO that no process has opened for writing.
  init(pathWithoutWaiting path: [UInt8]) throws(Failure) { try self.init(path: path, flags: O_NONBLOCK) }

  /// Reads up to `buffer.count` bytes without blocking. Returns 0 at the end, and `nil` if a read would block. No other code
  /// may read from the descriptor at the same time.
  func readIfReady(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int? {
    // The system reports nothing of such a descriptor, and it would never become ready.
    guard descriptor >= 0 else { throw Failure(number: EBADF) }
    let (ready, _) = poll(for: POLLIN, milliseconds: 0)
    if ready < 0, ready != -Int(EINTR) { throw Failure(number: Int32(-ready)) }
    return ready <= 0 ? nil : try unsafe readOnce(into: buffer)
  }

  /// Whether the system reports that a read would not block.
  var isReady: Bool {
    let (ready, events) = poll(for: POLLIN, milliseconds: 0)
    // A read from a descriptor that cannot be polled may block.
    return ready > 0 && events & (POLLNVAL | POLLERR) == 0
  }

  /// Whether the descriptor is a pipe, socket or terminal whose other end is closed, so that a write would fail.
  package var hasLostReader: Bool {
    let (ready, events) = poll(for: 0, milliseconds: 0)
    return ready > 0 && events & (POLLERR | POLLHUP) != 0
  }

  /// Reads up to `buffer.count` bytes, and blocks until at least one is available. Returns 0 at the end.
  package func read(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int {
    while true {
      if let count = try unsafe readOnce(into: buffer) { return count }
      // The descriptor is in nonblocking mode.
      waitUntilReady()
    }
  }

  /// Blocks the calling thread until a read would not block.
  func waitUntilReady() { _ = poll(for: POLLIN, milliseconds: -1) }

  /// Waits for an event of the descriptor. Returns the result of the system call, and the events.
  private func poll(for event: Int32, milliseconds: Int32) -> (result: Int, events: Int32) {
    var entry = pollfd(fd: descriptor, events: Int16(event), revents: 0)
    let result = unsafe withUnsafeMutablePointer(to: &entry) { entry in
      unsafe System.poll(UnsafeMutableBufferPointer(start: entry, count: 1), milliseconds: milliseconds)
    }
    return (result, Int32(entry.revents))
  }

  /// Reads with one successful system call. Returns `nil` if the descriptor is in nonblocking mode and has no bytes yet.
  private func readOnce(into buffer: UnsafeMutableRawBufferPointer) throws(Failure) -> Int? {
    let count = Self.retrying { unsafe System.of(descriptor).read(descriptor, buffer) }
    if count >= 0 { return count }
    guard count == -Int(EAGAIN) else { throw Failure(number: Int32(-count)) }
    return nil
  }

  /// Reads up to `buffer.count` bytes at an offset in the file, and does not change the position of the descriptor. Returns
  /// 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(Failure) -> Int {
    try Self.succeeding { unsafe System.of(descriptor).read(descriptor, buffer, at: offset) }
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
  package static func readAll(
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
  func advance(by count: Int) -> Bool { System.of(descriptor).seek(descriptor, count, from: SEEK_CUR) >= 0 }

  /// Skips `count` bytes of a regular file, or the rest of the file if that is shorter.
  ///
  /// - Returns: The number of bytes that were skipped; `nil` if the descriptor cannot skip bytes without reading them.
  func skip(_ count: Int) -> Int? {
    guard let regularRest else { return nil }
    let skipped = min(count, max(regularRest, 0))
    return advance(by: skipped) ? skipped : nil
  }

  /// The offset of the next read; `nil` if the descriptor cannot seek.
  package var position: Int? {
    let offset = System.of(descriptor).seek(descriptor, 0, from: SEEK_CUR)
    return offset >= 0 ? offset : nil
  }

  /// The number of bytes of a regular file after the position, negative behind its end; `nil` for any other kind of file.
  var regularRest: Int? { regularSize().flatMap { size in position.map { size - $0 } } }

  /// Returns the status of the file at a path; `nil` if there is none. Follows symbolic links.
  package static func status(at path: [UInt8]) -> FileStatus? {
    var status = FileStatus()
    return retrying { System.of(path).status(at: path, &status) } >= 0 ? status : nil
  }

  /// Returns the status of the file at a path; `nil` if there is none. Throws if the system cannot tell.
  static func existingStatus(at path: [UInt8]) throws(Failure) -> FileStatus? {
    var status = FileStatus()
    let result = retrying { System.of(path).status(at: path, &status) }
    guard result < 0 else { return status }
    guard result == -Int(ENOENT) else { throw Failure(number: Int32(-result)) }
    return nil
  }

  /// The status of the open file; `nil` if the system cannot return it.
  package var status: FileStatus? {
    var status = FileStatus()
    return Self.retrying { System.of(descriptor).status(descriptor, &status) } >= 0 ? status : nil
  }

  /// Returns whether the path refers to a file other than this one. Returns `false` if no file exists at the path.
  func isReplaced(at path: [UInt8]) -> Bool {
    guard let mine = status, let theirs = Self.status(at: path) else { return false }
    return !mine.isSameFile(as: theirs)
  }

  /// Returns the size of a regular file in bytes; `nil` for any other kind of file.
  package func regularSize() -> Int? { status.flatMap { $0.kind == .regular ? $0.size : nil } }

  /// The treatment of an existing file that is opened for writing.
  package enum Opening: Int32 {
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

  /// Opens a file for writing, and creates it if it does not exist, with at most the given permissions.
  package init(writing path: [UInt8], _ opening: Opening = .emptied, permissions: UInt32 = 0o666) throws(Failure) {
    guard !path.contains(0) else { throw Failure(number: EINVAL) }
    descriptor = Int32(
      try Self.succeeding { System.of(path).open(path, O_WRONLY | O_CLOEXEC | opening.flags, permissions: permissions) }
    )
    closes = true
  }

  /// Truncates a regular file at an offset, and moves the position there.
  package func truncate(to offset: Int) throws(Failure) {
    _ = try Self.succeeding { System.of(descriptor).truncate(descriptor, to: offset) }
    _ = try Self.succeeding { System.of(descriptor).seek(descriptor, offset, from: SEEK_SET) }
  }

  /// Waits until the written bytes are on the disk. Does nothing for a descriptor that is not a file on a disk.
  package func synchronize() throws(Failure) {
    let result = Self.retrying { System.of(descriptor).synchronize(descriptor) }
    guard result < 0 else { return }
    let number = Int32(-result)
    guard number == EINVAL || number == EROFS || number == ENOTSUP else { throw Failure(number: number) }
  }

  /// Returns the descriptor, which the caller closes.
  package consuming func release() -> Int32 {
    let descriptor = descriptor
    discard self
    return descriptor
  }

  /// Closes the file. Throws if the system reports an error, such as a delayed write error. A borrowed descriptor stays
  /// open.
  consuming func finish() throws(Failure) {
    let (descriptor, closes) = (descriptor, closes)
    discard self
    // After EINTR the descriptor is closed, or will be soon.
    guard closes else { return }
    let result = System.close(descriptor)
    guard result < 0, result != -Int(EINTR) else { return }
    throw Failure(number: Int32(-result))
  }

  /// Writes all bytes.
  package func write(_ bytes: UnsafeRawBufferPointer) throws(Failure) {
    var written = 0
    try unsafe write(bytes, from: &written)
  }

  /// Writes the bytes from offset `written` on, and advances it by the number of bytes written, even if it throws. Waits for
  /// a descriptor in nonblocking mode that accepts no bytes.
  func write(_ bytes: UnsafeRawBufferPointer, from written: inout Int) throws(Failure) {
    while written < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[written...])
      let count = Self.retrying { unsafe System.of(descriptor).write(descriptor, rest) }
      if count >= 0 {
        written += count
      } else if count == -Int(EAGAIN) {
        _ = poll(for: POLLOUT, milliseconds: -1)
      } else {
        throw Failure(number: Int32(-count))
      }
    }
  }

  /// Blocks the calling thread for an interval, at least a millisecond, or until a signal arrives: waits for the file to grow.
  func pause(_ interval: Duration) {
    // At most about 35 years, so that the nanoseconds fit.
    let bounded = min(max(interval, .milliseconds(1)), .seconds(1 << 30))
    System.of(descriptor).pause(nanoseconds: Int(bounded / .nanoseconds(1)), for: descriptor)
  }

  /// Blocks the calling thread for `microseconds`, or until a signal arrives.
  static func pause(microseconds: Int) { System.of(-1).pause(nanoseconds: microseconds * 1000, for: -1) }

  /// Calls the system again while a signal interrupts the call.
  static func retrying(_ call: () -> Int) -> Int {
    while true {
      let result = call()
      if result != -Int(EINTR) { return result }
    }
  }

  /// Returns the result of a system call, and throws its error.
  static func succeeding(_ call: () -> Int) throws(Failure) -> Int {
    let result = retrying(call)
    guard result >= 0 else { throw Failure(number: Int32(-result)) }
    return result
  }

  deinit {
    if closes { _ = System.close(descriptor) }
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
