extension JSON {
  /// The nearest Double of a number, 1 or 0 for a Bool, otherwise `nil`. A number larger than any Double is infinite.
  ///
  /// Setting makes this a number; `nil` makes it null.
  public var double: Double? {
    get {
      if let value = builtNumber?.floating { return value }
      if let value = unsafe withNumber({ unsafe NumberBytes.double($0) }) { return value }
      return bool.map { $0 ? 1 : 0 }
    }
    set { self = newValue.map { JSON(.double($0)) } ?? .null }
  }

  /// The nearest Double of a number or of a string that begins with one, 1 for `true`, otherwise 0.
  public var doubleValue: Double {
    get { double ?? numberInString?.doubleValue ?? 0 }
    set { double = newValue }
  }

  /// The nearest Float of ``double``.
  ///
  /// Setting makes this a number whose text is the shortest that parses back to the same Float: `0.1`, and not the digits of
  /// the Double of the same value. `nil` makes it null.
  public var float: Float? {
    get { double.map { Float($0) } }
    set { self = newValue.map { JSON(.float($0)) } ?? .null }
  }

  /// The nearest Float of ``doubleValue``.
  public var floatValue: Float {
    get { Float(doubleValue) }
    set { float = newValue }
  }

  /// A number narrowed as SwiftyJSON does: a 64-bit integer keeps its low bits (300 as Int8 is 44), a fraction is truncated,
  /// and a number outside the range is `nil`. A Bool is 1 or 0; all other values are `nil`. For an exact conversion use
  /// ``exactly(_:)-(Integer.Type)``.
  ///
  /// Setting makes this a number; `nil` makes it null.
  public var int: Int? {
    get { narrowed() }
    set { setNumber(newValue) }
  }

  /// The same as ``int`` if that is not `nil`. A string is the number that it begins with. A number outside the range, also
  /// of a string, is the nearest representable value. Any other value is 0.
  public var intValue: Int {
    get { coerced() }
    set { setNumber(newValue) }
  }

  /// Like ``int``, narrowed to UInt.
  public var uInt: UInt? {
    get { narrowed() }
    set { setNumber(newValue) }
  }

  /// Like ``intValue``, narrowed to UInt.
  public var uIntValue: UInt {
    get { coerced() }
    set { setNumber(newValue) }
  }

  /// Like ``int``, narrowed to Int8.
  public var int8: Int8? {
    get { narrowed() }
    set { setNumber(newValue) }
  }

  /// Like ``intValue``, narrowed to Int8.
  public var int8Value: Int8 {
    get { coerced() }
    set { setNumber(newValue) }
  }

  /// Like ``int``, narrowed to UInt8.
  public var uInt8: UInt8? {
    get { narrowed() }
    set { setNumber(newValue) }
  }

  /// Like ``intValue``, narrowed to UInt8.
  public var uInt8Value: UInt8 {
    get { coerced() }
    set { setNumber(newValue) }
  }

  /// Like ``int``, narrowed to Int16.
  public var int16: Int16? {
    get { narrowed() }
    set { setNumber(newValue) }
  }

  /// Like ``intValue``, narrowed to Int16.
  public var int16Value: Int16 {
    get { coerced() }
    set { setNumber(newValue) }
  }

  /// Like ``int``, narrowed to UInt16.
  public var uInt16: UInt16? {
    get { narrowed() }
    set { setNumber(newValue) }
  }

  /// Like ``intValue``, narrowed to UInt16.
  public var uInt16Value: UInt16 {
    get { coerced() }
    set { setNumber(newValue) }
  }

  /// Like ``int``, narrowed to Int32.
  public var int32: Int32? {
    get { narrowed() }
    set { setNumber(newValue) }
  }

  /// Like ``intValue``, narrowed to Int32.
  public var int32Value: Int32 {
    get { coerced() }
    set { setNumber(newValue) }
  }

  /// Like ``int``, narrowed to UInt32.
  public var uInt32: UInt32? {
    get { narrowed() }
    set { setNumber(newValue) }
  }

  /// Like ``intValue``, narrowed to UInt32.
  public var uInt32Value: UInt32 {
    get { coerced() }
    set { setNumber(newValue) }
  }

  /// Like ``int``, narrowed to Int64.
  public var int64: Int64? {
    get { narrowed() }
    set { setNumber(newValue) }
  }

  /// Like ``intValue``, narrowed to Int64.
  public var int64Value: Int64 {
    get { coerced() }
    set { setNumber(newValue) }
  }

  /// Like ``int``, narrowed to UInt64.
  public var uInt64: UInt64? {
    get { narrowed() }
    set { setNumber(newValue) }
  }

  /// Like ``intValue``, narrowed to UInt64.
  public var uInt64Value: UInt64 {
    get { coerced() }
    set { setNumber(newValue) }
  }

  private mutating func setNumber(_ value: (some FixedWidthInteger)?) {
    self = value.map { JSON(BuiltNumber($0)) } ?? .null
  }

  /// Returns a number narrowed as by SwiftyJSON's accessors: a 64-bit integer keeps its low bits (300 as Int8 is 44), a
  /// fraction is truncated, and a number outside the range is `nil`. A Bool is 1 or 0.
  private func narrowed<Integer: FixedWidthInteger>() -> Integer? {
    if let value = builtNumber?.floating { return Integer(exactly: value.rounded(.towardZero)) }
    if let integer = unsafe withNumber({ unsafe NumberBytes.integer($0) }) ?? nil,
      !integer.isNegative || integer.magnitude <= 1 << 63
    {
      return Integer(truncatingIfNeeded: integer.isNegative ? 0 &- integer.magnitude : integer.magnitude)
    }
    if let number = decimalText { return number.truncated(to: Integer.self) }
    return bool.map { $0 ? 1 : 0 }
  }

  /// Returns ``narrowed()``, or the same of the number that a string begins with; the nearest representable value if that is
  /// outside the range; otherwise 0.
  private func coerced<Integer: FixedWidthInteger>() -> Integer {
    if let value: Integer = narrowed() { return value }
    if let double = builtNumber?.nonFinite { return double.isNaN ? 0 : double < 0 ? .min : .max }
    guard let number = decimalText ?? numberInString else { return 0 }
    if type == .string, let bits = number.truncated(to: Int64.self) { return Integer(truncatingIfNeeded: bits) }
    if type == .string, let bits = number.truncated(to: UInt64.self) { return Integer(truncatingIfNeeded: bits) }
    return number.truncated(to: Integer.self) ?? (number.isNegative ? .min : .max)
  }

  /// The number that a string begins with. As in SwiftyJSON, a number that no Decimal can represent is ignored.
  private var numberInString: DecimalText? {
    guard let number = unsafe withStringBytes({ unsafe DecimalText(prefixOf: $0) }), -165...165 ~= number.magnitude
    else { return nil }
    return number
  }
}
