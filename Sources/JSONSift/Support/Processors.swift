/// The processors of the machine.
package enum Processors {
  /// The number of processors that are online; at least 1.
  static let online = max(OperatingSystem.processors, 1)

  /// The number of processors that this process may use (`taskset`, the processor set of a container); at least 1. With
  /// only one, a second thread would only take processor time from the first.
  package static let count = min(online, allowed ?? online)

  /// Returns a number of workers that a caller requests; the default is one for each processor.
  static func workers(_ count: Int?) -> Int { min(max(count ?? self.count, 1), 1 << 16) }

  /// The number of processors in the affinity mask of this process; `nil` if the system does not report it. It is read from
  /// `/proc`, because Swift does not import the function of the C library.
  private static var allowed: Int? {
    #if os(Linux)
      guard let status = start(of: "/proc/self/status") else { return nil }
      let name = Array("\nCpus_allowed:".utf8)
      guard let index = status.indices.first(where: { status[$0...].starts(with: name) }) else { return nil }
      // Hexadecimal digits in comma-separated groups, with one bit for each processor.
      let digits = status[(index + name.count)...].prefix { $0 != ASCII.lineFeed }
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
      // The list of user groups, which can be long, precedes that line.
      var bytes = [UInt8](repeating: 0, count: 1 << 16)
      let read = unsafe bytes.withUnsafeMutableBytes { unsafe File.readAll(file.descriptor, $0, at: 0) }
      return bytes.prefix(try read.get())
    } catch {
      return nil
    }
  }
}
