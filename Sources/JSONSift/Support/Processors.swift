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
  static let online = max(Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))), 1)

  /// How many of them this process may use (`taskset`, a container's set of processors); at least 1. On one alone a second
  /// thread only takes time from the first.
  static let count = min(online, allowed ?? online)

  /// What the system says of that, if it does. The call of the C library is not among those that Swift sees.
  private static var allowed: Int? {
    #if os(Linux)
      guard let status = start(of: "/proc/self/status") else { return nil }
      let name = Array("\nCpus_allowed:".utf8)
      guard let place = status.indices.first(where: { status[$0...].starts(with: name) }) else { return nil }
      // Hexadecimal digits, in groups: a bit for each processor.
      let digits = status[(place + name.count)...].prefix { $0 != ASCII.lineFeed }
      let bits = digits.reduce(0) { count, byte in
        count + (Int(String(UnicodeScalar(byte)), radix: 16)?.nonzeroBitCount ?? 0)
      }
      return bits > 0 ? bits : nil
    #else
      return nil
    #endif
  }

  private static func start(of path: String) -> ArraySlice<UInt8>? {
    do {
      let file = try File(path: Array(path.utf8))
      // A process in many groups has a long list of them before that line.
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      var count = 0
      while count < bytes.count {
        let more = try unsafe bytes.withUnsafeMutableBytes {
          try unsafe file.read(into: UnsafeMutableRawBufferPointer(rebasing: $0[count...]))
        }
        if more == 0 { break }
        count += more
      }
      return bytes.prefix(count)
    } catch {
      return nil
    }
  }
}
