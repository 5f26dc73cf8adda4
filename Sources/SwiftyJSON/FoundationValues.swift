public import Foundation
public import JSONSift

// `jsonValue` is disfavoured in this module, because a program that imports it may declare a property of that name.

extension NSNull: JSONRepresentable {
  /// JSON null.
  @_disfavoredOverload
  public var jsonValue: JSON { .null }
}

extension NSString: JSONRepresentable {
  /// The string, not parsed.
  @_disfavoredOverload
  public var jsonValue: JSON { String(self).jsonValue }
}

extension Data: JSONRepresentable {
  /// The value of the JSON text in the data. Null, without an error, if the text is invalid or its root is neither an
  /// array nor an object. To get the error, use ``JSON/init(data:options:)``.
  @_disfavoredOverload
  public var jsonValue: JSON { (try? JSON(data: self)) ?? .null }
}

extension NSData: JSONRepresentable {
  /// The value of the JSON text in the data, or null; the same as for `Data`.
  @_disfavoredOverload
  public var jsonValue: JSON { JSON(Data(referencing: self)) }
}

extension NSArray: JSONNesting {
  package var nest: JSONNest { .elements(self as? [Any] ?? [], identity: ObjectIdentifier(self)) }
}

extension NSDictionary: JSONNesting {
  package var nest: JSONNest {
    guard let members = self as? [String: Any] else { return .unsupported }
    return .members(members.map { ($0.key, $0.value) }, identity: ObjectIdentifier(self))
  }
}
