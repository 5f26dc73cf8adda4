public import Foundation
import JSONSift

/// A collection that reports its element type. It is written as an array.
///
/// Array, Set, ContiguousArray, ArraySlice, NSArray, NSSet and NSOrderedSet conform. A custom type that is a Sequence
/// gets the implementation from its `Element`, and its elements are written. A custom type that is not a Sequence is
/// written from its Mirror, as in SGYSwiftJSON 2.0: the children of the Mirror are the elements. Without a
/// `customMirror` these are the values of its stored properties.
public protocol SGYCollectionReflection {
  /// The declared type of the elements.
  static var elementType: Any.Type { get }
}

/// A dictionary that reports the types of its keys and values. It is written as an object.
///
/// Dictionary and NSDictionary conform. A custom type is written from its pairs if it is a Sequence of pairs, or has a
/// `customMirror` with the style `.dictionary` and pairs as children. Any other type is written from its Mirror, as an
/// object of its stored properties under their names, because its members are unknown.
public protocol SGYDictionaryReflection {
  /// The declared types of keys and values.
  static var keyValueTypes: (key: Any.Type, value: Any.Type) { get }
}

/// A collection that can be created from the elements of a JSON array. It is written as described for
/// ``SGYCollectionReflection``.
public protocol JSONCollectionCreatable: SGYCollectionReflection {
  /// Creates the collection from elements that were converted to ``SGYCollectionReflection/elementType``. Values that
  /// do not cast to the element type are omitted.
  init(array: [Any])
}

/// A dictionary that can be created from the members of a JSON object. It is written as described for
/// ``SGYDictionaryReflection``.
public protocol JSONDictionaryCreatable: SGYDictionaryReflection {
  /// Creates the dictionary from members whose values were converted to the declared type. Values that do not cast to
  /// it are omitted.
  init(dictionary: [String: Any])
}

extension Sequence where Self: SGYCollectionReflection {
  /// The type of the elements.
  public static var elementType: Any.Type { Element.self }
}

extension RangeReplaceableCollection where Self: JSONCollectionCreatable {
  /// Creates the collection from all elements that cast to the element type.
  public init(array: [Any]) {
    self.init()
    reserveCapacity(array.count)
    for case let element as Element in array { append(element) }
  }
}

extension Array: JSONCollectionCreatable {}
extension ContiguousArray: JSONCollectionCreatable {}
extension ArraySlice: JSONCollectionCreatable {}

extension Set: JSONCollectionCreatable {
  /// Creates the set from all elements that cast to the element type.
  public init(array: [Any]) {
    self.init(minimumCapacity: array.count)
    for case let element as Element in array { insert(element) }
  }
}

extension NSArray: SGYCollectionReflection {
  /// The type `Any`.
  public static var elementType: Any.Type { Any.self }
}

extension NSSet: SGYCollectionReflection {
  /// The type `Any`.
  public static var elementType: Any.Type { Any.self }
}

extension NSOrderedSet: SGYCollectionReflection {
  /// The type `Any`.
  public static var elementType: Any.Type { Any.self }
}

extension Dictionary: JSONDictionaryCreatable {
  /// The types of keys and values.
  public static var keyValueTypes: (key: Any.Type, value: Any.Type) { (Key.self, Value.self) }

  /// Creates the dictionary from all members that cast to its types. A key that is not a string is created from one if
  /// its type is a ``JSONLeafConvertable`` or a Foundation leaf.
  public init(dictionary: [String: Any]) {
    self.init(minimumCapacity: dictionary.count)
    let makeKey = DictionaryKey<Key>.maker
    for (name, value) in dictionary {
      if let key = makeKey?(name), let value = value as? Value { self[key] = value }
    }
  }
}

extension NSDictionary: SGYDictionaryReflection {
  /// `AnyHashable` keys and `Any` values.
  public static var keyValueTypes: (key: Any.Type, value: Any.Type) { (AnyHashable.self, Any.self) }
}

/// Creates keys from member names.
enum DictionaryKey<Key> {
  /// Creates a key from a name; `nil` if names cannot become keys.
  static var maker: ((String) -> Key?)? {
    if Key.self == String.self || Key.self == AnyHashable.self { return { $0 as? Key } }
    if let leaf = Key.self as? any JSONLeafConvertable.Type {
      return { leaf.init(jsonValue: .string(NSString(string: $0))) as? Key }
    }
    guard let leaf = StandardTypes.all.keys[ObjectIdentifier(Key.self)] else { return nil }
    return { leaf.make($0) as? Key }
  }
}

/// An optional with its wrapped type erased.
protocol OptionalReflection {
  static var wrappedType: Any.Type { get }
  /// `nil` as a value of this type.
  static var nilValue: Any { get }
  var wrappedValue: Any? { get }
}

extension Optional: OptionalReflection {
  static var wrappedType: Any.Type { Wrapped.self }
  static var nilValue: Any { Self.none as Any }
  var wrappedValue: Any? {
    switch self {
    case .some(let value): .some(value)
    case .none: nil
    }
  }
}
