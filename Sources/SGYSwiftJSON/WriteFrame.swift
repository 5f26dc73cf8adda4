import Foundation
import JSONSift

/// A container that is being written, child by child.
final class WriteFrame {
  /// A child: under a name in an object, at an index in an array.
  struct Child {
    let name: String?
    let value: Any
  }

  /// The object that is written, if it has an identity. Held: one that is made while writing could go, and the next one
  /// have its address.
  let identity: AnyObject?
  /// Where it stands in the container around it.
  let step: KeyPathStep?
  /// The next child, or `nil`. A child without a value, whose key is none, is of the type that it names.
  private var children: AnyIterator<Child>
  private let isObject: Bool
  private var members: [(String, JSON)] = []
  private var elements: [JSON] = []
  /// How many children have been taken.
  private(set) var position = 0

  init(_ children: AnyIterator<Child>, isObject: Bool, _ step: KeyPathStep?, _ identity: AnyObject?) {
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

  func append(_ json: JSON, _ step: KeyPathStep?) {
    if case .name(let name)? = step { members.append((name, json)) } else { elements.append(json) }
  }

  /// The step to a child that ``next()`` has just handed out.
  func step(to child: Child) -> KeyPathStep { child.name.map { .name($0) } ?? .index(position - 1) }

  /// Whether `nil` is written, as null: in an array it has a place.
  var writesNil: Bool { !isObject }

  var json: JSON { isObject ? JSON(members: members) : JSON(elements: elements) }
}

/// Where the children of a container are.
enum Children {
  /// The elements of a collection.
  static func elements(of value: Any) -> AnyIterator<WriteFrame.Child> {
    values(in: value) { WriteFrame.Child(name: nil, value: $0) }
  }

  /// Keys and values of a dictionary. One of a program's own is a sequence of pairs, or its Mirror has them; what is no
  /// pair is passed over.
  static func pairs(of value: Any) -> AnyIterator<(key: Any, value: Any)> {
    if let dictionary = value as? any PairSource { return dictionary.anyPairs }
    let mirrors = values(in: value) {
      // A pair is a tuple, which is readable.
      Mirror(reflecting: StoredProperties.areReadable(type(of: $0)) ? $0 : ())
    }
    return AnyIterator {
      while let pair = mirrors.next()?.children.map({ $0.value }) {
        if pair.count == 2 { return (pair[0], pair[1]) }
      }
      return nil
    }
  }

  /// Something made of each value that a sequence gives, or that a Mirror has as a child.
  private static func values<Made>(in value: Any, _ make: @escaping (Any) -> Made) -> AnyIterator<Made> {
    if let sequence = value as? any Sequence { return iterator(sequence, make) }
    let iterator = Mirror(reflecting: value).children.makeIterator()
    return AnyIterator { iterator.next().map { make($0.value) } }
  }

  private static func iterator<Elements: Sequence, Made>(
    _ elements: Elements, _ make: @escaping (Any) -> Made
  ) -> AnyIterator<Made> {
    var iterator = elements.makeIterator()
    return AnyIterator { iterator.next().map { make($0) } }
  }

  /// Whether the pairs of a dictionary can be had: else it is written as an object of its properties.
  static func hasPairs(_ value: Any) -> Bool {
    value is any PairSource || value is any Sequence || Mirror(reflecting: value).displayStyle == .dictionary
  }

  /// The properties of an object or struct, those of its superclasses first, and the payload of an enum under the name
  /// of its case. `nil` if the value has no properties by its nature.
  static func properties(_ mirror: Mirror) -> AnyIterator<WriteFrame.Child>? {
    // A function, a metatype, a pointer; and a case without a payload, which is no object.
    guard mirror.displayStyle != nil || !mirror.children.isEmpty else { return nil }
    if mirror.displayStyle == .enum, mirror.children.isEmpty { return nil }
    var mirrors = [mirror]
    while let next = mirrors[mirrors.count - 1].superclassMirror { mirrors.append(next) }
    var children: [WriteFrame.Child] = []
    var places: [String: Int] = [:]
    for child in mirrors.reversed().flatMap({ properties(ofOne: $0) }) {
      // Of equal names that of the subclass counts, as where it is read.
      if let place = places[child.name ?? ""] {
        children[place] = child
      } else {
        places[child.name ?? ""] = children.count
        children.append(child)
      }
    }
    var iterator = children.makeIterator()
    return AnyIterator { iterator.next() }
  }

  /// The properties of one class or struct, under the names that stand in its source.
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

  /// The value of a property, or that there is none to be had: of a metatype, and of what cannot be copied, which a
  /// Mirror shows as `()`. A case may have that as its payload.
  private static func shown(_ value: Any, isPayload: Bool) -> Any {
    // Not `type(of:)`, which asks a metatype what it is of.
    func open<Value>(_ value: Value) -> Any.Type { Value.self }
    let type = _openExistential(value, do: open)
    return StoredProperties.holdsMetatype(type) || (type == Void.self && !isPayload) ? Unwritable(type: type) : value
  }

  /// What a property wrapper stores as its value, if it stores it under this name; the wrapper, if that says itself how
  /// it is written. The compiler puts an underscore before the name of a property with a wrapper.
  private static func wrapped(_ value: Any) -> Any? {
    let rule = WriteRule.of(value)
    switch rule {
    case .object: break
    // These need no metadata, without which a Mirror is not to be asked.
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

  /// The compiler's own in an actor, and in a class that is observable.
  private static let actorLabel = "$defaultActor"
  private static let observationLabel = "_$observationRegistrar"
}

/// In the place of a property that has no value.
struct Unwritable {
  let type: Any.Type
}

/// A dictionary, seen without its types.
protocol PairSource {
  var anyPairs: AnyIterator<(key: Any, value: Any)> { get }
}

extension Dictionary: PairSource {
  var anyPairs: AnyIterator<(key: Any, value: Any)> {
    var iterator = makeIterator()
    return AnyIterator { iterator.next().map { ($0.key, $0.value) } }
  }
}

extension KeyValuePairs: PairSource {
  var anyPairs: AnyIterator<(key: Any, value: Any)> {
    var iterator = makeIterator()
    return AnyIterator { iterator.next().map { ($0.key, $0.value) } }
  }
}

extension NSDictionary: PairSource {
  var anyPairs: AnyIterator<(key: Any, value: Any)> {
    var iterator = makeIterator()
    return AnyIterator { iterator.next().map { ($0.key, $0.value) } }
  }
}
