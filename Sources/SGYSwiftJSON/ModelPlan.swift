import JSONSift
import Synchronization

/// How the objects of one class are made: its properties, found out once.
final class ModelPlan: TypeFact, Sendable {
  /// One property.
  final class Property: Sendable {
    enum Storage: Sendable {
      case stored(PropertySetter)
      case keyPath(KeyPathSetter)
      case refused(JSONCreatableObject.KeyValueError)
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
  /// The names of the properties, in their order.
  let names: NameTable
  let properties: [Property]
  /// Why nothing is known about the properties.
  let failure: JSONCreatableObject.KeyValueError?
  private let places: [String: Int]
  private let nameList: [String]
  /// The property that is probably set next.
  private let nextPlace = Atomic(0)

  private static let plans = TypeTable<ModelPlan>()

  /// The plan of a class.
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
      // The runtime is another than that which is known. Then a class can still set its properties by itself.
      properties = Self.mirrored(object)
      failure = nil
    } else {
      failure = .reflectionUnavailable
    }
    // Of equal names that of the subclass counts, which comes last.
    var places: [String: Int] = [:]
    var unique: [Property] = []
    for property in properties {
      if let place = places[property.name] {
        unique[place] = property
      } else {
        places[property.name] = unique.count
        unique.append(property)
      }
    }
    self.properties = unique
    self.places = places
    nameList = unique.map { $0.name }
    names = NameTable(nameList)
  }

  private static func property(_ stored: StoredProperty) -> Property {
    let storage: Property.Storage =
      switch stored.access {
      case .variable: .stored(PropertySetter.of(stored))
      case .constant: .refused(.constantProperty)
      case .weak: .refused(.weakProperty)
      case .unsupported: .refused(.unsupportedProperty)
      }
    let isLazy = stored.name.hasPrefix(Self.lazyPrefix)
    let name = isLazy ? String(stored.name.dropFirst(Self.lazyPrefix.count)) : stored.name
    return Property(name: name, conversion: Conversion.of(stored.type), storage: storage)
  }

  private static func property(_ name: String, _ keyPath: AnyKeyPath) -> Property {
    let storage: Property.Storage =
      (keyPath as? any WritableByReference).map { .keyPath($0.setter) } ?? .refused(.constantProperty)
    return Property(name: name, conversion: Conversion.of(Swift.type(of: keyPath).valueType), storage: storage)
  }

  /// Names and types by Mirror, which cannot set anything.
  static func mirrored(_ object: Any) -> [Property] {
    var properties: [Property] = []
    var next: Mirror? = Mirror(reflecting: object)
    while let mirror = next {
      let own = mirror.children.compactMap { child in
        child.label.map { label in
          Property(
            name: label, conversion: Conversion.of(Mirror(reflecting: child.value).subjectType),
            storage: .refused(.reflectionUnavailable))
        }
      }
      properties = own + properties
      next = mirror.superclassMirror
    }
    return properties
  }

  /// The compiler's name for where a lazy property is stored.
  static let lazyPrefix = "$__lazy_storage_$_"

  /// Sets a property of an object of this class.
  func set(
    _ value: Any, _ property: String, of object: AnyObject
  ) throws(JSONCreatableObject.KeyValueError) {
    if let failure { throw failure }
    guard let place = place(of: property) else { throw .unknownProperty }
    switch properties[place].storage {
    case .stored(let setter): guard setter.set(value, object) else { throw .invalidSetValueObject }
    case .keyPath(let setter): guard setter.set(value, object) else { throw .invalidSetValueObject }
    case .refused(let error): throw error
    }
  }

  private func place(of name: String) -> Int? {
    // Properties are set most often in one order. Any other guess is as good, so no thread waits for another.
    let guess = nextPlace.load(ordering: .relaxed)
    let place: Int
    if guess < nameList.count, nameList[guess] == name {
      place = guess
    } else if let known = places[name] {
      place = known
    } else {
      return nil
    }
    nextPlace.store(place + 1, ordering: .relaxed)
    return place
  }
}

/// Sets a property by a key path.
struct KeyPathSetter: @unchecked Sendable {
  // A key path is immutable; only its type does not say so.
  let set: (_ value: Any, _ object: AnyObject) -> Bool
}

/// A key path that can set a property of an object, seen without its types.
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
