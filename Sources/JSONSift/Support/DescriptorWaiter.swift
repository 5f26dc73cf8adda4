#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Waits until descriptors can be read, on behalf of tasks.
///
/// One thread for the whole process sits in `poll` with all descriptors that tasks wait for and a pipe that wakes it. It
/// never reads: a `read` that blocks would hold up everybody who waits. Nor may a task block in one: the pool has as many
/// threads as the machine has cores. The thread and its pipe are made when the first task waits, and stay.
final class DescriptorWaiter: Sendable {
  static let shared = DescriptorWaiter()

  enum Outcome: Sendable, Equatable {
    /// A read will not block: there are bytes, the end, or an error.
    case ready
    case cancelled
    /// The system refuses to wait; its error number.
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
    /// Waits that were cancelled before they began.
    var cancelledEarly: Set<Int> = []
    /// The end of the pipe that wakes the thread; `nil` before there is one.
    var wakeEnd: Int32?
  }

  private let state = Lock(State())

  /// How many tasks wait.
  var waitingCount: Int { state.withLock { $0.entries.count } }

  /// Waits until a read of the descriptor will not block, or the task is cancelled. The descriptor must stay open
  /// meanwhile; when this returns the thread has let go of it.
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
    let refusal: Outcome? = state.withLock { state in
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
    if let refusal { entry.continuation.resume(returning: refusal) } else { wake() }
  }

  /// The thread itself ends the wait: it must not hold the descriptor when its owner closes it.
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

  /// A full pipe wakes the thread as well.
  private func wake() {
    guard let end = state.withLock({ $0.wakeEnd }) else { return }
    var byte: UInt8 = 0
    while unsafe write(end, &byte, 1) < 0, errno == EINTR {}
  }

  // MARK: The thread

  private func start() throws(File.Failure) -> Int32 {
    let (readEnd, writeEnd) = try File.quietPipe()
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
      guard unsafe poll(&entries, nfds_t(entries.count), -1) >= 0 else {
        let number = errno
        if number != EINTR, number != EAGAIN { finish(.failed(number)) { _, _ in true } }
        continue
      }
      if entries[0].revents != 0 { Self.drain(wakeDescriptor) }
      var ready: Set<Int> = []
      for (place, identifier) in identifiers.enumerated() where entries[place + 1].revents != 0 {
        ready.insert(identifier)
      }
      if !ready.isEmpty { finish(.ready) { identifier, _ in ready.contains(identifier) } }
    }
  }

  /// Ends some waits. Tasks go on outside of the lock.
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
  /// A pipe whose ends never block and are not inherited.
  static func quietPipe() throws(Failure) -> (read: Int32, write: Int32) {
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
