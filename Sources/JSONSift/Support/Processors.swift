#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The machine's cores.
enum Processors {
  /// How many are on; at least 1.
  static let count = max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)
}
