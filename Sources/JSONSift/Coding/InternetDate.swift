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

  /// Parses `2025-03-01T08:30:00`, an optional fraction, and `Z` or an offset such as `+01:00`.
  private static func plain(_ text: UnsafeRawBufferPointer) -> Date? {
    guard text.count >= 20, text.count <= 40 else { return nil }
    func digits(_ start: Int, _ count: Int) -> Int? {
      var value = 0
      for index in start..<(start + count) {
        let digit = unsafe text[index] &- ASCII.zero
        guard digit <= 9 else { return nil }
        value = value * 10 + Int(digit)
      }
      return value
    }
    guard let year = digits(0, 4), unsafe text[4] == ASCII.minus, let month = digits(5, 2),
      unsafe text[7] == ASCII.minus, let day = digits(8, 2), unsafe text[10] == 0x54, let hour = digits(11, 2),
      unsafe text[13] == ASCII.colon, let minute = digits(14, 2), unsafe text[16] == ASCII.colon,
      let second = digits(17, 2)
    else { return nil }
    guard year >= 1600, 1...12 ~= month, 1...days(year, month) ~= day, hour < 24, minute < 60, second < 60 else {
      return nil
    }
    var offset = 19
    var fraction = 0.0
    if unsafe text[offset] == ASCII.dot {
      var value = 0
      var scale = 1
      offset += 1
      while offset < text.count, unsafe text[offset].isDigit {
        guard scale < 1_000_000_000 else { return nil }
        value = unsafe value * 10 + Int(text[offset] &- ASCII.zero)
        scale *= 10
        offset += 1
      }
      guard scale > 1 else { return nil }
      fraction = Double(value) / Double(scale)
    }
    guard offset < text.count else { return nil }
    var zone = 0
    let sign = unsafe text[offset]
    if sign == 0x5A {
      guard offset + 1 == text.count else { return nil }
    } else {
      guard sign == ASCII.plus || sign == ASCII.minus, offset + 6 == text.count, let hours = digits(offset + 1, 2),
        unsafe text[offset + 3] == ASCII.colon, let minutes = digits(offset + 4, 2), hours < 24, minutes < 60
      else { return nil }
      zone = (hours * 60 + minutes) * (sign == ASCII.minus ? -60 : 60)
    }
    let seconds = (dayNumber(year, month, day) * 24 + hour) * 3600 + minute * 60 + second - zone
    return Date(timeIntervalSinceReferenceDate: Double(seconds - 978_307_200) + fraction)
  }

  private static func days(_ year: Int, _ month: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  /// Returns the days since 1970-01-01. The years of the computation begin in March, so that a leap day is the last
  /// day.
  private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let ofEra = shifted % 400
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }

  /// Returns the text of a date in whole seconds.
  static func text(_ date: Date) -> String { date.formatted(.iso8601) }
}
