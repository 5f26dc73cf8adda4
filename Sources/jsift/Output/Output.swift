import JSONSift

/// Buffered standard output. A closed pipe ends the program without a message; a full disk ends it with a message and
/// the error status.
final class Output {
  /// SAFETY: the tool uses it on one thread.
  nonisolated(unsafe) static let standard = Output()

  /// The exit status if the reader of a pipe closes it: the status of the run so far.
  var statusWithoutReader = Status.found
  /// Called before the program ends in the middle of a run, for example to flush bad records. Returns `false` on
  /// failure.
  var beforeEnd: () -> Bool = { true }

  /// Called directly before the output file replaces the previous one. Returns `false`, after a message, if it may not.
  var mayReplace: () -> Bool = { true }

  /// Called before the program waits for more input of a stream while its output is a terminal.
  var beforePause: () -> Void = {}

  private var buffer: [UInt8] = []
  private static let capacity = 1 << 16
  /// Whether a reader may be waiting for output: `false` only for a regular file.
  private var isInteractive = true
  /// The file for results; `nil` for standard output.
  var file: OutputFile? {
    didSet { updateIsInteractive() }
  }

  private init() {
    buffer.reserveCapacity(Self.capacity + 4096)
    updateIsInteractive()
  }

  /// Sends standard output to an open file, whose name is for messages.
  func redirect(to descriptor: Int32, _ name: String) throws(File.Failure) {
    guard dup2(descriptor, 1) >= 0 else { throw File.Failure(number: errno) }
    self.name = name
    updateIsInteractive()
  }

  /// The name for messages.
  private var name = "standard output"

  private var descriptor: Int32 { file?.descriptor ?? 1 }

  /// Whether output goes to a terminal.
  var isTerminal: Bool { isatty(descriptor) == 1 }

  /// The number of columns of the terminal; `nil` if output goes elsewhere.
  var terminalWidth: Int? {
    var size = winsize()
    guard isTerminal, unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
    return Int(size.ws_col)
  }

  private func updateIsInteractive() { isInteractive = File(borrowing: descriptor).regularSize() == nil }

  /// Completes the output file before the program ends with `status`: replaces the previous file, or keeps it after an
  /// error. Returns the exit status to use.
  func settle(_ status: Int32) -> Int32 {
    guard let file else { return EditReceipt.write(after: status) }
    do throws(File.Failure) {
      if status != Status.failed {
        flush()
        try file.close()
        // A receipt that cannot be written must not be noticed after the replacement. Checks of the input come last.
        if EditReceipt.write(after: status) != Status.failed, mayReplace() {
          try file.complete()
          return status
        }
      }
      if file.isReplacement {
        ErrorReport.write("\(file.name): unchanged because of an error")
        file.discard()
      }
      return Status.failed
    } catch {
      ErrorReport.write("\(file.name): \(error.reason)")
      file.discard()
      return Status.failed
    }
  }

  /// Appends to the buffer what `body` appends.
  func append(_ body: (inout [UInt8]) -> Void) {
    body(&buffer)
    if buffer.count >= Self.capacity { flush() }
  }

  /// Writes borrowed bytes. A large number of bytes is written without copying it into the buffer.
  func write(borrowed bytes: UnsafeRawBufferPointer) {
    if bytes.count < Self.capacity {
      return append { unsafe $0.append(contentsOf: bytes) }
    }
    flush()
    unsafe writeOut(bytes)
  }

  func write(_ bytes: some Collection<UInt8>) {
    let isWritten: Void? = bytes.withContiguousStorageIfAvailable {
      unsafe write(borrowed: UnsafeRawBufferPointer($0))
    }
    if isWritten == nil { append { $0.append(contentsOf: bytes) } }
  }

  /// Flushes before the program waits for input, unless output goes to a regular file.
  func flushIfInteractive() {
    if isInteractive { flush() }
  }

  /// Flushes before a wait that may be long. Also writes rows that were held back to determine column widths.
  func pause() {
    beforePause()
    flush()
  }

  /// Flushes before the program waits for a stream. On a terminal, also writes rows that were held back.
  func pauseIfWatched() {
    if isTerminal { pause() } else { flushIfInteractive() }
  }

  /// Ends the program if the reader of the output has gone. A run that has nothing to write would not notice it otherwise.
  func endIfReaderHasGone() {
    guard isInteractive, File(borrowing: descriptor).hasLostReader else { return }
    endWithoutReader()
  }

  private func endWithoutReader() -> Never { exit(beforeEnd() ? statusWithoutReader : Status.failed) }

  func flush() {
    unsafe buffer.withUnsafeBytes { unsafe writeOut($0) }
    buffer.removeAll(keepingCapacity: true)
  }

  private func writeOut(_ bytes: UnsafeRawBufferPointer) {
    do throws(File.Failure) {
      try unsafe File(borrowing: descriptor).write(bytes)
    } catch {
      if error.number == EPIPE { endWithoutReader() }
      ErrorReport.write("\(file?.name ?? name): \(error.reason)")
      _ = beforeEnd()
      file?.discard()
      exit(Status.failed)
    }
  }
}
