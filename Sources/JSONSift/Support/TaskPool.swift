/// Checks whether Swift's thread pool for tasks can start.
///
/// libdispatch, which implements the pool on Linux, does not report failures. If the system refuses a thread, it retries
/// every second in the thread that enqueued a task, and the program hangs without a message. If it gets no descriptor for
/// its event loop, it ends the process (SIGILL). So a thread must call ``rejection()`` before it waits for tasks.
package enum TaskPool {
  /// Whether the check has succeeded once. It is not repeated then, because the pool keeps its threads.
  private static let hasStarted = Lock(false)

  /// Returns the system's error number if the pool cannot start, or 0. The first call starts as many threads as the pool
  /// has, and ends them; after a success, a call only reads a flag.
  package static func rejection() -> Int32 {
    if hasStarted.withLock({ $0 }) { return 0 }
    var number = rejectedDescriptors()
    if number == 0 { number = rejectedThreads() }
    if number == 0 { hasStarted.withLock { $0 = true } }
    return number
  }

  /// One thread for each core, one for the event loop of libdispatch, and one for ``DescriptorWaiter``.
  private static let threads = Processors.online + 2
  /// Three descriptors for the event loop, two for the pipe of ``DescriptorWaiter``, and a file for each core and the
  /// reader.
  private static let descriptors = Processors.online + 6

  private static func rejectedDescriptors() -> Int32 {
    var opened: [Int32] = []
    defer { for descriptor in opened { _ = System.close(descriptor) } }
    do throws(File.Failure) {
      for _ in 0..<descriptors { opened.append(try File(path: Array("/dev/null".utf8)).release()) }
    } catch {
      // A root without devices is no lack of descriptors.
      return error.isMissing ? 0 : error.number
    }
    return 0
  }

  private static func rejectedThreads() -> Int32 {
    let gate = Gate()
    var started: [JoinableThread] = []
    defer {
      gate.open()
      for thread in started { thread.join() }
    }
    for _ in 0..<threads {
      switch JoinableThread.start({ gate.wait() }) {
      case .success(let thread): started.append(thread)
      case .failure(let failure): return failure.number
      }
    }
    return 0
  }
}
