/// A set of hashes. It is a hash table with linear probing, and at most half of its slots are used. Inserting takes a third of
/// the instructions of sorting.
///
/// Hashes that were chosen to collide would make the table slow. If the search for a slot takes too many steps, the set
/// becomes the set of all hashes, which the index stores as ``BloomFilter/all``.
struct HashSet {
  /// The hashes; 0 is a free slot. The number of slots is a power of two.
  private var slots: [UInt64]
  private var used = 0
  /// Whether the set contains 0, which marks a free slot and cannot be stored in one.
  private var hasZero = false
  /// Whether it is the set of all hashes.
  private(set) var isFull = false

  private static let minSlots = Sizes.of(1 << 12, fuzzing: 2)
  private static let maxKeptSlots = Sizes.of(1 << 16, fuzzing: 8)
  /// The maximum number of steps to a slot. Hashes of ordinary values need about a hundred at most.
  private static let maxDistance = Sizes.of(512, fuzzing: 8)

  init() { slots = [UInt64](repeating: 0, count: Self.minSlots) }

  var count: Int { used + (hasZero ? 1 : 0) }

  mutating func insert(_ hash: UInt64) {
    guard hash != 0 else {
      hasZero = true
      return
    }
    guard !isFull, insertInTable(hash) else { return }
    used += 1
    if used > slots.count / 2 { grow() }
  }

  /// Returns whether the hash was inserted.
  private mutating func insertInTable(_ hash: UInt64) -> Bool {
    let mask = slots.count &- 1
    let first = Int(truncatingIfNeeded: hash)
    for distance in 0..<Self.maxDistance {
      let slot = (first &+ distance) & mask
      if slots[slot] == 0 {
        slots[slot] = hash
        return true
      }
      if slots[slot] == hash { return false }
    }
    isFull = true
    return false
  }

  private mutating func grow() {
    let known = slots
    slots = [UInt64](repeating: 0, count: known.count * 2)
    for hash in known where hash != 0 { _ = insertInTable(hash) }
  }

  /// Removes all hashes. Up to half a megabyte of memory is kept for the next ones.
  mutating func removeAll() {
    if slots.count > Self.maxKeptSlots {
      slots = [UInt64](repeating: 0, count: Self.minSlots)
    } else {
      for slot in slots.indices { slots[slot] = 0 }
    }
    (used, hasZero, isFull) = (0, false, false)
  }

  func forEach(_ body: (UInt64) -> Void) {
    for hash in slots where hash != 0 { body(hash) }
    if hasZero { body(0) }
  }
}
