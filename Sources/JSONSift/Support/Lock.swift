#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A value that is protected by a lock of the system.
///
/// The type does not use `Mutex`, which on Linux consists of atomic operations inside the standard library. ThreadSanitizer
/// does not see those, and reports every access under such a lock as a race. The lock is held for short sections only; no
/// thread is woken and no foreign code is called while it is held.
///
/// Unchecked `Sendable`: the value is accessed only between lock and unlock.
@safe package final class Lock<Value: Sendable>: @unchecked Sendable {
  /// SAFETY: initialized in `init`, destroyed in `deinit`, and it never moves; every user holds a reference to this object.
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

  /// Calls `body` with the value while the lock is held.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result {
    _ = unsafe pthread_mutex_lock(mutex)
    defer { _ = unsafe pthread_mutex_unlock(mutex) }
    return body(&value)
  }
}
