import JSONSift

/// The number of distinct values that one path selected in one group, in bounded memory: at most 115 KiB.
///
/// Up to ``exactCount`` values are kept by their hashes, and the number is exact. With more values it is an estimate by
/// ``HyperLogLog``. Both depend only on the set of values, not on their order.
///
/// 4096 values take 96 KiB for their hashes and 16 KiB for the hash table. An estimate takes 16 KiB.
struct DistinctCount {
  static let exactCount = 4096

  /// The number of records without a value.
  private var absent = 0
  private var exact = DistinctSet()
  private var sketch: HyperLogLog?

  mutating func addAbsent() { absent &+= 1 }

  mutating func add(_ hash: DistinctHash) {
    guard sketch == nil else {
      sketch?.add(hash.fixed)
      return
    }
    guard !exact.contains(hash) else { return }
    guard exact.hashes.count == Self.exactCount else { return exact.insert(hash) }
    var all = HyperLogLog()
    for hash in exact.hashes { all.add(hash.fixed) }
    all.add(hash.fixed)
    sketch = all
    exact = DistinctSet()
  }

  /// The names of the columns.
  static let names = DistinctCount().columns(ofRecords: 0).map(\.name)

  /// Returns the columns, with their values.
  func columns(ofRecords count: Int) -> [(name: String, cell: Cell)] {
    // An estimate is finite: there were more than 4096 values, and the sketch has 2^14 registers.
    let number = sketch.map { Int(exactly: $0.estimate.rounded()) ?? .max } ?? exact.hashes.count
    let error = sketch == nil ? Cell(0) : .json(Array(HyperLogLog.standardError.utf8))
    return [("count", Cell(count)), ("distinct", Cell(number)), ("absent", Cell(absent)), ("distinctError", error)]
  }
}

/// A set of hashes, at most ``DistinctCount/exactCount``.
private struct DistinctSet {
  private(set) var hashes: [DistinctHash] = []
  /// A hash table with the index of a hash plus 1, or 0. It has at least twice as many slots as hashes, and none for few
  /// hashes.
  private var slots: [UInt16] = []

  private static let fewHashes = 8

  func contains(_ hash: DistinctHash) -> Bool {
    guard !slots.isEmpty else { return hashes.contains(hash) }
    return slots[slot(of: hash)] > 0
  }

  /// Adds a hash that the set does not contain.
  mutating func insert(_ hash: DistinctHash) {
    hashes.append(hash)
    if hashes.count > max(slots.count / 2, Self.fewHashes) { return grow() }
    if !slots.isEmpty { slots[slot(of: hash)] = UInt16(truncatingIfNeeded: hashes.count) }
  }

  /// Returns the slot of a hash, or the slot where it would be inserted.
  private func slot(of hash: DistinctHash) -> Int {
    let mask = slots.count &- 1
    var slot = Int(truncatingIfNeeded: hash.first) & mask
    while slots[slot] > 0, hashes[Int(slots[slot]) &- 1] != hash { slot = (slot &+ 1) & mask }
    return slot
  }

  private mutating func grow() {
    let count = max(slots.count * 2, Self.fewHashes * 4)
    slots = [UInt16](repeating: 0, count: count)
    // Without this, an array may reserve more than the maximum.
    hashes.reserveCapacity(count / 2)
    for (index, hash) in hashes.enumerated() { slots[slot(of: hash)] = UInt16(truncatingIfNeeded: index &+ 1) }
  }
}
