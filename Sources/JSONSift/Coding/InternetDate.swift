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
    let seconds = Double(time.seconds - 978_307_200)
    return Date(timeIntervalSinceReferenceDate: seconds + Double(fraction) / Double(scale))
  }

  /// Returns the text of a date in whole seconds.
  static func text(_ date: Date) -> String { date.formatted(.iso8601) }
}
