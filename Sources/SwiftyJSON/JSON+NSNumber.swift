public import Foundation
public import JSONSift
import JSONSiftFoundation

#if canImport(CoreGraphics)
  public import CoreGraphics
#endif

extension NSNumber: JSONRepresentable {
  /// A Bool if the NSNumber was created from a Bool, otherwise a number. An NSDecimalNumber keeps all its digits.
  ///
  /// `NSNumber(value: 1)` is a number: only an NSNumber created from a Bool is a Bool.
  @_disfavoredOverload
  public var jsonValue: JSON { json }
}

extension CGFloat: JSONRepresentable {
  /// The number.
  @_disfavoredOverload
  public var jsonValue: JSON { Double(self).jsonValue }
}

extension JSON {
  /// The number, or 1 and 0 for `true` and `false`; `nil` for other types. Setting `nil` stores null; setting an
  /// NSNumber created from a Bool stores a Bool.
  ///
  /// The result is an Int64 or UInt64 if the text has neither a decimal point nor an exponent and the value fits; an
  /// NSDecimalNumber, with up to 38 digits, if that is more precise than a Double; otherwise a Double, which is
  /// infinite for a number beyond its range.
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

  /// The ``number``; for a string, the number at its start, as an NSDecimalNumber; otherwise 0 as a Double.
  ///
  /// `"12abc"`, `" 12"` and `"12,5"` are 12; `"abc"`, `""` and `"nan"` are 0.
  public var numberValue: NSNumber {
    get {
      if let number { return number }
      guard let string else { return NSNumber(value: 0.0) }
      if let decimal = Decimal(string: string), !decimal.isNaN { return NSDecimalNumber(decimal: decimal) }
      // Powers of ten near the limit of Decimal's range, which Linux rejects and other platforms accept.
      let double = doubleValue
      return double == 0 ? NSDecimalNumber.zero : NSNumber(value: double)
    }
    set { number = newValue }
  }
}
