import JSONSift

/// A type that is written as a string, a number or null.
///
/// Bool, String, all integer and floating-point types of Swift, NSString, NSNumber and NSNull conform. An enum with raw
/// values gets the implementation from its raw value.
public protocol JSONLeafRepresentable {
  /// The value to write, or `nil` to omit it.
  var jsonLeafValue: JSONLeafValue? { get }
}

/// A type that can be created from a string, a number, `true` or `false`.
///
/// ```swift
/// extension UserID: JSONLeafConvertable {
///   init?(jsonValue: JSONLeafValue) {
///     guard case .string(let text) = jsonValue else { return nil }
///     self.init(text: String(text))
///   }
/// }
/// ```
///
/// Bool, String, and all integer and floating-point types of Swift conform. An enum with raw values gets the
/// implementation from its raw value.
public protocol JSONLeafConvertable {
  /// Creates the value, or returns `nil` if the leaf cannot be converted. Then the property is not set, and the
  /// observer is notified.
  init?(jsonValue: JSONLeafValue)
}

/// The name of ``JSONLeafConvertable`` in the source code of SGYSwiftJSON 2.0.
public typealias JSONLeafCreatable = JSONLeafConvertable

/// The protocols that an enum with raw values needs to be read and written as a leaf.
///
/// ```swift
/// enum Color: String, JSONLeafEnum {
///   case red = "Red", green = "Green", blue = "Blue"
/// }
/// ```
public typealias JSONLeafEnum = JSONLeafConvertable & JSONLeafRepresentable

extension RawRepresentable where Self: JSONLeafRepresentable, RawValue: JSONLeafRepresentable {
  /// The leaf of the raw value.
  public var jsonLeafValue: JSONLeafValue? { rawValue.jsonLeafValue }
}

extension RawRepresentable where Self: JSONLeafConvertable, RawValue: JSONLeafConvertable {
  /// Creates the case with the leaf as its raw value, or returns `nil` if there is no such case.
  public init?(jsonValue: JSONLeafValue) {
    guard let rawValue = RawValue(jsonValue: jsonValue) else { return nil }
    self.init(rawValue: rawValue)
  }
}

/// A type that is written as another value.
///
/// The proxy is written by the same rules as any other value; it may itself have a proxy.
public protocol JSONProxyProvider {
  /// The value to write instead.
  var jsonProxy: Any { get }
}
