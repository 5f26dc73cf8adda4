public import Foundation
import JSONSift
import JSONSiftFoundation

// MARK: Integers

extension FixedWidthInteger where Self: JSONLeafConvertable {
  /// Creates the integer exactly: from a number without a fraction that fits, or a string that contains such a number;
  /// 1 or 0 from `true` and `false`. Returns `nil` otherwise: nothing is wrapped or truncated.
  public init?(jsonValue: JSONLeafValue) {
    guard let json = jsonValue.json, let value = StandardLeaf.integer(json, Self.self) else { return nil }
    self = value
  }
}

extension FixedWidthInteger where Self: JSONLeafRepresentable {
  /// The number.
  public var jsonLeafValue: JSONLeafValue? {
    if let value = Int64(exactly: self) { return .number(NSNumber(value: value)) }
    if let value = UInt64(exactly: self) { return .number(NSNumber(value: value)) }
    return Decimal(string: description).map { .number(NSDecimalNumber(decimal: $0)) }
  }
}

extension Int: JSONLeafConvertable, JSONLeafRepresentable {}
extension Int8: JSONLeafConvertable, JSONLeafRepresentable {}
extension Int16: JSONLeafConvertable, JSONLeafRepresentable {}
extension Int32: JSONLeafConvertable, JSONLeafRepresentable {}
extension Int64: JSONLeafConvertable, JSONLeafRepresentable {}
extension UInt: JSONLeafConvertable, JSONLeafRepresentable {}
extension UInt8: JSONLeafConvertable, JSONLeafRepresentable {}
extension UInt16: JSONLeafConvertable, JSONLeafRepresentable {}
extension UInt32: JSONLeafConvertable, JSONLeafRepresentable {}
extension UInt64: JSONLeafConvertable, JSONLeafRepresentable {}
extension Int128: JSONLeafConvertable, JSONLeafRepresentable {}
extension UInt128: JSONLeafConvertable, JSONLeafRepresentable {}

// MARK: Other values of Swift

extension Double: JSONLeafConvertable, JSONLeafRepresentable {
  /// Creates the nearest Double of a number, or of a string that contains one; 1 or 0 from `true` and `false`. Returns
  /// `nil` for a number beyond the range.
  public init?(jsonValue: JSONLeafValue) {
    guard let json = jsonValue.json, let value = StandardLeaf.double(json) else { return nil }
    self = value
  }

  /// The number, or `nil` for NaN and infinity.
  public var jsonLeafValue: JSONLeafValue? { JSONLeafValue(NSNumber(value: self)) }
}

extension Float: JSONLeafConvertable, JSONLeafRepresentable {
  /// Creates the nearest Float of a number, or of a string that contains one; 1 or 0 from `true` and `false`. Returns
  /// `nil` for a number beyond the range.
  public init?(jsonValue: JSONLeafValue) {
    guard let json = jsonValue.json, let value = StandardLeaf.float(json) else { return nil }
    self = value
  }

  /// The number, or `nil` for NaN and infinity.
  public var jsonLeafValue: JSONLeafValue? { JSONLeafValue(NSNumber(value: shortestDouble)) }
}

// Float16 is unavailable on Intel Macs.
#if !(os(macOS) && arch(x86_64))
  extension Float16: JSONLeafConvertable, JSONLeafRepresentable {
    /// Creates the Float16 nearest to the nearest Double of a number, or of a string that contains one; 1 or 0 from
    /// `true` and `false`. Returns `nil` for a number beyond the range.
    public init?(jsonValue: JSONLeafValue) {
      guard let json = jsonValue.json, let value = StandardLeaf.float16(json) else { return nil }
      self = value
    }

    /// The number, or `nil` for NaN and infinity.
    public var jsonLeafValue: JSONLeafValue? { JSONLeafValue(NSNumber(value: shortestDouble)) }
  }
#endif

extension Bool: JSONLeafConvertable, JSONLeafRepresentable {
  /// Creates a Bool from `true` and `false`, also as strings. A number is `true` if it is not 0; the strings `1` and
  /// `0` are `true` and `false`. Returns `nil` for any other string.
  public init?(jsonValue: JSONLeafValue) {
    guard let json = jsonValue.json, let value = StandardLeaf.bool(json) else { return nil }
    self = value
  }

  /// `true` or `false`.
  public var jsonLeafValue: JSONLeafValue? { .number(NSNumber(value: self)) }
}

extension String: JSONLeafConvertable, JSONLeafRepresentable {
  /// Creates a string from a string, the text of a number, or `true` and `false`.
  public init?(jsonValue: JSONLeafValue) {
    guard let json = jsonValue.json, let value = StandardLeaf.string(json) else { return nil }
    self = value
  }

  /// The string.
  public var jsonLeafValue: JSONLeafValue? { .string(NSString(string: self)) }
}

// MARK: Foundation

extension NSString: JSONLeafRepresentable {
  /// The string.
  public var jsonLeafValue: JSONLeafValue? { .string(self) }
}

extension NSNumber: JSONLeafRepresentable {
  /// The number, or `nil` for NaN and infinity.
  public var jsonLeafValue: JSONLeafValue? { JSONLeafValue(self) }
}

extension NSNull: JSONLeafRepresentable {
  /// Null.
  public var jsonLeafValue: JSONLeafValue? { .null(self) }
}

// MARK: Conversion rules

/// Converts a JSON string, number, `true` or `false` to the leaf types of Swift and Foundation. Each function returns
/// `nil` if the value cannot be converted.
enum StandardLeaf {
  static func string(_ json: JSON) -> String? {
    switch json.type {
    case .string, .number, .bool: json.stringValue
    case .array, .dictionary, .null, .unknown: nil
    }
  }

  static func bool(_ json: JSON) -> Bool? {
    switch json.type {
    case .bool: return json.bool
    case .number: return json.doubleValue != 0
    case .string:
      switch json.stringValue.lowercased() {
      case "true", "1": return true
      case "false", "0": return false
      default: return nil
      }
    case .array, .dictionary, .null, .unknown: return nil
    }
  }

  static func integer<Integer: FixedWidthInteger>(_ json: JSON, _ type: Integer.Type) -> Integer? {
    switch json.type {
    case .number:
      if let value = json.exactInt64 { return Integer(exactly: value) }
      if let value = json.exactUInt64 { return Integer(exactly: value) }
      return Integer.bitWidth > 64 ? json.exactly(type) : nil
    case .bool: return json.boolValue ? 1 : 0
    case .string:
      let text = json.stringValue
      if let value = Integer(text) { return value }
      return number(in: text).flatMap { integer($0, type) }
    case .array, .dictionary, .null, .unknown: return nil
    }
  }

  static func double(_ json: JSON) -> Double? {
    let value: Double?
    switch json.type {
    case .number: value = json.doubleValue
    case .bool: value = json.boolValue ? 1 : 0
    case .string: value = number(in: json.stringValue)?.doubleValue
    case .array, .dictionary, .null, .unknown: value = nil
    }
    return value.flatMap { $0.isFinite ? $0 : nil }
  }

  static func float(_ json: JSON) -> Float? { double(json).flatMap { float(json, double: $0) } }

  /// Returns the Float of a leaf whose nearest Double is known.
  static func float(_ json: @autoclosure () -> JSON, double: Double) -> Float? {
    let value = double.mayMisroundToFloat ? roundedOnce(json()) ?? Float(double) : Float(double)
    return value.isFinite ? value : nil
  }

  @inline(never)
  private static func roundedOnce(_ json: JSON) -> Float? {
    let number = json.type == .string ? number(in: json.stringValue) : json
    return number?.numberText.flatMap { Float($0) }
  }

  #if !(os(macOS) && arch(x86_64))
    static func float16(_ json: JSON) -> Float16? {
      double(json).map { Float16($0) }.flatMap { $0.isFinite ? $0 : nil }
    }
  #endif

  static func decimal(_ json: JSON) -> Decimal? {
    let number = json.type == .string ? number(in: json.stringValue) : json
    guard let number, number.type == .number else { return nil }
    guard let decimal = number.decimal ?? number.numberText.flatMap({ Decimal(string: $0) }), decimal.isFinite else {
      return nil
    }
    return decimal
  }

  static func number(_ json: JSON) -> NSNumber? {
    switch json.type {
    case .number: json.foundationNumber
    case .bool: NSNumber(value: json.boolValue)
    case .string: number(in: json.stringValue).flatMap { number($0) }
    case .array, .dictionary, .null, .unknown: nil
    }
  }

  /// Returns the only element of a collection; `nil` if there are none or several.
  static func only<Elements: Collection>(_ elements: Elements) -> Elements.Element? {
    elements.count == 1 ? elements.first : nil
  }

  /// Returns the number if the string consists of a JSON number, with an optional plus sign and nothing around it.
  private static func number(in text: String) -> JSON? {
    let isSigned = text.utf8.first == UInt8(ascii: "+")
    let text = isSigned ? String(text.dropFirst()) : text
    guard let last = text.utf8.last, 0x30...0x39 ~= last, let first = text.utf8.first, first > 0x20,
      !isSigned || first != UInt8(ascii: "-"), let json = try? JSON(parsing: text), json.type == .number
    else { return Optional.none }
    return json
  }
}
