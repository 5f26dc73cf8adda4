#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Dates in the format of RFC 3339.
enum InternetDate {
  /// Returns the date of a text, with or without a fraction of a second; `nil` if the text is not a date.
  static func date(_ text: String) -> Date? {
    var text = text
    if let date = text.withUTF8({ unsafe plain(UnsafeRawBufferPointer($0)) }) { return date }
    // Foundation parses the rare cases: other spellings, and years before 1600.
    if let date = try? Date.ISO8601FormatStyle().parse(text) { return date }
    return try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
  }

  /// Returns the date of an ``InternetTime`` that means the same to Foundation: a year from 1600 on, `T` and `Z` as capital
  /// letters, and at most nine digits of a fraction.
  private static func plain(_ text: UnsafeRawBufferPointer) -> Date? {
    guard let time = unsafe InternetTime(text), time.fraction.count <= 9,
      unsafe (text[0], text[1]) >= (ASCII.zero + 1, ASCII.zero + 6), unsafe text[10] == ASCII.upperT,
      unsafe text.last != ASCII.lowerZ
    else { return nil }
    var fraction = 0
    var scale = 1
    for index in time.fraction {
      fraction = unsafe fraction * 10 + Int(text[index] &- ASCII.zero)
      scale *= 10
    }
    let seconds = Double(time.seconds - referenceDate)
    return Date(timeIntervalSinceReferenceDate: seconds + Double(fraction) / Double(scale))
  }

  /// The reference date of Foundation, in seconds since 1970.
  private static let referenceDate: Int64 = 978_307_200

  /// Returns the nearest date of a time.
  static func date(_ time: Instant) -> Date {
    let (seconds, rest) = Instant.floorDivision(time.attoseconds, Instant.attosecondsPerSecond)
    let fraction = Double(rest) / Double(Instant.attosecondsPerSecond)
    return Date(timeIntervalSinceReferenceDate: Double(seconds - Int128(referenceDate)) + fraction)
  }

  /// Returns the text of a date in whole seconds.
  static func text(_ date: Date) -> String { date.formatted(.iso8601) }

  /// Returns the text of a date in UTC with a number of digits of a fraction, rounded to the nearest; `nil` outside the years
  /// 0 to 9999.
  static func text(_ date: Date, fractionDigits: Int) -> String? {
    let digits = min(max(fractionDigits, 0), 9)
    // Whole seconds and the rest are exact, so only the last digit is rounded.
    let whole = date.timeIntervalSinceReferenceDate.rounded(.down)
    guard let seconds = Int64(exactly: whole), abs(whole) < 1e12 else { return nil }
    var scale = 1.0
    for _ in 0..<digits { scale *= 10 }
    let ticks = Int128(((date.timeIntervalSinceReferenceDate - whole) * scale).rounded())
    let time = Instant(
      attoseconds: Int128(seconds + referenceDate) * Instant.attosecondsPerSecond
        + ticks * (Instant.attosecondsPerSecond / Int128(scale)))
    return time.isInCalendar ? time.text(places: digits) : nil
  }
}
