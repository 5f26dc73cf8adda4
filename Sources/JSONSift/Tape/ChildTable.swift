/// Where the children of one large array or object stand. Made at the first lookup, then only read.
struct ChildTable: ~Copyable, Sendable {
  /// Of an array: the word of each element.
  let positions: [UInt32]
  /// Of an object: a hash table of the words of its keys, and for each slot a byte of its key's hash, or 0 where the slot is
  /// empty. Slots are passed by that byte, so a key is looked at only where it is likely to be the one. The size is a power
  /// of two and at least a quarter more than the number of members.
  private let slots: [UInt32]
  private let tags: [UInt8]
  /// The same as ``slots`` with the first of several equal keys instead of the last; empty where no keys are equal.
  private let firstSlots: [UInt32]
  /// Of an object: how many different keys it has.
  let distinctCount: Int

  init(of index: UInt32, in document: Document) {
    let count = document.childCount(of: index)
    var children = Document.Children(of: index, in: document)
    guard document.word(index).kind == .objectStart else {
      var positions: [UInt32] = []
      positions.reserveCapacity(count)
      while let child = children.next() { positions.append(child.value) }
      self.positions = positions
      slots = []
      tags = []
      firstSlots = []
      distinctCount = 0
      return
    }
    var size = 32
    while size < count + count / 4 + 1 { size *= 2 }
    var slots = [UInt32](repeating: 0, count: size)
    var tags = [UInt8](repeating: 0, count: size)
    var firstSlots: [UInt32] = []
    var distinctCount = 0
    while let child = children.next() {
      guard let key = child.key else { continue }
      unsafe document.withDecodedText(of: key) { text in
        let hash = unsafe Hash(text)
        var slot = hash.bits & (size - 1)
        // The last of several equal keys takes the slot.
        while tags[slot] != 0 {
          if tags[slot] == hash.tag, unsafe document.matches(slots[slot], text) { break }
          slot = (slot + 1) & (size - 1)
        }
        if tags[slot] == 0 {
          distinctCount += 1
          if !firstSlots.isEmpty { firstSlots[slot] = key }
        } else if firstSlots.isEmpty {
          firstSlots = slots
        }
        slots[slot] = key
        tags[slot] = hash.tag
      }
    }
    positions = []
    self.slots = slots
    self.tags = tags
    self.firstSlots = firstSlots
    self.distinctCount = distinctCount
  }

  /// The word of the value of the last member with this key.
  func value(for key: UnsafeRawBufferPointer, in document: Document) -> UInt32? {
    unsafe slot(of: key, in: document).map { slots[$0] &+ 1 }
  }

  /// The word of the value of the first member with this key.
  func firstValue(for key: UnsafeRawBufferPointer, in document: Document) -> UInt32? {
    unsafe slot(of: key, in: document).map { (firstSlots.isEmpty ? slots : firstSlots)[$0] &+ 1 }
  }

  @inline(__always)
  private func slot(of key: UnsafeRawBufferPointer, in document: Document) -> Int? {
    guard !tags.isEmpty else { return nil }
    let hash = unsafe Hash(key)
    var slot = hash.bits & (tags.count - 1)
    while tags[slot] != 0 {
      if tags[slot] == hash.tag, unsafe document.matches(slots[slot], key) { return slot }
      slot = (slot + 1) & (tags.count - 1)
    }
    return nil
  }

  /// Seeded per process by the standard library, so that nobody can prepare keys that collide.
  private struct Hash {
    let bits: Int
    /// Bits that the slot does not depend on; never 0.
    let tag: UInt8

    init(_ key: UnsafeRawBufferPointer) {
      var hasher = Hasher()
      unsafe hasher.combine(bytes: key)
      bits = hasher.finalize()
      tag = UInt8(truncatingIfNeeded: bits >> 56) | 1
    }
  }
}
