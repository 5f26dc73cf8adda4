public import Foundation
import JSONSift

/// A collection that can say what it holds. It is written as an array.
///
/// Array, Set, ContiguousArray, ArraySlice, NSArray, NSSet and NSOrderedSet conform. A type of your own that is a
/// Sequence has the requirement from its `Element`, and its elements are written. One that is no Sequence is written by
/// its Mirror, as in SGYSwiftJSON 2.0: the children of the Mirror are the elements. Without a `customMirror` these are the
/// values of its stored properties.
public protocol SGYCollectionReflection {
  /// The declared type of the elements.
  static var elementType: Any.Type { get }
}

/// A dictionary that can say what it holds. It is written as an object.
///
/// Dictionary and NSDictionary conform. A type of your own is written from its pairs if it is a Sequence of pairs, or has
/// a `customMirror` with the style `.dictionary` and pairs as children. Any other is written by its Mirror, as an object of
/// its stored properties under their names: nothing says where its members are.
public protocol SGYDictionaryReflection {
  /// The declared types of keys and values.
  static var keyValueTypes: (key: Any.Type, value: Any.Type) { get }
}

/// A collection that can be made of the elements of a JSON array. It is written as ``SGYCollectionReflection`` says.
public protocol JSONCollectionCreatable: SGYCollectionReflection {
  /// The collection of these elements, each converted to ``SGYCollectionReflection/elementType``. What does not cast to
  /// an element is left out.
  init(array: [Any])
}

/// A dictionary that can be made of the members of a JSON object. It is written as ``SGYDictionaryReflection`` says.
public protocol JSONDictionaryCreatable: SGYDictionaryReflection {
  /// The dictionary of these members, each value converted to the declared type. What does not cast is left out.
  init(dictionary: [String: Any])
}

extension Sequence where Self: SGYCollectionReflection {
  /// The type of the elements.
  public static var elementType: Any.Type { Element.self }
}

extension RangeReplaceableCollection where Self: JSONCollectionCreatable {
  /// The collection of all elements that cast.
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
  /// The set of all elements that cast.
  public init(array: [Any]) {
    self.init(minimumCapacity: array.count)
    for case let element as Element in array { insert(element) }
  }
}

extension NSArray: SGYCollectionReflection {
  /// Any.
  public static var elementType: Any.Type { Any.self }
}

extension NSSet: SGYCollectionReflection {
  /// Any.
  public static var elementType: Any.Type { Any.self }
}

extension NSOrderedSet: SGYCollectionReflection {
  /// Any.
  public static var elementType: Any.Type { Any.self }
}

extension Dictionary: JSONDictionaryCreatable {
  /// The types of keys and values.
  public static var keyValueTypes: (key: Any.Type, value: Any.Type) { (Key.self, Value.self) }

  /// The dictionary of all members that cast. A key that is no string is made of one, if it is a
  /// ``JSONLeafConvertable``, or a leaf of Foundation.
  public init(dictionary: [String: Any]) {
    self.init(minimumCapacity: dictionary.count)
    let makeKey = DictionaryKey<Key>.maker
    for (name, value) in dictionary {
      if let key = makeKey?(name), let value = value as? Value { self[key] = value }
    }
  }
}

extension NSDictionary: SGYDictionaryReflection {
  /// Any hashable key, any value.
  public static var keyValueTypes: (key: Any.Type, value: Any.Type) { (AnyHashable.self, Any.self) }
}

/// How keys are made of the names of members.
enum DictionaryKey<Key: Hashable> {
  /// `nil` if a name cannot become a key.
  static var maker: ((String) -> Key?)? {
    if Key.self == String.self || Key.self == AnyHashable.self { return { $0 as? Key } }
    if let leaf = Key.self as? any JSONLeafConvertable.Type {
      return { leaf.init(jsonValue: .string(NSString(string: $0))) as? Key }
    }
    guard let leaf = StandardTypes.all.keys[ObjectIdentifier(Key.self)] else { return nil }
    return { leaf.make($0) as? Key }
  }
}

enum DictionaryKeys {
  /// Whether names can become keys of a type.
  static func canMake(_ key: Any.Type) -> Bool {
    key == String.self || key == AnyHashable.self || key is any JSONLeafConvertable.Type
      || StandardTypes.all.keys[ObjectIdentifier(key)] != nil
  }
}

/// An optional, seen without its wrapped type.
protocol OptionalReflection {
  static var wrappedType: Any.Type { get }
  /// `nil`, as a value of this type.
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
