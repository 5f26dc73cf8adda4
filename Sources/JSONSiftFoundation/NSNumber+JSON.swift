package import Foundation
package import JSONSift

extension NSNumber {
  /// `true` or `false` if the number was made from a Bool, else the number. An NSDecimalNumber keeps all its digits.
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

  /// Whether the number was made from a Bool. Its type encoding does not tell: on Apple's platforms an Int8 has the
  /// same.
  package var isBool: Bool {
    #if canImport(Darwin)
      CFGetTypeID(self) == CFBooleanGetTypeID()
    #else
      // All Bools are of one private class.
      type(of: self) == Self.boolClass
    #endif
  }

  #if !canImport(Darwin)
    private static let boolClass: AnyClass = type(of: NSNumber(value: true))
  #endif
}

extension NSNumber {
  /// The number in the text, in the class that JSONSerialization on Linux chooses: an Int64 or a UInt64 where there is
  /// neither point nor exponent and it fits; an NSDecimalNumber where that says more than a Double; else a Double.
  ///
  /// JSONSerialization makes a decimal of every text with more than 17 characters before the exponent. That would cost
  /// the last digits of `0.30000000000000004`, because an NSDecimalNumber is not rounded correctly when it becomes a
  /// Double. So such a text is a Double if the Double's own text says the same.
  ///
  /// - Parameters:
  ///   - text: A JSON number.
  ///   - double: The nearest Double.
  /// - Complexity: O(length of the text).
  package static func parsed(_ text: String, nearest double: Double) -> NSNumber {
    if let integer = Int64(text) { return NSNumber(value: integer) }
    if let integer = UInt64(text) { return NSNumber(value: integer) }
    let digits = text.utf8.prefix { $0 | 0x20 != UInt8(ascii: "e") }.count
    // Zero is a Double, so that it keeps its sign.
    guard digits > 17, double != 0 || text.utf8.contains(where: { (0x31...0x39).contains($0) }),
      let decimal = Decimal(string: text), !decimal.isNaN, !decimal.isZero,
      decimal != Decimal(string: double.description)
    else { return NSNumber(value: double) }
    return NSDecimalNumber(decimal: decimal)
  }
}
