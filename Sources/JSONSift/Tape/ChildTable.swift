/// Where the children of one large array or object stand. Made at the first lookup, then only read.
final class ChildTable: Sendable {
  /// Of an array: the word of each element.
  let positions: [UInt32]
  /// Of an object: a hash table of the words of its keys; 0 is an empty slot, for word 0 is in the tape's header. Its
  /// size is a power of two and at least twice the number of members.
  private let slots: [UInt32]

  init(of index: UInt32, in document: Document) {
    let count = document.childCount(of: index)
    var children = Document.Children(of: index, in: document)
    guard document.word(index).kind == .objectStart else {
      var positions: [UInt32] = []
      positions.reserveCapacity(count)
      while let child = children.next() { positions.append(child.value) }
      self.positions = positions
      slots = []
      return
    }
    var size = 32
    while size < count * 2 { size *= 2 }
    var slots = [UInt32](repeating: 0, count: size)
    while let child = children.next() {
      guard let key = child.key else { continue }
      unsafe document.withDecodedText(of: key) { text in
        var slot = unsafe Self.hash(text) & (size - 1)
        // The last of several equal keys takes the slot.
        while slots[slot] != 0, unsafe !document.matches(slots[slot], text) { slot = (slot + 1) & (size - 1) }
        slots[slot] = key
      }
    }
    positions = []
    self.slots = slots
  }

  /// The word of the value of the last member with this key.
  func value(for key: UnsafeRawBufferPointer, in document: Document) -> UInt32? {
    guard !slots.isEmpty else { return nil }
    var slot = unsafe Self.hash(key) & (slots.count - 1)
    while slots[slot] != 0 {
      if unsafe document.matches(slots[slot], key) { return slots[slot] &+ 1 }
      slot = (slot + 1) & (slots.count - 1)
    }
    return nil
  }

  /// Seeded per process by the standard library, so that nobody can prepare keys that collide.
  private static func hash(_ key: UnsafeRawBufferPointer) -> Int {
    var hasher = Hasher()
    unsafe hasher.combine(bytes: key)
    return hasher.finalize()
  }
}
