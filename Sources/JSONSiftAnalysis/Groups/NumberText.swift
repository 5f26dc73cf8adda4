import JSONSift

/// A short form of JSON numbers, which is summed exactly and converted to a Double by one division.
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
      return Double(mantissa) / NumberBytes.powersOfTen[Int(-exponent)]
    }
  }

  private static let minExponent = -22
  /// Mantissas are smaller, so that 2^67 of them can be added.
  private static let mantissaLimit: UInt64 = 1_000_000_000_000_000_000

  /// Returns the short form of a JSON number; `nil` if it has none, and for a zero with a minus sign, whose Double can
  /// be -0.
  static func short(_ text: UnsafeRawBufferPointer) -> Short? {
    guard text.count <= 28, let number = unsafe NumberBytes.short(text), number.exponent >= minExponent,
      !number.isNegative || number.mantissa != 0
    else { return nil }
    var (mantissa, exponent) = (number.mantissa, number.exponent)
    if mantissa == 0, exponent > 0 { exponent = 0 }
    guard mantissa < mantissaLimit else { return nil }
    while exponent > 0 {
      guard mantissa < mantissaLimit / 10 else { return nil }
      mantissa = mantissa &* 10
      exponent &-= 1
    }
    // The limit is below 2^63.
    let magnitude = Int64(truncatingIfNeeded: mantissa)
    return Short(mantissa: number.isNegative ? -magnitude : magnitude, exponent: Int8(truncatingIfNeeded: exponent))
  }
}
