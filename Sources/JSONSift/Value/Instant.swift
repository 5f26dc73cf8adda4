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

  /// Reads the text of a JSON value: a string of RFC 3339 or in another spelling that logs have, a number, or a number in a
  /// string; or an object whose only member is `$date`, with such a value. Returns `nil` for any other value.
  ///
  /// - Parameters:
  ///   - unit: The unit of numbers; `nil` if it is recognized by their size.
  ///   - clock: Shows the times without an offset from UTC; `nil` for UTC.
  package init?(json text: UnsafeRawBufferPointer, _ unit: JSONTimeUnit?, _ clock: LocalClock? = nil) {
    guard let first = unsafe text.first else { return nil }
    if first == ASCII.quote {
      guard text.count >= 2 else { return nil }
      let inside = unsafe UnsafeRawBufferPointer(rebasing: text[1..<(text.count - 1)])
      if let time = unsafe InternetTime(inside) {
        unsafe self.init(time, of: inside)
        return
      }
      if let time = unsafe Instant(otherSpelling: inside, unit, clock) {
        self = time
        return
      }
      // A string with escapes may spell a time, too.
      guard unsafe inside.contains(ASCII.backslash), let string = unsafe (try? JSON(parsing: text))?.string else {
        return nil
      }
      self.init(string: string, unit, clock)
    } else if first == ASCII.minus || first.isDigit {
      unsafe self.init(number: text, unit)
    } else if first == ASCII.openBrace, text.count <= Self.maxObjectBytes, let value = unsafe try? JSON(parsing: text) {
      self.init(object: value, unit, clock)
    } else {
      return nil
    }
  }

  /// A longer object is not a time.
  private static let maxObjectBytes = 512

  /// Reads a value, as ``init(json:_:_:)`` does.
  init?(_ value: JSON, _ unit: JSONTimeUnit?, _ clock: LocalClock? = nil) {
    var found: Instant?
    var isText = false
    unsafe value.borrowRawBytes {
      isText = true
      found = unsafe Instant(json: $0, unit, clock)
    }
    if !isText {
      if let string = value.string {
        found = Instant(string: string, unit, clock)
      } else if value.type == .number, var text = value.numberText {
        found = text.withUTF8 { unsafe Instant(number: UnsafeRawBufferPointer($0), unit) }
      } else {
        found = Instant(object: value, unit, clock)
      }
    }
    guard let found else { return nil }
    self = found
  }

  /// Reads the extended JSON of databases: `{"$date": …}`, with a time in it, or `{"$numberLong": "…"}`.
  private init?(object: JSON, _ unit: JSONTimeUnit?, _ clock: LocalClock?) {
    guard let inner = object.onlyMember("$date") else { return nil }
    let value = inner.onlyMember("$numberLong") ?? inner
    guard value.type == .string || value.type == .number, let time = Instant(value, unit, clock) else { return nil }
    self = time
  }

  private init?(string: String, _ unit: JSONTimeUnit?, _ clock: LocalClock?) {
    var string = string
    let found = string.withUTF8 {
      let text = UnsafeRawBufferPointer($0)
      if let time = unsafe InternetTime(text) { return unsafe Instant?(Instant(time, of: text)) }
      return unsafe Instant(otherSpelling: text, unit, clock)
    }
    guard let found else { return nil }
    self = found
  }

  /// Reads a time of RFC 3339 without quotes.
  ///
  /// - Parameter known: The date that was read last.
  @inline(__always)
  init?(internetTime text: UnsafeRawBufferPointer, _ known: inout InternetTime.LastDay) {
    guard let time = unsafe InternetTime(text, &known) else { return nil }
    unsafe self.init(time, of: text)
  }

  /// - Parameter text: The text of the time.
  private init(_ time: InternetTime, of text: UnsafeRawBufferPointer) {
    var fraction: Int64 = 0
    let known = time.fraction.prefix(Self.places)
    for index in known { fraction = unsafe fraction &* 10 &+ Int64(text[index] &- ASCII.zero) }
    if !known.isEmpty { for _ in known.count..<Self.places { fraction = fraction &* 10 } }
    attoseconds = Int128(time.seconds) * Self.attosecondsPerSecond + Int128(fraction)
  }

  /// Reads a time that RFC 3339 spells in another way, or a number. Digits that are a date to a reader are neither, unless
  /// numbers have a known unit.
  private init?(otherSpelling text: UnsafeRawBufferPointer, _ unit: JSONTimeUnit?, _ clock: LocalClock?) {
    if let (time, isLocal) = unsafe InternetTime.loose(text) {
      let found = unsafe Instant(time, of: text)
      self = isLocal ? clock?.instant(found) ?? found : found
      return
    }
    guard unsafe Self.isDecimal(text) else { return nil }
    if unit == nil, unsafe DigitsOfDate(String(decoding: text, as: UTF8.self)) != nil { return nil }
    unsafe self.init(number: text, unit)
  }

  /// Returns whether a text is a decimal number without an exponent.
  private static func isDecimal(_ text: UnsafeRawBufferPointer) -> Bool {
    let digits = unsafe text.first == ASCII.minus ? text.dropFirst() : text[...]
    guard let first = unsafe digits.first, let last = unsafe digits.last, first.isDigit, last.isDigit else {
      return false
    }
    return unsafe digits.allSatisfy { $0.isDigit || $0 == ASCII.dot } && digits.count { $0 == ASCII.dot } <= 1
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

  /// Reads a bound: a time as in a string of a record, but with an offset from UTC, or a decimal number without an exponent;
  /// with at most nine decimal places. Digits that are a date to a reader are not a bound.
  package init?(bound text: String, _ unit: JSONTimeUnit?) {
    guard DigitsOfDate(text) == nil else { return nil }
    var text = text
    guard let bound = text.withUTF8({ unsafe Self.bound(UnsafeRawBufferPointer($0), unit) }) else { return nil }
    self = bound
  }

  private static func bound(_ text: UnsafeRawBufferPointer, _ unit: JSONTimeUnit?) -> Instant? {
    if let point = unsafe text.firstIndex(where: { $0 == ASCII.dot || $0 == ASCII.comma }) {
      guard unsafe text[(point + 1)...].prefix(while: { $0.isDigit }).count <= maxBoundPlaces else { return nil }
    }
    if unsafe isDecimal(text) { return unsafe Instant(number: text, unit) }
    guard let (time, isLocal) = unsafe InternetTime.loose(text), !isLocal else { return nil }
    return unsafe Instant(time, of: text)
  }

  // MARK: Text

  /// The time as RFC 3339 in UTC, with as many decimal places as it needs. Outside the years 0 to 9999, which RFC 3339
  /// cannot express, the seconds since 1970.
  package var text: String { text { fraction in fraction.trimmingZeros } }

  /// The same with a given number of decimal places, at most 18. Further places are cut off.
  package func text(places: Int) -> String { text { fraction in String(fraction.prefix(places)) } }

  /// Whether the time is in the years 0 to 9999.
  var isInCalendar: Bool {
    -719_528..<2_932_897 ~= Self.floorDivision(attoseconds, 86_400 * Self.attosecondsPerSecond).quotient
  }

  /// - Parameter shown: Returns the decimal places to write, of all 18.
  private func text(_ shown: (_ fraction: String) -> String) -> String {
    let (seconds, fraction) = Self.floorDivision(attoseconds, Self.attosecondsPerSecond)
    let (dayNumber, second) = Self.floorDivision(seconds, 86_400)
    let places = shown(Self.digits(Int(fraction), Self.places))
    let fractionText = places.isEmpty ? "" : "." + places
    guard isInCalendar, let day = Int(exactly: dayNumber) else { return "\(seconds)\(fractionText) seconds since 1970" }
    let date = InternetTime.date(ofDay: day)
    let time = Int(second)
    return Self.digits(date.year, 4) + "-" + Self.digits(date.month, 2) + "-" + Self.digits(date.day, 2) + "T"
      + Self.digits(time / 3600, 2) + ":" + Self.digits(time / 60 % 60, 2) + ":" + Self.digits(time % 60, 2)
      + fractionText + "Z"
  }

  package static func floorDivision(_ value: Int128, _ divisor: Int128) -> (quotient: Int128, remainder: Int128) {
    let (quotient, remainder) = value.quotientAndRemainder(dividingBy: divisor)
    return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
  }

  private static func digits(_ number: Int, _ count: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(count - text.utf8.count, 0)) + text
  }
}

extension JSON {
  /// Returns the value of the member with a name, if the object has no other member.
  fileprivate func onlyMember(_ name: String) -> JSON? {
    guard type == .dictionary, count == 1 else { return nil }
    let member = self[name]
    return member.exists() ? member : nil
  }
}

extension String {
  fileprivate var trimmingZeros: String {
    var text = self
    while text.last == "0" { text.removeLast() }
    return text
  }
}
