import Foundation
import JSONSift

/// A container that is being written, child by child.
final class WriteFrame {
  /// A child: with a name in an object, at an index in an array.
  struct Child {
    let name: String?
    let value: Any
  }

  /// The object that is being written, if it has an identity. Retained: an object created during writing could
  /// otherwise be freed, and the next one could get its address.
  let identity: AnyObject?
  /// The step to this container in the container around it.
  let step: JSON.Step?
  /// Returns the next child, or `nil`.
  private var children: AnyIterator<Child>
  private let isObject: Bool
  private var members: [(String, JSON)] = []
  private var elements: [JSON] = []
  /// The number of children returned so far.
  private(set) var position = 0

  init(_ children: AnyIterator<Child>, isObject: Bool, _ step: JSON.Step?, _ identity: AnyObject?) {
    self.children = children
    self.isObject = isObject
    self.step = step
    self.identity = identity
  }

  func next() -> Child? {
    guard let child = children.next() else { return nil }
    position += 1
    return child
  }

  func append(_ json: JSON, _ step: JSON.Step?) {
    if case .key(let name)? = step { members.append((name, json)) } else { elements.append(json) }
  }

  /// Returns the step to a child that ``next()`` has just returned.
  func step(to child: Child) -> JSON.Step { child.name.map { .key($0) } ?? .index(position - 1) }

  /// Whether `nil` is written as null: in an array it keeps its index.
  var writesNil: Bool { !isObject }

  var json: JSON { isObject ? JSON(members: members) : JSON(elements: elements) }
}

/// Reads the children of a container.
enum Children {
  /// Returns the elements of a collection.
  static func elements(of value: Any) -> AnyIterator<WriteFrame.Child> {
    values(in: value) { WriteFrame.Child(name: nil, value: $0) }
  }

  /// Returns the keys and values of a dictionary. A custom dictionary is a sequence of pairs, or its Mirror has pairs
  /// as children; elements that are not pairs are skipped.
  static func pairs(of value: Any) -> AnyIterator<(key: Any, value: Any)> {
    if let dictionary = value as? any PairSource { return pairs(dictionary) }
    let mirrors = values(in: value) {
      // A pair is a tuple, for which a Mirror is safe.
      Mirror(reflecting: StoredProperties.areReadable(type(of: $0)) ? $0 : ())
    }
    return AnyIterator {
      while let pair = mirrors.next()?.children.map({ $0.value }) {
        if pair.count == 2 { return (pair[0], pair[1]) }
      }
      return nil
    }
  }

  private static func pairs<Source: PairSource>(_ dictionary: Source) -> AnyIterator<(key: Any, value: Any)> {
    AnyIterator(dictionary.lazy.map(Source.pair).makeIterator())
  }

  /// Returns a transformed value for each element of a sequence, or for each child of a Mirror.
  private static func values<Made>(in value: Any, _ make: @escaping (Any) -> Made) -> AnyIterator<Made> {
    if let sequence = value as? any Sequence { return iterator(sequence, make) }
    return iterator(Mirror(reflecting: value).children.lazy.map { $0.value }, make)
  }

  private static func iterator<Made>(_ elements: some Sequence, _ make: @escaping (Any) -> Made) -> AnyIterator<Made> {
    AnyIterator(elements.lazy.map(make).makeIterator())
  }

  /// Returns whether the pairs of a dictionary are accessible. Otherwise it is written as an object of its properties.
  static func hasPairs(_ value: Any) -> Bool {
    value is any PairSource || value is any Sequence || Mirror(reflecting: value).displayStyle == .dictionary
  }

  /// Returns the properties of an object or struct, starting with those of its superclasses, or the payload of an enum
  /// under the name of its case. Returns `nil` if the value cannot have properties.
  static func properties(_ mirror: Mirror) -> AnyIterator<WriteFrame.Child>? {
    // A function, a metatype, a pointer; or a case without a payload, which is not an object.
    guard mirror.displayStyle != nil || !mirror.children.isEmpty else { return nil }
    if mirror.displayStyle == .enum, mirror.children.isEmpty { return nil }
    var mirrors = [mirror]
    while let next = mirrors[mirrors.count - 1].superclassMirror { mirrors.append(next) }
    var children: [WriteFrame.Child] = []
    var indexByName: [String: Int] = [:]
    for child in mirrors.reversed().flatMap({ properties(ofOne: $0) }) {
      // For duplicate names the property of the subclass is used, as when reading.
      if let index = indexByName[child.name ?? ""] {
        children[index] = child
      } else {
        indexByName[child.name ?? ""] = children.count
        children.append(child)
      }
    }
    return AnyIterator(children.makeIterator())
  }

  /// Returns the properties of one class or struct, under the names in its source.
  private static func properties(ofOne mirror: Mirror) -> [WriteFrame.Child] {
    let isObservable = mirror.children.contains { $0.label == observationLabel }
    let isPayload = mirror.displayStyle == .enum
    return mirror.children.compactMap { child in
      guard var label = child.label, label != actorLabel, label != observationLabel else { return nil }
      let value = shown(child.value, isPayload: isPayload)
      if label.hasPrefix(ModelPlan.lazyPrefix) {
        label.removeFirst(ModelPlan.lazyPrefix.count)
      } else if label.hasPrefix("_") {
        if isObservable {
          label.removeFirst()
        } else if let wrapped = wrapped(value) {
          return WriteFrame.Child(name: String(label.dropFirst()), value: wrapped)
        }
      }
      return WriteFrame.Child(name: label, value: value)
    }
  }

  /// Returns the value of a property, or an ``Unwritable`` if it cannot be read: for a metatype, and for a value that
  /// cannot be copied, which a Mirror shows as `()`. An enum case may have `()` as its payload.
  private static func shown(_ value: Any, isPayload: Bool) -> Any {
    // Not `type(of:)`, which returns the type that a metatype describes.
    func open<Value>(_ value: Value) -> Any.Type { Value.self }
    let type = _openExistential(value, do: open)
    return StoredProperties.holdsMetatype(type) || (type == Void.self && !isPayload) ? Unwritable(type: type) : value
  }

  /// Returns the value of a property wrapper, if it is stored under the name `wrappedValue`; returns the wrapper itself
  /// if it defines how it is written. The compiler prefixes the name of a property with a wrapper with an underscore.
  private static func wrapped(_ value: Any) -> Any? {
    let rule = WriteRule.of(value)
    switch rule {
    case .object: break
    // These rules do not imply metadata, and a Mirror requires it.
    case .proxy, .leaf, .dictionary, .collection:
      guard StoredProperties.areReadable(type(of: value)) else { return nil }
    case .optional, .standardLeaf, .date, .wrapped, .unwritable, .unreadable: return nil
    }
    let mirror = Mirror(reflecting: value)
    guard mirror.displayStyle == .struct || mirror.displayStyle == .class,
      let stored = mirror.children.first(where: { $0.label == "wrappedValue" })?.value
    else { return nil }
    if case .object = rule { return shown(stored, isPayload: false) }
    return value
  }

  /// The names of properties that the compiler adds to an actor and to an observable class.
  private static let actorLabel = "$defaultActor"
  private static let observationLabel = "_$observationRegistrar"
}

/// The placeholder for a property whose value cannot be read.
struct Unwritable {
  let type: Any.Type
}

/// A dictionary with its types erased.
protocol PairSource: Sequence {
  static func pair(_ element: Element) -> (key: Any, value: Any)
}

extension Dictionary: PairSource {
  static func pair(_ element: Element) -> (key: Any, value: Any) { (element.key, element.value) }
}

extension KeyValuePairs: PairSource {
  static func pair(_ element: Element) -> (key: Any, value: Any) { (element.key, element.value) }
}

extension NSDictionary: PairSource {
  static func pair(_ element: Element) -> (key: Any, value: Any) { (element.key, element.value) }
}
