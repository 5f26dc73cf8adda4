import JSONSift

/// What is written as a string, a number or null.
///
/// Bool, String, all integers and floating-point numbers of Swift, NSString, NSNumber and NSNull conform. An
/// enum with raw values has the requirement from its raw value.
public protocol JSONLeafRepresentable {
  /// The value to be written, or `nil` to leave it out.
  var jsonLeafValue: JSONLeafValue? { get }
}

/// What can be made of a string, a number, `true` or `false`.
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
/// Bool, String, and all integers and floating-point numbers of Swift conform. An enum with raw values has the
/// requirement from its raw value.
public protocol JSONLeafConvertable {
  /// The value, or `nil` if there is none for this leaf. A property is not assigned then, and the observer is told.
  init?(jsonValue: JSONLeafValue)
}

/// The name of ``JSONLeafConvertable`` in the source of SGYSwiftJSON 2.0.
public typealias JSONLeafCreatable = JSONLeafConvertable

/// What an enum with raw values needs to be a leaf in both directions.
///
/// ```swift
/// enum Color: String, JSONLeafEnum {
///   case red = "Red", green = "Green", blue = "Blue"
/// }
/// ```
public typealias JSONLeafEnum = JSONLeafConvertable & JSONLeafRepresentable

extension RawRepresentable where Self: JSONLeafRepresentable, RawValue: JSONLeafRepresentable {
  /// That of the raw value.
  public var jsonLeafValue: JSONLeafValue? { rawValue.jsonLeafValue }
}

extension RawRepresentable where Self: JSONLeafConvertable, RawValue: JSONLeafConvertable {
  /// The case whose raw value the leaf is, or `nil` if there is none.
  public init?(jsonValue: JSONLeafValue) {
    guard let rawValue = RawValue(jsonValue: jsonValue) else { return nil }
    self.init(rawValue: rawValue)
  }
}

/// What is written in the place of an object.
///
/// The proxy goes through the same rules as any other value; it may have a proxy in its turn.
public protocol JSONProxyProvider {
  /// What is written instead.
  var jsonProxy: Any { get }
}
