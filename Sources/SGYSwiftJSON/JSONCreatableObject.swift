public import Foundation
import JSONSift

/// The base class of models that need no code of their own.
///
/// ```swift
/// class Person: JSONCreatableObject {
///   var name: String?
///   var followersCount: Int?
///   var favoriteColor: Color?
///   var bestFriends: [Person]?
/// }
/// ```
///
/// All stored properties that are declared with `var` are set: inherited and private ones too, of any type that JSON
/// can be converted to. The names are those of the source.
///
/// A property is set where it is stored: `willSet` and `didSet` do not run. What cannot be set is told to the observer:
/// constants (`let`), `weak` and `unowned` references, functions, tuples and metatypes. Computed properties, and those
/// with a property wrapper, are not seen. A class that needs these is a ``JSONKeyPathProvider`` too, or overrides
/// ``setValue(_:property:)``. While it is set, no other thread may use the object.
///
/// A class without initialisers of its own inherits this one. One that has some must have `required init()` too.
open class JSONCreatableObject: NSObject, JSONKeyValueCreatable {
  /// Why a property was not set.
  public enum KeyValueError: Error, Sendable, Hashable, CaseIterable {
    /// The value is not of the property's type.
    case invalidSetValueObject
    /// There is no stored property with this name.
    case unknownProperty
    /// The property is a constant: `let`, or a key path that is read-only.
    case constantProperty
    /// The property is a `weak` or `unowned` reference.
    case weakProperty
    /// The property is a function, a tuple or a metatype.
    case unsupportedProperty
    /// The class was compiled without reflection metadata, or the runtime is not one that is known.
    case reflectionUnavailable
  }

  /// An object with the values that its properties are declared with.
  public required override init() { super.init() }

  /// Sets a stored property. An override takes what it knows, and hands the rest to `super`:
  ///
  /// ```swift
  /// override func setValue(_ value: Any, property: String) throws {
  ///   if property == "favoriteColor" {
  ///     favoriteColor = value as? Color
  ///   } else {
  ///     try super.setValue(value, property: property)
  ///   }
  /// }
  /// ```
  ///
  /// - Parameters:
  ///   - value: A value of the property's type, or of the type that it wraps if it is optional.
  ///   - property: The name.
  /// - Throws: ``KeyValueError``. The property is as it was then.
  open func setValue(_ value: Any, property: String) throws {
    try ModelPlan.of(self).set(value, property, of: self)
  }
}

extension JSONCreatableObject.KeyValueError: CustomNSError, LocalizedError {
  /// `SGYSwiftJSON.KeyValueError`.
  public static var errorDomain: String { "SGYSwiftJSON.KeyValueError" }

  /// From 1, in the order of the cases.
  public var errorCode: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

  /// One sentence.
  public var errorDescription: String? {
    switch self {
    case .invalidSetValueObject: "The value is not of the type of the property."
    case .unknownProperty: "There is no stored property with this name."
    case .constantProperty: "The property is a constant and cannot be set."
    case .weakProperty: "The property is a weak or unowned reference; only a key path or an override can set it."
    case .unsupportedProperty: "The property is a function, a tuple or a metatype, which JSON has no value for."
    case .reflectionUnavailable:
      "The properties of the class cannot be read: it was compiled without reflection metadata. Key paths "
        + "(JSONKeyPathProvider) need none."
    }
  }
}
