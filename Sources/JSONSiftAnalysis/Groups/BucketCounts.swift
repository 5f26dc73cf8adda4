/// Counts numbers in fixed buckets. The counts of several parts of the input can be added to get those of the whole.
///
/// There are 512 buckets of equal width between consecutive powers of two: the middle of a bucket differs from each
/// number in it by less than 0.1 %. Memory grows with the number of buckets in use.
struct BucketCounts {
  private static let bucketBits = 9
  /// Buckets are ordered by their numbers: negative ones are below 0, which is the bucket of 0. This offset is added so
  /// that the smallest Double above 0 has bucket 1.
  private static let first = Int32(52 << bucketBits)

  /// Below 2^this, the distance between Doubles is at least the width of a bucket.
  private static let lastSingle = -1074 + bucketBits + 1

  private var counts: [Int32: Int] = [:]

  /// Counts a finite number.
  mutating func add(_ number: Double) { counts[Self.bucket(of: number), default: 0] &+= 1 }

  /// Adds the counts of other numbers.
  mutating func merge(_ others: BucketCounts) { counts.merge(others.counts) { $0 &+ $1 } }

  /// The size in bytes, about: a table has room for more buckets.
  var byteCount: Int { counts.count * 24 }

  /// Returns how many numbers are in buckets whose middle is above a number.
  func count(above bound: Double) -> Int {
    counts.reduce(0) { Self.middle(of: $1.key) > bound ? $0 &+ $1.value : $0 }
  }

  /// Returns the numbers at some ranks, counted from 1 in ascending order; each is the middle of its bucket.
  func numbers(at ranks: [Int]) -> [Double] {
    let sorted = counts.sorted { $0.key < $1.key }
    return ranks.map { rank in
      var left = rank
      for (bucket, count) in sorted {
        if left <= count { return Self.middle(of: bucket) }
        left -= count
      }
      return sorted.last.map { Self.middle(of: $0.key) } ?? 0
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
