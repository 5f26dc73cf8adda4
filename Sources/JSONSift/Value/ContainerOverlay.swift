internal import OrderedCollections

/// An array or object that was created or changed in Swift.
///
/// A changed container of a parsed text refers to that text: `base` identifies the container, `replaced` holds the new
/// values by the tape index of the value that they replace, and added children follow those of the base. So one change in an
/// array of a million elements costs one entry. A container that was created in Swift has no base.
///
/// Sendable without the compiler's proof: the object changes only while exactly one value holds it (`JSON.ownedOverlay`
/// guarantees that), and one holder is on one thread.
final class ContainerOverlay: @unchecked Sendable {
  let isObject: Bool
  private(set) var base: (document: Document, index: UInt32)?
  private(set) var baseCount: Int
  private(set) var replaced: [UInt32: JSON] = [:]
  /// For an array: the elements after those of the base.
  private var elements: [JSON] = []
  /// For an object: the members after those of the base. Their names do not occur in the base.
  private var members: OrderedDictionary<MemberName, JSON> = [:]

  /// The position of a child.
  enum Slot {
    /// In the base: the tape index of the original value.
    case word(UInt32)
    /// After the base.
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

  /// Creates an unchanged overlay over the container at `index`.
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

  var count: Int { baseCount + (isObject ? members.count : elements.count) }

  /// The number of distinct names.
  var distinctCount: Int { (base.map { $0.document.distinctMemberCount(of: $0.index) } ?? 0) + members.count }

  /// Returns the current value of the child whose original value is at the tape index `word`.
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

  /// Returns the value of the last member with this name.
  func member(_ name: UnsafeRawBufferPointer) -> JSON? {
    if let (document, index) = base, let word = unsafe document.member(name, of: index) {
      return value(at: word, in: document)
    }
    guard !members.isEmpty else { return Optional.none }
    return members[unsafe MemberName(String(utf8: name))]
  }

  // MARK: Changing. Only while exactly one value holds the object

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

  /// Moves a value out; `put` must follow. The value is then held only once, so it can be changed in place.
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
      // If most elements are replaced, the text is no longer useful. Objects keep their base, with its order and duplicates.
      if !isObject, replaced.count > 64, replaced.count > baseCount / 2 { flatten() }
    case .added(let position):
      if isObject { members.values[position] = value } else { elements[position] = value }
    case .new(let name): members[name] = value
    }
  }

  /// Appends an element to an array.
  func append(_ value: JSON) { elements.append(value) }

  /// Inserts an element into an array, at a position of at most ``count``.
  func insert(_ value: JSON, at position: Int) {
    guard position < count else { return append(value) }
    flatten()
    elements.insert(value, at: position)
  }

  /// Removes an element of an array and returns it.
  func remove(at position: Int) -> JSON {
    flatten()
    return elements.remove(at: position)
  }

  /// Removes all members with this name from an object. Returns the value of the last of them.
  func remove(_ name: MemberName) -> JSON? {
    flatten()
    return members.removeValue(forKey: name)
  }

  /// Removes all members with these names from an object.
  func remove(_ names: Set<MemberName>) {
    flatten()
    members.removeAll { names.contains($0.key) }
  }

  /// Replaces the base by separate values. Of several members with one name, the last remains.
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

  // MARK: Deinitialization

  /// Releases nested overlays iteratively. A deep value would overflow the stack if each overlay released the next.
  deinit {
    var pending: [ContainerOverlay] = []
    moveOverlays(to: &pending)
    while var overlay = pending.popLast() {
      if isKnownUniquelyReferenced(&overlay) { overlay.moveOverlays(to: &pending) }
    }
  }

  private func moveOverlays(to pending: inout [ContainerOverlay]) {
    func move(_ value: JSON) {
      if case .overlay(let overlay) = value.raw { pending.append(overlay) }
    }
    for value in replaced.values { move(value) }
    for value in elements { move(value) }
    for value in members.values { move(value) }
    // The pending overlays are held only by `pending` now.
    replaced = [:]
    elements = []
    members = [:]
  }
}

/// The name of a member. Names are equal if their bytes are equal. Swift's strings also compare equal if they are
/// canonically equivalent.
struct MemberName: Hashable, Sendable {
  let string: String

  init(_ string: String) { self.string = string }

  static func == (left: MemberName, right: MemberName) -> Bool { left.string.utf8.elementsEqual(right.string.utf8) }

  func hash(into hasher: inout Hasher) {
    var string = string
    string.withUTF8 { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
