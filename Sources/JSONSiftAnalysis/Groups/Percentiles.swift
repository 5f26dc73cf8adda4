/// The order statistics of many numbers, in bounded memory.
///
/// Up to ``exactCount`` numbers are kept, and percentiles are exact. More numbers are counted in buckets: a percentile
/// is within 0.1 % of the number at its rank. Both depend only on the numbers, not on their order.
struct Percentiles {
  static let exactCount = 1000

  private var exact: [Double] = []
  private var counts: BucketCounts?

  /// Adds a finite number.
  mutating func add(_ number: Double) {
    guard counts == nil else {
      counts?.add(number)
      return
    }
    exact.append(number)
    guard exact.count > Self.exactCount else { return }
    var all = BucketCounts()
    for number in exact { all.add(number) }
    counts = all
    exact = []
  }

  /// Returns the numbers at some fractions of the sorted order, by nearest rank; `nil` if there are no numbers.
  ///
  /// - Parameter count: The number of numbers added.
  func numbers(at shares: [Double], of count: Int) -> [Double]? {
    guard count > 0 else { return nil }
    let ranks = shares.map { min(max(Int(($0 * Double(count)).rounded(.up)), 1), count) }
    if let counts { return counts.numbers(at: ranks) }
    let sorted = exact.sorted()
    return ranks.map { sorted[min($0, sorted.count) - 1] }
  }
}
