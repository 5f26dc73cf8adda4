#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Dates as RFC 3339 writes them.
enum InternetDate {
  /// The date, with or without a fraction of a second; nil if the text is none.
  static func date(_ text: String) -> Date? {
    var text = text
    if let date = text.withUTF8({ unsafe plain(UnsafeRawBufferPointer($0)) }) { return date }
    // What is rare is Foundation's: other spellings, and the years before its calendar is ours.
    if let date = try? Date.ISO8601FormatStyle().parse(text) { return date }
    return try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text)
  }

  /// `2025-03-01T08:30:00`, a fraction if there is one, and `Z` or `+01:00`.
  private static func plain(_ text: UnsafeRawBufferPointer) -> Date? {
    guard text.count >= 20, text.count <= 40 else { return nil }
    func digits(_ start: Int, _ count: Int) -> Int? {
      var value = 0
      for place in start..<(start + count) {
        let digit = unsafe text[place] &- ASCII.zero
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
    var place = 19
    var fraction = 0.0
    if unsafe text[place] == ASCII.dot {
      var value = 0
      var scale = 1
      place += 1
      while place < text.count, unsafe text[place].isDigit {
        guard scale < 1_000_000_000 else { return nil }
        value = unsafe value * 10 + Int(text[place] &- ASCII.zero)
        scale *= 10
        place += 1
      }
      guard scale > 1 else { return nil }
      fraction = Double(value) / Double(scale)
    }
    guard place < text.count else { return nil }
    var zone = 0
    let sign = unsafe text[place]
    if sign == 0x5A {
      guard place + 1 == text.count else { return nil }
    } else {
      guard sign == ASCII.plus || sign == ASCII.minus, place + 6 == text.count, let hours = digits(place + 1, 2),
        unsafe text[place + 3] == ASCII.colon, let minutes = digits(place + 4, 2), hours < 24, minutes < 60
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

  /// Days since 1970-01-01, counted in years that begin in March: then the odd day is the last.
  private static func dayNumber(_ year: Int, _ month: Int, _ day: Int) -> Int {
    let shifted = month > 2 ? year : year - 1
    let era = shifted / 400
    let ofEra = shifted % 400
    let ofYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    return era * 146_097 + ofEra * 365 + ofEra / 4 - ofEra / 100 + ofYear - 719_468
  }

  /// The text of a date, without a fraction.
  static func text(_ date: Date) -> String { date.formatted(.iso8601) }
}
