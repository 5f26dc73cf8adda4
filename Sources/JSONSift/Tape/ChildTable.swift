/// An index of the children of one large array or object. Built at the first lookup, then only read.
struct ChildTable: ~Copyable, Sendable {
  /// The index of the tape word of each child: of an element, or of the key of a member. Ascending.
  let positions: [UInt32]
  /// For an object: an open-addressing hash table of the indices of its keys on the tape, with one tag for each slot: a byte
  /// of the key's hash, or 0 if the slot is empty. A lookup compares a key only if its tag matches. The size is a power of
  /// two and exceeds the number of members by at least a quarter.
  private let slots: [UInt32]
  private let tags: [UInt8]
  /// Like ``slots``, but with the first of several equal keys instead of the last. Empty if no keys are equal.
  private let firstSlots: [UInt32]
  /// For an object: the number of distinct keys.
  let distinctCount: Int

  init(of index: UInt32, in document: Document) {
    let count = document.childCount(of: index)
    var children = Document.Children(of: index, in: document)
    var positions: [UInt32] = []
    positions.reserveCapacity(count)
    guard document.word(index).kind == .objectStart else {
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
      positions.append(key)
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
    self.positions = positions
    self.slots = slots
    self.tags = tags
    self.firstSlots = firstSlots
    self.distinctCount = distinctCount
  }

  /// Returns the number of children that begin before or at this index on the tape. O(log children).
  func count(upTo index: UInt32) -> Int { positions.indices.bisect { positions[$0] > index } }

  /// Returns the index on the tape of the value of the last member with this key.
  func value(for key: UnsafeRawBufferPointer, in document: Document) -> UInt32? {
    unsafe slot(of: key, in: document).map { slots[$0] &+ 1 }
  }

  /// Returns the index on the tape of the value of the first member with this key.
  func firstValue(for key: UnsafeRawBufferPointer, in document: Document) -> UInt32? {
    unsafe slot(of: key, in: document).map { (firstSlots.isEmpty ? slots : firstSlots)[$0] &+ 1 }
  }

  // Forced inlining in this file saves 0.6 % of `columns` (Scripts/measure instructions).
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

  /// The hash of a key. The standard library seeds it per process, so that input cannot be prepared with colliding keys.
  private struct Hash {
    let bits: Int
    /// Bits of the hash that do not determine the slot; never 0.
    let tag: UInt8

    init(_ key: UnsafeRawBufferPointer) {
      var hasher = Hasher()
      unsafe hasher.combine(bytes: key)
      bits = hasher.finalize()
      tag = UInt8(truncatingIfNeeded: bits >> 56) | 1
    }
  }
}
