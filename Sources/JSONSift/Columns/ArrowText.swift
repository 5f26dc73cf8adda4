/// Conversions from the text of JSON values to the numbers in Arrow columns. Each returns `nil` instead of a rounded value.
enum ArrowText {
  @inline(__always)
  static func int64(_ text: UnsafeRawBufferPointer) -> Int64? {
    // Up to 18 digits do not overflow.
    let isNegative = unsafe text.first == ASCII.minus
    var index = isNegative ? 1 : 0
    guard index < text.count, text.count <= 18 else { return unsafe anyInt64(text) }
    var value: Int64 = 0
    while index < text.count {
      let digit = unsafe text[index] &- ASCII.zero
      guard digit < 10 else { return unsafe anyInt64(text) }
      value = value &* 10 &+ Int64(digit)
      index &+= 1
    }
    return isNegative ? 0 &- value : value
  }

  private static func anyInt64(_ text: UnsafeRawBufferPointer) -> Int64? {
    if let (isNegative, magnitude) = unsafe NumberBytes.integer(text) {
      guard isNegative else { return Int64(exactly: magnitude) }
      return magnitude <= UInt64(Int64.max) + 1 ? 0 &- Int64(truncatingIfNeeded: magnitude) : nil
    }
    return unsafe DecimalText(prefixOf: text)?.exactly(Int64.self)
  }

  /// Returns a number × 10^`scale`, if that is an integer with at most `precision` digits.
  static func decimal(_ text: UnsafeRawBufferPointer, _ precision: Int, _ scale: Int) -> Int128? {
    guard let number = unsafe DecimalText(prefixOf: text) else { return nil }
    guard !number.digits.isEmpty else { return 0 }
    let zeros = number.exponent + scale
    guard zeros >= 0, number.digits.count + zeros <= precision else { return nil }
    var value: Int128 = 0
    // At most 38 digits, which fit 127 bits.
    for digit in number.digits { value = value &* 10 &+ Int128(digit) }
    for _ in 0..<zeros { value = value &* 10 }
    return number.isNegative ? 0 &- value : value
  }

  /// Returns the days since 1970 of a string such as `"2026-01-31"`.
  static func day(_ text: UnsafeRawBufferPointer) -> Int32? {
    guard text.count == 12, unsafe text[11] == ASCII.quote else { return nil }
    return unsafe day(text, from: 1).map { Int32(truncatingIfNeeded: $0) }
  }

  /// The last date that was read, and its day: the times of a log have few different dates.
  struct LastDay {
    /// The quote and the date, as two words that overlap.
    fileprivate var first: UInt64 = 0
    fileprivate var last: UInt64 = 0
    fileprivate var day = 0
  }

  /// Returns the microseconds since 1970 of a string of RFC 3339 (section 5.6).
  static func microseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
    var known = LastDay()
    return unsafe microseconds(text, &known)
  }

  /// - Parameter known: A date that was read, which becomes that of this text.
  @inline(__always)
  static func microseconds(_ text: UnsafeRawBufferPointer, _ known: inout LastDay) -> Int64? {
    guard text.count >= 22, unsafe text[text.count - 1] == ASCII.quote else { return nil }
    // SAFETY: the text has 22 bytes.
    let (first, last, clock) = unsafe (
      text.loadUnaligned(as: UInt64.self), text.loadUnaligned(fromByteOffset: 3, as: UInt64.self),
      UInt64(littleEndian: text.loadUnaligned(fromByteOffset: 12, as: UInt64.self))
    )
    if first != known.first || last != known.last {
      guard let day = unsafe day(text, from: 1) else { return nil }
      known = LastDay(first: first, last: last, day: day)
    }
    guard unsafe text[11] | 0x20 == ASCII.lowerT || text[11] == ASCII.space, let seconds = secondOfDay(clock) else {
      return nil
    }
    var index = 20
    var fraction: Int64 = 0
    if unsafe text[index] == ASCII.dot {
      index += 1
      let start = index
      while index < text.count, unsafe text[index].isDigit {
        let digit = unsafe Int64(text[index] &- ASCII.zero)
        if index - start < 6 { fraction = fraction &* 10 &+ digit } else if digit != 0 { return nil }
        index += 1
      }
      guard index > start else { return nil }
      for _ in min(index - start, 6)..<6 { fraction = fraction &* 10 }
    }
    guard index < text.count, let offset = unsafe offset(text, from: index) else { return nil }
    // Years have four digits, so nothing overflows.
    return (Int64(known.day) &* 86_400 &+ Int64(seconds &- offset)) &* 1_000_000 &+ fraction
  }

  /// Returns the second of the day of the text `HH:MM:SS`, whose first character is the lowest byte.
  @inline(__always)
  private static func secondOfDay(_ clock: UInt64) -> Int? {
    // Digits become their values, and colons 0.
    let digits = clock ^ 0x3030_3A30_303A_3030
    // A larger byte gets its highest bit, or has it.
    guard ((digits &+ 0x7676_7F76_767F_7676) | digits) & 0x8080_8080_8080_8080 == 0 else { return nil }
    let pairs = digits &* 10 &+ digits &>> 8
    let (hour, minute, second) = (pairs & 0xFF, pairs &>> 24 & 0xFF, pairs &>> 48 & 0xFF)
    guard hour < 24, minute < 60, second < 60 else { return nil }
    return Int(hour &* 3600 &+ minute &* 60 &+ second)
  }

  /// Returns the seconds of an offset from UTC, which ends the string.
  private static func offset(_ text: UnsafeRawBufferPointer, from index: Int) -> Int? {
    if unsafe text[index] | 0x20 == 0x7A { return index + 2 == text.count ? 0 : nil }
    guard unsafe text[index] == ASCII.plus || text[index] == ASCII.minus, index + 7 == text.count,
      let hours = unsafe number(text, index + 1, 2), hours < 24, unsafe text[index + 3] == ASCII.colon,
      let minutes = unsafe number(text, index + 4, 2), minutes < 60
    else { return nil }
    let seconds = hours * 3600 + minutes * 60
    return unsafe text[index] == ASCII.minus ? -seconds : seconds
  }

  /// Returns the days since 1970 of `YYYY-MM-DD` at an index, with at least ten bytes from there on.
  private static func day(_ text: UnsafeRawBufferPointer, from index: Int) -> Int? {
    guard let year = unsafe number(text, index, 4), unsafe text[index + 4] == ASCII.minus,
      let month = unsafe number(text, index + 5, 2), 1...12 ~= month, unsafe text[index + 7] == ASCII.minus,
      let day = unsafe number(text, index + 8, 2), day >= 1
    else { return nil }
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    let lengths = [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
    guard day <= lengths[month - 1] else { return nil }
    // Years are counted from March, so that a leap day is the last day of its year.
    let shifted = month <= 2 ? year - 1 : year
    let era = (shifted + 400) / 400 - 1
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    // The first day of era 0 is 719,468 days before 1970.
    return era * 146_097 + dayOfEra - 719_468
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
