/// Goes over the members or elements of a container for another module of the package. A child is looked at where it
/// stands: no ``JSON`` is made of it, and no string of its name, before somebody asks.
///
/// A class: it is handed on for each child, and a copy would count references each time.
package final class ChildWalk {
  /// The text that the children stand in, if they do, and the words of the next child and of the end.
  private let document: Document?
  private var position: UInt32 = 0
  private var end: UInt32 = 0
  /// Children that do not all stand in a text.
  private var cursor: ChildCursor?
  private let isObject: Bool
  private var guess = 0
  /// How many children have been handed out or passed over.
  package private(set) var count = 0

  // The child that the walk is at: a word of the text, or a value.
  private var word: UInt32 = 0
  private var value: JSON?
  private var valueName: ChildCursor.Name?

  /// Over the children of an array or object; a scalar has none.
  package init(_ json: JSON) {
    guard case .node(let document, let index) = json.storage, document.word(index).kind.isStart else {
      document = nil
      isObject = json.type == .dictionary
      cursor = ChildCursor(json)
      return
    }
    self.document = document
    isObject = document.word(index).kind == .objectStart
    position = index &+ 2
    end = document.after(index) &- 1
  }

  /// Goes to the next child. False if there is none.
  package func next() -> Bool {
    guard let document else { return nextValue() }
    guard position < end else { return false }
    word = isObject ? position &+ 1 : position
    position = document.after(word)
    count &+= 1
    return true
  }

  /// Goes to the next member whose name is in the table. Its place there, or `nil` if there is none.
  package func next(in table: NameTable) -> Int? {
    guard let document else { return nextValue(in: table) }
    while next() {
      let key = word &- 1
      let guess = guess
      // Members come most often in one order.
      if unsafe table.withName(at: guess, { unsafe document.matches(key, $0) }) == true {
        self.guess = guess &+ 1
        return guess
      }
      guard let place = unsafe document.withDecodedText(of: key, { unsafe table.place(of: $0) }) else { continue }
      self.guess = place &+ 1
      return place
    }
    return nil
  }

  @inline(never)
  private func nextValue(in table: NameTable) -> Int? {
    while nextValue() {
      if let place = unsafe valueName?.withBytes({ unsafe table.place(of: $0) }) ?? nil { return place }
    }
    return nil
  }

  @inline(never)
  private func nextValue() -> Bool {
    guard let child = cursor?.next() else { return false }
    value = child.value
    valueName = child.name
    count &+= 1
    return true
  }
}

/// The child that the walk is at.
extension ChildWalk {
  /// Its name, if it is a member. Made anew by each call.
  package var name: String? {
    guard let document else { return valueName?.string }
    return isObject ? document.string(at: word &- 1) : nil
  }

  /// The child as a value.
  package var json: JSON {
    guard let document else { return value ?? .null }
    return JSON(document, word)
  }

  /// What it is.
  package var type: JSONType {
    guard let document else { return json.type }
    let kind = document.word(word).kind
    if kind.isString { return .string }
    return switch kind {
    case .number: .number
    case .true, .false: .bool
    case .null: .null
    case .objectStart: .dictionary
    default: .array
    }
  }

  /// How many children it has in its turn.
  package var childCount: Int { document?.childCount(of: word) ?? json.count }

  /// ``JSON/string``.
  package var string: String? {
    guard let document else { return json.string }
    return document.word(word).kind.isString ? document.string(at: word) : nil
  }

  /// ``JSON/bool``.
  package var bool: Bool? {
    guard let document else { return json.bool }
    let kind = document.word(word).kind
    return kind == .true ? true : kind == .false ? false : nil
  }

  /// The integer, if this is a number without point and exponent that fits.
  package var plainInteger: Int64? {
    guard let document, document.word(word).kind == .number,
      let number = unsafe document.withText(of: word, { unsafe NumberBytes.integer($0) }),
      number.magnitude <= UInt64(Int64.max)
    else { return nil }
    let value = Int64(truncatingIfNeeded: number.magnitude)
    return number.isNegative ? 0 &- value : value
  }

  /// The nearest Double of a number.
  package var double: Double? {
    guard let document else { return json.type == .number ? json.double : nil }
    guard document.word(word).kind == .number else { return nil }
    return unsafe document.withText(of: word) { unsafe NumberBytes.double($0) }
  }
}

extension JSON {
  /// The integer, if this is a number that is one and fits.
  package var exactInt64: Int64? { exactly(Int64.self) }

  /// The integer, if this is a number that is one and fits.
  package var exactUInt64: UInt64? { exactly(UInt64.self) }
}
