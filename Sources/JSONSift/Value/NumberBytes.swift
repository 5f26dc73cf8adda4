/// Fast conversions from the bytes of a JSON number to machine numbers. Numbers that they cannot convert exactly are left to
/// slower code.
package enum NumberBytes {
  /// Returns an integer without decimal point or exponent that fits 64 bits, otherwise `nil`.
  package static func integer(_ bytes: UnsafeRawBufferPointer) -> (isNegative: Bool, magnitude: UInt64)? {
    let isNegative = unsafe bytes.first == ASCII.minus
    let start = isNegative ? 1 : 0
    guard start < bytes.count, bytes.count &- start <= 20 else { return nil }
    var magnitude: UInt64 = 0
    for index in start..<bytes.count {
      let byte = unsafe bytes[index]
      guard byte.isDigit else { return nil }
      let (tens, overflow) = magnitude.multipliedReportingOverflow(by: 10)
      let (sum, more) = tens.addingReportingOverflow(UInt64(byte &- ASCII.zero))
      if overflow || more { return nil }
      magnitude = sum
    }
    return (isNegative, magnitude)
  }

  /// Returns a number if the type can represent it exactly, otherwise `nil`.
  package static func exactly<Integer: FixedWidthInteger>(
    _ type: Integer.Type, _ bytes: UnsafeRawBufferPointer
  ) -> Integer? {
    if let (isNegative, magnitude) = unsafe integer(bytes) {
      if !isNegative { return Integer(exactly: magnitude) }
      if magnitude <= 1 << 63 { return Integer(exactly: Int64(truncatingIfNeeded: 0 &- magnitude)) }
    }
    return unsafe DecimalText(prefixOf: bytes)?.exactly(type)
  }

  /// Returns the nearest Double; infinity if the number is larger than any Double.
  package static func double(_ bytes: UnsafeRawBufferPointer) -> Double {
    if let value = unsafe shortDouble(bytes) { return value }
    // The standard library rounds correctly, independently of the locale.
    return unsafe Double(String(utf8: bytes)) ?? DecimalText(prefixOf: bytes)?.doubleValue ?? 0
  }

  /// A number of at most 19 digits without leading zeros, as its text spells it: `mantissa` × 10^`exponent`.
  package struct Short {
    package fileprivate(set) var isNegative = false
    package fileprivate(set) var mantissa: UInt64 = 0
    package fileprivate(set) var exponent = 0
    /// Whether there is neither a decimal point nor an exponent.
    fileprivate var isInteger = true
  }

  /// Parses a short number. Returns `nil` if there are more digits, if the exponent has more than four characters with its
  /// sign, and for some texts that are not numbers.
  package static func short(_ bytes: UnsafeRawBufferPointer) -> Short? { unsafe parsed(bytes) }

  // Forced inlining in this file saves 0.3 % of `access` (Scripts/measure instructions).
  /// Parses a short number.
  @inline(__always)
  private static func parsed(_ bytes: UnsafeRawBufferPointer) -> Short? {
    var number = Short()
    var index = 0
    if unsafe bytes.first == ASCII.minus {
      number.isNegative = true
      index = 1
    }
    while index < bytes.count {
      let byte = unsafe bytes[index]
      if byte.isDigit {
        guard number.mantissa < 1_000_000_000_000_000_000 else { return nil }
        number.mantissa = number.mantissa &* 10 &+ UInt64(byte &- ASCII.zero)
        if !number.isInteger { number.exponent -= 1 }
      } else if byte == ASCII.dot, number.isInteger {
        number.isInteger = false
      } else {
        break
      }
      index += 1
    }
    if index < bytes.count {
      guard unsafe bytes[index] | 0x20 == ASCII.lowerE else { return nil }
      number.isInteger = false
      index += 1
      var isExponentNegative = false
      if index < bytes.count, unsafe bytes[index] == ASCII.minus || bytes[index] == ASCII.plus {
        isExponentNegative = unsafe bytes[index] == ASCII.minus
        index += 1
      }
      var writtenExponent = 0
      guard index < bytes.count, bytes.count - index <= 4 else { return nil }
      while index < bytes.count {
        guard unsafe bytes[index].isDigit else { return nil }
        writtenExponent = unsafe writtenExponent * 10 + Int(bytes[index] &- ASCII.zero)
        index += 1
      }
      number.exponent += isExponentNegative ? -writtenExponent : writtenExponent
    }
    return number
  }

  /// Converts a short number with an exponent from -27 to 27, otherwise returns `nil`. The exact product or quotient of the
  /// mantissa and the power of ten is available, and is rounded once.
  private static func shortDouble(_ bytes: UnsafeRawBufferPointer) -> Double? {
    guard let number = unsafe parsed(bytes) else { return nil }
    let (mantissa, exponent) = (number.mantissa, number.exponent)
    // The integer -0 is 0, as in SwiftyJSON; only a fraction or an exponent keeps the sign.
    if mantissa == 0, number.isInteger { return 0 }
    guard -27...27 ~= exponent else { return nil }
    let value: Double
    if mantissa <= 1 << 53, -22...22 ~= exponent {
      // Both operands are exact, so one operation rounds once.
      let exact = Double(mantissa)
      value = exponent < 0 ? exact / powersOfTen[-exponent] : exact * powersOfTen[exponent]
    } else if mantissa == 0 {
      value = 0
    } else {
      value = exponent < 0 ? quotient(mantissa, -exponent) : product(mantissa, exponent)
    }
    return number.isNegative ? -value : value
  }

  /// Returns the Double nearest to `mantissa` × 10^`exponent`. The mantissa is not 0.
  ///
  /// 10^n is 5^n × 2^n, so only the multiplication by 5^n is needed. Its product is exact in 128 bits.
  private static func product(_ mantissa: UInt64, _ exponent: Int) -> Double {
    let product = mantissa.multipliedFullWidth(by: powersOfFive[exponent])
    let (high, low) = (product.high, product.low)
    guard high != 0 else { return rounded(low, hasMore: false, topExponent: 63 &+ exponent) }
    let shift = high.leadingZeroBitCount
    let top = shift == 0 ? high : high &<< UInt64(shift) | low &>> UInt64(64 &- shift)
    return rounded(top, hasMore: low &<< UInt64(shift) != 0, topExponent: 127 &- shift &+ exponent, isAligned: true)
  }

  /// Returns the Double nearest to `mantissa` / 10^`exponent`. The mantissa is not 0.
  ///
  /// Both numbers are shifted until their top bits are set. The quotient by 5^n then has 64 bits with the first one set, and
  /// the remainder shows whether further bits follow.
  private static func quotient(_ mantissa: UInt64, _ exponent: Int) -> Double {
    let power = powersOfFive[exponent]
    let powerShift = power.leadingZeroBitCount
    let mantissaShift = mantissa.leadingZeroBitCount
    let divisor = power &<< UInt64(powerShift)
    let dividend = mantissa &<< UInt64(mantissaShift)
    // The high half must be below the divisor, so that the quotient does not overflow.
    let isLarger = dividend >= divisor
    let (high, low) = isLarger ? (dividend &>> 1, dividend &<< 63) : (dividend, 0)
    let quotient = divisor.dividingFullWidth((high, low)).quotient
    let remainder = low &- quotient &* divisor
    return rounded(
      quotient, hasMore: remainder != 0,
      topExponent: (isLarger ? 0 : -1) &+ powerShift &- mantissaShift &- exponent, isAligned: true)
  }

  /// Returns the Double nearest to a number, rounding halfway cases to even.
  ///
  /// - Parameters:
  ///   - bits: The first 64 bits of the number.
  ///   - hasMore: Whether further nonzero bits follow.
  ///   - topExponent: The exponent of the power of two of the first bit.
  ///   - isAligned: Whether the first bit is set. Otherwise the bits are shifted first.
  private static func rounded(_ bits: UInt64, hasMore: Bool, topExponent: Int, isAligned: Bool = false) -> Double {
    let shift = isAligned ? 0 : bits.leadingZeroBitCount
    let bits = bits &<< UInt64(shift)
    let significand = bits &>> 11
    let rest = bits & 0x7FF
    let roundsUp = rest > 0x400 || (rest == 0x400 && (hasMore || significand & 1 == 1))
    // No exponent here is near a limit of the range. A carry out of the significand increments the exponent, as required.
    let exponent = UInt64(truncatingIfNeeded: topExponent &- shift &+ 1022)
    return Double(bitPattern: exponent &<< 52 &+ significand &+ (roundsUp ? 1 : 0))
  }

  private static let powersOfFive: [UInt64] = {
    var powers: [UInt64] = [1]
    while powers.count < 28, let last = powers.last { powers.append(last &* 5) }
    return powers
  }()

  /// The powers of ten that a Double represents exactly.
  package static let powersOfTen: [Double] = [
    1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
    1e21, 1e22,
  ]
}
