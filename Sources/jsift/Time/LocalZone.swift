import JSONSift

/// The time zone of dates on the command line. The C library reads the system's zone data.
struct LocalZone: Sendable {
  /// The name, for messages.
  let name: String

  /// The zone of the system, or of the environment variable TZ.
  static let system = LocalZone(name: "the zone of the system")

  private init(name: String) { self.name = name }

  /// Selects a zone by its IANA name, for the whole process. Returns `nil` if the system has no data for it.
  init?(named name: String) {
    guard name == "UTC" || Self.hasData(for: name) else { return nil }
    self.name = name
    // The C library knows the name UTC even if the system has no zone data.
    _ = unsafe setenv("TZ", name, 1)
    tzset()
  }

  /// The folders in which systems keep zone data.
  private static let folders = ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo"]

  private static func hasData(for name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    let isName = parts.allSatisfy { part in
      !part.isEmpty && part.utf8.first != UInt8(ascii: ".") && part.utf8.allSatisfy { isNameByte($0) }
    }
    guard isName else { return false }
    let folder = unsafe getenv("TZDIR").map { unsafe String(cString: $0) }
    return (folder.map { [$0] } ?? folders).contains { isZoneData("\($0)/\(name)") }
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
      || [UInt8(ascii: "_"), UInt8(ascii: "-"), UInt8(ascii: "+")].contains(byte)
  }

  /// Returns whether a file begins as files of zone data do (RFC 8536).
  private static func isZoneData(_ path: String) -> Bool {
    guard let file = unsafe fopen(path, "rb") else { return false }
    defer { unsafe _ = fclose(file) }
    var magic: [UInt8] = [0, 0, 0, 0]
    let count = unsafe fread(&magic, 1, magic.count, file)
    return count == magic.count && magic == Array("TZif".utf8)
  }

  /// Returns the time at which a clock in the zone shows a date and time.
  ///
  /// - Parameter local: The date and time that the clock shows, stored as a time in UTC. If the clock shows it twice,
  ///   the result is the first time; if the clock skips it, the result is computed with the offset before the change.
  func instant(ofLocal local: Instant) -> Instant {
    let day: Int128 = 86_400 * Instant.attosecondsPerSecond
    let (before, after) = (offset(at: local.adding(-day)), offset(at: local.adding(day)))
    let candidates = [before, after].map { local.adding(-$0) }.sorted()
    let found = candidates.first { $0.adding(offset(at: $0)) == local }
    return found ?? local.adding(-before)
  }

  /// A clock in the zone; `nil` for UTC.
  var clock: LocalClock? { name == "UTC" ? nil : LocalClock(name) { instant(ofLocal: $0) } }

  /// Returns the date and time that a clock in the zone shows at an instant, stored as a time in UTC.
  func local(of instant: Instant) -> Instant { instant.adding(offset(at: instant)) }

  /// Returns the attoseconds by which the zone is ahead of UTC at a time; 0 if the C library cannot represent the time.
  private func offset(at instant: Instant) -> Int128 {
    // Rounded towards 0, which is the same second unless the offset changes at 1970-01-01T00:00:00Z.
    guard var seconds = time_t(exactly: instant.attoseconds / Instant.attosecondsPerSecond) else { return 0 }
    var parts = unsafe tm()
    guard unsafe localtime_r(&seconds, &parts) != nil else { return 0 }
    // Not all systems have the offset as a field of the structure.
    let shown = unsafe timegm(&parts)
    return (Int128(shown) - Int128(seconds)) * Instant.attosecondsPerSecond
  }
}

extension Instant {
  /// The current time.
  static var now: Instant {
    var time = timespec()
    _ = unsafe clock_gettime(CLOCK_REALTIME, &time)
    return Instant(attoseconds: Int128(time.tv_sec) * attosecondsPerSecond + Int128(time.tv_nsec) * 1_000_000_000)
  }
}
