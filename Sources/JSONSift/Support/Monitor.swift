#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A mutex of the system with a condition variable, for threads that wait for a change made by another thread.
///
/// Unchecked `Sendable`: both are allocated once, never move, and are designed for many threads.
@safe package final class Monitor: @unchecked Sendable {
  /// SAFETY: initialized in `init`, destroyed in `deinit`; every user holds a reference to this object.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  package init() {
    unsafe mutex.initialize(to: pthread_mutex_t())
    unsafe condition.initialize(to: pthread_cond_t())
    _ = unsafe pthread_mutex_init(mutex, nil)
    _ = unsafe pthread_cond_init(condition, nil)
  }

  deinit {
    _ = unsafe pthread_cond_destroy(condition)
    _ = unsafe pthread_mutex_destroy(mutex)
    unsafe condition.deallocate()
    unsafe mutex.deallocate()
  }

  /// Calls `body` while the mutex is held.
  package func locked<Result>(_ body: () -> Result) -> Result {
    _ = unsafe pthread_mutex_lock(mutex)
    defer { _ = unsafe pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Releases the mutex and blocks until this thread is woken. The wake-up can be spurious, so the caller must evaluate its
  /// condition again. Only inside of ``locked(_:)``.
  package func wait() { _ = unsafe pthread_cond_wait(condition, mutex) }

  /// Wakes all waiting threads. Only inside of ``locked(_:)``.
  package func wakeAll() { _ = unsafe pthread_cond_broadcast(condition) }
}
