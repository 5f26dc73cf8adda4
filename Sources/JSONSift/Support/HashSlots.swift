/// The slots of a hash table with linear probing. They hold numbers, such as the indices of keys: only the caller knows the
/// keys and their hashes. At most half of the slots are taken, so each search ends.
///
/// `@usableFromInline`, because another module would otherwise call the functions without specializing them.
@usableFromInline package struct HashSlots<Number: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
  /// The numbers, and `Number.max` in free slots. The number of slots is a power of two.
  @usableFromInline package var slots: [Number]
  /// The number of slots that are taken.
  @usableFromInline package var count = 0

  /// Creates free slots.
  ///
  /// - Parameter slotCount: Their number, a power of two.
  package init(_ slotCount: Int) { slots = [Number](repeating: .max, count: slotCount) }

  /// The number in a slot; `nil` if the slot is free.
  @inlinable package subscript(slot: Int) -> Number? { slots[slot] == .max ? nil : slots[slot] }

  /// Returns the slot of the number that matches, otherwise a free slot, in which a number with this hash belongs.
  ///
  /// - Parameter maxDistance: The maximum number of steps. The slot after them is returned whatever is in it.
  @inlinable package func slot(_ hash: Int, maxDistance: Int = .max, where matches: (Number) -> Bool) -> Int {
    let mask = slots.count &- 1
    var slot = hash & mask
    var distance = 0
    while slots[slot] != .max, distance < maxDistance, !matches(slots[slot]) {
      slot = (slot &+ 1) & mask
      distance &+= 1
    }
    return slot
  }

  /// Puts a number other than `Number.max` in a free slot. O(1), or O(n) if the slots have to be doubled.
  ///
  /// - Parameter hash: Returns the hash of a number in the table.
  @inlinable package mutating func fill(_ slot: Int, _ number: Number, hash: (Number) -> Int) {
    slots[slot] = number
    count &+= 1
    guard count > slots.count / 2 else { return }
    let known = slots
    slots = [Number](repeating: .max, count: known.count * 2)
    for number in known where number != .max { slots[self.slot(hash(number)) { _ in false }] = number }
  }

  /// Removes all numbers, and keeps the slots.
  package mutating func removeAll() {
    for slot in slots.indices { slots[slot] = .max }
    count = 0
  }
}
