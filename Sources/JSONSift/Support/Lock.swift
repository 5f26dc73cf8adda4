#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A value that one thread at a time may touch.
///
/// It is the lock of the system and not `Mutex`: on Linux that one is made of atomic words inside the standard library, which
/// ThreadSanitizer does not see, and it takes every access behind it for a race. Held for some steps only; nobody is woken,
/// and nothing is called that is not ours, while it is held.
///
/// Sendable without the compiler's proof: the value is touched only between lock and unlock.
@safe package final class Lock<Value: Sendable>: @unchecked Sendable {
  /// SAFETY: initialised in `init`, destroyed in `deinit`, and it never moves; whoever uses it holds this object.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  package init(_ value: Value) {
    self.value = value
    unsafe mutex.initialize(to: pthread_mutex_t())
    _ = unsafe pthread_mutex_init(mutex, nil)
  }

  deinit {
    _ = unsafe pthread_mutex_destroy(mutex)
    unsafe mutex.deallocate()
  }

  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    _ = unsafe pthread_mutex_lock(mutex)
    defer { _ = unsafe pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}
