#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Threads outside of Swift's task pool, for calls that block: a task that blocks occupies a thread of the pool.
package enum DetachedThread {
  /// Starts a thread that is never joined. Returns the system's error number, or 0.
  package static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
    switch JoinableThread.start(stackBytes: stackBytes, body) {
    case .success(let thread):
      thread.detach()
      return 0
    case .failure(let failure): return failure.number
    }
  }

  /// The stack size of these threads, in bytes: enough for their work, whatever the system's limit is, and less than the 8
  /// MB of address space that most systems reserve.
  private static let stackBytes = 1 << 19
}

/// A thread that its owner joins or detaches, once.
///
/// SAFETY: on Darwin `pthread_t` is a pointer. It is only passed back to the system, and it is valid until the one call of
/// ``join()`` or ``detach()``.
@safe struct JoinableThread {
  private let thread: pthread_t

  /// Starts a thread that runs `body`.
  ///
  /// - Parameter stackBytes: The size of its stack in bytes; `nil` for the default of the process.
  static func start(
    stackBytes: Int? = nil, _ body: @escaping @Sendable () -> Void
  ) -> Result<JoinableThread, File.Failure> {
    let work = ThreadWork(body)
    let context = unsafe Unmanaged.passRetained(work)
    var attributes = pthread_attr_t()
    _ = unsafe pthread_attr_init(&attributes)
    defer { _ = unsafe pthread_attr_destroy(&attributes) }
    if let stackBytes { _ = unsafe pthread_attr_setstacksize(&attributes, stackBytes) }
    #if canImport(Darwin)
      var started: pthread_t?
      let number = unsafe pthread_create(&started, &attributes, { unsafe ThreadWork.run($0) }, context.toOpaque())
      if number == 0, let started = unsafe started { return .success(unsafe JoinableThread(thread: started)) }
    #else
      var started = pthread_t()
      let number = unsafe pthread_create(&started, &attributes, { unsafe ThreadWork.run($0) }, context.toOpaque())
      if number == 0 { return .success(JoinableThread(thread: started)) }
    #endif
    // No thread will consume the reference.
    unsafe context.release()
    return .failure(File.Failure(number: number))
  }

  #if canImport(Darwin)
    /// Waits until the thread has ended.
    func join() { _ = unsafe pthread_join(thread, nil) }

    /// Gives up the right to join the thread.
    func detach() { _ = unsafe pthread_detach(thread) }
  #else
    /// Waits until the thread has ended.
    func join() { _ = pthread_join(thread, nil) }

    /// Gives up the right to join the thread.
    func detach() { _ = pthread_detach(thread) }
  #endif
}

/// The closure of a new thread, as an object whose address fits into the context argument of `pthread_create`.
private final class ThreadWork: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// Runs the closure on the new thread.
  ///
  /// SAFETY: the context is the object that `start` has retained for this one call.
  static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    // Blocks all signals: the program's own threads handle them.
    var signals = sigset_t()
    _ = unsafe sigfillset(&signals)
    _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    unsafe Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().body()
    return nil
  }
}
