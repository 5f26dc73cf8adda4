import JSONSift

/// Parses the text of a JSON number to an exact decimal.
enum NumberText {
  /// A number of at most 18 digits with a small exponent: `mantissa` × 10^`exponent`.
  struct Short: Equatable {
    let mantissa: Int64
    /// From -22 to 0.
    let exponent: Int8

    /// Below this magnitude, mantissas with different values have different Doubles, because a Double distinguishes all
    /// decimals of 15 digits.
    static let distinctMagnitude = 1_000_000_000_000_000

    /// A Double represents every integer up to this magnitude exactly.
    private static let exactMagnitude = 1 << 53

    /// The nearest Double. `nil` if one division of two exact Doubles cannot compute it.
    var double: Double? {
      guard mantissa.magnitude <= Self.exactMagnitude else { return nil }
      // Both operands are exact, so the division rounds once.
      return Double(mantissa) / Self.powers[Int(-exponent)]
    }

    private static let powers: [Double] = [
      1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20,
      1e21, 1e22,
    ]
  }

  private static let minExponent = -22
  private static let mantissaLimit: Int64 = 1_000_000_000_000_000_000

  /// Parses a JSON number. Returns `nil` if it is not short, or is a zero with a minus sign, which as a Double can
  /// differ from 0.
  static func short(_ text: UnsafeRawBufferPointer) -> Short? {
    guard text.count <= 28 else { return nil }
    var mantissa: Int64 = 0
    var digits = 0
    var exponent = 0
    var isFraction = false
    let isNegative = unsafe text.first == UInt8(ascii: "-")
    var index = isNegative ? 1 : 0
    while index < text.count {
      let byte = unsafe text[index]
      let digit = byte &- 0x30
      if digit < 10 {
        digits &+= 1
        guard digits <= 18 else { return nil }
        mantissa = mantissa &* 10 &+ Int64(digit)
        if isFraction { exponent &-= 1 }
      } else if byte == UInt8(ascii: "."), !isFraction {
        isFraction = true
      } else {
        guard byte | 0x20 == UInt8(ascii: "e"), let written = unsafe writtenExponent(text, from: index &+ 1) else {
          return nil
        }
        exponent &+= written
        break
      }
      index &+= 1
    }
    guard digits > 0, exponent >= minExponent, !isNegative || mantissa != 0 else { return nil }
    while exponent > 0 {
      mantissa = mantissa &* 10
      guard mantissa < mantissaLimit else { return nil }
      exponent &-= 1
    }
    return Short(mantissa: isNegative ? -mantissa : mantissa, exponent: Int8(truncatingIfNeeded: exponent))
  }

  /// Returns the exponent after the letter `e`, if it has at most two digits.
  private static func writtenExponent(_ text: UnsafeRawBufferPointer, from start: Int) -> Int? {
    var index = start
    let sign = unsafe index < text.count ? text[index] : 0
    if sign == UInt8(ascii: "-") || sign == UInt8(ascii: "+") { index &+= 1 }
    guard 1...2 ~= text.count &- index else { return nil }
    var exponent = 0
    while index < text.count {
      let digit = unsafe text[index] &- 0x30
      guard digit < 10 else { return nil }
      exponent = exponent &* 10 &+ Int(digit)
      index &+= 1
    }
    return sign == UInt8(ascii: "-") ? -exponent : exponent
  }
}
