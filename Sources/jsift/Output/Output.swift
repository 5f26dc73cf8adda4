import JSONSift

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Standard output, with a buffer. A reader that has gone away ends the program quietly; a full disk ends it with a
/// message and the status of an error.
final class Output {
  /// SAFETY: the tool has one thread.
  nonisolated(unsafe) static let standard = Output()

  /// With what the program ends when its reader goes away: what is known by then.
  var statusWithoutReader = Status.found
  /// What is done before the program ends in the middle of a run, such as to write bad records out. False if that fails.
  var beforeEnd: () -> Bool = { true }

  /// What is done before the program waits for more input of a stream that somebody watches.
  var beforePause: () -> Void = {}

  private var buffer: [UInt8] = []
  private static let capacity = 1 << 16
  /// Somebody may be waiting: a file is the only reader that never is.
  private var isInteractive = true
  /// Where results go, if not to standard output.
  var file: OutputFile? {
    didSet { look() }
  }

  private init() {
    buffer.reserveCapacity(Self.capacity + 4096)
    look()
  }

  private var descriptor: Int32 { file?.descriptor ?? 1 }

  /// Somebody looks at what is written as it comes.
  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// How many characters fit on a line of that.
  var terminalWidth: Int? {
    var size = winsize()
    guard isTerminal, unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  private func look() {
    var status = stat()
    isInteractive = unsafe fstat(descriptor, &status) != 0 || status.st_mode & S_IFMT != S_IFREG
  }

  /// The program is about to end with this status: puts a file in its place, or leaves what was there before. Returns the
  /// status that is right after that.
  func settle(_ status: Int32) -> Int32 {
    guard let file else { return status }
    guard status != Status.failed else {
      if file.isReplacement {
        ErrorReport.write("jsift: \(file.name): left as it was, since there was an error")
        file.discard()
      }
      return status
    }
    flush()
    do throws(File.Failure) {
      try file.complete()
      return status
    } catch {
      ErrorReport.write("jsift: \(file.name): \(error.reason)")
      file.discard()
      return Status.failed
    }
  }

  /// Writes what `body` appends.
  func append(_ body: (inout [UInt8]) -> Void) {
    body(&buffer)
    if buffer.count >= Self.capacity { flush() }
  }

  /// Writes bytes that are somebody else's. Many are not copied before.
  func write(lent bytes: UnsafeRawBufferPointer) {
    if bytes.count < Self.capacity {
      return append { unsafe $0.append(contentsOf: bytes) }
    }
    flush()
    unsafe writeOut(bytes)
  }

  func write(_ bytes: some Collection<UInt8>) {
    buffer.append(contentsOf: bytes)
    if buffer.count >= Self.capacity { flush() }
  }

  /// Before the program waits for input, whoever reads its output gets what there is.
  func flushIfInteractive() {
    if isInteractive { flush() }
  }

  /// The same where it may be long till there is more: what was held back for its looks is written now.
  func pause() {
    beforePause()
    flush()
  }

  /// Before the program waits for a stream. On a terminal somebody watches.
  func pauseIfWatched() {
    if isTerminal { pause() } else { flushIfInteractive() }
  }

  func finish() { flush() }

  func flush() {
    unsafe buffer.withUnsafeBytes { unsafe writeOut($0) }
    buffer.removeAll(keepingCapacity: true)
  }

  private func writeOut(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    var written = 0
    while written < bytes.count {
      #if canImport(Glibc)
        let count = unsafe Glibc.write(descriptor, base + written, bytes.count - written)
      #elseif canImport(Musl)
        let count = unsafe Musl.write(descriptor, base + written, bytes.count - written)
      #else
        let count = unsafe Darwin.write(descriptor, base + written, bytes.count - written)
      #endif
      if count >= 0 {
        written += count
        continue
      }
      switch errno {
      case EINTR: continue
      case EAGAIN:
        var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&entry, 1, -1)
      case EPIPE: exit(beforeEnd() ? statusWithoutReader : Status.failed)
      case let number:
        ErrorReport.write("jsift: \(file?.name ?? "standard output"): \(File.Failure(number: number).reason)")
        _ = beforeEnd()
        file?.discard()
        exit(Status.failed)
      }
    }
  }
}
