import Foundation
import JSONSift
import JSONSiftFoundation

/// The rule for writing values of one type, computed once: the documented rules, in their order.
final class WriteRule: TypeFact, @unchecked Sendable {
  // Unchecked because the compiler cannot prove it: all properties are immutable, but closures are not marked as
  // Sendable.

  enum Rule {
    case optional
    case proxy
    /// A leaf that is converted without a ``JSONLeafValue``. Returns `nil` for a value that JSON cannot represent.
    case standardLeaf((Any) -> JSON?)
    case leaf
    case date
    case dictionary
    case collection
    case object
    /// `AnyHashable`: the wrapped value is written.
    case wrapped
    /// ``Unwritable``.
    case unwritable
    /// A type without reflection metadata.
    case unreadable
  }

  let type: ObjectIdentifier
  let rule: Rule
  private static let rules = TypeTable<WriteRule>()

  static func of(_ value: Any) -> Rule {
    let type = Swift.type(of: value)
    return rules.fact(of: ObjectIdentifier(type)) { WriteRule(type) }.rule
  }

  private init(_ type: Any.Type) {
    self.type = ObjectIdentifier(type)
    rule = Self.rule(type)
  }

  private static func rule(_ type: Any.Type) -> Rule {
    if type is any OptionalReflection.Type { return .optional }
    if type == AnyHashable.self { return .wrapped }
    if type == Unwritable.self { return .unwritable }
    if type is any JSONProxyProvider.Type { return .proxy }
    if let standard = standardLeaves[ObjectIdentifier(type)] { return .standardLeaf(standard) }
    if type is any JSONLeafRepresentable.Type { return .leaf }
    if type == Date.self || type is NSDate.Type { return .date }
    if let foundation = foundationLeaf(type) { return .standardLeaf(foundation) }
    if type is any PairSource.Type { return .dictionary }
    if isCollectionOfSwift(type) { return .collection }
    let isReadable = type is any CustomReflectable.Type || StoredProperties.areReadable(type)
    // A type that is not a sequence is read by a Mirror, which requires metadata.
    guard isReadable || type is any Sequence.Type else { return .unreadable }
    if type is any SGYDictionaryReflection.Type { return .dictionary }
    if type is any SGYCollectionReflection.Type { return .collection }
    return isReadable ? .object : .unreadable
  }

  /// Returns whether the type is a collection of the standard library. A view of a collection, such as the keys of a
  /// dictionary, is one for any base collection. A range is not: it may have more elements than a text can hold. An
  /// unowned buffer is not: its memory may have been freed.
  private static func isCollectionOfSwift(_ type: Any.Type) -> Bool {
    guard type is any Collection.Type, !(type is any RangeExpression.Type) else { return false }
    let name = String(reflecting: type)
    return name.hasPrefix("Swift.") && !name.contains("BufferPointer")
  }

  /// The leaves that this module conforms to ``JSONLeafRepresentable``.
  private static let standardLeaves: [ObjectIdentifier: @Sendable (Any) -> JSON?] = [
    ObjectIdentifier(String.self): { ($0 as? String)?.jsonValue },
    ObjectIdentifier(Bool.self): { ($0 as? Bool)?.jsonValue },
    ObjectIdentifier(Int.self): { ($0 as? Int)?.jsonValue },
    ObjectIdentifier(Int128.self): { ($0 as? Int128)?.jsonValue },
    ObjectIdentifier(UInt128.self): { ($0 as? UInt128)?.jsonValue },
    ObjectIdentifier(Double.self): { ($0 as? Double).flatMap { finite($0) } },
    ObjectIdentifier(Float.self): { ($0 as? Float).flatMap { finite($0.shortestDouble) } },
    ObjectIdentifier(JSON.self): { ($0 as? JSON)?.jsonValue },
  ]

  /// Foundation's leaves, which this module does not conform to ``JSONLeafRepresentable``, so that a program can
  /// conform them.
  private static func foundationLeaf(_ type: Any.Type) -> ((Any) -> JSON?)? {
    switch type {
    case is Decimal.Type: { ($0 as? Decimal).flatMap { $0.isFinite ? $0.jsonValue : Optional.none } }
    case is CGFloat.Type: { ($0 as? CGFloat).flatMap { finite(Double($0)) } }
    case is Character.Type: { ($0 as? Character).map { String($0).jsonValue } }
    case is Unicode.Scalar.Type: { ($0 as? Unicode.Scalar).map { String(Character($0)).jsonValue } }
    case is Substring.Type: { ($0 as? Substring).map { String($0).jsonValue } }
    case is URL.Type: { ($0 as? URL)?.absoluteString.jsonValue }
    case is NSURL.Type: { ($0 as? NSURL).map { ($0 as URL).absoluteString.jsonValue } }
    case is UUID.Type: { ($0 as? UUID)?.uuidString.jsonValue }
    case is NSUUID.Type: { ($0 as? NSUUID)?.uuidString.jsonValue }
    case is Data.Type: { ($0 as? Data)?.base64EncodedString().jsonValue }
    case is NSData.Type: { ($0 as? NSData)?.base64EncodedString(options: []).jsonValue }
    default: nil
    }
  }

  private static func finite(_ value: Double) -> JSON? { value.isFinite ? value.jsonValue : Optional.none }
}
