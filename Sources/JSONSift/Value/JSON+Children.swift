extension JSON {
  /// An iterator over the elements of an array, each with its index as text, or over the members of an object, in the order
  /// of the text and with duplicates. A scalar has no children.
  ///
  /// ```swift
  /// for (key, value) in json["headers"] { print(key, value.stringValue) }
  /// ```
  public struct Iterator: IteratorProtocol, Sendable {
    private var children: ChildCursor
    private var index = 0

    init(_ json: JSON) { children = ChildCursor(json) }

    /// Returns the next key, or index as text, and its value; `nil` at the end.
    public mutating func next() -> (String, JSON)? {
      guard let child = children.next() else { return nil }
      defer { index &+= 1 }
      return (child.name?.string ?? String(index), child.value)
    }
  }

  /// Returns an iterator over the elements or members.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// The same as ``count``.
  public var underestimatedCount: Int { count }

  /// The number of elements or members, including duplicate keys. 0 for a scalar.
  ///
  /// - Complexity: O(1). The first access to an untouched container is O(size). It parses the whole container if the text
  ///   is a mapped file, which other processes may change.
  public var count: Int {
    switch raw {
    case .node(let document, let index): document.childCount(of: index)
    case .overlay(let overlay): overlay.count
    case .lazy(let value): value.count
    default: 0
    }
  }

  /// Whether there are no elements or members. True for a scalar.
  public var isEmpty: Bool { count == 0 }

  /// The elements, or `nil` if this is not an array.
  ///
  /// - Complexity: O(``count``).
  public var array: [JSON]? {
    guard parsedType == .array else { return nil }
    var elements: [JSON] = []
    elements.reserveCapacity(count)
    var children = ChildCursor(self)
    while let child = children.next() { elements.append(child.value) }
    return elements
  }

  /// The elements; empty if this is not an array.
  public var arrayValue: [JSON] { array ?? [] }

  /// The members by key, or `nil` if this is not an object. If keys are equal, the last one is used.
  ///
  /// Keys that differ only in their Unicode composition are equal in Swift, so they are one key here. The subscript
  /// distinguishes them.
  ///
  /// - Complexity: O(``count``).
  public var dictionary: [String: JSON]? {
    guard parsedType == .dictionary else { return nil }
    var members: [String: JSON] = [:]
    members.reserveCapacity(count)
    var children = ChildCursor(self)
    while let child = children.next() {
      if let name = child.name { members[name.string] = child.value }
    }
    return members
  }

  /// The members by key; empty if this is not an object.
  public var dictionaryValue: [String: JSON] { dictionary ?? [:] }
}
