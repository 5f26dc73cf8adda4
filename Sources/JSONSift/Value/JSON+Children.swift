extension JSON {
  /// An iterator over the elements of an array, each with its index as text, or over the members of an object, in the order
  /// of the text and with duplicates. A scalar has no children.
  ///
  /// ```swift
  /// for (key, value) in json["headers"] { print(key, value.stringValue) }
  /// ```
  public struct Iterator: IteratorProtocol, Sendable {
    /// The document of the container, if it is from a parsed text.
    private let document: Document?
    private let overlay: ContainerOverlay?
    private var position: UInt32
    private let end: UInt32
    private let isObject: Bool
    private var ordinal = 0

    init(_ json: JSON) {
      switch json.storage {
      case .node(let document, let index):
        self.init(document, index, overlay: nil)
      case .overlay(let overlay):
        if let (document, index) = overlay.base {
          self.init(document, index, overlay: overlay)
        } else {
          self.init(overlay: overlay)
        }
      default: self.init(overlay: nil)
      }
    }

    private init(_ document: Document, _ index: UInt32, overlay: ContainerOverlay?) {
      let kind = document.word(index).kind
      self.document = document
      self.overlay = overlay
      isObject = kind == .objectStart
      position = kind.isStart ? index &+ 2 : 0
      end = kind.isStart ? document.after(index) &- 1 : 0
    }

    private init(overlay: ContainerOverlay?) {
      document = nil
      self.overlay = overlay
      isObject = overlay?.isObject ?? false
      position = 0
      end = 0
    }

    /// Returns the next key, or index as text, and its value; `nil` at the end.
    public mutating func next() -> (String, JSON)? {
      guard position < end, let document else { return nextAdded() }
      let value = isObject ? position &+ 1 : position
      let name = isObject ? document.string(at: position) : String(ordinal)
      position = document.after(value)
      ordinal &+= 1
      if let overlay { return (name, overlay.value(at: value, in: document)) }
      return (name, JSON(document, value))
    }

    @inline(never)
    private mutating func nextAdded() -> (String, JSON)? {
      guard let overlay else { return nil }
      defer { ordinal += 1 }
      if isObject { return overlay.addedMember(ordinal - overlay.baseCount).map { ($0.name.string, $0.value) } }
      return overlay.addedElement(ordinal - overlay.baseCount).map { (String(ordinal), $0) }
    }
  }

  /// Returns an iterator over the elements or members.
  public func makeIterator() -> Iterator { Iterator(self) }

  /// The same as ``count``.
  public var underestimatedCount: Int { count }

  /// The number of elements or members, including duplicate keys. 0 for a scalar.
  ///
  /// - Complexity: O(1). The first access to an untouched container is O(size). It parses the whole container if the text
  ///   was not proven, or is a mapped file, which other processes may change.
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

  /// The members by key, or `nil` if this is not an object. Of equal keys the last wins.
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
