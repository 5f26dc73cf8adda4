/// A decimal number with the exact value of its text: sign, significant digits, and a power of ten.
package struct DecimalText {
  package var isNegative = false
  /// Digits 0...9 without zeros at either end; empty for zero.
  package private(set) var digits: [UInt8] = []
  /// The power of ten of the last digit, clamped to ±`exponentBound`.
  package private(set) var exponent = 0
  /// The digits of the power of ten of the first digit, without its sign, if it is beyond `exponentBound`; otherwise empty.
  private(set) var farMagnitude: [UInt8] = []
  /// Whether the text has neither a decimal point nor an exponent.
  private(set) var isIntegerText = true

  private static let exponentBound = 2_000_000_000_000_000_000
  /// A written exponent of at most as many digits is far enough below `exponentBound` to stay there whatever digits the
  /// number has, so equal numbers are equally in or out of range.
  private static let exponentDigits = 18

  /// Zero.
  package init() {}

  /// `digits` × 10^`exponent`; zeros at either end of the digits are dropped.
  package init(isNegative: Bool = false, digits: [UInt8], exponent: Int) {
    self.isNegative = isNegative
    self.digits = Array(digits.drop { $0 == 0 })
    self.exponent = exponent
    isIntegerText = false
    trimTrailingZeros()
    if self.digits.isEmpty { self.isNegative = false }
  }

  /// Parses the longest number at the start of `bytes`. Beyond JSON's grammar it accepts white space and a plus sign before
  /// the number, and `5.`, as SwiftyJSON's accessors do for strings. Returns `nil` if there is no digit.
  package init?(prefixOf bytes: UnsafeRawBufferPointer) {
    var index = unsafe ByteScan.whitespacePrefix(bytes)
    func byte(_ index: Int) -> UInt8 { index < bytes.count ? unsafe bytes[index] : 0 }
    if byte(index) == ASCII.minus || byte(index) == ASCII.plus {
      isNegative = byte(index) == ASCII.minus
      index += 1
    }
    let first = index
    while byte(index).isDigit { index += 1 }
    let integer = first..<index
    var fraction = index..<index
    if byte(index) == ASCII.dot {
      isIntegerText = false
      index += 1
      let start = index
      while byte(index).isDigit { index += 1 }
      fraction = start..<index
    }
    guard !integer.isEmpty || !fraction.isEmpty else { return nil }
    var power = 0..<0
    var isPowerNegative = false
    if byte(index) | 0x20 == ASCII.lowerE {
      index += 1
      isPowerNegative = byte(index) == ASCII.minus
      if isPowerNegative || byte(index) == ASCII.plus { index += 1 }
      if byte(index).isDigit { isIntegerText = false }
      while byte(index) == ASCII.zero { index += 1 }
      let start = index
      while byte(index).isDigit { index += 1 }
      power = start..<index
      if power.count <= Self.exponentDigits {
        for digitIndex in power { exponent = exponent * 10 + Int(byte(digitIndex) - ASCII.zero) }
        if isPowerNegative { exponent = -exponent }
      }
    }
    digits.reserveCapacity(integer.count + fraction.count)
    for digitIndex in integer where !digits.isEmpty || byte(digitIndex) != ASCII.zero {
      digits.append(byte(digitIndex) - ASCII.zero)
    }
    for digitIndex in fraction where !digits.isEmpty || byte(digitIndex) != ASCII.zero {
      digits.append(byte(digitIndex) - ASCII.zero)
    }
    exponent -= fraction.count
    trimTrailingZeros()
    if power.count > Self.exponentDigits { add(power.map { byte($0) - ASCII.zero }, isNegative: isPowerNegative) }
  }

  /// Adds an exponent of more digits than `exponentDigits`.
  private mutating func add(_ power: [UInt8], isNegative: Bool) {
    guard !digits.isEmpty else { return }
    let sign = isNegative ? -1 : 1
    var carry = magnitude * sign
    var sum = power
    for index in sum.indices.reversed() {
      carry += Int(sum[index])
      let digit = (carry % 10 + 10) % 10
      sum[index] = UInt8(truncatingIfNeeded: digit)
      carry = (carry - digit) / 10
    }
    // The power is larger than the number of digits in any text, so the sum is not negative.
    while carry > 0 {
      sum.insert(UInt8(truncatingIfNeeded: carry % 10), at: 0)
      carry /= 10
    }
    sum = Array(sum.drop { $0 == 0 })
    if sum.count <= Self.exponentDigits || (sum.count == Self.exponentDigits + 1 && sum.first == 1) {
      exponent = sum.reduce(0) { $0 * 10 + Int($1) } * sign - digits.count + 1
    } else {
      farMagnitude = sum
      exponent = Self.exponentBound * sign
    }
  }

  private mutating func trimTrailingZeros() {
    while digits.last == 0 {
      digits.removeLast()
      exponent += 1
    }
    if digits.isEmpty { exponent = 0 }
  }

  /// Whether the exponent is beyond `exponentBound`. Only the text determines the number then.
  package var isOutOfRange: Bool { !farMagnitude.isEmpty }

  /// The power of ten of the first digit.
  var magnitude: Int { digits.count + exponent - 1 }

  /// The number as plain text, in the format of ``JSON/stringValue``.
  var displayText: String {
    let sign = isNegative ? "-" : ""
    // The integer `-0` is 0; `-0.0` keeps its sign, as a Double does.
    guard !digits.isEmpty else { return isIntegerText ? "0" : sign + "0" }
    if isIntegerText { return plainText }
    let double = digits.count > 38 ? doubleValue : 0
    if double.isFinite, double != 0 { return BuiltNumber.double(double).text }
    // The thresholds of the exponent are those of a Double up to 17 digits, and those of a Decimal above that.
    if digits.count <= 17 ? -4...15 ~= magnitude : digits.count <= 38 && -5...37 ~= magnitude {
      return plainText
    }
    let text = digits.map { String($0) }.joined()
    let power = (magnitude.magnitude < 10 ? "0" : "") + String(magnitude.magnitude)
    return sign + text.prefix(1) + (text.count > 1 ? "." : "") + text.dropFirst() + (magnitude < 0 ? "e-" : "e+")
      + power
  }

  /// All digits, without an exponent. The length of the text grows with the exponent.
  package var plainText: String {
    guard !digits.isEmpty else { return "0" }
    let sign = isNegative ? "-" : ""
    let text = String(decoding: digits.map { $0 + ASCII.zero }, as: UTF8.self)
    if exponent >= 0 { return sign + text + String(repeating: "0", count: exponent) }
    if magnitude >= 0 { return sign + text.prefix(magnitude + 1) + "." + text.dropFirst(magnitude + 1) }
    return sign + "0." + String(repeating: "0", count: -magnitude - 1) + text
  }

  /// The nearest Double.
  package var doubleValue: Double {
    guard !digits.isEmpty else { return isNegative ? -0.0 : 0 }
    let text = digits.map { String($0) }.joined() + "e" + String(exponent)
    let value = Double(text) ?? (exponent > 0 ? .infinity : 0)
    return isNegative ? -value : value
  }

  /// Returns the number without its fraction, or `nil` if it does not fit.
  func truncated<Integer: FixedWidthInteger>(to type: Integer.Type) -> Integer? {
    guard magnitude >= 0, !digits.isEmpty else { return 0 }
    guard magnitude < 60 else { return nil }
    var result: Integer = 0
    for digitIndex in 0...magnitude {
      let digit = Integer(truncatingIfNeeded: digitIndex < digits.count ? digits[digitIndex] : 0)
      let (tens, overflow) = result.multipliedReportingOverflow(by: 10)
      let (sum, more) = isNegative ? tens.subtractingReportingOverflow(digit) : tens.addingReportingOverflow(digit)
      if overflow || more { return nil }
      result = sum
    }
    return result
  }

  /// Returns the number, or `nil` if it has a fraction or does not fit.
  func exactly<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
    exponent >= 0 ? truncated(to: type) : nil
  }

  /// Returns the number, or `nil` if the floating-point type cannot represent it exactly.
  func exactly<Float: BinaryFloatingPoint>(_ type: Float.Type) -> Float? {
    guard !digits.isEmpty else { return isNegative ? -0.0 : 0 }
    // A finite value of the type has no more binary digits before its point, and no more decimal digits after it.
    let places = 1 << (Float.exponentBitCount - 1) + Float.significandBitCount
    guard -exponent <= places, magnitude <= places else { return nil }
    var odd = self
    odd.isNegative = false
    var twos = 0
    // A fraction that is an integer times a power of two ends in 5 until it is doubled to an integer.
    while odd.exponent < 0 {
      guard odd.digits.last == 5 else { return nil }
      odd.multiply(by: 2)
      twos -= 1
    }
    // An odd number of more than 20 digits does not fit 64 bits.
    while odd.digits.last?.isMultiple(of: 2) == true || (odd.exponent > 0 && odd.digits.count <= 20) {
      // Five tenths are a half.
      odd.exponent -= 1
      odd.multiply(by: 5)
      twos += 1
    }
    guard let odd = odd.exactly(UInt64.self), let significand = Float(exactly: odd) else { return nil }
    let value = Float(sign: .plus, exponent: Float.Exponent(twos), significand: significand)
    // A subnormal value may have lost digits, and a large one may be infinite.
    guard value.isFinite, Float(sign: .plus, exponent: Float.Exponent(-twos), significand: value) == significand else {
      return nil
    }
    return isNegative ? -value : value
  }

  private mutating func multiply(by factor: UInt8) {
    var carry: UInt8 = 0
    for index in digits.indices.reversed() {
      (carry, digits[index]) = (digits[index] &* factor &+ carry).quotientAndRemainder(dividingBy: 10)
    }
    if carry > 0 { digits.insert(carry, at: 0) }
    trimTrailingZeros()
  }
}
