import JSONSift

/// A container that is being read, child by child.
final class ReadFrame {
  enum Target {
    case object(any JSONKeyValueCreatable, ModelPlan)
    case array(ElementBuilder, Conversion)
    /// The conversion of the values, and the type of the keys.
    case dictionary(MemberBuilder, Conversion, key: Any.Type)
  }

  let target: Target
  let walk: ChildWalk
  /// The index of the current property.
  var propertyIndex = 0

  init(_ json: JSON, _ target: Target) {
    self.target = target
    walk = ChildWalk(json)
  }

  /// The path step to the current child; `nil` before the first child.
  var step: KeyPathStep? {
    switch target {
    case .object(_, let plan): walk.count > 0 ? .name(plan.properties[propertyIndex].name) : nil
    case .array: walk.count > 0 ? .index(walk.count - 1) : nil
    case .dictionary: walk.name.map { .name($0) }
    }
  }
}

/// Collects the elements of a collection.
class ElementBuilder {
  func append(_ value: Any) {}
  func finish() -> Any { () }
}

/// Builds a collection that accepts any elements.
final class AnyElementBuilder: ElementBuilder {
  private let collection: any JSONCollectionCreatable.Type
  private var elements: [Any] = []

  init(_ collection: any JSONCollectionCreatable.Type) { self.collection = collection }
  override func append(_ value: Any) { elements.append(value) }
  override func finish() -> Any { collection.init(array: elements) }
}

/// Builds an array without collecting its elements as `Any` first.
private final class ArrayBuilder<Element>: ElementBuilder {
  private var elements: [Element] = []

  init(_ count: Int) { elements.reserveCapacity(count) }
  override func append(_ value: Any) { if let element = value as? Element { elements.append(element) } }
  override func finish() -> Any { elements }
}

/// A collection that is built by an array builder.
protocol BuiltByArray {
  static func builder(_ count: Int) -> ElementBuilder
}

extension Array: BuiltByArray {
  static func builder(_ count: Int) -> ElementBuilder { ArrayBuilder<Element>(count) }
}

/// Collects the members of a dictionary.
class MemberBuilder {
  /// Begins a member. Returns `false` if its name cannot become a key.
  func begin(_ name: String) -> Bool { false }
  /// Adds the value of the member that was begun last.
  func append(_ value: Any) {}
  func finish() -> Any { () }
}

/// Builds a dictionary that accepts any members.
private final class AnyMemberBuilder: MemberBuilder {
  private let dictionary: any JSONDictionaryCreatable.Type
  private var members: [String: Any] = [:]
  private var name = ""

  init(_ dictionary: any JSONDictionaryCreatable.Type) { self.dictionary = dictionary }
  override func begin(_ name: String) -> Bool {
    self.name = name
    return true
  }
  override func append(_ value: Any) { members[name] = value }
  override func finish() -> Any { dictionary.init(dictionary: members) }
}

/// Builds a Swift dictionary. Keys are created in the order of the text, so if names convert to equal keys, the last
/// value is used.
private final class DictionaryBuilder<Key: Hashable, Value>: MemberBuilder {
  private let makeKey: (String) -> Key?
  private var members: [Key: Value] = [:]
  private var key: Key?

  init(_ makeKey: @escaping (String) -> Key?, _ count: Int) {
    self.makeKey = makeKey
    members.reserveCapacity(count)
  }
  override func begin(_ name: String) -> Bool {
    key = makeKey(name)
    return key != nil
  }
  override func append(_ value: Any) { if let key, let value = value as? Value { members[key] = value } }
  override func finish() -> Any { members }
}

/// A dictionary that provides a builder for its types.
protocol BuiltByMembers {
  /// Creates a builder; `nil` if no name can become a key.
  static var builder: ((_ count: Int) -> MemberBuilder)? { get }
}

extension Dictionary: BuiltByMembers {
  static var builder: ((_ count: Int) -> MemberBuilder)? {
    DictionaryKey<Key>.maker.map { makeKey in { DictionaryBuilder<Key, Value>(makeKey, $0) } }
  }
}

extension MemberBuilder {
  /// Returns a function that creates builders for a dictionary; `nil` if no name can become its key.
  static func maker(_ dictionary: any JSONDictionaryCreatable.Type) -> ((_ count: Int) -> MemberBuilder)? {
    if let known = dictionary as? any BuiltByMembers.Type { return known.builder }
    guard DictionaryKeys.canMake(dictionary.keyValueTypes.key) else { return nil }
    return { _ in AnyMemberBuilder(dictionary) }
  }
}
