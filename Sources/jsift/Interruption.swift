/// Handles signals that request the end of the program.
///
/// SAFETY: static variables are set only by the main thread or by a handler. Other threads block signals, so a handler
/// runs on the main thread. A handler calls nothing that allocates or locks.
enum Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]
  /// Other signals whose default action terminates the program.
  private static let otherSignals = [SIGQUIT, SIGXCPU, SIGALRM, SIGVTALRM, SIGPROF, SIGUSR1, SIGUSR2]

  // MARK: Immediate termination

  /// The number of bytes read, for the last message.
  nonisolated(unsafe) static var bytesRead = 0
  /// The path of an incomplete file that must be removed, zero-terminated.
  nonisolated(unsafe) private static var partial: UnsafeMutablePointer<CChar>?
  /// The path of another one, which is written before the first is renamed.
  nonisolated(unsafe) private static var second: UnsafeMutablePointer<CChar>?

  /// Installs handlers that remove the incomplete output file, report the number of bytes read, and terminate the
  /// program with the signal's default action.
  static func report() {
    // A file that exceeds the size limit of the system is then an error of `write`, with a message.
    _ = signal(SIGXFSZ, SIG_IGN)
    for number in signals + otherSignals {
      // A signal that the parent process has set to be ignored, as for background jobs, stays ignored.
      var action = sigaction()
      guard unsafe sigaction(number, nil, &action) == 0, !isIgnored(action) else { continue }
      set(number) { Interruption.terminate($0) }
    }
  }

  /// Sets a file that a signal handler removes; `nil` for no file.
  static func setPartialFile(_ path: [CChar]?, isSecond: Bool = false) {
    let old = unsafe isSecond ? second : partial
    let new = unsafe path.flatMap { unsafe strdup($0) }
    if isSecond { unsafe second = new } else { unsafe partial = new }
    unsafe free(old)
  }

  /// Runs `body` with all signals blocked: no signal may arrive between the creation of a file and the call that stores
  /// its name here. Other threads, if there are any, block signals.
  static func withSignalsBlocked(_ body: () -> Void) {
    var all = sigset_t()
    var before = sigset_t()
    _ = unsafe sigfillset(&all)
    _ = unsafe pthread_sigmask(SIG_BLOCK, &all, &before)
    body()
    _ = unsafe pthread_sigmask(SIG_SETMASK, &before, nil)
  }

  private static func terminate(_ signal: Int32) {
    if let path = unsafe partial { _ = unsafe unlink(path) }
    if let path = unsafe second { _ = unsafe unlink(path) }
    if signal == SIGINT, unsafe bytesRead > 0 {
      RawMessage.put("jsift: interrupted after ")
      RawMessage.put(unsafe UInt(bytesRead))
      RawMessage.put(" bytes of input\n")
    }
    // The default action runs when the handler returns, and the parent process sees the signal.
    var action = sigaction()
    _ = unsafe sigaction(signal, &action, nil)
    raise(signal)
  }

  // MARK: Orderly termination

  /// Whether a signal has requested the end of a run that would otherwise never end. The results so far are written,
  /// and the exit status is the same as after a complete run.
  nonisolated(unsafe) private(set) static var wasRequested = false
  /// The time of that signal.
  nonisolated(unsafe) private static var requested = timespec()

  /// A later signal terminates the program immediately, but not within this many milliseconds after the first: a
  /// process often gets the same request twice, from its parent and as a member of a process group.
  private static let repetitionMilliseconds = 200

  static func listen() {
    for number in signals { set(number) { Interruption.request($0) } }
  }

  private static func request(_ signal: Int32) {
    var now = timespec()
    _ = unsafe clock_gettime(CLOCK_MONOTONIC, &now)
    guard unsafe wasRequested else {
      unsafe requested = now
      unsafe wasRequested = true
      return
    }
    let passed = unsafe (now.tv_sec - requested.tv_sec) * 1000 + (now.tv_nsec - requested.tv_nsec) / 1_000_000
    if passed >= repetitionMilliseconds { terminate(signal) }
  }

  /// Installs a handler. Without SA_RESTART, so that a blocking call returns.
  ///
  /// The handler stays installed, and blocks all signals while it runs: under the default action a second signal would
  /// terminate the program before the handler of the first has removed the incomplete file.
  private static func set(_ number: Int32, _ handler: @escaping @convention(c) (Int32) -> Void) {
    var action = sigaction()
    #if canImport(Darwin)
      unsafe action.__sigaction_u.__sa_handler = handler
    #else
      unsafe action.__sigaction_handler.sa_handler = handler
    #endif
    _ = unsafe sigfillset(&action.sa_mask)
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
