/// Counts numbers in fixed buckets. The counts of several parts of the input can be added to get those of the whole.
///
/// There are 512 buckets of equal width between consecutive powers of two: the middle of a bucket differs from each
/// number in it by less than 0.1 %. Memory grows with the number of buckets in use.
struct BucketCounts {
  private struct Slot {
    /// The bucket; `empty` for an unused slot.
    var bucket = BucketCounts.empty
    var count = 0
  }

  private static let empty = Int32.min
  private static let bucketBits = 9
  /// Buckets are ordered by their numbers: negative ones are below 0, which is the bucket of 0. This offset is added so
  /// that the smallest Double above 0 has bucket 1.
  private static let first = Int32(52 << bucketBits)

  /// Below 2^this, the distance between Doubles is at least the width of a bucket.
  private static let lastSingle = -1074 + bucketBits + 1

  private var slots = [Slot](repeating: Slot(), count: 64)
  private var used = 0
  /// A random factor for the hash, so that an input cannot be constructed whose numbers all collide in one slot.
  private let factor = BucketCounts.randomFactor
  private static let randomFactor = UInt64.random(in: 0...UInt64.max) | 1

  /// Counts a finite number.
  mutating func add(_ number: Double) {
    let bucket = Self.bucket(of: number)
    let index = slot(of: bucket)
    if slots[index].bucket == bucket {
      slots[index].count &+= 1
      return
    }
    slots[index] = Slot(bucket: bucket, count: 1)
    used += 1
    if used * 4 > slots.count * 3 { grow() }
  }

  /// Returns the slot of a bucket, or the slot where it would be inserted.
  private func slot(of bucket: Int32) -> Int {
    let product = UInt64(truncatingIfNeeded: bucket) &* factor
    let mask = slots.count &- 1
    var index = Int(truncatingIfNeeded: product &>> 32) & mask
    while slots[index].bucket != bucket, slots[index].bucket != Self.empty { index = (index &+ 1) & mask }
    return index
  }

  private mutating func grow() {
    let old = slots
    slots = [Slot](repeating: Slot(), count: old.count * 2)
    for slot in old where slot.bucket != Self.empty { slots[self.slot(of: slot.bucket)] = slot }
  }

  /// Returns the numbers at some ranks, counted from 1 in ascending order; each is the middle of its bucket.
  func numbers(at ranks: [Int]) -> [Double] {
    let sorted = slots.filter { $0.bucket != Self.empty }.sorted { $0.bucket < $1.bucket }
    return ranks.map { rank in
      var left = rank
      for slot in sorted {
        if left <= slot.count { return Self.middle(of: slot.bucket) }
        left -= slot.count
      }
      return sorted.last.map { Self.middle(of: $0.bucket) } ?? 0
    }
  }

  /// The bits of a Double are its exponent followed by its fraction, so their leading bits are the number of the
  /// bucket.
  private static func bucket(of number: Double) -> Int32 {
    let bits = number.bitPattern & ~(1 << 63)
    guard bits != 0 else { return 0 }
    let shift = UInt64(Double.significandBitCount - bucketBits)
    var bucket = Int32(truncatingIfNeeded: bits &>> shift)
    if bits >> UInt64(Double.significandBitCount) == 0 {
      // A subnormal number: its first set bit determines the exponent.
      let leading = bits.leadingZeroBitCount
      let fraction = (bits << UInt64(leading - 11)) >> shift & (1 << UInt64(bucketBits) - 1)
      bucket = Int32(12 - leading) << bucketBits + Int32(truncatingIfNeeded: fraction)
    }
    bucket += first
    return number < 0 ? -bucket : bucket
  }

  private static func middle(of bucket: Int32) -> Double {
    guard bucket != 0 else { return 0 }
    let number = Int(bucket.magnitude) - Int(first)
    let exponent = number >> bucketBits - 1023
    let fraction = number & (1 << bucketBits - 1)
    // Each of the smallest buckets contains one Double, its lower bound.
    let half = exponent < lastSingle ? 0 : 0.5
    let size = Double(
      sign: .plus, exponent: exponent, significand: 1 + (Double(fraction) + half) / Double(1 << bucketBits))
    return bucket < 0 ? -size : size
  }
}
