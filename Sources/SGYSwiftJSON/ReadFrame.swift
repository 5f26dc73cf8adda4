/// A container that is being read, child by child.
final class ReadFrame {
  enum Target {
    case object(any JSONKeyValueCreatable, ModelPlan)
    case array(ElementBuilder, Conversion)
    case dictionary(MemberBuilder, Conversion)
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
final class MemberBuilder {
  private let dictionary: any JSONDictionaryCreatable.Type
  private var members: [String: Any] = [:]

  init(_ dictionary: any JSONDictionaryCreatable.Type) { self.dictionary = dictionary }
  func append(_ value: Any, _ name: String) { members[name] = value }
  func finish() -> Any { dictionary.init(dictionary: members) }
}
