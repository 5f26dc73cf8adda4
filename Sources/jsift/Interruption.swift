#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Signals that ask the program to end.
///
/// SAFETY: what is static here is set by the one thread, before the signal that reads it is waited for, or by the handler
/// itself. A handler calls nothing that allocates or locks.
enum Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  /// Other signals that end a program which has not asked for them.
  private static let otherSignals = [SIGQUIT, SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2]

  // MARK: Ending at once

  /// How many bytes have been read, for the last message.
  nonisolated(unsafe) static var bytesRead = 0
  /// The path of a file that must not stay, with its zero.
  nonisolated(unsafe) private static var partial: UnsafeMutablePointer<CChar>?

  /// A signal removes the file that is not complete, tells how far the reading came, and ends the program as it would
  /// without this.
  static func report() {
    // A file that becomes larger than the system allows is an error of `write` then, with a message.
    _ = signal(SIGXFSZ, SIG_IGN)
    for number in signals + otherSignals {
      // Who starts a program in the background may want it to ignore some.
      var action = sigaction()
      guard unsafe sigaction(number, nil, &action) == 0, !isIgnored(action) else { continue }
      set(number) { Interruption.endNow($0) }
    }
  }

  /// The file that a signal removes; `nil` for none.
  static func removes(_ path: [CChar]?) {
    let old = unsafe partial
    unsafe partial = path.flatMap { unsafe strdup($0) }
    unsafe free(old)
  }

  /// Runs `body`, and has signals wait for its end: no signal may come between a file that is made and its name that is noted
  /// here. Other threads, if there are some, block signals.
  static func holdingBack(_ body: () -> Void) {
    var all = sigset_t()
    var before = sigset_t()
    _ = unsafe sigfillset(&all)
    _ = unsafe pthread_sigmask(SIG_BLOCK, &all, &before)
    body()
    _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  private static func endNow(_ signal: Int32) {
    if let path = unsafe partial { _ = unsafe unlink(path) }
    if signal == SIGINT, unsafe bytesRead > 0 {
      RawMessage.put("jsift: interrupted after ")
      RawMessage.put(unsafe UInt(bytesRead))
      RawMessage.put(" bytes of input\n")
    }
    // The handler is gone by now: what the signal does by itself is told to whoever waits for the program.
    raise(signal)
  }

  // MARK: Ending in order

  /// A signal has come, where the program would wait for ever: what was found is written, and the exit status is that of a
  /// run that has come to its end.
  nonisolated(unsafe) private(set) static var hasCome = false

  static func listen() {
    for number in signals { set(number) { _ in unsafe Interruption.hasCome = true } }
  }

  /// Once: a second signal ends the program at once. Without SA_RESTART: a wait ends.
  private static func set(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    #if canImport(Darwin)
      unsafe action.__sigaction_u.__sa_handler = handler
    #else
      unsafe action.__sigaction_handler.sa_handler = handler
    #endif
    action.sa_flags = Int32(bitPattern: UInt32(truncatingIfNeeded: SA_RESETHAND))
    _ = unsafe sigaction(number, &action, nil)
  }

  private static func isIgnored(_ action: sigaction) -> Bool {
    #if canImport(Darwin)
      unsafe unsafeBitCast(action.__sigaction_u.__sa_handler, to: Int.self) == 1
    #else
      unsafe unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self) == 1
    #endif
  }
}
