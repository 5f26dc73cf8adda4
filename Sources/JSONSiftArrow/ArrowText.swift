import JSONSift

/// Conversions from the text of JSON values to the numbers in Arrow columns. Each returns `nil` instead of a rounded value.
enum ArrowText {
  // Forced inlining in this file saves 0.5 % of `jsift records --format arrow` with four columns.
  @inline(__always)
  static func int64(_ text: UnsafeRawBufferPointer) -> Int64? {
    // Up to 18 digits do not overflow.
    let isNegative = unsafe text.first == UInt8(ascii: "-")
    var index = isNegative ? 1 : 0
    guard index < text.count, text.count <= 18 else { return unsafe NumberBytes.exactly(Int64.self, text) }
    var value: Int64 = 0
    while index < text.count {
      let digit = unsafe text[index] &- UInt8(ascii: "0")
      guard digit < 10 else { return unsafe NumberBytes.exactly(Int64.self, text) }
      value = value &* 10 &+ Int64(digit)
      index &+= 1
    }
    return isNegative ? 0 &- value : value
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

  /// Returns the nearest Double; `nil` if that is infinite. Zero keeps its sign, however it is spelled.
  static func float64(_ text: UnsafeRawBufferPointer) -> Double? {
    let double = unsafe NumberBytes.double(text)
    guard double.isFinite else { return nil }
    return unsafe double == 0 && text.first == UInt8(ascii: "-") ? -0.0 : double
  }

  /// Returns the days since 1970 of a string such as `"2026-01-31"`.
  static func day(_ text: UnsafeRawBufferPointer) -> Int32? {
    guard text.count >= 12, unsafe text[text.count - 1] == UInt8(ascii: "\"") else { return nil }
    let inside = unsafe UnsafeRawBufferPointer(rebasing: text[1..<(text.count - 1)])
    if inside.count == 10 { return unsafe day(inside: inside) }
    guard unsafe inside.firstOffset(of: UInt8(ascii: "\\")) != nil else { return nil }
    return unsafe EscapedText.withDecoded(inside) { unsafe $0.count == 10 ? day(inside: $0) : nil }
  }

  private static func day(inside text: UnsafeRawBufferPointer) -> Int32? {
    unsafe InternetTime.day(text, from: 0).map { Int32(truncatingIfNeeded: $0) }
  }

  /// The number of decimal places of a second in a unit of timestamps.
  enum Places: Int {
    case milliseconds = 3
    case microseconds = 6
    case nanoseconds = 9
  }

  /// Returns the time since 1970 of a string of RFC 3339 (section 5.6), or of another spelling with an offset from UTC.
  static func timestamp(_ text: UnsafeRawBufferPointer, _ places: Places) -> Int64? {
    var known = InternetTime.LastDay()
    return unsafe timestamp(text, places, &known)
  }

  /// - Parameter known: The date that was read last. The date of this text replaces it.
  @inline(__always)
  static func timestamp(
    _ text: UnsafeRawBufferPointer, _ places: Places, _ known: inout InternetTime.LastDay
  ) -> Int64? {
    guard text.count >= 2, unsafe text[text.count - 1] == UInt8(ascii: "\"") else { return nil }
    let inside = unsafe UnsafeRawBufferPointer(rebasing: text[1..<(text.count - 1)])
    guard let time = unsafe InternetTime(inside, &known) else { return unsafe otherTimestamp(inside, places) }
    return unsafe units(time, inside, places.rawValue)
  }

  /// Returns the time of a string with another spelling, or with escapes.
  private static func otherTimestamp(_ inside: UnsafeRawBufferPointer, _ places: Places) -> Int64? {
    func plain(_ text: UnsafeRawBufferPointer) -> Int64? {
      guard let (time, isLocal) = unsafe InternetTime.loose(text), !isLocal else { return nil }
      return unsafe units(time, text, places.rawValue)
    }
    guard unsafe inside.firstOffset(of: UInt8(ascii: "\\")) != nil else { return unsafe plain(inside) }
    return unsafe EscapedText.withDecoded(inside, plain)
  }

  /// Returns the time with a number of decimal places; `nil` if it has a nonzero digit after these, or does not fit.
  @inline(__always)
  private static func units(_ time: InternetTime, _ text: UnsafeRawBufferPointer, _ places: Int) -> Int64? {
    var (fraction, scale) = (0 as Int64, 1 as Int64)
    for index in time.fraction {
      let digit = unsafe Int64(text[index] &- UInt8(ascii: "0"))
      if index &- time.fraction.lowerBound < places {
        fraction = fraction &* 10 &+ digit
      } else if digit != 0 {
        return nil
      }
    }
    for _ in min(time.fraction.count, places)..<places { fraction = fraction &* 10 }
    for _ in 0..<places { scale = scale &* 10 }
    let (units, overflows) = time.seconds.multipliedReportingOverflow(by: scale)
    let (sum, isTooLarge) = units.addingReportingOverflow(fraction)
    return overflows || isTooLarge ? nil : sum
  }

  /// Returns the time of a number of units since 1970; `nil` if it is not a whole number with these places, or does not fit.
  static func timestamp(number text: UnsafeRawBufferPointer, _ unit: JSONTimeUnit, _ places: Places) -> Int64? {
    // An Int64 has at most 19 digits.
    unsafe decimal(text, 19, places.rawValue - unit.decimalPlaces).flatMap { Int64(exactly: $0) }
  }
}
