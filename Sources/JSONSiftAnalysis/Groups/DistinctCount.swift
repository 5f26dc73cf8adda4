import JSONSift

/// The number of distinct values that one path selected in one group, in bounded memory: at most 115 KiB.
///
/// Up to ``exactCount`` values are kept by their hashes, and the number is exact. With more values it is an estimate by
/// ``HyperLogLog``. Both depend only on the set of values, not on their order.
///
/// 4096 values take 96 KiB for their hashes and 16 KiB for the hash table. An estimate takes 16 KiB.
package struct DistinctCount {
  static let exactCount = 4096

  /// The number of records without a value.
  private var absent = 0
  private var hashes: [DistinctHash] = []
  /// The index of each hash.
  private var slots = noSlots
  private var sketch: HyperLogLog?

  /// Shared by all counts without values.
  private static let noSlots = HashSlots<UInt16>(4)

  mutating func addAbsent() { absent &+= 1 }

  mutating func add(_ hash: DistinctHash) {
    guard sketch == nil else {
      sketch?.add(hash.fixed)
      return
    }
    let slot = slots.slot(Int(truncatingIfNeeded: hash.first)) { hashes[Int($0)] == hash }
    guard slots[slot] == nil else { return }
    if hashes.count < Self.exactCount {
      // Without this, an array may reserve more than the maximum.
      if hashes.count == hashes.capacity { hashes.reserveCapacity(min(hashes.count * 2, Self.exactCount)) }
      hashes.append(hash)
      return slots.fill(slot, UInt16(truncatingIfNeeded: hashes.count - 1)) {
        Int(truncatingIfNeeded: hashes[Int($0)].first)
      }
    }
    var all = HyperLogLog()
    for hash in hashes { all.add(hash.fixed) }
    all.add(hash.fixed)
    sketch = all
    (hashes, slots) = ([], Self.noSlots)
  }

  package static let names = DistinctCount().columns(ofRecords: 0).map(\.name)

  /// The number of distinct values, or its estimate.
  package var number: Int {
    // An estimate is finite: there were more than 4096 values, and the sketch has 2^14 registers.
    sketch.map { Int(exactly: $0.estimate.rounded()) ?? .max } ?? hashes.count
  }

  /// Returns the columns, with the texts of their values as JSON.
  package func columns(ofRecords count: Int) -> [(name: String, text: String?)] {
    let error = sketch == nil ? "0" : HyperLogLog.standardError
    return [("count", "\(count)"), ("distinct", "\(number)"), ("absent", "\(absent)"), ("distinctError", error)]
  }
}
