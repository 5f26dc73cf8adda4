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
    let work = ThreadWork(body)
    let context = unsafe Unmanaged.passRetained(work)
    #if canImport(Darwin)
      var thread: pthread_t?
      let number = unsafe pthread_create(&thread, nil, { unsafe ThreadWork.run($0) }, context.toOpaque())
      if number == 0, let thread = unsafe thread { _ = unsafe pthread_detach(thread) }
    #else
      var thread = pthread_t()
      let number = unsafe pthread_create(&thread, nil, { unsafe ThreadWork.run($0) }, context.toOpaque())
      if number == 0 { _ = pthread_detach(thread) }
    #endif
    // Nobody will take it.
    if number != 0 { unsafe context.release() }
    return number
  }
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
