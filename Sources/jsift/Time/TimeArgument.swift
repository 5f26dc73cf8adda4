import JSONSift

/// Reads the times of the command line.
///
/// - A time of RFC 3339, or a number since 1970, as in records.
/// - A date, or a date and time, in a time zone: `2026-11-24`, `2026-11`, `2026-11-24 14:00`, `2026-11-24T14:00:05.5`. A month
///   is the start of its first day.
/// - Relative to the current time: `now`, `-15m`, `-1h30m`, `today`, `yesterday 14:00`.
struct TimeArgument {
  let zone: LocalZone
  let unit: JSONTimeUnit?
  /// The current time; `nil` if times cannot be relative to it.
  var now: Instant?

  /// The times that are accepted, for messages.
  static let examples =
    "a time such as 2026-11-24T14:00:00Z, '2026-11-24 14:00', 1764072000, -15m, now, today or 'yesterday 14:00'"
  /// The times that are accepted if they cannot be relative.
  static let absoluteExamples = "a time such as 2026-11-24T14:00:00Z, '2026-11-24 14:00' or 1764072000"

  /// Returns `nil` for a text that is not a time.
  func instant(_ text: String) -> Instant? {
    if let time = Instant(bound: text, unit) { return time }
    if let now {
      if text == "now" { return now }
      if text.hasPrefix("-") { return Timespan.attoseconds(String(text.dropFirst())).map { now.adding(-$0) } }
      for (word, days) in [("today", 0), ("yesterday", -1)] where text.hasPrefix(word) {
        let midnight = zone.local(of: now).adding(Int128(days) * 86_400 * Instant.attosecondsPerSecond)
        return local(date: String(midnight.text.prefix(10)), time: text.dropFirst(word.count))
      }
    }
    if text.utf8.count == 7 { return local(date: text + "-01", time: "") }
    return local(date: String(text.prefix(10)), time: text.dropFirst(10))
  }

  /// Returns the time of a date and a time of day in the zone.
  ///
  /// - Parameter time: Empty for midnight, otherwise a separator and `HH:MM`, `HH:MM:SS`, or that with decimal places.
  private func local(date: String, time: Substring) -> Instant? {
    guard let separator = time.first else { return local(date + "T00:00:00Z") }
    guard separator == " " || separator == "T" || separator == "t" else { return nil }
    let clock = time.dropFirst()
    guard clock.last != " " else { return nil }
    return local(date + "T" + clock + (clock.utf8.count == 5 ? ":00Z" : "Z"))
  }

  private func local(_ text: String) -> Instant? { Instant(bound: text, nil).map { zone.instant(ofLocal: $0) } }
}

/// A length of time, such as `5s`, `2m` or `1h30m`.
enum Timespan {
  static let examples = "a length of time \(samples)"
  static let samples = "such as 500ms, 5s, 2m, 1h30m or 3d"

  private static let units: [(name: String, attoseconds: Int128)] = [
    ("ns", 1_000_000_000), ("us", 1_000_000_000_000), ("ms", 1_000_000_000_000_000),
    ("s", Instant.attosecondsPerSecond), ("m", 60 * Instant.attosecondsPerSecond),
    ("h", 3600 * Instant.attosecondsPerSecond), ("d", 86_400 * Instant.attosecondsPerSecond),
    ("w", 604_800 * Instant.attosecondsPerSecond),
  ]

  /// The maximum of a part, about 32 million years: adding it to a time does not overflow.
  private static let longest = 1_000_000_000_000_000 * Instant.attosecondsPerSecond

  /// Returns `nil` for a text that is not a length of time. A day has 24 hours.
  static func attoseconds(_ text: String) -> Int128? {
    var rest = text.utf8[...]
    var sum: Int128 = 0
    repeat {
      let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
      rest = rest.dropFirst(digits.count)
      let name = rest.prefix { UInt8(ascii: "a")...UInt8(ascii: "z") ~= $0 }
      rest = rest.dropFirst(name.count)
      guard let number = Int(digits: Substring(digits)),
        let unit = units.first(where: { $0.name == String(Substring(name)) })
      else { return nil }
      let (part, overflows) = Int128(number).multipliedReportingOverflow(by: unit.attoseconds)
      guard !overflows, part <= longest, sum <= longest else { return nil }
      sum += part
    } while !rest.isEmpty
    return sum
  }

  /// Returns the text of a positive length that ``attoseconds(_:)`` reads, in its longest unit: `90s`.
  static func text(_ length: Int128) -> String {
    let unit = units.last { length % $0.attoseconds == 0 } ?? units[0]
    return "\(length / unit.attoseconds)\(unit.name)"
  }
}
