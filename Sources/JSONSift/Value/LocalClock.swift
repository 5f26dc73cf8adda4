/// Finds the time at which a clock shows a date and time without an offset from UTC.
package final class LocalClock: Sendable, Hashable {
  /// The name of its time zone.
  package let name: String
  /// Returns the time at which it shows a date and time, which is stored as a time in UTC.
  let instant: @Sendable (_ local: Instant) -> Instant

  package init(_ name: String, instant: @escaping @Sendable (_ local: Instant) -> Instant) {
    self.name = name
    self.instant = instant
  }

  package static func == (left: LocalClock, right: LocalClock) -> Bool { left.name == right.name }
  package func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

/// Digits that are a date to a reader, and would be a number of seconds since 1970: `2026`, `202611`, `20261126`,
/// `20261126140000`.
package struct DigitsOfDate {
  /// The date, as RFC 3339 spells it.
  package let date: String
  private let digits: String

  /// Returns `nil` for any other text.
  package init?(_ text: String) {
    let utf8 = Array(text.utf8)
    guard [4, 6, 8, 12, 14].contains(utf8.count), utf8.allSatisfy({ $0.isDigit }) else { return nil }
    func number(_ start: Int, or missing: Int) -> Int {
      start < utf8.count ? Int(utf8[start] - ASCII.zero) * 10 + Int(utf8[start + 1] - ASCII.zero) : missing
    }
    guard 19...21 ~= number(0, or: 0), 1...12 ~= number(4, or: 1), 1...31 ~= number(6, or: 1),
      number(8, or: 0) < 24, number(10, or: 0) < 60, number(12, or: 0) < 60
    else { return nil }
    func part(_ start: Int, _ count: Int, or missing: String) -> String {
      start < utf8.count ? String(decoding: utf8[start..<(start + count)], as: UTF8.self) : missing
    }
    let day = part(0, 4, or: "") + "-" + part(4, 2, or: "01") + "-" + part(6, 2, or: "01")
    guard unsafe Array(day.utf8).withUnsafeBytes({ unsafe InternetTime.day($0, from: 0) }) != nil else { return nil }
    digits = text
    let time = "T" + part(8, 2, or: "") + ":" + part(10, 2, or: "") + ":" + part(12, 2, or: "00")
    date = day + (utf8.count > 8 ? time : "")
  }

  /// The message for a bound.
  package func ambiguity(_ unit: JSONTimeUnit?) -> String {
    let number = Instant(bound: digits + ".0", unit).map { " (\($0.text))" } ?? ""
    return
      "expected a date or a number, found digits that can be both: write \(date) for the date, \(digits).0 for the number "
      + "of \(unit?.rawValue ?? "seconds or of other units") since 1970\(number)"
  }
}
