#if canImport(FoundationEssentials)
  // `Decimal` without the rest of Foundation.
  public import struct FoundationEssentials.Decimal
#else
  // Apple's platforms have no smaller module.
  public import struct Foundation.Decimal
#endif

extension JSON {
  /// The bytes of a number as they stand in the text: `1.50` is `1.50`. Of a number that a program made, its shortest text.
  /// `nil` if this is no number, or NaN or infinite.
  public var numberText: String? {
    unsafe withNumber { unsafe String(utf8: $0) }
  }

  /// The number as a Decimal, exact: of a number of up to 38 digits, of which the last counts 10^-128...10^127. Of any other
  /// `nil`.
  public var decimal: Decimal? {
    guard let number = decimalText, number.digits.count <= 38, -128...127 ~= number.exponent else { return nil }
    guard !number.digits.isEmpty else { return 0 }
    var significand = Decimal(0)
    for digit in number.digits { significand = significand * 10 + Decimal(Int(digit)) }
    return Decimal(sign: number.isNegative ? .minus : .plus, exponent: number.exponent, significand: significand)
  }

  /// The value if the type has exactly that number, else `nil`: `300` is no `Int8`, `1.0` is the `Int` 1, `0.1` is no
  /// `Double` (the nearest is ``double``). `nil` if this is no number.
  public func exactly<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
    // Not by the text, whose shortest digits may be another integer.
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

  /// The value if the type has exactly that number, else `nil`.
  public func exactly<Float: BinaryFloatingPoint>(_ type: Float.Type) -> Float? {
    if let value = builtNumber?.floating { return value.isNaN ? Float.nan : Float(exactly: value) }
    return decimalText?.exactly(type)
  }

  /// ``decimal``.
  public func exactly(_ type: Decimal.Type) -> Decimal? { decimal }

  /// Lends the bytes of a number; `nil` if this is none, or has no text.
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
