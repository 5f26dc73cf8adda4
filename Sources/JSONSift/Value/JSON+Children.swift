extension JSON: Sequence {
  /// The elements of an array, with their index as text, or the members of an object, as written: in their order, with
  /// duplicates. A scalar has none.
  ///
  /// ```swift
  /// for (key, value) in json["headers"] { print(key, value.stringValue) }
  /// ```
  public struct Iterator: IteratorProtocol, Sendable {
    private var children: Document.Children?
    private var position = 0

    init(_ json: JSON) {
      guard case .node(let document, let index) = json.storage else { return }
      children = Document.Children(of: index, in: document)
    }

    /// The next key or index, with its value.
    public mutating func next() -> (String, JSON)? {
      guard let child = children?.next(), let document = children?.document else { return nil }
      defer { position += 1 }
      return (child.key.map(document.string(at:)) ?? String(position), JSON(document, child.value))
    }
  }

  /// Goes over the elements or members.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// ``count``.
  public var underestimatedCount: Int { count }

  /// How many elements or members there are, duplicates counted. 0 for a scalar. O(1).
  public var count: Int {
    guard case .node(let document, let index) = storage else { return 0 }
    return document.childCount(of: index)
  }

  /// Whether there are no elements or members. True for a scalar.
  public var isEmpty: Bool { count == 0 }

  /// The elements, or `nil` if this is no array.
  ///
  /// - Complexity: O(``count``).
  public var array: [JSON]? {
    guard let (document, index) = node(.arrayStart) else { return nil }
    var elements: [JSON] = []
    elements.reserveCapacity(document.childCount(of: index))
    var children = Document.Children(of: index, in: document)
    while let child = children.next() { elements.append(JSON(document, child.value)) }
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
    guard let (document, index) = node(.objectStart) else { return nil }
    var members: [String: JSON] = [:]
    members.reserveCapacity(document.childCount(of: index))
    var children = Document.Children(of: index, in: document)
    while let child = children.next() {
      if let key = child.key { members[document.string(at: key)] = JSON(document, child.value) }
    }
    return members
  }

  /// The members by key; none if this is no object.
  public var dictionaryValue: [String: JSON] { dictionary ?? [:] }
}
