import ArgumentParser
import JSONSift

/// The limit of open files, `ulimit -n`.
enum DescriptorLimit {
  /// The descriptors besides those of the inputs: the standard ones, output files, and those of the system's libraries.
  private static let others = 16

  /// Raises the limit, if that is needed to have a number of inputs open. If the system forbids it, ends the run with a message.
  static func allow(_ count: Int) throws {
    var limit = rlimit()
    let needed = rlim_t(count + others)
    guard unsafe getrlimit(resource, &limit) == 0, limit.rlim_cur < needed else { return }
    let given = limit.rlim_cur
    limit.rlim_cur = min(limit.rlim_max, needed)
    guard limit.rlim_cur >= needed, unsafe setrlimit(resource, &limit) == 0 else {
      throw failure(
        "expected at most \(Int(max(limit.rlim_max, given)) - others) files, found \(count), because of the limit of open files; "
          + "raise it with ulimit -n, or merge some of the files first")
    }
  }

  #if canImport(Glibc)
    private static let resource = __rlimit_resource_t(UInt32(RLIMIT_NOFILE.rawValue))
  #else
    private static let resource = RLIMIT_NOFILE
  #endif
}
