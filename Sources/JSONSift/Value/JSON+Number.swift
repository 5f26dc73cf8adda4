#if canImport(FoundationEssentials)
  // `Decimal` without the rest of Foundation.
  public import struct FoundationEssentials.Decimal
#else
  // Apple's platforms have no smaller module.
  public import struct Foundation.Decimal
#endif

extension JSON {
  /// The text of a number as it was read: `1.50` is `1.50`. For a number that was created in Swift, its shortest text. `nil`
  /// if this is not a number, or is NaN or infinite.
  public var numberText: String? {
    unsafe withNumber { unsafe String(utf8: $0) }
  }

  /// The exact number as a Decimal. `nil` if this is not a number, or has more than 38 significant digits, or the power of
  /// ten of its last digit is not in -128...127.
  public var decimal: Decimal? {
    guard let number = decimalText, number.digits.count <= 38, -128...127 ~= number.exponent else { return nil }
    guard !number.digits.isEmpty else { return 0 }
    var significand = Decimal(0)
    for digit in number.digits { significand = significand * 10 + Decimal(Int(digit)) }
    return Decimal(sign: number.isNegative ? .minus : .plus, exponent: number.exponent, significand: significand)
  }

  /// Returns the number if the integer type can represent it exactly, otherwise `nil`: `300` is not an `Int8`, and `1.0` is
  /// the `Int` 1. Returns `nil` if this is not a number.
  public func exactly<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
    // Not converted from the text, whose shortest digits may be another integer.
    if let value = builtNumber?.floating { return Integer(exactly: value) }
    if let integer = unsafe withNumber({ unsafe NumberBytes.integer($0) }) ?? nil {
      guard integer.isNegative else { return Integer(exactly: integer.magnitude) }
      guard Integer.isSigned || integer.magnitude == 0, integer.magnitude <= 1 << 63 else {
        return decimalText?.exactly(type)
      }
      return Integer(exactly: Int64(truncatingIfNeeded: 0 &- integer.magnitude))
    }
    return decimalText?.exactly(type)
  }

  /// Returns the number if the floating-point type can represent it exactly, otherwise `nil`: `0.1` is not a `Double`; the
  /// nearest one is ``double``.
  public func exactly<Float: BinaryFloatingPoint>(_ type: Float.Type) -> Float? {
    if let value = builtNumber?.floating { return value.isNaN ? Float.nan : Float(exactly: value) }
    return decimalText?.exactly(type)
  }

  /// Returns ``decimal``.
  public func exactly(_ type: Decimal.Type) -> Decimal? { decimal }

  /// Calls `body` with the text of a number; returns `nil` if this is not a number, or has no text.
  func withNumber<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    if let (document, index) = node(.number) { return unsafe document.withText(of: index, body) }
    guard let number = builtNumber, number.nonFinite == nil else { return nil }
    var text = number.sourceText
    return text.withUTF8 { unsafe body(UnsafeRawBufferPointer($0)) }
  }

  /// The number with all its digits.
  var decimalText: DecimalText? {
    unsafe withNumber { unsafe DecimalText(prefixOf: $0) } ?? nil
  }
}
