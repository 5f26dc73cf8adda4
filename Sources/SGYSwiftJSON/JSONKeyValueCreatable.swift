import JSONSift

/// A class whose instances are created from a JSON object: `init()` creates an instance, then its properties are set.
///
/// ``JSONCreatableObject`` implements all requirements. Other classes can conform directly:
///
/// ```swift
/// final class Point: JSONKeyValueCreatable {
///   var x = 0
///   var y = 0
///
///   func setValue(_ value: Any, property: String) throws {
///     switch (property, value) {
///     case ("x", let value as Int): x = value
///     case ("y", let value as Int): y = value
///     default: break
///     }
///   }
/// }
/// ```
public protocol JSONKeyValueCreatable: AnyObject {
  /// Creates an instance. Properties without a member in the JSON keep their initial values.
  init()

  /// Sets a property.
  ///
  /// Called once for each member of the JSON object that has the name of a stored property, in the order of the text,
  /// and never for null. An error that it throws is reported to the ``JSONWarningObserver``; reading continues with the
  /// next member.
  ///
  /// - Parameters:
  ///   - value: The value, converted to the declared type of the property. If that is optional, the wrapped value.
  ///   - property: The name of the property.
  func setValue(_ value: Any, property: String) throws
}

/// A class that declares its properties by key paths. It needs no reflection.
///
/// ```swift
/// final class Person: JSONKeyValueCreatable, JSONKeyPathProvider {
///   var name = ""
///   var age: Int? { didSet { print("now \(age ?? 0)") } }
///
///   class var jsonKeyPaths: [String: AnyKeyPath] { ["name": \Person.name, "age": \Person.age] }
/// }
/// ```
///
/// The names are the names in the JSON, so they can differ from the names of the properties. Setting a property by its
/// key path runs its observers; the property may be computed or have a property wrapper. A subclass adds its key paths
/// to those of its superclass.
public protocol JSONKeyPathProvider: JSONKeyValueCreatable {
  /// The writable properties by their names in the JSON. Read once for each class.
  static var jsonKeyPaths: [String: AnyKeyPath] { get }
}

extension JSONKeyPathProvider {
  /// Sets a property by its key path.
  ///
  /// - Throws: ``JSONCreatableObject/KeyValueError``.
  public func setValue(_ value: Any, property: String) throws { try ModelPlan.of(self).set(value, property, of: self) }
}
