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
  public var numberText: String? { unsafe withNumber { unsafe String(utf8: $0) } }

  /// The exact number as a Decimal. `nil` if this is not a number, or has more than 38 significant digits, or the power of
  /// ten of its last digit is not in -128...127.
  public var decimal: Decimal? { decimalText?.decimal }

  /// Returns the number if the integer type can represent it exactly, otherwise `nil`: `300` is not an `Int8`, and `1.0` is
  /// the `Int` 1. Returns `nil` if this is not a number.
  public func exactly<Integer: FixedWidthInteger>(_ type: Integer.Type) -> Integer? {
    // Not converted from the text, whose shortest digits may be another integer.
    if let value = builtNumber?.floating { return Integer(exactly: value) }
    return unsafe withNumber { unsafe NumberBytes.exactly(type, $0) } ?? nil
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
  var decimalText: DecimalText? { unsafe withNumber { unsafe DecimalText(prefixOf: $0) } ?? nil }
}

extension DecimalText {
  /// The number, if a `Decimal` holds all its digits.
  var decimal: Decimal? {
    guard digits.count <= 38, -128...127 ~= exponent else { return nil }
    var high: UInt64 = 0
    var low: UInt64 = 0
    for digit in digits.dropLast(19) { high = high &* 10 &+ UInt64(digit) }
    for digit in digits.suffix(19) { low = low &* 10 &+ UInt64(digit) }
    var significand = Decimal(low)
    if high > 0 { significand += Decimal(sign: .plus, exponent: 19, significand: Decimal(high)) }
    guard !digits.isEmpty else { return 0 }
    return Decimal(sign: isNegative ? .minus : .plus, exponent: exponent, significand: significand)
  }
}
