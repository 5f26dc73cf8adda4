package import Foundation
package import JSONSift

extension NSNumber {
  /// A Bool if the number was created from a Bool, otherwise a number. An NSDecimalNumber keeps all its digits.
  package var json: JSON {
    if isBool { return JSON(boolValue) }
    if let decimal = self as? NSDecimalNumber { return decimal.decimalValue.jsonValue }
    switch unsafe UInt8(truncatingIfNeeded: objCType.pointee) {
    case UInt8(ascii: "f"): return floatValue.jsonValue
    case UInt8(ascii: "d"): return doubleValue.jsonValue
    case UInt8(ascii: "Q"): return uint64Value.jsonValue
    default: return int64Value.jsonValue
    }
  }

  /// Whether the number was created from a Bool. The type encoding does not show it: on Apple platforms an Int8 has the
  /// same encoding.
  package var isBool: Bool {
    #if canImport(Darwin)
      CFGetTypeID(self) == CFBooleanGetTypeID()
    #else
      // All Bools are instances of one private class.
      type(of: self) == Self.boolClass
    #endif
  }

  #if !canImport(Darwin)
    private static let boolClass: AnyClass = type(of: NSNumber(value: true))
  #endif
}

extension NSNumber {
  /// Returns the number in the class that JSONSerialization on Linux chooses: an Int64 or UInt64 if the text has
  /// neither a decimal point nor an exponent and the value fits; an NSDecimalNumber if it is more precise than a
  /// Double; otherwise a Double.
  ///
  /// JSONSerialization returns a decimal for every text with more than 17 characters before the exponent. That would
  /// lose the last digits of `0.30000000000000004`, because an NSDecimalNumber is not rounded correctly when converted
  /// to a Double. So this returns a Double if the Double's description is the same number.
  ///
  /// - Parameters:
  ///   - text: A JSON number.
  ///   - double: The nearest Double.
  /// - Complexity: O(length of the text).
  package static func parsed(_ text: String, nearest double: Double) -> NSNumber {
    if let integer = Int64(text) { return NSNumber(value: integer) }
    if let integer = UInt64(text) { return NSNumber(value: integer) }
    let digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.count
    // Zero stays a Double, which preserves its sign.
    guard digits > 17, double != 0 || text.utf8.contains(where: { (0x31...0x39).contains($0) }),
      let decimal = Decimal(string: text), !decimal.isNaN, !decimal.isZero,
      decimal != Decimal(string: double.description)
    else { return NSNumber(value: double) }
    return NSDecimalNumber(decimal: decimal)
  }
}
