import JSONSift

/// A container that is being read, child by child.
final class ReadFrame {
  enum Target {
    case object(any JSONKeyValueCreatable, ModelPlan)
    case array(ElementBuilder, Conversion)
    /// The types are those of the values and of the keys.
    case dictionary(MemberBuilder, Conversion, key: Any.Type)
  }

  let target: Target
  let walk: ChildWalk
  /// The property that the walk is at.
  var place = 0

  init(_ json: JSON, _ target: Target) {
    self.target = target
    walk = ChildWalk(json)
  }

  /// Where in the container the reader is; `nil` before the first child.
  var step: KeyPathStep? {
    switch target {
    case .object(_, let plan): walk.count > 0 ? .name(plan.properties[place].name) : nil
    case .array: walk.count > 0 ? .index(walk.count - 1) : nil
    case .dictionary: walk.name.map { .name($0) }
    }
  }
}

/// Gathers the elements of a collection.
class ElementBuilder {
  func append(_ value: Any) {}
  func finish() -> Any { () }
}

/// Of a collection that takes any elements.
final class AnyElementBuilder: ElementBuilder {
  private let collection: any JSONCollectionCreatable.Type
  private var elements: [Any] = []

  init(_ collection: any JSONCollectionCreatable.Type) { self.collection = collection }
  override func append(_ value: Any) { elements.append(value) }
  override func finish() -> Any { collection.init(array: elements) }
}

/// An array, whose elements need not be gathered as `Any` first.
private final class ArrayBuilder<Element>: ElementBuilder {
  private var elements: [Element] = []

  init(_ count: Int) { elements.reserveCapacity(count) }
  override func append(_ value: Any) { if let element = value as? Element { elements.append(element) } }
  override func finish() -> Any { elements }
}

/// A collection that is an array.
protocol BuiltByArray {
  static func builder(_ count: Int) -> ElementBuilder
}

extension Array: BuiltByArray {
  static func builder(_ count: Int) -> ElementBuilder { ArrayBuilder<Element>(count) }
}

/// Gathers the members of a dictionary.
class MemberBuilder {
  /// Begins a member. `false` if its name is no key.
  func begin(_ name: String) -> Bool { false }
  /// The value of the member that was begun last.
  func append(_ value: Any) {}
  func finish() -> Any { () }
}

/// Of a dictionary that takes any members.
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

/// A dictionary of Swift: its keys are made in the order of the text, so of two names that are one key the last counts.
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

/// A dictionary whose builder knows its types.
protocol BuiltByMembers {
  /// `nil` if no name can become a key.
  static var builder: ((_ count: Int) -> MemberBuilder)? { get }
}

extension Dictionary: BuiltByMembers {
  static var builder: ((_ count: Int) -> MemberBuilder)? {
    DictionaryKey<Key>.maker.map { makeKey in { DictionaryBuilder<Key, Value>(makeKey, $0) } }
  }
}

extension MemberBuilder {
  /// What makes builders for a dictionary; `nil` if no name can become a key of it.
  static func maker(_ dictionary: any JSONDictionaryCreatable.Type) -> ((_ count: Int) -> MemberBuilder)? {
    if let known = dictionary as? any BuiltByMembers.Type { return known.builder }
    guard DictionaryKeys.canMake(dictionary.keyValueTypes.key) else { return nil }
    return { _ in AnyMemberBuilder(dictionary) }
  }
}
