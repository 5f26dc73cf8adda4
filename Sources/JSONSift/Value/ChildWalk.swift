/// Iterates over the members or elements of a container for another module of the package, with a ``ChildCursor``. A child
/// of a document is read directly from the tape: no ``JSON`` and no `String` for its name is created before it is requested.
///
/// A class, because it is passed on for each child, and copies of a struct would count references each time.
package final class ChildWalk {
  private var cursor: ChildCursor
  /// The document of the children, if all of them are in one; otherwise the children are values.
  private let document: Document?
  private var likelyIndex = 0
  /// The number of children that were returned or skipped.
  package private(set) var count = 0

  // The current child: its tape indices in the document, or a value.
  private var key: UInt32?
  private var word: UInt32 = 0
  private var child: ChildCursor.Child?

  /// Creates a walk over the children of an array or object. A scalar has no children.
  package init(_ json: JSON) {
    cursor = ChildCursor(json)
    document = cursor.unchangedDocument
  }

  /// Advances to the next child. Returns `false` if there is no further child.
  package func next() -> Bool {
    guard document != nil else { return nextValue() }
    guard let child = cursor.nextWord() else { return false }
    (key, word) = child
    count &+= 1
    return true
  }

  /// Advances to the next member whose name is in the table. Returns the index of the name in the table, or `nil` if there
  /// is no such member.
  package func next(in table: NameTable) -> Int? {
    guard let document else { return nextValue(in: table) }
    while next() {
      // An array has no names.
      guard let key else { return nil }
      let likelyIndex = likelyIndex
      // Members usually occur in the order of the table.
      if unsafe table.withName(at: likelyIndex, { unsafe document.matches(key, $0) }) == true {
        self.likelyIndex = likelyIndex &+ 1
        return likelyIndex
      }
      guard let index = unsafe document.withDecodedText(of: key, { unsafe table.index(of: $0) }) else { continue }
      self.likelyIndex = index &+ 1
      return index
    }
    return nil
  }

  @inline(never)
  private func nextValue(in table: NameTable) -> Int? {
    while nextValue() {
      if let index = unsafe child?.name?.withBytes({ unsafe table.index(of: $0) }) ?? nil { return index }
    }
    return nil
  }

  @inline(never)
  private func nextValue() -> Bool {
    guard let child = cursor.next() else { return false }
    self.child = child
    count &+= 1
    return true
  }
}

/// Accessors of the current child.
extension ChildWalk {
  /// The child's name, if it is a member. Each access creates a new `String`.
  package var name: String? {
    guard let document else { return child?.name?.string }
    return key.map { document.string(at: $0) }
  }

  /// The child as a value.
  package var json: JSON {
    guard let document else { return child?.value ?? .null }
    return JSON(document, word)
  }

  /// The type of the child.
  package var type: JSONType {
    guard let document else { return json.type }
    return document.word(word).kind.type
  }

  /// The number of children of the child.
  package var childCount: Int { document?.childCount(of: word) ?? json.count }

  /// The same as ``JSON/string``.
  package var string: String? {
    guard let document else { return json.string }
    return document.word(word).kind.isString ? document.string(at: word) : nil
  }

  /// The same as ``JSON/bool``.
  package var bool: Bool? {
    guard let document else { return json.bool }
    return document.word(word).kind.bool
  }

  /// The integer, if the child is a number without decimal point and exponent that fits.
  package var plainInteger: Int64? {
    guard let document, document.word(word).kind == .number,
      let number = unsafe document.withText(of: word, { unsafe NumberBytes.integer($0) }),
      number.magnitude <= UInt64(Int64.max)
    else { return nil }
    let value = Int64(truncatingIfNeeded: number.magnitude)
    return number.isNegative ? 0 &- value : value
  }

  /// The nearest Double, if the child is a number.
  package var double: Double? {
    guard let document else { return json.type == .number ? json.double : nil }
    guard document.word(word).kind == .number else { return nil }
    return unsafe document.withText(of: word) { unsafe NumberBytes.double($0) }
  }
}

extension JSON {
  /// The integer, if this is a number with an integral value that fits.
  package var exactInt64: Int64? { exactly(Int64.self) }

  /// The integer, if this is a number with an integral value that fits.
  package var exactUInt64: UInt64? { exactly(UInt64.self) }
}
