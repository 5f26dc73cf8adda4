/// A one-shot signal between threads: closed until it is opened once.
///
/// Unchecked `Sendable`: the monitor protects all state.
final class Gate: @unchecked Sendable {
  private let monitor = Monitor()
  private var isOpen = false

  /// Opens the gate. Every current and later wait returns.
  func open() {
    monitor.locked {
      isOpen = true
      monitor.wakeAll()
    }
  }

  /// Blocks this thread until the gate is open.
  func wait() {
    monitor.locked {
      while !isOpen { monitor.wait() }
    }
  }
}
