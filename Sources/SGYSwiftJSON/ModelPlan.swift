import JSONSift
import Synchronization

/// The properties of one class and how to set them, computed once.
final class ModelPlan: TypeFact, Sendable {
  final class Property: Sendable {
    enum Storage: Sendable {
      case stored(PropertySetter)
      case keyPath(KeyPathSetter)
      case rejected(JSONCreatableObject.KeyValueError)
    }

    let name: String
    let conversion: Conversion
    let storage: Storage

    init(name: String, conversion: Conversion, storage: Storage) {
      self.name = name
      self.conversion = conversion
      self.storage = storage
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
    let storage: Property.Storage =
      switch stored.access {
      case .variable: .stored(PropertySetter.of(stored))
      case .constant: .rejected(.constantProperty)
      case .weak: .rejected(.weakProperty)
      case .unsupported: .rejected(.unsupportedProperty)
      }
    return Property(name: sourceName(stored.name), conversion: Conversion.of(stored.type), storage: storage)
  }

  /// Returns the name of a stored property in the source.
  private static func sourceName(_ name: String) -> String {
    name.hasPrefix(lazyPrefix) ? String(name.dropFirst(lazyPrefix.count)) : name
  }

  private static func property(_ name: String, _ keyPath: AnyKeyPath) -> Property {
    let storage: Property.Storage =
      (keyPath as? any WritableByReference).map { .keyPath($0.setter) } ?? .rejected(.constantProperty)
    return Property(name: name, conversion: Conversion.of(Swift.type(of: keyPath).valueType), storage: storage)
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
            storage: .rejected(.reflectionUnavailable))
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
  func set(
    _ value: Any, _ property: String, of object: AnyObject
  ) throws(JSONCreatableObject.KeyValueError) {
    if let failure { throw failure }
    guard let index = index(of: property) else { throw .unknownProperty }
    switch properties[index].storage {
    case .stored(let setter): guard setter.set(value, object) else { throw .invalidSetValueObject }
    case .keyPath(let setter): guard setter.set(value, object) else { throw .invalidSetValueObject }
    case .rejected(let error): throw error
    }
  }

  private func index(of name: String) -> Int? {
    // Properties are mostly set in one order. Any guess is valid, so threads need no synchronization.
    let guess = nextIndex.load(ordering: .relaxed)
    let index: Int
    if guess < nameList.count, nameList[guess] == name {
      index = guess
    } else if let known = indexByName[name] {
      index = known
    } else {
      return nil
    }
    nextIndex.store(index + 1, ordering: .relaxed)
    return index
  }
}

/// Sets a property by its key path.
struct KeyPathSetter: @unchecked Sendable {
  // A key path is immutable, but its type is not marked as Sendable.
  let set: (_ value: Any, _ object: AnyObject) -> Bool
}

/// A writable key path with its types erased.
private protocol WritableByReference {
  var setter: KeyPathSetter { get }
}

extension ReferenceWritableKeyPath: WritableByReference {
  fileprivate var setter: KeyPathSetter {
    KeyPathSetter { value, object in
      guard let root = object as? Root, let value = value as? Value else { return false }
      root[keyPath: self] = value
      return true
    }
  }
}
