import Foundation
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
    /// ``JSON``: the value itself.
    case json
    case date
    case other
  }

  enum OfArray {
    case collection(any JSONCollectionCreatable.Type, element: Any.Type)
    case array(isMutable: Bool)
  }

  enum OfObject {
    case model(any JSONKeyValueCreatable.Type)
    case dictionary(any JSONDictionaryCreatable.Type, value: Any.Type)
    /// Keys that no name can become, with their type.
    case unsupportedKeys(Any.Type)
    case nsDictionary(isMutable: Bool)
  }

  let type: ObjectIdentifier
  /// The declared type without its optionals.
  let declared: Any.Type
  /// `nil` of the declared type, if that is optional.
  let nilValue: Any?
  let first: First
  /// Rule 3.
  let ofLeaf: ((JSON) -> Any?)?
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
    ofArray = Self.array(type)
    ofObject = Self.object(type)
  }

  private static func caster<Declared>(_ type: Declared.Type) -> (Any) -> Any? {
    { ($0 as? Declared).map { $0 as Any } }
  }

  private static func leaf(_ type: Any.Type) -> ((JSON) -> Any?)? {
    if let standard = standardLeaves[ObjectIdentifier(type)] { return standard }
    if let leaf = type as? any JSONLeafConvertable.Type {
      return { JSONLeafValue($0).flatMap { leaf.init(jsonValue: $0) } }
    }
    return foundationLeaves[ObjectIdentifier(type)]
  }

  private static func array(_ type: Any.Type) -> OfArray? {
    if type == NSArray.self { return .array(isMutable: false) }
    if type == NSMutableArray.self { return .array(isMutable: true) }
    return (type as? any JSONCollectionCreatable.Type).map { .collection($0, element: $0.elementType) }
  }

  private static func object(_ type: Any.Type) -> OfObject? {
    if type == NSDictionary.self { return .nsDictionary(isMutable: false) }
    if type == NSMutableDictionary.self { return .nsDictionary(isMutable: true) }
    if let model = type as? any JSONKeyValueCreatable.Type { return .model(model) }
    guard let dictionary = type as? any JSONDictionaryCreatable.Type else { return nil }
    let (key, value) = dictionary.keyValueTypes
    let isKnown =
      key == String.self || key == NSString.self || key == AnyHashable.self || key is any JSONLeafConvertable.Type
    return isKnown ? .dictionary(dictionary, value: value) : .unsupportedKeys(key)
  }

  // MARK: Leaves

  /// The leaves that conform to ``JSONLeafConvertable`` here, without a detour over ``JSONLeafValue``.
  private static let standardLeaves: [ObjectIdentifier: @Sendable (JSON) -> Any?] = [
    ObjectIdentifier(String.self): { StandardLeaf.string($0) },
    ObjectIdentifier(Bool.self): { StandardLeaf.bool($0) },
    ObjectIdentifier(Int.self): { StandardLeaf.integer($0, Int.self) },
    ObjectIdentifier(Int8.self): { StandardLeaf.integer($0, Int8.self) },
    ObjectIdentifier(Int16.self): { StandardLeaf.integer($0, Int16.self) },
    ObjectIdentifier(Int32.self): { StandardLeaf.integer($0, Int32.self) },
    ObjectIdentifier(Int64.self): { StandardLeaf.integer($0, Int64.self) },
    ObjectIdentifier(UInt.self): { StandardLeaf.integer($0, UInt.self) },
    ObjectIdentifier(UInt8.self): { StandardLeaf.integer($0, UInt8.self) },
    ObjectIdentifier(UInt16.self): { StandardLeaf.integer($0, UInt16.self) },
    ObjectIdentifier(UInt32.self): { StandardLeaf.integer($0, UInt32.self) },
    ObjectIdentifier(UInt64.self): { StandardLeaf.integer($0, UInt64.self) },
    ObjectIdentifier(Double.self): { StandardLeaf.double($0) },
    ObjectIdentifier(Float.self): { StandardLeaf.float($0) },
  ]

  /// Foundation's. Those that a program makes conform to ``JSONLeafConvertable`` follow that.
  private static let foundationLeaves: [ObjectIdentifier: @Sendable (JSON) -> Any?] = [
    ObjectIdentifier(NSString.self): { StandardLeaf.string($0).map { NSString(string: $0) } },
    ObjectIdentifier(NSMutableString.self): { StandardLeaf.string($0).map { NSMutableString(string: $0) } },
    ObjectIdentifier(NSNumber.self): { StandardLeaf.number($0) },
    ObjectIdentifier(NSDecimalNumber.self): { StandardLeaf.decimal($0).map { NSDecimalNumber(decimal: $0) } },
    ObjectIdentifier(Decimal.self): { StandardLeaf.decimal($0) },
    ObjectIdentifier(CGFloat.self): { StandardLeaf.double($0).map { CGFloat($0) } },
    ObjectIdentifier(Character.self): { StandardLeaf.character($0) },
    ObjectIdentifier(Substring.self): { StandardLeaf.string($0).map { Substring($0) } },
    ObjectIdentifier(URL.self): { StandardLeaf.url($0) },
    ObjectIdentifier(UUID.self): { StandardLeaf.uuid($0) },
    ObjectIdentifier(Data.self): { StandardLeaf.data($0) },
  ]
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
