import JSONSift

/// A set of hashes. Inserting into its hash table takes a third of the instructions of sorting.
///
/// Hashes that were chosen to collide would make the table slow. If the search for a slot takes too many steps, the set
/// becomes the set of all hashes, which the index stores as ``BloomFilter/all``.
struct HashSet {
  private var table = HashSlots<UInt64>(minSlots)
  /// Whether the set contains the largest hash, which cannot be stored in the table.
  private var hasMax = false
  /// Whether it is the set of all hashes.
  private(set) var isFull = false

  private static let minSlots = Sizes.of(1 << 12, fuzzing: 2)
  private static let maxKeptSlots = Sizes.of(1 << 16, fuzzing: 8)
  /// The maximum number of steps to a slot. Hashes of ordinary values need about a hundred at most.
  private static let maxDistance = Sizes.of(512, fuzzing: 8)

  var count: Int { table.count + (hasMax ? 1 : 0) }

  mutating func insert(_ hash: UInt64) {
    guard hash != .max else {
      hasMax = true
      return
    }
    guard !isFull else { return }
    let slot = table.slot(Int(truncatingIfNeeded: hash), maxDistance: Self.maxDistance) { $0 == hash }
    if let known = table[slot] {
      isFull = known != hash
    } else {
      table.fill(slot, hash) { Int(truncatingIfNeeded: $0) }
    }
  }

  /// Removes all hashes. Up to half a megabyte of memory is kept for the next ones.
  mutating func removeAll() {
    if table.slots.count > Self.maxKeptSlots { table = HashSlots(Self.minSlots) } else { table.removeAll() }
    (hasMax, isFull) = (false, false)
  }

  func forEach(_ body: (UInt64) -> Void) {
    for hash in table.slots where hash != .max { body(hash) }
    if hasMax { body(.max) }
  }
}
