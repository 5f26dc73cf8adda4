internal import OrderedCollections

/// An array or object that a program built or changed.
///
/// One that began in a text stays there: `base` names it, `replaced` holds the values that were put in the place of
/// others, by the word of the value that they stand for, and what was added follows behind. So one change to an array of a
/// million elements costs one entry. One that was built from nothing has no base.
///
/// Sendable without the compiler's proof: it changes only while one value holds it, `JSON.ownedBranch` sees to that, and
/// one holder is on one thread.
final class ContainerOverlay: @unchecked Sendable {
  let isObject: Bool
  private(set) var base: (document: Document, index: UInt32)?
  private(set) var baseCount: Int
  private var replaced: [UInt32: JSON] = [:]
  /// Of an array: the elements behind those of the base.
  private var elements: [JSON] = []
  /// Of an object: the members behind those of the base. No name is also in the base.
  private var members: OrderedDictionary<MemberName, JSON> = [:]

  /// A place for a value.
  enum Slot {
    /// In the base: the word of the value that stands there in the text.
    case word(UInt32)
    /// Behind the base.
    case added(Int)
    case new(MemberName)
  }

  init(elements: [JSON]) {
    isObject = false
    base = nil
    baseCount = 0
    self.elements = elements
  }

  init(members: OrderedDictionary<MemberName, JSON>) {
    isObject = true
    base = nil
    baseCount = 0
    self.members = members
  }

  /// The container at `index`, not changed yet.
  init(_ document: Document, _ index: UInt32) {
    isObject = document.word(index).kind == .objectStart
    base = (document, index)
    baseCount = document.childCount(of: index)
  }

  init(copying other: ContainerOverlay) {
    isObject = other.isObject
    base = other.base
    baseCount = other.baseCount
    replaced = other.replaced
    elements = other.elements
    members = other.members
  }

  // MARK: Reading

  /// How many values of the base were replaced.
  var replacedCount: Int { replaced.count }

  var count: Int { baseCount + (isObject ? members.count : elements.count) }

  /// How many names there are.
  var distinctCount: Int { (base.map { $0.document.distinctMemberCount(of: $0.index) } ?? 0) + members.count }

  /// What stands where the text has the value at `word`.
  func value(at word: UInt32, in document: Document) -> JSON {
    if !replaced.isEmpty, let value = replaced[word] { return value }
    return JSON(document, word)
  }

  func element(_ position: Int) -> JSON {
    guard position < baseCount, let (document, index) = base else { return elements[position - baseCount] }
    return value(at: document.element(position, of: index), in: document)
  }

  func addedElement(_ position: Int) -> JSON? {
    guard position < elements.count else { return Optional.none }
    return elements[position]
  }

  func addedMember(_ position: Int) -> (name: MemberName, value: JSON)? {
    guard position < members.count else { return nil }
    let (name, value) = members.elements[position]
    return (name, value)
  }

  /// The value of the last member with this name.
  func member(_ name: UnsafeRawBufferPointer) -> JSON? {
    if let (document, index) = base, let word = unsafe document.member(name, of: index) {
      return value(at: word, in: document)
    }
    guard !members.isEmpty else { return Optional.none }
    return members[unsafe MemberName(String(utf8: name))]
  }

  // MARK: Changing. Only for an object that one value holds.

  func slot(_ position: Int) -> Slot {
    guard position < baseCount, let (document, index) = base else { return .added(position - baseCount) }
    return .word(document.element(position, of: index))
  }

  func slot(_ name: String) -> Slot {
    var name = name
    if let (document, index) = base,
      let word = name.withUTF8({ unsafe document.member(UnsafeRawBufferPointer($0), of: index) })
    {
      return .word(word)
    }
    let member = MemberName(name)
    return members.index(forKey: member).map { .added($0) } ?? .new(member)
  }

  /// Takes the value out; `put` must follow. So the value is held once, and can be changed in its place.
  func take(_ slot: Slot) -> JSON {
    switch slot {
    case .word(let word):
      if let value = replaced.updateValue(.null, forKey: word) { return value }
      return base.map { JSON($0.document, word) } ?? .null
    case .added(let position):
      var value = JSON.null
      if isObject { swap(&members.values[position], &value) } else { swap(&elements[position], &value) }
      return value
    case .new: return JSON(absent: .notExist)
    }
  }

  func put(_ value: JSON, _ slot: Slot) {
    switch slot {
    case .word(let word):
      replaced[word] = value
      // With most of the elements replaced the text is of no use any more. Members stay where they are, duplicates too.
      if !isObject, replaced.count > 64, replaced.count > baseCount / 2 { flatten() }
    case .added(let position):
      if isObject { members.values[position] = value } else { elements[position] = value }
    case .new(let name): members[name] = value
    }
  }

  /// Adds to an array.
  func append(_ value: JSON) { elements.append(value) }

  /// Takes an element out of an array.
  func remove(at position: Int) -> JSON {
    flatten()
    return elements.remove(at: position)
  }

  /// Takes all members with this name out of an object.
  func remove(_ name: MemberName) -> JSON? {
    flatten()
    return members.removeValue(forKey: name)
  }

  /// Makes everything a value of its own: there is no base any more. Of several members with one name the last stays.
  private func flatten() {
    guard let (document, index) = base else { return }
    var children = Document.Children(of: index, in: document)
    if isObject {
      var all: OrderedDictionary<MemberName, JSON> = [:]
      all.reserveCapacity(count)
      while let child = children.next() {
        guard let key = child.key else { continue }
        all[MemberName(document.string(at: key))] = value(at: child.value, in: document)
      }
      for (name, value) in members { all[name] = value }
      members = all
    } else {
      var all: [JSON] = []
      all.reserveCapacity(count)
      while let child = children.next() { all.append(value(at: child.value, in: document)) }
      elements = all + elements
    }
    base = nil
    baseCount = 0
    replaced = [:]
  }

  // MARK: The end

  /// Branches inside one another are let go one after another: a deep value would overflow the stack if each let go of
  /// the next.
  deinit {
    var pending: [ContainerOverlay] = []
    moveBranches(to: &pending)
    while var overlay = pending.popLast() {
      if isKnownUniquelyReferenced(&overlay) { overlay.moveBranches(to: &pending) }
    }
  }

  private func moveBranches(to pending: inout [ContainerOverlay]) {
    func move(_ value: JSON) {
      if case .overlay(let overlay) = value.raw { pending.append(overlay) }
    }
    for value in replaced.values { move(value) }
    for value in elements { move(value) }
    for value in members.values { move(value) }
    // What is pending is held only there now.
    replaced = [:]
    elements = []
    members = [:]
  }
}

/// The name of a member. Names are equal if their bytes are: Swift's strings take two spellings of one character for the
/// same.
struct MemberName: Hashable, Sendable {
  let string: String

  init(_ string: String) { self.string = string }

  static func == (left: MemberName, right: MemberName) -> Bool { left.string.utf8.elementsEqual(right.string.utf8) }

  func hash(into hasher: inout Hasher) {
    var string = string
    string.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
