import JSONSift

/// A class whose instances can be made of a JSON object: an empty one is made, then its properties are set.
///
/// ``JSONCreatableObject`` does all of it. A class of another kind conforms by itself:
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
  /// An instance with the values that properties have that the JSON does not name.
  init()

  /// Sets a property.
  ///
  /// It is called once for each member of the JSON object that has the name of a stored property, in the order of the
  /// text, and never for null. What it throws goes to the ``JSONWarningObserver``; the rest of the object is read on.
  ///
  /// - Parameters:
  ///   - value: The value, converted to the declared type of the property. Where that is optional, what it wraps.
  ///   - property: The name of the property.
  func setValue(_ value: Any, property: String) throws
}

/// A class that names its properties by key paths. It needs no reflection.
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
/// The names are those of the JSON, so they can differ from the properties'. A property that is set in this way runs
/// its observers, and can be computed or wrapped. A subclass adds its own to those of its superclass.
public protocol JSONKeyPathProvider: JSONKeyValueCreatable {
  /// The writable properties by their names in JSON. Asked once for each class.
  static var jsonKeyPaths: [String: AnyKeyPath] { get }
}

extension JSONKeyPathProvider {
  /// Sets a property by its key path.
  ///
  /// - Throws: ``JSONCreatableObject/KeyValueError``.
  public func setValue(_ value: Any, property: String) throws {
    try ModelPlan.of(self).set(value, property, of: self)
  }
}
