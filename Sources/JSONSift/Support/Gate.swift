/// What a thread waits at for another one: closed until it is opened once.
///
/// Sendable without the compiler's proof: all is behind the monitor.
final class Gate: @unchecked Sendable {
  private let monitor = Monitor()
  private var isOpen = false

  /// Lets the one go on who waits, or will.
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
