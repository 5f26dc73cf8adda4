/// One step to a child: an index or a key.
public enum JSONKey: Sendable, Hashable {
  case index(Int)
  case key(String)
}

/// What can stand in a path subscript. Your own types can conform, such as an enum of keys.
public protocol JSONSubscriptType {
  /// The step.
  var jsonKey: JSONKey { get }
}

extension Int: JSONSubscriptType {
  /// The element at this index.
  public var jsonKey: JSONKey { .index(self) }
}

extension String: JSONSubscriptType {
  /// The member of this name.
  public var jsonKey: JSONKey { .key(self) }
}

extension JSON {
  /// The element at `index`. Without such an element a null with an ``error``.
  ///
  /// - Complexity: O(1), amortised: the first index into an array of more than 64 elements makes a table of them.
  public subscript(index: Int) -> JSON {
    guard let (document, node) = node(.arrayStart) else { return JSON(absent: error ?? .wrongType) }
    guard index >= 0, index < document.childCount(of: node) else { return JSON(absent: .indexOutOfBounds) }
    return JSON(document, document.element(index, of: node))
  }

  /// The value of the last member named `key`. Without such a member a null with an ``error``.
  ///
  /// Keys are equal if their bytes are, once escapes are decoded.
  ///
  /// - Complexity: O(length of `key`), amortised: the first key into an object of more than 64 members makes a hash
  ///   table of them.
  public subscript(key: String) -> JSON {
    guard let (document, node) = node(.objectStart) else { return JSON(absent: error ?? .wrongType) }
    var key = key
    let value = key.withUTF8 { unsafe document.member(UnsafeRawBufferPointer($0), of: node) }
    guard let value else { return JSON(absent: .notExist) }
    return JSON(document, value)
  }

  /// The value at the end of a path of indexes and keys. An empty path is the value itself.
  public subscript(path: [JSONSubscriptType]) -> JSON {
    path.reduce(self) { json, step in
      switch step.jsonKey {
      case .index(let index): json[index]
      case .key(let key): json[key]
      }
    }
  }

  /// The value at the end of a path of indexes and keys: `json["users", 3, "name"]`.
  public subscript(path: JSONSubscriptType...) -> JSON { self[path] }
}
