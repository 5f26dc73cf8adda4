internal import OrderedCollections

#if canImport(FoundationEssentials)
  public import struct FoundationEssentials.Decimal
#else
  public import struct Foundation.Decimal
#endif

/// A type whose values can be converted to JSON: in literals and by ``JSON/init(_:)``. Your own types can conform.
///
/// ```swift
/// extension UserID: JSONRepresentable {
///   var jsonValue: JSON { JSON(text) }
/// }
/// let json: JSON = ["user": id, "tags": ["a", "b"]]
/// ```
public protocol JSONRepresentable {
  /// The value as JSON.
  var jsonValue: JSON { get }
}

/// A type that contains values of any type: arrays, dictionaries, optionals, and Foundation's collections.
package protocol JSONNesting {
  var nest: JSONNest { get }
}

/// The content of a ``JSONNesting``.
package enum JSONNest {
  /// `identity` identifies an object that can contain itself.
  case elements([Any], identity: ObjectIdentifier?)
  case members([(String, Any)], identity: ObjectIdentifier?)
  case optional(Any?)
  /// A dictionary whose keys are not strings.
  case unsupported
}

extension JSON {
  /// Creates a value from a Swift value: a `Bool`, a number, a string, a ``JSON``, any type that conforms to
  /// ``JSONRepresentable``, and arrays, dictionaries with string keys, and optionals of these; `nil` becomes null.
  ///
  /// Any other value becomes ``JSONType/unknown`` with the ``error`` ``JSON/AccessError/unsupportedType``; inside a
  /// container, only the unsupported part does. A string is not parsed.
  ///
  /// Arrays and dictionaries of `Any` may be nested 512 deep; a deeper value becomes unknown, with
  /// ``JSON/AccessError/elementTooDeep``. A ``JSON`` inside them counts as one level.
  ///
  /// - Complexity: O(size of the value). No recursion.
  public init(_ object: Any) { self = NestReader.json(of: object) }

  /// A value that JSON cannot represent.
  package static var unsupported: JSON { JSON(.unknown(.unsupportedType)) }

  /// Creates an array of these elements.
  package init(elements: [JSON]) { self.init(.overlay(ContainerOverlay(elements: elements))) }

  /// Creates an object with these members, in this order. If names are equal, the last one is used.
  package init(members: some Sequence<(String, JSON)>) {
    var all: OrderedDictionary<MemberName, JSON> = [:]
    all.reserveCapacity(members.underestimatedCount)
    for (name, value) in members { all[MemberName(name)] = value }
    self.init(.overlay(ContainerOverlay(members: all)))
  }
}

extension JSON: JSONRepresentable {
  /// The value as an element or member: a missing value becomes null.
  public var jsonValue: JSON { stored }
}

extension Bool: JSONRepresentable {
  /// `true` or `false`.
  public var jsonValue: JSON { JSON(.bool(self)) }
}

extension String: JSONRepresentable {
  /// A string.
  public var jsonValue: JSON { JSON(string: self) }
}

extension Double: JSONRepresentable {
  /// A number.
  public var jsonValue: JSON { JSON(.double(self)) }
}

extension Float: JSONRepresentable {
  /// A number, written and compared as the shortest decimal that parses back to this Float.
  public var jsonValue: JSON { JSON(.float(self)) }
}

extension Decimal: JSONRepresentable {
  /// A number with all digits.
  public var jsonValue: JSON { isNaN ? JSON(.double(.nan)) : JSON(.text(description)) }
}

extension FixedWidthInteger where Self: JSONRepresentable {
  /// A number.
  public var jsonValue: JSON { JSON(BuiltNumber(self)) }
}

extension Int: JSONRepresentable {}
extension Int8: JSONRepresentable {}
extension Int16: JSONRepresentable {}
extension Int32: JSONRepresentable {}
extension Int64: JSONRepresentable {}
extension Int128: JSONRepresentable {}
extension UInt: JSONRepresentable {}
extension UInt8: JSONRepresentable {}
extension UInt16: JSONRepresentable {}
extension UInt32: JSONRepresentable {}
extension UInt64: JSONRepresentable {}
extension UInt128: JSONRepresentable {}

extension Optional: JSONNesting {
  package var nest: JSONNest { .optional(self) }
}

extension Array: JSONNesting {
  package var nest: JSONNest { .elements(self, identity: nil) }
}

extension Dictionary: JSONNesting {
  package var nest: JSONNest {
    var members: [(String, Any)] = []
    members.reserveCapacity(count)
    for (key, value) in self {
      guard let name = key as? String else { return .unsupported }
      members.append((name, value))
    }
    return .members(members, identity: nil)
  }
}
