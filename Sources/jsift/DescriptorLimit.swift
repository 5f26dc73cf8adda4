/// The limit of open files, `ulimit -n`.
enum DescriptorLimit {
  /// The descriptors besides those of the inputs: the standard ones, output files, and those of the system's libraries.
  private static let others = 16

  /// Raises the limit, if that is needed to have a number of inputs open. If the system forbids it, ends the run with a message.
  ///
  /// - Parameters:
  ///   - room: The number of others that is requested: the program may have been started with some that are open.
  ///   - advice: What can be done instead of raising the limit.
  static func allow(_ count: Int, room: Int = 1000, else advice: String = "merge some of the files first") throws {
    raise(for: count, room: room)
    let possible = possible
    guard possible < count else { return }
    throw failure(
      "expected at most \(possible) files, found \(count), because of the limit of open files; "
        + "raise it with ulimit -n, or \(advice)")
  }

  /// Raises the limit for a number of inputs, as far as the system permits.
  ///
  /// - Parameter room: See `allow`.
  static func raise(for count: Int, room: Int = 1000) {
    var limit = rlimit()
    let wanted = rlim_t(count + room)
    guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
    limit.rlim_cur = min(limit.rlim_max, wanted)
    _ = unsafe setrlimit(resource, &limit)
  }

  /// The number of inputs that can be open at present.
  static var possible: Int {
    var limit = rlimit()
    guard unsafe getrlimit(resource, &limit) == 0 else { return .max }
    return max(Int(clamping: limit.rlim_cur) - others, 1)
  }

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
  #else
    private static let resource = RLIMIT_NOFILE
  #endif
}
