extension JSON {
  /// The elements of an array, with their index as text, or the members of an object, as written: in their order, with
  /// duplicates. A scalar has none.
  ///
  /// ```swift
  /// for (key, value) in json["headers"] { print(key, value.stringValue) }
  /// ```
  public struct Iterator: IteratorProtocol, Sendable {
    private var children: ChildCursor
    private var index = 0

    init(_ json: JSON) { children = ChildCursor(json) }

    /// The next key or index, with its value.
    public mutating func next() -> (String, JSON)? {
      guard let child = children.next() else { return nil }
      defer { index &+= 1 }
      return (child.name?.string ?? String(index), child.value)
    }
  }

  /// Goes over the elements or members.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// ``count``.
  public var underestimatedCount: Int { count }

  /// How many elements or members there are, duplicates counted. 0 for a scalar.
  ///
  /// - Complexity: O(1). The first time O(size) of a container that nothing was asked of; it is parsed as a whole if the text
  ///   was not proven, or is a mapped file, which others may change.
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

  /// The elements, or `nil` if this is no array.
  ///
  /// - Complexity: O(``count``).
  public var array: [JSON]? {
    guard settledType == .array else { return nil }
    var elements: [JSON] = []
    elements.reserveCapacity(count)
    var children = ChildCursor(self)
    while let child = children.next() { elements.append(child.value) }
    return elements
  }

  /// The elements; none if this is no array.
  public var arrayValue: [JSON] { array ?? [] }

  /// The members by key, or `nil` if this is no object. Of equal keys the last wins.
  ///
  /// Keys that Swift holds equal because they differ only in the composition of their characters are one here; the
  /// subscript tells them apart.
  ///
  /// - Complexity: O(``count``).
  public var dictionary: [String: JSON]? {
    guard settledType == .dictionary else { return nil }
    var members: [String: JSON] = [:]
    members.reserveCapacity(count)
    var children = ChildCursor(self)
    while let child = children.next() {
      if let name = child.name { members[name.string] = child.value }
    }
    return members
  }

  /// The members by key; none if this is no object.
  public var dictionaryValue: [String: JSON] { dictionary ?? [:] }
}
