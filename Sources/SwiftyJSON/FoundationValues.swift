public import Foundation

extension NSNull: JSONRepresentable {
  /// Null.
  public var jsonValue: JSON { .null }
}

extension NSString: JSONRepresentable {
  /// The string. It is not parsed.
  public var jsonValue: JSON { String(self).jsonValue }
}

extension Data: JSONRepresentable {
  /// The value of the JSON text in the data, or null if there is none, without an error. So is a text that is neither
  /// array nor object. To learn what is wrong, use ``JSON/init(data:options:)``.
  public var jsonValue: JSON { (try? JSON(data: self)) ?? .null }
}

extension NSArray: JSONRepresentable {
  /// The elements. One that JSON has no form for is ``JSONType/unknown``.
  ///
  /// So is one that is more than 512 levels down, or that contains itself.
  ///
  /// - Complexity: O(number of all values in it).
  public var jsonValue: JSON { FoundationReader.json(of: self) }
}

extension NSDictionary: JSONRepresentable {
  /// The members. If a key is no string, all of it is ``JSONType/unknown``. A value that JSON has no form for is
  /// unknown alone.
  ///
  /// So is one that is more than 512 levels down, or that contains itself.
  ///
  /// - Complexity: O(number of all values in it).
  public var jsonValue: JSON { FoundationReader.json(of: self) }
}

/// Reads Foundation's containers, with a stack of its own: what comes from outside may be deeper than a thread's stack,
/// and a mutable container may contain itself. (Foundation on Linux has no defence against that: there the program ends
/// in the cast.)
private enum FoundationReader {
  /// A container whose elements are being read.
  private struct Level {
    /// What a loop comes back to; `nil` for a Swift container, which cannot contain itself.
    let identity: ObjectIdentifier?
    var values: IndexingIterator<[Any]>
    /// The keys of a dictionary, in the order of `values`; `nil` in an array.
    let keys: [String]?
    var elements: [JSON] = []

    var json: JSON {
      guard let keys else { return JSON(elements: elements) }
      return JSON(members: zip(keys, elements).map { ($0, $1) })
    }
  }

  /// What a value is to the reader.
  private enum Content {
    case container(Level)
    /// A dictionary with other keys than strings.
    case unsupported
    /// No container. The core knows what it is.
    case leaf
  }

  /// The value of an array or dictionary, of Foundation or of Swift.
  static func json(of container: Any) -> JSON {
    guard case .container(let first) = content(of: container) else { return .unsupported }
    var open = [first]
    while true {
      guard let value = open[open.count - 1].values.next() else {
        let json = open.removeLast().json
        if open.isEmpty { return json }
        open[open.count - 1].elements.append(json)
        continue
      }
      switch content(of: value) {
      case .leaf: open[open.count - 1].elements.append(JSON(value))
      case .unsupported: open[open.count - 1].elements.append(.unsupported)
      case .container(let inner):
        let isLoop = inner.identity != nil && open.contains { $0.identity == inner.identity }
        if isLoop || open.count >= JSON.anyDepth {
          open[open.count - 1].elements.append(.tooDeep)
        } else {
          open.append(inner)
        }
      }
    }
  }

  private static func content(of value: Any) -> Content {
    if value is any JSONRepresentable, !(value is NSArray), !(value is NSDictionary) { return .leaf }
    // Foundation's containers become Swift's by these casts; so both are read in one way.
    if let array = value as? [Any] {
      return .container(Level(identity: identity(of: value), values: array.makeIterator(), keys: nil))
    }
    if let dictionary = value as? [String: Any] {
      let values = dictionary.values.map { $0 }.makeIterator()
      return .container(Level(identity: identity(of: value), values: values, keys: Array(dictionary.keys)))
    }
    return value is [AnyHashable: Any] ? .unsupported : .leaf
  }

  private static func identity(of value: Any) -> ObjectIdentifier? {
    type(of: value) is AnyClass ? ObjectIdentifier(value as AnyObject) : nil
  }
}

extension JSON {
  /// What lies deeper than values of `Any` may.
  fileprivate static var tooDeep: JSON { JSON(nesting: [] as [Any], depth: anyDepth) }
}
