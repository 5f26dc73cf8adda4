public import Foundation
import JSONSift

/// The base class of models that need no code for JSON.
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
/// All stored properties declared with `var` are set, including inherited and private ones, if JSON can be converted to
/// their types. The JSON names are the names in the source.
///
/// A property's storage is written directly: `willSet` and `didSet` do not run. Properties that cannot be set are
/// reported to the observer: constants (`let`), `weak` and `unowned` references, functions, tuples and metatypes.
/// Computed properties and properties with a property wrapper are ignored. A class that needs these also conforms to
/// ``JSONKeyPathProvider``, or overrides ``setValue(_:property:)``. No other thread may use the object while it is
/// being set.
///
/// A class without initialisers inherits this one. A class that declares initialisers must also declare
/// `required init()`.
open class JSONCreatableObject: NSObject, JSONKeyValueCreatable {
  /// The reason why a property was not set.
  public enum KeyValueError: Error, Sendable, Hashable, CaseIterable {
    /// The value is not of the property's type.
    case invalidSetValueObject
    /// No stored property has this name.
    case unknownProperty
    /// The property is a constant: `let`, or a read-only key path.
    case constantProperty
    /// The property is a `weak` or `unowned` reference.
    case weakProperty
    /// The property is a function, a tuple or a metatype.
    case unsupportedProperty
    /// The class was compiled without reflection metadata, or the Swift runtime is not supported.
    case reflectionUnavailable
  }

  /// Creates an object whose properties have their declared initial values.
  public required override init() { super.init() }

  /// Sets a stored property. An override handles its own properties and calls `super` for the others:
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
  ///   - value: A value of the property's type, or of the wrapped type if the property is optional.
  ///   - property: The name.
  /// - Throws: ``KeyValueError``. The property is unchanged then.
  open func setValue(_ value: Any, property: String) throws { try ModelPlan.of(self).set(value, property, of: self) }
}

extension JSONCreatableObject.KeyValueError: CustomNSError, LocalizedError {
  /// The domain, `SGYSwiftJSON.KeyValueError`.
  public static var errorDomain: String { "SGYSwiftJSON.KeyValueError" }

  /// The code: the index of the case, counted from 1.
  public var errorCode: Int { (Self.allCases.firstIndex(of: self) ?? 0) + 1 }

  /// A description in one sentence.
  public var errorDescription: String? {
    switch self {
    case .invalidSetValueObject: "The value is not of the type of the property."
    case .unknownProperty: "There is no stored property with this name."
    case .constantProperty: "The property is a constant and cannot be set."
    case .weakProperty: "The property is a weak or unowned reference; only a key path or an override can set it."
    case .unsupportedProperty: "The property is a function, a tuple or a metatype, which JSON has no value for."
    case .reflectionUnavailable:
      "The properties of the class cannot be read: it was compiled without reflection metadata. Key paths "
        + "(JSONKeyPathProvider) work without it."
    }
  }
}
