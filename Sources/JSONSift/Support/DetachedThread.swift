#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Threads of our own, for calls that block: a task that blocks takes a thread from all tasks.
enum DetachedThread {
  /// Starts a thread that nobody waits for. Returns the system's error number, or 0.
  static func start(_ body: @escaping @Sendable () -> Void) -> Int32 {
    switch JoinableThread.start(stackBytes: stackBytes, body) {
    case .success(let thread):
      thread.detach()
      return 0
    case .failure(let failure): return failure.number
    }
  }

  /// Enough for what runs on them, also where the limit of the stack gives threads less, and not the 8 MB of address space
  /// that most systems give them.
  private static let stackBytes = 1 << 19
}

/// A thread whose end somebody waits for.
///
/// SAFETY: on Darwin it is named by a pointer, of which the system is asked, and which nobody else looks at. It is valid until the
/// one call of ``join()`` or ``detach()``.
@safe struct JoinableThread {
  private let thread: pthread_t

  /// - Parameter stackBytes: The size of its stack; `nil` is that of every thread of the process.
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
    // Nobody will take it.
    unsafe context.release()
    return .failure(File.Failure(number: number))
  }

  #if canImport(Darwin)
    /// Waits until it has ended.
    func join() { _ = unsafe pthread_join(thread, nil) }

    /// Nobody waits for it.
    func detach() { _ = unsafe pthread_detach(thread) }
  #else
    /// Waits until it has ended.
    func join() { _ = pthread_join(thread, nil) }

    /// Nobody waits for it.
    func detach() { _ = pthread_detach(thread) }
  #endif
}

/// What a new thread runs.
private final class ThreadWork: Sendable {
  private let body: @Sendable () -> Void

  init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// SAFETY: the context is the object that `start` has retained for this one call.
  static func run(_ context: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let context = unsafe context else { return nil }
    // The program's signals are for threads that know what to do with them.
    var signals = sigset_t()
    _ = unsafe sigfillset(&signals)
    _ = unsafe pthread_sigmask(SIG_BLOCK, &signals, nil)
    unsafe Unmanaged<ThreadWork>.fromOpaque(context).takeRetainedValue().body()
    return nil
  }
}
