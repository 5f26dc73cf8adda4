/// Estimates the number of distinct hashes in bounded memory.
///
/// P. Flajolet and others, "HyperLogLog: the analysis of a near-optimal cardinality estimation algorithm", 2007, with the
/// improved estimator of O. Ertl, "New cardinality estimation algorithms for HyperLogLog sketches", 2017, which has no bias
/// at any number of hashes. The estimate depends only on the set of hashes, not on their order.
struct HyperLogLog: Sendable {
  /// The number of bits of a hash that select a register.
  private static let indexBits = 14
  /// The number of other bits.
  private static let restBits = 64 - indexBits
  static let registerCount = 1 << indexBits

  /// The standard error relative to the number: 1.04 / √2^14, rounded.
  static let standardError = "0.0081"

  /// For each register: the largest number of zeros at the start of the other bits of a hash, plus 1; 0 without a hash.
  private var registers = [UInt8](repeating: 0, count: registerCount)

  mutating func add(_ hash: UInt64) {
    let index = Int(truncatingIfNeeded: hash &>> UInt64(Self.restBits))
    // A 1 after the other bits limits the number of their leading zeros.
    let rest = hash &<< UInt64(Self.indexBits) | 1 &<< UInt64(Self.indexBits - 1)
    let rank = UInt8(truncatingIfNeeded: rest.leadingZeroBitCount &+ 1)
    if registers[index] < rank { registers[index] = rank }
  }

  /// The estimated number of distinct hashes. Only operations that IEEE 754 rounds exactly are used, so it is the same on
  /// each machine.
  var estimate: Double {
    var counts = [Double](repeating: 0, count: Self.restBits + 2)
    for rank in registers { counts[Int(rank)] += 1 }
    let all = Double(Self.registerCount)
    var sum = all * Self.tau(1 - counts[Self.restBits + 1] / all)
    for rank in (1...Self.restBits).reversed() { sum = (sum + counts[rank]) / 2 }
    sum += all * Self.sigma(counts[0] / all)
    return Self.alpha * all * all / sum
  }

  /// 1 / (2 ln 2).
  private static let alpha = 0.721_347_520_444_481_7

  /// x + x^2 + 2 x^4 + 4 x^8 + …: the contribution of registers without a hash. Infinite for 1.
  private static func sigma(_ share: Double) -> Double {
    guard share < 1 else { return .infinity }
    var (power, factor, sum) = (share, 1.0, share)
    while true {
      power *= power
      let next = sum + power * factor
      if next == sum { return sum }
      sum = next
      factor *= 2
    }
  }

  /// The contribution of registers with the largest rank.
  private static func tau(_ share: Double) -> Double {
    guard share > 0, share < 1 else { return 0 }
    var (root, factor, sum) = (share, 1.0, 1 - share)
    while true {
      root = root.squareRoot()
      factor /= 2
      let next = sum - (1 - root) * (1 - root) * factor
      if next == sum { return sum / 3 }
      sum = next
    }
  }
}
