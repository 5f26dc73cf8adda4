import JSONSift

/// A container that is being read, child by child.
final class ReadFrame {
  enum Target {
    case object(any JSONKeyValueCreatable, ModelPlan)
    /// The conversion of the elements or values, and for a dictionary the type of the keys.
    case collection(ValueBuilder, Conversion, key: Any.Type?)
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
  var step: JSON.Step? {
    switch target {
    case .object(_, let plan): walk.count > 0 ? .key(plan.properties[propertyIndex].name) : nil
    case .collection(_, _, key: nil): walk.count > 0 ? .index(walk.count - 1) : nil
    case .collection: walk.name.map { .key($0) }
    }
  }
}

/// Collects the elements of a collection, or the members of a dictionary.
class ValueBuilder {
  /// Begins a member of a dictionary. Returns `false` if its name cannot become a key.
  func begin(_ name: String) -> Bool { false }
  /// Adds an element, or the value of the member that was begun last.
  func append(_ value: Any) {}
  func finish() -> Any { () }
}

/// Builds a collection that accepts any elements.
private final class AnyElementBuilder: ValueBuilder {
  private let collection: any JSONCollectionCreatable.Type
  private var elements: [Any] = []

  init(_ collection: any JSONCollectionCreatable.Type) { self.collection = collection }

  override func append(_ value: Any) { elements.append(value) }

  override func finish() -> Any { collection.init(array: elements) }
}

/// Builds an array without collecting its elements as `Any` first.
private final class ArrayBuilder<Element>: ValueBuilder {
  private var elements: [Element] = []

  init(_ count: Int) { elements.reserveCapacity(count) }

  override func append(_ value: Any) { if let element = value as? Element { elements.append(element) } }

  override func finish() -> Any { elements }
}

/// Builds a dictionary that accepts any members.
private final class AnyMemberBuilder: ValueBuilder {
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
private final class DictionaryBuilder<Key: Hashable, Value>: ValueBuilder {
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

/// A collection or dictionary that provides a builder for its types.
private protocol Buildable {
  /// Creates a builder for a number of values; `nil` if no name can become a key.
  static var builder: ((_ count: Int) -> ValueBuilder)? { get }
}

extension Array: Buildable {
  fileprivate static var builder: ((_ count: Int) -> ValueBuilder)? { { ArrayBuilder<Element>($0) } }
}

extension Dictionary: Buildable {
  fileprivate static var builder: ((_ count: Int) -> ValueBuilder)? {
    DictionaryKey<Key>.maker.map { makeKey in { DictionaryBuilder<Key, Value>(makeKey, $0) } }
  }
}

extension ValueBuilder {
  /// Returns a function that creates builders for a collection.
  static func maker(_ collection: any JSONCollectionCreatable.Type) -> (_ count: Int) -> ValueBuilder {
    (collection as? any Buildable.Type)?.builder ?? { _ in AnyElementBuilder(collection) }
  }

  /// Returns a function that creates builders for a dictionary; `nil` if no name can become its key.
  static func maker(_ dictionary: any JSONDictionaryCreatable.Type) -> ((_ count: Int) -> ValueBuilder)? {
    if let known = dictionary as? any Buildable.Type { return known.builder }
    func canMake<Key>(_ key: Key.Type) -> Bool { DictionaryKey<Key>.maker != nil }
    guard canMake(dictionary.keyValueTypes.key) else { return nil }
    return { _ in AnyMemberBuilder(dictionary) }
  }
}
