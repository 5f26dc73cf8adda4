#if canImport(FoundationEssentials)
  // `Decimal` without the rest of Foundation.
  public import struct FoundationEssentials.Decimal
#else
  // Apple's platforms have no smaller module.
  public import struct Foundation.Decimal
#endif

extension JSON {
  /// The bytes of a number as they stand in the text: `1.50` is `1.50`. `nil` if this is no number.
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
    decimalText?.exactly(type)
  }

  /// ``decimal``.
  public func exactly(_ type: Decimal.Type) -> Decimal? { decimal }

  /// Lends the bytes of a number; `nil` if this is none.
  func withNumber<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result? {
    guard let (document, index) = node(.number) else { return nil }
    return unsafe document.withText(of: index, body)
  }

  /// The number with all its digits.
  var decimalText: DecimalText? {
    unsafe withNumber { unsafe DecimalText(prefixOf: $0) } ?? nil
  }
}

extension JSON {
  /// The nearest Double of a number, 1 or 0 of a Bool, else `nil`. A number larger than any Double is infinite.
  public var double: Double? {
    if let value = unsafe withNumber({ unsafe NumberBytes.double($0) }) { return value }
    return bool.map { $0 ? 1 : 0 }
  }

  /// The nearest Double of a number or of a string that begins with one, 1 for `true`; else 0.
  public var doubleValue: Double { double ?? numberInString?.doubleValue ?? 0 }

  /// The nearest Float of ``double``.
  public var float: Float? { double.map { Float($0) } }
  /// The nearest Float of ``doubleValue``.
  public var floatValue: Float { Float(doubleValue) }

  /// A number narrowed as SwiftyJSON documents it: an integer of 64 bits keeps its low bits (300 as Int8 is 44), a
  /// fraction is cut off, and a number outside the range is `nil`. A Bool is 1 or 0; all else is `nil`. To get the value
  /// or nothing, use ``exactly(_:)-(Integer.Type)``.
  public var int: Int? { narrowed() }
  /// ``int``; of a string the number that it begins with; the nearest value where the number is outside the range; else 0.
  public var intValue: Int { coerced() }
  /// As ``int``, narrowed to UInt.
  public var uInt: UInt? { narrowed() }
  /// As ``intValue``, narrowed to UInt.
  public var uIntValue: UInt { coerced() }
  /// As ``int``, narrowed to Int8.
  public var int8: Int8? { narrowed() }
  /// As ``intValue``, narrowed to Int8.
  public var int8Value: Int8 { coerced() }
  /// As ``int``, narrowed to UInt8.
  public var uInt8: UInt8? { narrowed() }
  /// As ``intValue``, narrowed to UInt8.
  public var uInt8Value: UInt8 { coerced() }
  /// As ``int``, narrowed to Int16.
  public var int16: Int16? { narrowed() }
  /// As ``intValue``, narrowed to Int16.
  public var int16Value: Int16 { coerced() }
  /// As ``int``, narrowed to UInt16.
  public var uInt16: UInt16? { narrowed() }
  /// As ``intValue``, narrowed to UInt16.
  public var uInt16Value: UInt16 { coerced() }
  /// As ``int``, narrowed to Int32.
  public var int32: Int32? { narrowed() }
  /// As ``intValue``, narrowed to Int32.
  public var int32Value: Int32 { coerced() }
  /// As ``int``, narrowed to UInt32.
  public var uInt32: UInt32? { narrowed() }
  /// As ``intValue``, narrowed to UInt32.
  public var uInt32Value: UInt32 { coerced() }
  /// As ``int``, narrowed to Int64.
  public var int64: Int64? { narrowed() }
  /// As ``intValue``, narrowed to Int64.
  public var int64Value: Int64 { coerced() }
  /// As ``int``, narrowed to UInt64.
  public var uInt64: UInt64? { narrowed() }
  /// As ``intValue``, narrowed to UInt64.
  public var uInt64Value: UInt64 { coerced() }

  /// A number as the documented accessors narrow it: an integer of 64 bits keeps its low bits (300 as Int8 is 44), a
  /// number with a fraction loses the fraction, and a number outside the range is `nil`. A Bool is 1 or 0.
  private func narrowed<Integer: FixedWidthInteger>() -> Integer? {
    if let integer = unsafe withNumber({ unsafe NumberBytes.integer($0) }) ?? nil,
      !integer.isNegative || integer.magnitude <= 1 << 63
    {
      return Integer(truncatingIfNeeded: integer.isNegative ? 0 &- integer.magnitude : integer.magnitude)
    }
    if let number = decimalText { return number.truncated(to: Integer.self) }
    return bool.map { $0 ? 1 : 0 }
  }

  /// ``narrowed()`` of a number, or of the number that a string begins with; the nearest value where that is outside the
  /// range; else 0.
  private func coerced<Integer: FixedWidthInteger>() -> Integer {
    if let value: Integer = narrowed() { return value }
    guard let number = decimalText ?? numberInString else { return 0 }
    if type == .string, let bits = number.truncated(to: Int64.self) { return Integer(truncatingIfNeeded: bits) }
    if type == .string, let bits = number.truncated(to: UInt64.self) { return Integer(truncatingIfNeeded: bits) }
    return number.truncated(to: Integer.self) ?? (number.isNegative ? .min : .max)
  }

  /// The number that a string begins with. One that no Decimal can hold does not count, as documented.
  private var numberInString: DecimalText? {
    guard case .node(let document, let index) = storage, document.word(index).kind.isString else { return nil }
    guard let number = unsafe document.withDecodedText(of: index, { unsafe DecimalText(prefixOf: $0) }),
      -165...165 ~= number.magnitude
    else { return nil }
    return number
  }
}
