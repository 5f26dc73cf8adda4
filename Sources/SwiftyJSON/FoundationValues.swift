public import Foundation
public import JSONSift

// `jsonValue` is disfavoured where this module declares it: a program that imports it may have a property of that name.

extension NSNull: JSONRepresentable {
  /// Null.
  @_disfavoredOverload
  public var jsonValue: JSON { .null }
}

extension NSString: JSONRepresentable {
  /// The string. It is not parsed.
  @_disfavoredOverload
  public var jsonValue: JSON { String(self).jsonValue }
}

extension Data: JSONRepresentable {
  /// The value of the JSON text in the data, or null if there is none, without an error. So is a text that is neither
  /// array nor object. To learn what is wrong, use ``JSON/init(data:options:)``.
  @_disfavoredOverload
  public var jsonValue: JSON { (try? JSON(data: self)) ?? .null }
}

extension NSData: JSONRepresentable {
  /// As that of `Data`: the value of the JSON text in it, or null.
  @_disfavoredOverload
  public var jsonValue: JSON { JSON(Data(referencing: self)) }
}

extension NSArray: JSONNesting {
  package var nest: JSONNest {
    .elements(self as? [Any] ?? [], identity: ObjectIdentifier(self))
  }
}

extension NSDictionary: JSONNesting {
  package var nest: JSONNest {
    guard let members = self as? [String: Any] else { return .unsupported }
    return .members(members.map { ($0.key, $0.value) }, identity: ObjectIdentifier(self))
  }
}
