#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Suspends tasks until their descriptors can be read.
///
/// One thread for the whole process blocks in `poll` with all descriptors that tasks wait for, and with a pipe that wakes
/// it. The thread never reads, because a blocking `read` would delay all waiting tasks. A task must not block in `read`
/// either: the task pool has only as many threads as the machine has cores. The thread and its pipe are created when the
/// first task waits, and live as long as the process.
final class DescriptorWaiter: Sendable {
  static let shared = DescriptorWaiter()

  enum Outcome: Sendable, Equatable {
    /// A read will not block: it returns bytes, the end of the input, or an error.
    case ready
    case cancelled
    /// Waiting failed with a system error number.
    case failed(Int32)
  }

  private struct Entry {
    let descriptor: Int32
    let continuation: CheckedContinuation<Outcome, Never>
    var isCancelled = false
  }

  private struct State {
    var entries: [Int: Entry] = [:]
    var nextIdentifier = 0
    /// The identifiers of waits that were cancelled before they began.
    var cancelledEarly: Set<Int> = []
    /// The write end of the pipe that wakes the thread; `nil` before the thread has started.
    var wakeEnd: Int32?
  }

  private let state = Lock(State())

  /// The number of waiting tasks.
  var waitingCount: Int { state.withLock { $0.entries.count } }

  /// Waits until a read of the descriptor will not block, or until the task is cancelled. The descriptor must stay open
  /// during the call; the thread no longer uses it when the call returns.
  nonisolated(nonsending) func wait(for descriptor: Int32) async -> Outcome {
    let identifier = state.withLock { state in
      state.nextIdentifier &+= 1
      return state.nextIdentifier
    }
    defer { state.withLock { _ = $0.cancelledEarly.remove(identifier) } }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        add(identifier, Entry(descriptor: descriptor, continuation: continuation))
      }
    } onCancel: {
      cancel(identifier)
    }
  }

  private func add(_ identifier: Int, _ entry: Entry) {
    let rejection: Outcome? = state.withLock { state in
      if state.cancelledEarly.contains(identifier) { return .cancelled }
      if state.wakeEnd == nil {
        do throws(File.Failure) {
          state.wakeEnd = try start()
        } catch {
          return .failed(error.number)
        }
      }
      state.entries[identifier] = entry
      return nil
    }
    if let rejection { entry.continuation.resume(returning: rejection) } else { wake() }
  }

  /// Marks a wait as cancelled. The thread ends the wait, so that it no longer polls the descriptor when its owner closes
  /// it.
  private func cancel(_ identifier: Int) {
    let isWaiting = state.withLock { state in
      guard state.entries[identifier] != nil else {
        state.cancelledEarly.insert(identifier)
        return false
      }
      state.entries[identifier]?.isCancelled = true
      return true
    }
    if isWaiting { wake() }
  }

  /// Wakes the thread. A write that fails because the pipe is full needs no retry: a full pipe wakes the thread too.
  private func wake() {
    guard let end = state.withLock({ $0.wakeEnd }) else { return }
    var byte: UInt8 = 0
    while unsafe write(end, &byte, 1) < 0, errno == EINTR {}
  }

  // MARK: The thread

  private func start() throws(File.Failure) -> Int32 {
    let (readEnd, writeEnd) = try File.nonblockingPipe()
    let number = DetachedThread.start { [self] in run(readEnd) }
    guard number == 0 else {
      _ = close(readEnd)
      _ = close(writeEnd)
      throw File.Failure(number: number)
    }
    return writeEnd
  }

  private func run(_ wakeDescriptor: Int32) {
    var entries: [pollfd] = []
    var identifiers: [Int] = []
    while true {
      entries.removeAll(keepingCapacity: true)
      identifiers.removeAll(keepingCapacity: true)
      entries.append(pollfd(fd: wakeDescriptor, events: Int16(POLLIN), revents: 0))
      finish(.cancelled) { $1.isCancelled }
      state.withLock { state in
        for (identifier, entry) in state.entries {
          identifiers.append(identifier)
          entries.append(pollfd(fd: entry.descriptor, events: Int16(POLLIN), revents: 0))
        }
      }
      let result = unsafe entries.withUnsafeMutableBufferPointer { unsafe System.poll($0, milliseconds: -1) }
      guard result >= 0 else {
        let number = Int32(-result)
        if number != EINTR, number != EAGAIN { finish(.failed(number)) { _, _ in true } }
        continue
      }
      if entries[0].revents != 0 { Self.drain(wakeDescriptor) }
      var ready: Set<Int> = []
      for (index, identifier) in identifiers.enumerated() where entries[index + 1].revents != 0 {
        ready.insert(identifier)
      }
      if !ready.isEmpty { finish(.ready) { identifier, _ in ready.contains(identifier) } }
    }
  }

  /// Ends the waits for which `isOver` returns `true`. Resumes their tasks after it has released the lock.
  private func finish(_ outcome: Outcome, where isOver: (Int, Entry) -> Bool) {
    let over = state.withLock { state in
      let over = state.entries.filter { isOver($0.key, $0.value) }
      for identifier in over.keys { state.entries[identifier] = nil }
      return over
    }
    for entry in over.values { entry.continuation.resume(returning: entry.isCancelled ? .cancelled : outcome) }
  }

  private static func drain(_ descriptor: Int32) {
    var bytes: (UInt64, UInt64) = (0, 0)
    while unsafe read(descriptor, &bytes, 16) > 0 {}
  }
}

extension File {
  /// Creates a pipe with nonblocking ends that child processes do not inherit.
  static func nonblockingPipe() throws(Failure) -> (read: Int32, write: Int32) {
    var ends: (Int32, Int32) = (-1, -1)
    let result = unsafe withUnsafeMutableBytes(of: &ends) { bytes in
      unsafe bytes.withMemoryRebound(to: Int32.self) { unsafe pipe($0.baseAddress.unsafelyUnwrapped) }
    }
    guard result == 0 else { throw Failure(number: errno) }
    for end in [ends.0, ends.1] {
      _ = fcntl(end, F_SETFD, FD_CLOEXEC)
      _ = fcntl(end, F_SETFL, O_NONBLOCK)
    }
    return (ends.0, ends.1)
  }
}
