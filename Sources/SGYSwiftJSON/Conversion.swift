import Foundation
import JSONSift
import JSONSiftFoundation

/// What a declared type takes from JSON, found out once: the documented rules, in their order.
final class Conversion: TypeFact, @unchecked Sendable {
  // Sendable without the compiler's proof: all of it is immutable, but closures and metatypes do not say that they are.

  /// Rules 1 and 2, which do not ask what the JSON value is.
  enum First {
    /// `Any`: the value as Foundation has it.
    case any
    /// `AnyObject`: the same, as an object.
    case anyObject
    /// `JSON`: the value itself.
    case json
    case date
    case other
  }

  enum OfArray {
    case leaves(StandardTypes.ArrayReader, element: Any.Type)
    /// A builder of the collection, given the number of its elements, and their type.
    case collection((Int) -> ElementBuilder, element: Any.Type)
    case array(isMutable: Bool)
    /// An array of Foundation is of the declared type: rule 1.
    case cast
  }

  enum OfObject {
    case model(any JSONKeyValueCreatable.Type)
    /// A builder of the dictionary, given the number of its members, and their types.
    case dictionary((Int) -> MemberBuilder, key: Any.Type, value: Any.Type)
    /// Keys that no name can become, with their type.
    case unsupportedKeys(Any.Type)
    case nsDictionary(isMutable: Bool)
    /// A dictionary of Foundation is of the declared type: rule 1.
    case cast
  }

  let type: ObjectIdentifier
  /// The declared type without its optionals.
  let declared: Any.Type
  /// `nil` of the declared type, if that is optional.
  let nilValue: Any?
  let first: First
  /// Rule 3.
  let ofLeaf: StandardTypes.Reader?
  /// A leaf of Swift's own: the rules before do not matter, and a value that is converted was neither null nor a
  /// container.
  let isPlainLeaf: Bool
  /// Rule 4.
  let ofArray: OfArray?
  /// Rule 5.
  let ofObject: OfObject?
  /// A cast to the declared type, for what is of it already.
  let cast: (Any) -> Any?

  private static let conversions = TypeTable<Conversion>()

  /// The conversion to a declared type.
  static func of(_ type: Any.Type) -> Conversion {
    conversions.fact(of: ObjectIdentifier(type)) { Conversion(type) }
  }

  private init(_ type: Any.Type) {
    self.type = ObjectIdentifier(type)
    nilValue = (type as? any OptionalReflection.Type)?.nilValue
    var type = type
    while let optional = type as? any OptionalReflection.Type { type = optional.wrappedType }
    declared = type
    cast = Self.caster(type)
    first =
      switch ObjectIdentifier(type) {
      case ObjectIdentifier(Any.self): .any
      case ObjectIdentifier(AnyObject.self): .anyObject
      case ObjectIdentifier(JSON.self): .json
      case ObjectIdentifier(Date.self), ObjectIdentifier(NSDate.self): .date
      default: .other
      }
    ofLeaf = Self.leaf(type)
    isPlainLeaf = StandardTypes.all.conforming[ObjectIdentifier(type)] != nil
    ofArray = Self.array(type)
    ofObject = Self.object(type)
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

  private static func array(_ type: Any.Type) -> OfArray? {
    if type == NSArray.self { return .array(isMutable: false) }
    if type == NSMutableArray.self { return .array(isMutable: true) }
    guard let collection = type as? any JSONCollectionCreatable.Type else {
      return isCast(type, [Any]()) || isCast(type, NSArray()) ? .cast : nil
    }
    let element = collection.elementType
    if let leaves = StandardTypes.all.arrays[ObjectIdentifier(type)] { return .leaves(leaves, element: element) }
    if let array = type as? any BuiltByArray.Type { return .collection({ array.builder($0) }, element: element) }
    return .collection({ _ in AnyElementBuilder(collection) }, element: element)
  }

  private static func object(_ type: Any.Type) -> OfObject? {
    if type == NSDictionary.self { return .nsDictionary(isMutable: false) }
    if type == NSMutableDictionary.self { return .nsDictionary(isMutable: true) }
    if let model = type as? any JSONKeyValueCreatable.Type { return .model(model) }
    guard let dictionary = type as? any JSONDictionaryCreatable.Type else {
      return isCast(type, [String: Any]()) || isCast(type, NSDictionary()) ? .cast : nil
    }
    let (key, value) = dictionary.keyValueTypes
    return MemberBuilder.maker(dictionary).map { .dictionary($0, key: key, value: value) } ?? .unsupportedKeys(key)
  }

  /// Whether what JSONSerialization makes of a container is of the declared type.
  private static func isCast(_ type: Any.Type, _ container: Any) -> Bool { caster(type)(container) != nil }
}

extension JSON {
  /// A string, number, `true` or `false` as JSONSerialization has it; `nil` for a number larger than any Double.
  var foundationLeaf: Any? {
    switch type {
    case .string: return stringValue
    case .number:
      let number = foundationNumber
      return number.doubleValue.isFinite ? number : nil
    case .bool: return NSNumber(value: boolValue)
    case .null, .array, .dictionary, .unknown: return nil
    }
  }

  /// The type that JSONSerialization gives a value.
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
