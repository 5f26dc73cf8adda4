public import Foundation
import JSONSift
import JSONSiftFoundation

/// A value of JSON that has no parts, as Foundation has it. `true` and `false` are numbers.
public enum JSONLeafValue {
  /// A string.
  case string(NSString)
  /// A number, `true` or `false`.
  case number(NSNumber)
  /// `null`.
  case null(NSNull)

  /// A string.
  public init(_ string: NSString) { self = .string(string) }

  /// Null.
  public init(_ null: NSNull) { self = .null(null) }

  /// A number, or `nil` for NaN and infinity, which JSON cannot write.
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
  /// The leaf of a value, or `nil` if it is an array or object, or a number larger than any Double.
  init?(_ json: JSON) {
    switch json.type {
    case .string: self = .string(NSString(string: json.stringValue))
    case .number: self.init(json.foundationNumber)
    case .bool: self = .number(NSNumber(value: json.boolValue))
    case .null: self = .null(NSNull())
    case .array, .dictionary, .unknown: return nil
    }
  }

  /// The value to be written, or `nil` for NaN and infinity.
  var json: JSON? {
    switch self {
    case .string(let string): return JSON(String(string))
    case .number(let number):
      let json = number.isFloat ? number.shortest : number.json
      guard json.type != .number || json.numberText != nil else { return Optional.none }
      return json
    case .null: return JSON.null
    }
  }
}

extension JSON {
  /// A number as JSONSerialization has it.
  var foundationNumber: NSNumber { NSNumber.parsed(numberText ?? "", nearest: doubleValue) }
}

extension NSNumber {
  /// Whether the number was made from a Float.
  fileprivate var isFloat: Bool { unsafe !isBool && objCType.pointee == CChar(UInt8(ascii: "f")) }

  /// The shortest number that is this Float again, and not the digits of a Double.
  fileprivate var shortest: JSON { (Double(floatValue.description) ?? doubleValue).jsonValue }
}
