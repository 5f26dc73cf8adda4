extension JSON {
  /// One step of a path to a child: an index or a key.
  public enum Step: Sendable, Hashable {
    /// The element of an array at this index, counted from 0.
    case index(Int)
    /// The member of an object with this name.
    case key(String)
  }
}

/// A type whose values can be steps of a path subscript. Your own types can conform, for example an enum of keys.
public protocol JSONSubscriptType {
  /// The step of the path.
  var jsonKey: JSON.Step { get }
}

extension Int: JSONSubscriptType {
  /// The element at this index.
  public var jsonKey: JSON.Step { .index(self) }
}

extension String: JSONSubscriptType {
  /// The member with this name.
  public var jsonKey: JSON.Step { .key(self) }
}

extension JSON {
  /// The element at `index`. If there is no such element, a null with an ``error``.
  ///
  /// Setting replaces an existing element; otherwise nothing happens.
  ///
  /// - Complexity: O(1), amortized: the first index into an array of more than 64 elements builds a table of them.
  public subscript(index: Int) -> JSON {
    get {
      switch raw {
      case .node(let document, let node) where document.word(node).kind == .arrayStart:
        guard index >= 0, index < document.childCount(of: node) else { return JSON(absent: .indexOutOfBounds) }
        return JSON(document, document.element(index, of: node))
      case .overlay(let overlay) where !overlay.isObject:
        guard index >= 0, index < overlay.count else { return JSON(absent: .indexOutOfBounds) }
        return overlay.element(index)
      case .lazy(let value): return value.element(index)
      default: return JSON(absent: error ?? .wrongType)
      }
    }
    set { assign(newValue, to: .index(index)) }
    _modify {
      var opened = open([JSON.Step.index(index)])
      defer { close(&opened) }
      yield &opened.value
    }
  }

  /// The value of the last member named `key`. If there is no such member, a null with an ``error``.
  ///
  /// Keys are equal if their bytes are equal after escapes are decoded. Setting replaces the value or adds a member. A value
  /// that is not an object does not change.
  ///
  /// - Complexity: O(length of `key`), amortized: the first key into an object of more than 64 members builds a hash table
  ///   of them.
  public subscript(key: String) -> JSON {
    get {
      switch raw {
      case .node(let document, let node) where document.word(node).kind == .objectStart:
        var key = key
        let value = key.withUTF8 { unsafe document.member(UnsafeRawBufferPointer($0), of: node) }
        return value.map { JSON(document, $0) } ?? JSON(absent: .notExist)
      case .overlay(let overlay) where overlay.isObject:
        var key = key
        return key.withUTF8 { unsafe overlay.member(UnsafeRawBufferPointer($0)) } ?? JSON(absent: .notExist)
      case .lazy(let value):
        var key = key
        return key.withUTF8 { unsafe value.member(UnsafeRawBufferPointer($0)) }
      default: return JSON(absent: error ?? .wrongType)
      }
    }
    set { assign(newValue, to: .key(key)) }
    _modify {
      var opened = open([JSON.Step.key(key)])
      defer { close(&opened) }
      yield &opened.value
    }
  }

  /// The value at the end of a path of indexes and keys. An empty path is the value itself.
  ///
  /// Setting replaces the value at the end or adds its last key. Nothing happens if another part of the path is missing, or
  /// if the path is empty.
  public subscript(path: [JSONSubscriptType]) -> JSON {
    get { path.reduce(self) { json, step in json.child(step.jsonKey) } }
    _modify {
      var opened = open(path.map { $0.jsonKey })
      defer { close(&opened) }
      yield &opened.value
    }
  }

  /// The value at the end of a path of indexes and keys: `json["users", 3, "name"]`.
  public subscript(path: JSONSubscriptType...) -> JSON {
    get { self[path] }
    _modify { yield &self[path] }
  }
}
