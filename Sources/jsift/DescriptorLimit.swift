import ArgumentParser
import JSONSift

/// The limit of open files, `ulimit -n`.
enum DescriptorLimit {
  /// The descriptors besides those of the inputs: the standard ones, output files, and those of the system's libraries.
  private static let others = 16
  /// The number that is requested for them: the program may have been started with others that are open.
  private static let wantedOthers = 1000

  /// Raises the limit, if that is needed to have a number of inputs open. If the system forbids it, ends the run with a message.
  static func allow(_ count: Int) throws {
    var limit = rlimit()
    let needed = rlim_t(count + others)
    let wanted = rlim_t(count + wantedOthers)
    guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < wanted else { return }
    let given = limit.rlim_cur
    limit.rlim_cur = min(limit.rlim_max, wanted)
    let isRaised = unsafe setrlimit(resource, &limit) == 0
    guard isRaised && limit.rlim_cur >= needed || given >= needed else {
      let possible = max(Int(clamping: isRaised ? limit.rlim_cur : given) - others, 0)
      throw failure(
        "expected at most \(possible) files, found \(count), because of the limit of open files; "
          + "raise it with ulimit -n, or merge some of the files first")
    }
  }

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
  #else
    private static let resource = RLIMIT_NOFILE
  #endif
}
