#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// A mutex of the system with a condition to wait for: what a thread waits at until another one has changed something.
///
/// Sendable without the compiler's proof: both are allocated once, never move, and are made for many threads.
@safe final class Monitor: @unchecked Sendable {
  /// SAFETY: initialised in `init`, destroyed in `deinit`; whoever waits or wakes holds this object.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)

  init() {
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

  /// One thread at a time is in `body`.
  func locked<Result>(_ body: () -> Result) -> Result {
    _ = unsafe pthread_mutex_lock(mutex)
    defer { _ = unsafe pthread_mutex_unlock(mutex) }
    return body()
  }

  /// Lets others in until this thread is woken, or for no reason: what is waited for must be looked at again. Only inside of
  /// ``locked(_:)``.
  func wait() { _ = unsafe pthread_cond_wait(condition, mutex) }

  /// Wakes all that wait. Only inside of ``locked(_:)``.
  func wakeAll() { _ = unsafe pthread_cond_broadcast(condition) }
}
