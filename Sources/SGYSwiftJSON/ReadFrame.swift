/// A container that is being read, child by child.
class ReadFrame {
  let json: JSON
  fileprivate var children: NamedChildren

  init(_ json: JSON) {
    self.json = json
    children = NamedChildren(json)
  }

  /// The next child that is wanted, and what it is to become.
  func next() -> (JSON, Conversion)? { nil }

  /// Takes what ``next()`` has handed out, converted.
  func take(_ value: Any) throws {}

  /// The container, complete.
  func finish() -> Any { () }

  /// Where in the container the reader is.
  var step: KeyPathStep? { nil }
}

/// An object of a class.
final class ObjectFrame: ReadFrame {
  private let object: any JSONKeyValueCreatable
  private let plan: ModelPlan
  private var place = 0

  init(_ json: JSON, _ object: any JSONKeyValueCreatable, _ plan: ModelPlan) {
    self.object = object
    self.plan = plan
    super.init(json)
  }

  override func next() -> (JSON, Conversion)? {
    guard let (index, value) = children.next(in: plan.names) else { return nil }
    place = index
    return (value, plan.properties[index].conversion)
  }

  override func take(_ value: Any) throws { try object.setValue(value, property: plan.properties[place].name) }
  override func finish() -> Any { object }
  override var step: KeyPathStep? { place < plan.properties.count ? .name(plan.properties[place].name) : nil }
}

/// An array.
final class ArrayFrame: ReadFrame {
  private let builder: ElementBuilder
  private let element: Conversion

  init(_ json: JSON, _ collection: any JSONCollectionCreatable.Type, _ element: Conversion) {
    builder = (collection as? any BuiltOfElements.Type)?.builder(json.count) ?? AnyBuilder(collection)
    self.element = element
    super.init(json)
  }

  override func next() -> (JSON, Conversion)? { children.next().map { ($0, element) } }
  override func take(_ value: Any) throws { builder.append(value) }
  override func finish() -> Any { builder.finish() }
  override var step: KeyPathStep? { .index(children.position - 1) }
}

/// A dictionary.
final class DictionaryFrame: ReadFrame {
  private let dictionary: any JSONDictionaryCreatable.Type
  private let value: Conversion
  private var members: [String: Any]

  init(_ json: JSON, _ dictionary: any JSONDictionaryCreatable.Type, _ value: Conversion) {
    self.dictionary = dictionary
    self.value = value
    members = [:]
    super.init(json)
  }

  override func next() -> (JSON, Conversion)? { children.next().map { ($0, value) } }
  override func take(_ value: Any) throws { if let name = children.name { members[name] = value } }
  override func finish() -> Any { dictionary.init(dictionary: members) }
  override var step: KeyPathStep? { children.name.map { .name($0) } }
}

// MARK: Builders

/// Gathers the elements of a collection.
class ElementBuilder {
  func append(_ value: Any) {}
  func finish() -> Any { () }
}

/// Of a collection that takes any elements.
private final class AnyBuilder: ElementBuilder {
  private let collection: any JSONCollectionCreatable.Type
  private var elements: [Any] = []

  init(_ collection: any JSONCollectionCreatable.Type) { self.collection = collection }
  override func append(_ value: Any) { elements.append(value) }
  override func finish() -> Any { collection.init(array: elements) }
}

/// A collection whose elements need not be gathered as `Any` first.
protocol BuiltOfElements {
  static func builder(_ count: Int) -> ElementBuilder
}

extension Array: BuiltOfElements {
  static func builder(_ count: Int) -> ElementBuilder { ArrayBuilder<Element>(count) }
}

private final class ArrayBuilder<Element>: ElementBuilder {
  private var elements: [Element] = []

  init(_ count: Int) { elements.reserveCapacity(count) }
  override func append(_ value: Any) { if let element = value as? Element { elements.append(element) } }
  override func finish() -> Any { elements }
}
