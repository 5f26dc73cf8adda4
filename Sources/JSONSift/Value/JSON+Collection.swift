extension JSON {
  /// An index of an element or member of a ``JSON``, as in SwiftyJSON.
  ///
  /// The cases are those of SwiftyJSON. The payload of `dictionary` is JSONSift's own type, because members keep the order of
  /// the text.
  public enum CollectionIndex<T>: Comparable, Hashable, Sendable {
    /// The index of an element.
    case array(Int)
    /// The position of a member.
    case dictionary(JSON.MemberPosition)
    /// The only index of a value that is neither an array nor an object.
    case null

    /// Returns whether `left` is before `right`. Indices of different cases are not ordered.
    public static func < (left: Self, right: Self) -> Bool {
      switch (left, right) {
      case (.array(let left), .array(let right)): left < right
      case (.dictionary(let left), .dictionary(let right)): left < right
      default: false
      }
    }
  }
}

extension JSON {
  /// The position of a member of an object.
  public struct MemberPosition: Comparable, Hashable, Sendable {
    /// The number of members before it.
    let ordinal: Int
    /// The tape index of its name, if the member is in a parsed text.
    let word: UInt32
    /// The object on the tape that `word` belongs to. It detects an index of another value.
    let owner: Owner?

    struct Owner: Hashable, Sendable {
      let document: ObjectIdentifier
      let index: UInt32
    }

    /// Returns whether `left` is before `right` in the order of the text.
    public static func < (left: Self, right: Self) -> Bool { left.ordinal < right.ordinal }
    /// Returns whether both are the same position.
    public static func == (left: Self, right: Self) -> Bool { left.ordinal == right.ordinal }
    /// Feeds the position to a hasher.
    public func hash(into hasher: inout Hasher) { hasher.combine(ordinal) }
  }
}

extension JSON: Collection {
  /// `.array` for an array, `.dictionary` for an object, otherwise `.null`.
  public typealias Index = CollectionIndex<Any>

  /// The position of the first element or member; ``endIndex`` if there is no child.
  public var startIndex: Index {
    // Not inlined: chains of these calls crash the optimizer of Swift 6.3.
    @inline(never) get { boundary(isEnd: false) }
  }

  /// The position after the last element or member.
  public var endIndex: Index { @inline(never) get { boundary(isEnd: true) } }

  private func boundary(isEnd: Bool) -> Index {
    // Invalid JSON has neither elements nor members.
    switch parsedType {
    case .array: return .array(isEnd ? count : 0)
    case .dictionary:
      // The tape index of the end is never read.
      let word = isEnd ? 0 : (tapeNode?.index ?? 0) &+ 2
      return .dictionary(JSON.MemberPosition(ordinal: isEnd ? count : 0, word: word, owner: owner))
    default: return .null
    }
  }

  /// Returns the position after `position`.
  ///
  /// - Precondition: `position` is an index of this value, and not ``endIndex``.
  public func index(after position: Index) -> Index {
    switch position {
    case .array(let index): return .array(index + 1)
    case .dictionary(let member):
      var word = member.word
      if let (document, _) = source(of: member) { word = document.after(word &+ 1) }
      return .dictionary(JSON.MemberPosition(ordinal: member.ordinal + 1, word: word, owner: member.owner))
    case .null: return .null
    }
  }

  /// The index as text, or the name, and the value. `("", .null)` for a value that is neither an array nor an object. If the
  /// text has meanwhile turned out to be invalid (see ``jsonError``), the null has that error.
  ///
  /// - Precondition: `position` is an index of this value, and not ``endIndex``.
  /// - Complexity: O(1), amortized.
  public subscript(position: Index) -> (String, JSON) {
    if case .lazy = raw, parsedType == .null { return ("", self) }
    switch position {
    case .array(let index):
      precondition(type == .array && 0..<count ~= index, "an index of another value, or past the end")
      return (String(index), self[index])
    case .dictionary(let member):
      if let (document, overlay) = source(of: member) {
        let word = member.word &+ 1
        return (document.string(at: member.word), overlay?.value(at: word, in: document) ?? JSON(document, word))
      }
      guard case .overlay(let overlay) = raw,
        let (name, value) = overlay.addedMember(member.ordinal - overlay.baseCount)
      else { preconditionFailure("an index of another value, or past the end") }
      return (name.string, value)
    case .null: return ("", .null)
    }
  }

  /// The container on the tape that this value is, or was before it was changed.
  private var tapeNode: (document: Document, index: UInt32)? {
    switch storage {
    case .node(let document, let index): (document, index)
    case .overlay(let overlay): overlay.base
    default: nil
    }
  }

  private var owner: JSON.MemberPosition.Owner? {
    tapeNode.map { JSON.MemberPosition.Owner(document: ObjectIdentifier($0.document), index: $0.index) }
  }

  /// Returns the document of a member, and the overlay over it; `nil` if the member is not in a parsed text.
  private func source(of member: JSON.MemberPosition) -> (document: Document, overlay: ContainerOverlay?)? {
    guard let (document, index) = tapeNode, 0..<document.childCount(of: index) ~= member.ordinal else { return nil }
    precondition(
      member.owner == owner && member.word > index && member.word < document.after(index)
        && document.word(member.word).kind.isKey,
      "an index of another value")
    if case .overlay(let overlay) = raw { return (document, overlay) }
    return (document, nil)
  }
}
