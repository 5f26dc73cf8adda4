/// A place among the elements or members of a ``JSON``, as SwiftyJSON documents it.
///
/// The cases are documented. What `dictionary` holds is this library's, since members have the order of the text.
public enum JSONCollectionIndex<T>: Comparable, Hashable, Sendable {
  /// The position of an element.
  case array(Int)
  /// The position of a member.
  case dictionary(JSONMemberPosition)
  /// The only position in a value that has neither.
  case null

  /// Whether `left` is before `right`. Only indices of one case are.
  public static func < (left: Self, right: Self) -> Bool {
    switch (left, right) {
    case (.array(let left), .array(let right)): left < right
    case (.dictionary(let left), .dictionary(let right)): left < right
    default: false
    }
  }
}

/// The position of a member of an object.
public struct JSONMemberPosition: Comparable, Hashable, Sendable {
  /// How many members are before it.
  let ordinal: Int
  /// The word of its name, if it stands in a text.
  let word: UInt32
  /// The object in the text that the word is of: an index of another value must not be taken for one of this.
  let owner: Owner?

  struct Owner: Hashable, Sendable {
    let document: ObjectIdentifier
    let index: UInt32
  }

  /// Whether `left` is before `right` in the order of the text.
  public static func < (left: Self, right: Self) -> Bool { left.ordinal < right.ordinal }
  /// Whether both are the same position.
  public static func == (left: Self, right: Self) -> Bool { left.ordinal == right.ordinal }
  /// Feeds the position to a hasher.
  public func hash(into hasher: inout Hasher) { hasher.combine(ordinal) }
}

/// The index of ``JSON`` with the type parameter that SwiftyJSON's has.
public typealias JSONRawIndex = JSONCollectionIndex<Any>
/// The same index with another type parameter, as documented.
public typealias JSONIndex = JSONCollectionIndex<JSON>

extension JSON: Collection {
  /// `.array` of an array, `.dictionary` of an object, else `.null`.
  public typealias Index = JSONRawIndex

  /// The position of the first element or member; ``endIndex`` if there is none.
  public var startIndex: Index {
    // Not inlined: chains of these crash the optimiser of Swift 6.3.
    @inline(never) get { boundary(isEnd: false) }
  }

  /// The position behind the last element or member.
  public var endIndex: Index {
    @inline(never) get { boundary(isEnd: true) }
  }

  private func boundary(isEnd: Bool) -> Index {
    // What is no JSON has neither.
    switch settledType {
    case .array: return .array(isEnd ? count : 0)
    case .dictionary:
      // The word at the end is never looked at.
      let word = isEnd ? 0 : (textPlace?.index ?? 0) &+ 2
      return .dictionary(JSONMemberPosition(ordinal: isEnd ? count : 0, word: word, owner: owner))
    default: return .null
    }
  }

  /// The position after `position`. It must be one of this value, and not ``endIndex``.
  public func index(after position: Index) -> Index {
    switch position {
    case .array(let index): return .array(index + 1)
    case .dictionary(let member):
      var word = member.word
      if let (document, _) = source(of: member) { word = document.after(word &+ 1) }
      return .dictionary(JSONMemberPosition(ordinal: member.ordinal + 1, word: word, owner: member.owner))
    case .null: return .null
    }
  }

  /// The index as text, or the name, and the value. `("", .null)` of a value that has neither; of one in which a fault was
  /// found since (see ``jsonError``) the null has the error.
  ///
  /// - Precondition: `position` is one of this value, and not ``endIndex``.
  /// - Complexity: O(1), amortised.
  public subscript(position: Index) -> (String, JSON) {
    if case .lazy = raw, settledType == .null { return ("", self) }
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

  /// The container in a text that this value is or began as.
  private var textPlace: (document: Document, index: UInt32)? {
    switch storage {
    case .node(let document, let index): (document, index)
    case .overlay(let overlay): overlay.base
    default: nil
    }
  }

  private var owner: JSONMemberPosition.Owner? {
    textPlace.map { JSONMemberPosition.Owner(document: ObjectIdentifier($0.document), index: $0.index) }
  }

  /// The text that a member stands in, if it does.
  private func source(of member: JSONMemberPosition) -> (document: Document, overlay: ContainerOverlay?)? {
    guard let (document, index) = textPlace, 0..<document.childCount(of: index) ~= member.ordinal else { return nil }
    precondition(
      member.owner == owner && member.word > index && member.word < document.after(index)
        && document.word(member.word).kind.isKey,
      "an index of another value")
    if case .overlay(let overlay) = raw { return (document, overlay) }
    return (document, nil)
  }
}
