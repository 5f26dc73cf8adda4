/// A value that is protected by a lock of the system.
///
/// The type does not use `Mutex`, which on Linux consists of atomic operations inside the standard library. ThreadSanitizer
/// does not see those, and reports every access under such a lock as a race. The lock is held for short sections only; no
/// thread is woken and no foreign code is called while it is held.
///
/// Unchecked `Sendable`: the value is accessed only between lock and unlock.
package final class Lock<Value: Sendable>: @unchecked Sendable {
  private let monitor = Monitor()
  private var value: Value

  package init(_ value: Value) { self.value = value }

  /// Calls `body` with the value while the lock is held.
  package func withLock<Result>(_ body: (inout Value) -> Result) -> Result { monitor.locked { body(&value) } }
}
