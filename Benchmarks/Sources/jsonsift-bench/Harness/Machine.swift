import CRawYajl
import Foundation

/// The facts without which a figure says nothing.
enum Machine {
  static var facts: [(name: String, value: String)] {
    let yajl = Int(raw_yajl_version())
    return [
      ("processor", processor),
      ("cores", "\(ProcessInfo.processInfo.activeProcessorCount)"),
      ("load", load),
      ("system", ProcessInfo.processInfo.operatingSystemVersionString),
      ("Swift", swift),
      ("libyajl", "\(yajl / 10000).\(yajl / 100 % 100).\(yajl % 100)"),
    ]
  }

  static var isDebugBuild: Bool {
    var isDebug = false
    assert(
      {
        isDebug = true
        return true
      }())
    return isDebug
  }

  private static var processor: String {
    #if canImport(Darwin)
      // Darwin has no /proc.
      var size = 0
      guard sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0) == 0 else { return "unknown" }
      var name = [UInt8](repeating: 0, count: size)
      guard sysctlbyname("machdep.cpu.brand_string", &name, &size, nil, 0) == 0 else { return "unknown" }
      return String(decoding: name.prefix { $0 != 0 }, as: UTF8.self)
    #else
      let text = (try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)) ?? ""
      // ARM kernels name no model, only numbers.
      for field in ["model name", "CPU part"] {
        guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(field) }) else { continue }
        return line.split(separator: ":").last.map { $0.trimmingCharacters(in: .whitespaces) } ?? "unknown"
      }
      return "unknown"
    #endif
  }

  /// Others on the machine spoil figures, so say how many there are.
  private static var load: String {
    var loads = [0.0]
    return getloadavg(&loads, 1) == 1 ? fixed(loads[0], 2) : "unknown"
  }

  /// `run` knows the compiler that it has called; the program itself knows only its language version.
  private static var swift: String {
    if let version = ProcessInfo.processInfo.environment["JSONSIFT_BENCH_SWIFT"] { return version }
    #if compiler(>=6.3)
      return "6.3 or later"
    #else
      return "6.2"
    #endif
  }
}
