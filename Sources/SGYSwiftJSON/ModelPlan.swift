import JSONSift
import Synchronization

/// The properties of one class and how to set them, computed once.
final class ModelPlan: TypeFact, Sendable {
  final class Property: Sendable {
    typealias Setter = Result<PropertySetter, JSONCreatableObject.KeyValueError>

    let name: String
    let conversion: Conversion
    /// The setter, or the reason why the property cannot be set.
    let setter: Setter

    init(name: String, conversion: Conversion, setter: Setter) {
      self.name = name
      self.conversion = conversion
      self.setter = setter
    }
  }

  let type: ObjectIdentifier
  /// The names of the properties, in the order of ``properties``.
  let names: NameTable
  let properties: [Property]
  /// The reason why the properties are unknown.
  let failure: JSONCreatableObject.KeyValueError?
  private let indexByName: [String: Int]
  private let nameList: [String]
  /// The index of the property that is probably set next.
  private let nextIndex = Atomic(0)

  private static let plans = TypeTable<ModelPlan>()

  /// Returns the plan for the class of an object.
  static func of(_ object: any JSONKeyValueCreatable) -> ModelPlan {
    let type = Swift.type(of: object)
    return plans.fact(of: ObjectIdentifier(type)) { ModelPlan(object) }
  }

  private init(_ object: any JSONKeyValueCreatable) {
    let type = Swift.type(of: object)
    self.type = ObjectIdentifier(type)
    var properties: [Property] = []
    if let provider = type as? any JSONKeyPathProvider.Type {
      properties = provider.jsonKeyPaths.map { Self.property($0.key, $0.value) }
      failure = nil
    } else if let stored = StoredProperties.of(type) {
      properties = stored.map { Self.property($0) }
      failure = nil
    } else if StoredProperties.areReadable(type) {
      // The Swift runtime is not supported, so reflection cannot set properties. The class can still set them itself.
      properties = Self.mirrored(object)
      failure = nil
    } else {
      failure = .reflectionUnavailable
    }
    // For duplicate names the property of the subclass is used; it follows those of its superclasses.
    var indexByName: [String: Int] = [:]
    var unique: [Property] = []
    for property in properties {
      if let index = indexByName[property.name] {
        unique[index] = property
      } else {
        indexByName[property.name] = unique.count
        unique.append(property)
      }
    }
    self.properties = unique
    self.indexByName = indexByName
    nameList = unique.map { $0.name }
    names = NameTable(nameList)
  }

  private static func property(_ stored: StoredProperty) -> Property {
    let setter: Property.Setter =
      switch stored.access {
      case .variable: .success(PropertySetter.of(stored))
      case .constant: .failure(.constantProperty)
      case .weak: .failure(.weakProperty)
      case .unsupported: .failure(.unsupportedProperty)
      }
    return Property(name: sourceName(stored.name), conversion: Conversion.of(stored.type), setter: setter)
  }

  /// Returns the name of a stored property in the source.
  private static func sourceName(_ name: String) -> String {
    name.hasPrefix(lazyPrefix) ? String(name.dropFirst(lazyPrefix.count)) : name
  }

  private static func property(_ name: String, _ keyPath: AnyKeyPath) -> Property {
    let setter: Property.Setter =
      (keyPath as? any WritableByReference).map { .success($0.setter) } ?? .failure(.constantProperty)
    return Property(name: name, conversion: Conversion.of(Swift.type(of: keyPath).valueType), setter: setter)
  }

  /// Returns names and types from a Mirror, which cannot set properties.
  static func mirrored(_ object: Any) -> [Property] {
    var properties: [Property] = []
    var next: Mirror? = Mirror(reflecting: object)
    while let mirror = next {
      let own = mirror.children.compactMap { child in
        child.label.map { label in
          Property(
            name: sourceName(label), conversion: Conversion.of(Mirror(reflecting: child.value).subjectType),
            setter: .failure(.reflectionUnavailable))
        }
      }
      properties = own + properties
      next = mirror.superclassMirror
    }
    return properties
  }

  /// The compiler's name prefix for the storage of a lazy property.
  static let lazyPrefix = "$__lazy_storage_$_"

  /// Sets a property of an object of this class.
  func set(_ value: Any, _ property: String, of object: AnyObject) throws(JSONCreatableObject.KeyValueError) {
    if let failure { throw failure }
    guard let index = index(of: property) else { throw .unknownProperty }
    guard try properties[index].setter.get().set(value, object) else { throw .invalidSetValueObject }
  }

  private func index(of name: String) -> Int? {
    // Properties are mostly set in one order. Any guess is valid, so threads need no synchronization.
    let guess = nextIndex.load(ordering: .relaxed)
    let isNext = guess < nameList.count && nameList[guess] == name
    guard let index = isNext ? guess : indexByName[name] else { return nil }
    nextIndex.store(index + 1, ordering: .relaxed)
    return index
  }
}

/// A writable key path with its types erased.
private protocol WritableByReference {
  var setter: PropertySetter { get }
}

extension ReferenceWritableKeyPath: WritableByReference {
  fileprivate var setter: PropertySetter {
    PropertySetter { value, object in
      guard let root = object as? Root, let value = value as? Value else { return false }
      root[keyPath: self] = value
      return true
    }
  }
}
