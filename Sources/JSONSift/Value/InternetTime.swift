/// A date and time of RFC 3339 (section 5.6), found in a text: `2026-01-31T23:59:59.5+01:00`. `t`, `z` and a space instead of
/// `T` are accepted, and so are the other spellings that logs have: a comma for the point, no seconds, a space before the
/// offset, an offset such as `+0100`, `+01` or `UTC`, or none. A leap second is not a time.
package struct InternetTime {
  /// The seconds since 1970 in UTC, without the fraction. Those of a local time are the seconds of a clock.
  package let seconds: Int64
  /// The indexes of the digits of the fraction. It is not negative, also before 1970.
  package let fraction: Range<Int>
  /// Whether the time has no offset from UTC.
  package let isLocal: Bool

  /// Returns `nil` unless all of the text is a time.
  package init?(_ text: UnsafeRawBufferPointer) {
    guard text.count >= 16, let day = unsafe Self.day(text, from: 0),
      unsafe text[10] | 0x20 == ASCII.lowerT || text[10] == ASCII.space,
      let hour = unsafe Self.number(text, 11, 2), hour < 24, unsafe text[13] == ASCII.colon,
      let minute = unsafe Self.number(text, 14, 2), minute < 60
    else { return nil }
    func byte(_ index: Int) -> UInt8 { index < text.count ? unsafe text[index] : 0 }
    var (index, second) = (16, 0)
    var digits = index..<index
    if byte(index) == ASCII.colon {
      guard let found = unsafe Self.number(text, index + 1, 2), found < 60 else { return nil }
      second = found
      index += 3
      if byte(index) == ASCII.dot || byte(index) == ASCII.comma {
        let start = index + 1
        index = start
        while byte(index).isDigit { index += 1 }
        guard index > start else { return nil }
        digits = start..<index
      }
    }
    isLocal = index == text.count
    var offset = 0
    if !isLocal {
      if byte(index) == ASCII.space { index += 1 }
      guard let found = unsafe Self.offset(text, from: index) else { return nil }
      offset = found
    }
    fraction = digits
    // Years have four digits, so nothing overflows.
    seconds = Int64(day) * 86_400 + Int64(hour * 3600 + minute * 60 + second - offset)
  }

  /// Returns the seconds of an offset from UTC, which ends the text: `Z`, `UTC`, `GMT`, `+01:00`, `+0100` or `+01`.
  private static func offset(_ text: UnsafeRawBufferPointer, from index: Int) -> Int? {
    let count = text.count - index
    guard count > 0 else { return nil }
    let first = unsafe text[index]
    if first | 0x20 == ASCII.lowerZ { return count == 1 ? 0 : nil }
    if unsafe text[index...].elementsEqual("UTC".utf8) || text[index...].elementsEqual("GMT".utf8) { return 0 }
    guard first == ASCII.plus || first == ASCII.minus, let hours = unsafe number(text, index + 1, 2), hours < 24 else {
      return nil
    }
    var minutes = 0
    if count > 3 {
      let colon = unsafe text[index + 3] == ASCII.colon ? 1 : 0
      guard count == 5 + colon, let found = unsafe number(text, index + 3 + colon, 2), found < 60 else {
        return nil
      }
      minutes = found
    }
    let seconds = hours * 3600 + minutes * 60
    return first == ASCII.minus ? -seconds : seconds
  }

  /// Returns the days since 1970 of `YYYY-MM-DD` at an index, with at least ten bytes from there on.
  package static func day(_ text: UnsafeRawBufferPointer, from index: Int) -> Int? {
    guard let year = unsafe number(text, index, 4), unsafe text[index + 4] == ASCII.minus,
      let month = unsafe number(text, index + 5, 2), 1...12 ~= month, unsafe text[index + 7] == ASCII.minus,
      let day = unsafe number(text, index + 8, 2), day >= 1
    else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let length = month == 2 ? (isLeap ? 29 : 28) : month == 4 || month == 6 || month == 9 || month == 11 ? 30 : 31
    guard day <= length else { return nil }
    // Years are counted from March, so that a leap day is the last day of its year.
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted + 400) / 400 - 1
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    // The first day of era 0 is 719,468 days before 1970.
    return era * 146_097 + dayOfEra - 719_468
  }

  /// Returns the date of a number of days since 1970, as ``day(_:from:)`` counts them.
  static func date(ofDay day: Int) -> (year: Int, month: Int, day: Int) {
    let shifted = day + 719_468
    let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let monthFromMarch = (5 * dayOfYear + 2) / 153
    let month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
    )
  }

  private static func number(_ text: UnsafeRawBufferPointer, _ start: Int, _ count: Int) -> Int? {
    guard start + count <= text.count else { return nil }
    var value = 0
    for index in start..<(start + count) {
      guard unsafe text[index].isDigit else { return nil }
      value = unsafe value * 10 + Int(text[index] &- ASCII.zero)
    }
    return value
  }
}
