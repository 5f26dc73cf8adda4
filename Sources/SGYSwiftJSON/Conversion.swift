import Foundation
import JSONSift
import JSONSiftFoundation

/// The rules that convert JSON to one declared type, computed once: the documented rules, in their order.
final class Conversion: TypeFact, @unchecked Sendable {
  // Unchecked because the compiler cannot prove it: all properties are immutable, but closures and metatypes are not
  // marked as Sendable.

  /// Rules 1 and 2, which do not depend on the type of the JSON value.
  enum TypeRule {
    /// `Any`: the value as a Foundation object.
    case any
    /// `AnyObject`: the same, as a class instance.
    case anyObject
    /// `JSON`: the value itself.
    case json
    case date
    case other
  }

  enum ArrayRule {
    case leaves(StandardTypes.ArrayReader, element: Any.Type)
    /// Returns a builder of the collection for a number of elements; and the element type.
    case collection((Int) -> ValueBuilder, element: Any.Type)
    case array(isMutable: Bool)
    /// Rule 1: an array of Foundation casts to the declared type.
    case cast
  }

  enum ObjectRule {
    case model(any JSONKeyValueCreatable.Type)
    /// Returns a builder of the dictionary for a number of members; and the types of keys and values.
    case dictionary((Int) -> ValueBuilder, key: Any.Type, value: Any.Type)
    /// A dictionary whose keys cannot be created from member names, with the key type.
    case unsupportedKeys(Any.Type)
    case nsDictionary(isMutable: Bool)
    /// Rule 1: a dictionary of Foundation casts to the declared type.
    case cast
  }

  let type: ObjectIdentifier
  /// The declared type, unwrapped from optionals.
  let declared: Any.Type
  /// The `nil` of the declared type if that is optional, otherwise `nil`.
  let nilValue: Any?
  let typeRule: TypeRule
  /// Rule 3.
  let leafReader: StandardTypes.Reader?
  /// Whether this is a leaf type of Swift's standard library. Then rules 1 and 2 do not apply, and a value that the
  /// reader converts is neither null nor a container.
  let isPlainLeaf: Bool
  /// Rule 4.
  let arrayRule: ArrayRule?
  /// Rule 5.
  let objectRule: ObjectRule?
  /// Casts a value to the declared type.
  let cast: (Any) -> Any?

  private static let conversions = TypeTable<Conversion>()

  /// Returns the conversion to a declared type.
  static func of(_ type: Any.Type) -> Conversion { conversions.fact(of: ObjectIdentifier(type)) { Conversion(type) } }

  private init(_ type: Any.Type) {
    self.type = ObjectIdentifier(type)
    nilValue = (type as? any OptionalReflection.Type)?.nilValue
    var type = type
    while let optional = type as? any OptionalReflection.Type { type = optional.wrappedType }
    declared = type
    cast = Self.caster(type)
    typeRule =
      switch ObjectIdentifier(type) {
      case ObjectIdentifier(Any.self): .any
      case ObjectIdentifier(AnyObject.self): .anyObject
      case ObjectIdentifier(JSON.self): .json
      case ObjectIdentifier(Date.self), ObjectIdentifier(NSDate.self): .date
      default: .other
      }
    leafReader = Self.leaf(type)
    isPlainLeaf = StandardTypes.all.conforming[ObjectIdentifier(type)] != nil
    arrayRule = Self.array(type)
    objectRule = Self.object(type)
  }

  private static func caster<Declared>(_ type: Declared.Type) -> (Any) -> Any? {
    { ($0 as? Declared).map { $0 as Any } }
  }

  private static func leaf(_ type: Any.Type) -> StandardTypes.Reader? {
    if let standard = StandardTypes.all.conforming[ObjectIdentifier(type)] { return standard }
    if let leaf = type as? any JSONLeafConvertable.Type {
      return StandardTypes.Reader { JSONLeafValue($0.json).flatMap { leaf.init(jsonValue: $0) } }
    }
    return StandardTypes.all.others[ObjectIdentifier(type)]
  }

  private static func array(_ type: Any.Type) -> ArrayRule? {
    if type == NSArray.self { return .array(isMutable: false) }
    if type == NSMutableArray.self { return .array(isMutable: true) }
    guard let collection = type as? any JSONCollectionCreatable.Type else {
      return isCast(type, [Any]()) || isCast(type, NSArray()) ? .cast : nil
    }
    let element = collection.elementType
    if let leaves = StandardTypes.all.arrays[ObjectIdentifier(type)] { return .leaves(leaves, element: element) }
    return .collection(ValueBuilder.maker(collection), element: element)
  }

  private static func object(_ type: Any.Type) -> ObjectRule? {
    if type == NSDictionary.self { return .nsDictionary(isMutable: false) }
    if type == NSMutableDictionary.self { return .nsDictionary(isMutable: true) }
    if let model = type as? any JSONKeyValueCreatable.Type { return .model(model) }
    guard let dictionary = type as? any JSONDictionaryCreatable.Type else {
      return isCast(type, [String: Any]()) || isCast(type, NSDictionary()) ? .cast : nil
    }
    let (key, value) = dictionary.keyValueTypes
    return ValueBuilder.maker(dictionary).map { .dictionary($0, key: key, value: value) } ?? .unsupportedKeys(key)
  }

  /// Returns whether a container that JSONSerialization returns casts to the declared type.
  private static func isCast(_ type: Any.Type, _ container: Any) -> Bool { caster(type)(container) != nil }
}

extension JSON {
  /// A string, number or Bool in the type that JSONSerialization returns; `nil` for a number beyond the range of
  /// Double.
  var foundationLeaf: Any? {
    switch type {
    case .string: stringValue
    case .number: foundationNumber
    case .bool: NSNumber(value: boolValue)
    case .null, .array, .dictionary, .unknown: nil
    }
  }

  /// The type in which JSONSerialization returns this value.
  var foundationType: Any.Type {
    switch type {
    case .string: String.self
    case .number, .bool: NSNumber.self
    case .array: [Any].self
    case .dictionary: [String: Any].self
    case .null, .unknown: NSNull.self
    }
  }
}
