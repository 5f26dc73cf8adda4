public import Foundation
import JSONSift
import JSONSiftFoundation

/// A scalar JSON value as a Foundation object. `true` and `false` are numbers.
public enum JSONLeafValue {
  /// A string.
  case string(NSString)
  /// A number, `true` or `false`.
  case number(NSNumber)
  /// `null`.
  case null(NSNull)

  /// Creates a string.
  public init(_ string: NSString) { self = .string(string) }

  /// Creates null.
  public init(_ null: NSNull) { self = .null(null) }

  /// Creates a number, or returns `nil` for NaN and infinity, which JSON cannot represent.
  public init?(_ number: NSNumber) {
    guard number.doubleValue.isFinite else { return nil }
    self = .number(number)
  }
}

extension JSONLeafValue: JSONLeafRepresentable {
  /// The value itself.
  public var jsonLeafValue: JSONLeafValue? { self }
}

extension JSONLeafValue {
  /// Creates a leaf, or returns `nil` for an array, an object, or a number beyond the range of Double.
  init?(_ json: JSON) {
    switch json.type {
    case .string: self = .string(NSString(string: json.stringValue))
    case .number:
      guard let number = json.foundationNumber else { return nil }
      self = .number(number)
    case .bool: self = .number(NSNumber(value: json.boolValue))
    case .null: self = .null(NSNull())
    case .array, .dictionary, .unknown: return nil
    }
  }

  /// The value to write, or `nil` for NaN and infinity.
  var json: JSON? {
    switch self {
    case .string(let string): return JSON(String(string))
    case .number(let number):
      let isFloat = unsafe !number.isBool && number.objCType.pointee == CChar(UInt8(ascii: "f"))
      let json = isFloat ? number.floatValue.shortestDouble.jsonValue : number.json
      guard json.type != .number || json.numberText != nil else { return Optional.none }
      return json
    case .null: return JSON.null
    }
  }
}

extension JSON {
  /// The number in the class that JSONSerialization returns; `nil` beyond the range of Double.
  var foundationNumber: NSNumber? {
    let number = NSNumber.parsed(numberText ?? "", nearest: doubleValue)
    return number.doubleValue.isFinite ? number : nil
  }
}
