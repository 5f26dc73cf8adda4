import Histogram

/// The order of many numbers, in memory that does not grow with them.
///
/// Up to ``exactCount`` numbers are kept, and percentiles are exact. Then they go into a histogram with three significant
/// digits: a percentile is within 0.1 % of the number that stands there. Numbers that are smaller than the smallest of the
/// first ones by more than that are counted as it allows.
struct Percentiles {
  static let exactCount = 1000

  private var exact: [Double] = []
  private var histograms: Histograms?

  /// Counts of a unit.
  private struct Histograms {
    let unit: Double
    var negative = Histogram<UInt64>(numberOfSignificantValueDigits: .three)
    var positive = Histogram<UInt64>(numberOfSignificantValueDigits: .three)

    /// The largest count: a histogram that reaches so far takes less than half a megabyte.
    private static let largest = 0x1p52

    init(_ numbers: [Double]) {
      let sizes = numbers.lazy.map { abs($0) }
      let smallest = sizes.filter { $0 > 0 }.min() ?? 1
      let isWhole = numbers.allSatisfy { $0.rounded() == $0 }
      // Three digits of the smallest, unless the largest could not be counted then.
      let fine = isWhole ? 1 : smallest / 1024
      unit = max(fine, (sizes.max() ?? 1) / Self.largest, .leastNormalMagnitude)
      for number in numbers { add(number) }
    }

    mutating func add(_ number: Double) {
      let count = UInt64(min((abs(number) / unit).rounded(), Self.largest))
      if number < 0 { _ = negative.record(count) } else { _ = positive.record(count) }
    }

    /// The number at a rank, counted from 1.
    func number(at rank: UInt64) -> Double {
      let below = negative.totalCount
      if rank <= below {
        // The largest sizes are the smallest numbers.
        let percentile = Double(below - rank + 1) / Double(below) * 100
        return -Double(negative.valueAtPercentile(percentile)) * unit
      }
      let percentile = Double(rank - below) / Double(positive.totalCount) * 100
      return Double(positive.valueAtPercentile(percentile)) * unit
    }
  }

  /// - Parameter number: A finite number.
  mutating func add(_ number: Double) {
    guard histograms == nil else {
      histograms?.add(number)
      return
    }
    exact.append(number)
    if exact.count > Self.exactCount {
      histograms = Histograms(exact)
      exact = []
    }
  }

  /// The numbers at some shares of the way from the smallest to the largest, by nearest rank; `nil` if there are none.
  ///
  /// - Parameter count: How many numbers there are.
  func numbers(at shares: [Double], of count: Int) -> [Double]? {
    guard count > 0 else { return nil }
    let sorted = exact.sorted()
    return shares.map { share in
      let rank = min(max(Int((share * Double(count)).rounded(.up)), 1), count)
      return histograms?.number(at: UInt64(rank)) ?? sorted[min(rank, sorted.count) - 1]
    }
  }
}
