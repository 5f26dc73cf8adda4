/// The limit of the stack size, `ulimit -s`. A stack that exceeds it ends the program with SIGSEGV and without a
/// message.
///
/// SAFETY: static variables are set once, before a second thread exists.
enum StackLimit {
  /// More than the program uses: a debug build, which uses the most stack, runs with 192 KiB but not with 128 KiB.
  private static let needed: rlim_t = 1 << 18

  /// Whether threads have enough stack: their size depends on the limit with which the program was started.
  nonisolated(unsafe) private(set) static var isEnoughForThreads = true

  /// Raises a limit that is too low. If the system forbids it, ends the program with a message and the error status.
  /// Nothing before this call may need much stack.
  static func raise() {
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < needed else { return }
    let given = limit.rlim_cur
    unsafe isEnoughForThreads = false
    limit.rlim_cur = min(limit.rlim_max, needed * 16)
    guard limit.rlim_cur >= needed, unsafe setrlimit(resource, &limit) == 0 else {
      RawMessage.put("jsift: expected a stack of at least ")
      RawMessage.put(UInt(needed / 1024))
      RawMessage.put(" KiB, found a limit of ")
      RawMessage.put(UInt(given / 1024))
      RawMessage.put(" KiB; raise it with ulimit -s\n")
      _exit(Status.failed)
    }
  }

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(UInt32(RLIMIT_STACK.rawValue))
  #else
    private static let resource = RLIMIT_STACK
  #endif
}
