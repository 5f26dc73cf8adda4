import JSONSift

/// The order statistics of many numbers, in bounded memory.
///
/// Up to ``exactCount`` numbers are kept, and percentiles are exact. More numbers are counted in buckets: a percentile
/// is within 0.1 % of the number at its rank. Both depend only on the numbers, not on their order.
package struct Percentiles {
  static let exactCount = 1000

  /// The number of numbers.
  package private(set) var count = 0
  private(set) var minimum = 0.0
  private(set) var maximum = 0.0
  private var exact: [Double] = []
  private var counts: BucketCounts?

  /// Adds a finite number.
  mutating func add(_ number: Double) {
    minimum = count == 0 ? number : min(minimum, number)
    maximum = count == 0 ? number : max(maximum, number)
    count &+= 1
    guard counts == nil else {
      counts?.add(number)
      return
    }
    exact.append(number)
    if exact.count > Self.exactCount { countExact() }
  }

  /// Adds the numbers of others.
  mutating func merge(_ others: Percentiles) {
    guard others.count > 0 else { return }
    minimum = count == 0 ? others.minimum : min(minimum, others.minimum)
    maximum = count == 0 ? others.maximum : max(maximum, others.maximum)
    count &+= others.count
    if let added = others.counts {
      if counts == nil { countExact() }
      counts?.merge(added)
    } else if counts == nil {
      exact += others.exact
      if exact.count > Self.exactCount { countExact() }
    } else {
      for number in others.exact { counts?.add(number) }
    }
  }

  private mutating func countExact() {
    var all = BucketCounts()
    for number in exact { all.add(number) }
    counts = all
    exact = []
  }

  /// The size in bytes, about. It does not become smaller when numbers are added.
  var byteCount: Int {
    counts.map { max(Self.exactCount * 8, $0.byteCount) } ?? exact.count * 8
  }

  /// Returns the numbers at some fractions of the sorted order, by nearest rank; `nil` if there are no numbers.
  package func numbers(at shares: [Double]) -> [Double]? {
    guard count > 0 else { return nil }
    let ranks = shares.map { min(max(Int(($0 * Double(count)).rounded(.up)), 1), count) }
    if let counts { return counts.numbers(at: ranks).map(withinRange) }
    let sorted = exact.sorted()
    return ranks.map { withinRange(sorted[min($0, sorted.count) - 1]) }
  }

  /// Returns how many numbers are above one, within 0.1 %.
  package func count(above bound: Double) -> Int { counts?.count(above: bound) ?? exact.count { $0 > bound } }

  package static let names = ["p50", "p95", "p99"]
  private static let shares = [0.5, 0.95, 0.99]

  /// The numbers of ``names``; `nil` if there are no numbers.
  package var named: [Double]? { numbers(at: Self.shares) }

  /// The same as JSON, each `nil` if there are no numbers.
  package var texts: [String?] { named.map { $0.map(Self.text) } ?? Self.names.map { _ in nil } }

  /// Returns a number as JSON; `nil` if it is not finite.
  package static func text(_ number: Double) -> String? { number.isFinite ? JSON(number).stringValue : nil }

  /// The nearest number from the least to the largest one: the middle of a bucket can be beyond them. A zero has no sign: numbers
  /// are ordered by value.
  func withinRange(_ number: Double) -> Double {
    let inside = min(max(number, minimum), maximum)
    return inside == 0 ? 0 : inside
  }
}
