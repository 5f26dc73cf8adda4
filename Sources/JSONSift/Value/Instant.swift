/// A point in time: attoseconds (10^-18 seconds) since 1970 in UTC, rounded down.
///
/// A bound has at most nine decimal places, so it is an exact number of attoseconds in each unit. Rounding down therefore
/// changes no comparison of a time with a bound: `t >= bound` and `t < bound` have the same answers for the rounded time.
package struct Instant: Sendable, Hashable, Comparable {
  package let attoseconds: Int128

  package static let attosecondsPerSecond: Int128 = 1_000_000_000_000_000_000
  /// The number of decimal places of a second that are kept.
  private static let places = 18
  /// The largest number of digits before the decimal point of a number that is a time.
  private static let maxIntegerDigits = 20
  private static let maxBoundPlaces = 9

  package init(attoseconds: Int128) { self.attoseconds = attoseconds }

  package static func < (left: Instant, right: Instant) -> Bool { left.attoseconds < right.attoseconds }

  /// Returns the time that is later by a number of attoseconds.
  package func adding(_ attoseconds: Int128) -> Instant { Instant(attoseconds: self.attoseconds + attoseconds) }

  // MARK: JSON values

  /// Reads the text of a JSON value: a string of RFC 3339, or a number. Returns `nil` for any other value.
  ///
  /// - Parameter unit: The unit of numbers; `nil` if it is recognized by their size.
  package init?(json text: UnsafeRawBufferPointer, _ unit: JSONTimeUnit?) {
    guard let first = unsafe text.first else { return nil }
    if first == ASCII.quote {
      guard text.count >= 2 else { return nil }
      let inside = unsafe UnsafeRawBufferPointer(rebasing: text[1..<(text.count - 1)])
      if let time = unsafe Instant(internetTime: inside) {
        self = time
        return
      }
      // A string with escapes may spell a time, too.
      guard unsafe inside.contains(ASCII.backslash), let string = unsafe (try? JSON(parsing: text))?.string else {
        return nil
      }
      self.init(string: string)
    } else if first == ASCII.minus || first.isDigit {
      unsafe self.init(number: text, unit)
    } else {
      return nil
    }
  }

  /// Reads a value, as ``init(json:_:)`` does.
  init?(_ value: JSON, _ unit: JSONTimeUnit?) {
    var found: Instant?
    var isText = false
    unsafe value.lendRawBytes {
      isText = true
      found = unsafe Instant(json: $0, unit)
    }
    if !isText {
      if let string = value.string {
        found = Instant(string: string)
      } else if value.type == .number, var text = value.numberText {
        found = text.withUTF8 { unsafe Instant(number: UnsafeRawBufferPointer($0), unit) }
      }
    }
    guard let found else { return nil }
    self = found
  }

  private init?(string: String) {
    var string = string
    guard let time = string.withUTF8({ unsafe Instant(internetTime: UnsafeRawBufferPointer($0)) }) else { return nil }
    self = time
  }

  private init?(internetTime text: UnsafeRawBufferPointer) {
    guard let time = unsafe InternetTime(text) else { return nil }
    var fraction: Int64 = 0
    let known = time.fraction.prefix(Self.places)
    for index in known { fraction = unsafe fraction &* 10 &+ Int64(text[index] &- ASCII.zero) }
    if !known.isEmpty { for _ in known.count..<Self.places { fraction = fraction &* 10 } }
    attoseconds = Int128(time.seconds) * Self.attosecondsPerSecond + Int128(fraction)
  }

  /// Reads a number of units. Returns `nil` if it has more than 20 digits before its decimal point.
  private init?(number text: UnsafeRawBufferPointer, _ unit: JSONTimeUnit?) {
    if let (isNegative, magnitude) = unsafe NumberBytes.integer(text) {
      let unit = unit ?? .recognized(magnitude)
      // At most 20 digits, followed by at most 18 zeros.
      let value = Int128(magnitude) &* Self.power(unit.attosecondDigits)
      attoseconds = isNegative ? 0 &- value : value
      return
    }
    guard let number = unsafe DecimalText(prefixOf: text) else { return nil }
    guard !number.digits.isEmpty else {
      attoseconds = 0
      return
    }
    guard number.magnitude < Self.maxIntegerDigits else { return nil }
    let unit = unit ?? .recognized(integerDigits: number.magnitude + 1)
    let zeros = number.exponent + unit.attosecondDigits
    var value: Int128 = 0
    // At most 38 digits, which fit 127 bits.
    for digit in number.digits.prefix(max(number.digits.count + min(zeros, 0), 0)) {
      value = value &* 10 &+ Int128(digit)
    }
    if zeros > 0 { value = value &* Self.power(zeros) }
    // The last digit of the number is not zero, so a negative number with a digit cut off is below the truncated one.
    attoseconds = number.isNegative ? 0 &- value &- (zeros < 0 ? 1 : 0) : value
  }

  private static func power(_ count: Int) -> Int128 {
    var power: Int128 = 1
    for _ in 0..<count { power = power &* 10 }
    return power
  }

  // MARK: Bounds

  /// Reads a bound: a time of RFC 3339, or a decimal number without an exponent, with at most nine decimal places.
  package init?(bound text: String, _ unit: JSONTimeUnit?) {
    var text = text
    guard let bound = text.withUTF8({ unsafe Self.bound(UnsafeRawBufferPointer($0), unit) }) else { return nil }
    self = bound
  }

  private static func bound(_ text: UnsafeRawBufferPointer, _ unit: JSONTimeUnit?) -> Instant? {
    if let dot = unsafe text.firstIndex(of: ASCII.dot) {
      guard unsafe text[(dot + 1)...].prefix(while: { $0.isDigit }).count <= maxBoundPlaces else { return nil }
    }
    let digits = unsafe text.first == ASCII.minus ? text.dropFirst() : text[...]
    guard let first = unsafe digits.first, let last = unsafe digits.last, first.isDigit, last.isDigit,
      unsafe digits.allSatisfy({ $0.isDigit || $0 == ASCII.dot }), unsafe digits.count(where: { $0 == ASCII.dot }) <= 1
    else { return unsafe Instant(internetTime: text) }
    return unsafe Instant(number: text, unit)
  }

  // MARK: Text

  /// The time as RFC 3339 in UTC, with as many decimal places as it needs. Outside the years 0 to 9999, which RFC 3339
  /// cannot express, the seconds since 1970.
  package var text: String { text { fraction in fraction.trimmingZeros } }

  /// The same with a given number of decimal places, at most 18. Further places are cut off.
  package func text(places: Int) -> String { text { fraction in String(fraction.prefix(places)) } }

  /// - Parameter shown: Returns the decimal places to write, of all 18.
  private func text(_ shown: (_ fraction: String) -> String) -> String {
    let (seconds, fraction) = Self.floorDivision(attoseconds, Self.attosecondsPerSecond)
    let (dayNumber, second) = Self.floorDivision(seconds, 86_400)
    let places = shown(Self.digits(Int(fraction), Self.places))
    let fractionText = places.isEmpty ? "" : "." + places
    guard let day = Int(exactly: dayNumber), -719_528..<2_932_897 ~= day else {
      return "\(seconds)\(fractionText) seconds since 1970"
    }
    let date = InternetTime.date(ofDay: day)
    let time = Int(second)
    return Self.digits(date.year, 4) + "-" + Self.digits(date.month, 2) + "-" + Self.digits(date.day, 2) + "T"
      + Self.digits(time / 3600, 2) + ":" + Self.digits(time / 60 % 60, 2) + ":" + Self.digits(time % 60, 2)
      + fractionText + "Z"
  }

  private static func floorDivision(_ value: Int128, _ divisor: Int128) -> (quotient: Int128, remainder: Int128) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
  }
}

extension String {
  fileprivate var trimmingZeros: String {
    var text = self
    while text.last == "0" { text.removeLast() }
    return text
  }
}
