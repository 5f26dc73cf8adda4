import Foundation
import SwiftyJSON

/// One of the twelve numeric types of the documented accessors: its getters and setters, optional and coercing, with the
/// values as text.
struct NumericAccessor: Sendable, CustomStringConvertible {
  let name: String
  let get: @Sendable (JSON) -> String?
  let value: @Sendable (JSON) -> String
  /// Sets the optional form to the value of a text, or to `nil`.
  let set: @Sendable (inout JSON, String?) -> Void
  let setValue: @Sendable (inout JSON, String) -> Void
  /// The minimum and the maximum value.
  let bounds: [String]
  var description: String { name }

  private init<Number: LosslessStringConvertible & SendableMetatype>(
    _ name: String, _ optional: WritableKeyPath<JSON, Number?> & Sendable,
    _ coercing: WritableKeyPath<JSON, Number> & Sendable, bounds: [Number]
  ) {
    self.name = name
    self.bounds = bounds.map(\.description)
    get = { $0[keyPath: optional]?.description }
    value = { $0[keyPath: coercing].description }
    set = { json, text in json[keyPath: optional] = text.flatMap { Number($0) } }
    setValue = { json, text in if let number = Number(text) { json[keyPath: coercing] = number } }
  }

  static let all: [NumericAccessor] = [
    NumericAccessor("double", \.double, \.doubleValue, bounds: [-1.7976931348623157e308, 1.7976931348623157e308]),
    NumericAccessor("float", \.float, \.floatValue, bounds: [-3.4028235e38, 3.4028235e38]),
    NumericAccessor("int", \.int, \.intValue, bounds: [.min, .max]),
    NumericAccessor("uInt", \.uInt, \.uIntValue, bounds: [.min, .max]),
    NumericAccessor("int8", \.int8, \.int8Value, bounds: [.min, .max]),
    NumericAccessor("uInt8", \.uInt8, \.uInt8Value, bounds: [.min, .max]),
    NumericAccessor("int16", \.int16, \.int16Value, bounds: [.min, .max]),
    NumericAccessor("uInt16", \.uInt16, \.uInt16Value, bounds: [.min, .max]),
    NumericAccessor("int32", \.int32, \.int32Value, bounds: [.min, .max]),
    NumericAccessor("uInt32", \.uInt32, \.uInt32Value, bounds: [.min, .max]),
    NumericAccessor("int64", \.int64, \.int64Value, bounds: [.min, .max]),
    NumericAccessor("uInt64", \.uInt64, \.uInt64Value, bounds: [.min, .max]),
  ]

  static func named(_ name: String) -> NumericAccessor? { all.first { $0.name == name } }

  var isFloating: Bool { name == "double" || name == "float" }
  /// Returns an integer in the form of this accessor.
  func text(_ integer: Int) -> String { isFloating ? "\(integer).0" : "\(integer)" }
}
