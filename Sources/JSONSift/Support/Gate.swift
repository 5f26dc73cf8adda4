#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What a thread waits at for another one: closed until it is opened once.
///
/// Sendable without the compiler's proof: all is behind the mutex of the system, which is allocated once and never moves.
@safe final class Gate: @unchecked Sendable {
  /// SAFETY: initialised in `init`, destroyed in `deinit`; whoever opens or waits holds this object.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let condition = UnsafeMutablePointer<pthread_cond_t>.allocate(capacity: 1)
  private var isOpen = false

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

  /// Lets the one go on who waits, or will.
  func open() {
    _ = unsafe pthread_mutex_lock(mutex)
    isOpen = true
    _ = unsafe pthread_cond_signal(condition)
    _ = unsafe pthread_mutex_unlock(mutex)
  }

  /// Blocks this thread until the gate is open.
  func wait() {
    _ = unsafe pthread_mutex_lock(mutex)
    while !isOpen { _ = unsafe pthread_cond_wait(condition, mutex) }
    _ = unsafe pthread_mutex_unlock(mutex)
  }
}
