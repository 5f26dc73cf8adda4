public import Foundation
public import JSONSift
import JSONSiftFoundation

#if canImport(CoreGraphics)
  public import CoreGraphics
#endif

extension NSNumber: JSONRepresentable {
  /// `true` or `false` if the number was made from a Bool, else the number. An NSDecimalNumber keeps all its digits.
  ///
  /// `NSNumber(value: 1)` is a number, whatever it was made from: only Bools are Bools.
  @_disfavoredOverload
  public var jsonValue: JSON { json }
}

extension CGFloat: JSONRepresentable {
  /// The number.
  @_disfavoredOverload
  public var jsonValue: JSON { Double(self).jsonValue }
}

extension JSON {
  /// A number, or 1 and 0 for `true` and `false`; else `nil`. Setting `nil` makes it null; an NSNumber that was made
  /// from a Bool makes it a Bool.
  ///
  /// It is an Int64 or UInt64 where there is neither point nor exponent and it fits; an NSDecimalNumber where that says
  /// more than a Double, with up to 38 digits; else a Double, which is infinite for a number larger than any.
  public var number: NSNumber? {
    get {
      switch type {
      case .bool: NSNumber(value: boolValue ? 1 : 0)
      case .number:
        switch builtNumber {
        case .int(let value): NSNumber(value: value)
        case .uint(let value): NSNumber(value: value)
        case .double(let value): NSNumber(value: value)
        case .float(let value): NSNumber(value: value)
        case .text, nil: NSNumber.parsed(numberText ?? "", nearest: doubleValue)
        }
      default: nil
      }
    }
    set { self = newValue.map { $0.json } ?? .null }
  }

  /// ``number``; of a string the number that it begins with, as an NSDecimalNumber; else a Double 0.
  ///
  /// `"12abc"`, `" 12"` and `"12,5"` are 12; `"abc"`, `""` and `"nan"` are 0.
  public var numberValue: NSNumber {
    get {
      if let number { return number }
      guard let string else { return NSNumber(value: 0.0) }
      if let decimal = Decimal(string: string), !decimal.isNaN { return NSDecimalNumber(decimal: decimal) }
      // The powers of ten near the end of a Decimal's range, which Linux refuses and others do not.
      let double = doubleValue
      return double == 0 ? NSDecimalNumber.zero : NSNumber(value: double)
    }
    set { number = newValue }
  }
}
