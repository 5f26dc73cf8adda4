import Histogram

/// The order of many numbers, in memory that does not grow with them.
///
/// Up to ``exactCount`` numbers are kept, and percentiles are exact. Then they go into histograms with three significant
/// digits: a percentile is within 0.1 % of the number that stands there, whatever comes later.
struct Percentiles {
  static let exactCount = 1000

  private var exact: [Double] = []
  private var histograms: Histograms?

  /// Numbers of any size. A histogram counts in one unit, so each has a band of 40 powers of two, in which the unit is small
  /// enough for the smallest; most paths have numbers of one band or two.
  private struct Histograms {
    private static let bandPowers = 40
    /// A number is at least so many powers of two of its unit: that is more than three digits.
    private static let digitPowers = 11

    private var bands: [Int: Histogram<UInt64>] = [:]
    private var zeros: UInt64 = 0

    mutating func add(_ number: Double) {
      guard number != 0 else {
        zeros += 1
        return
      }
      let power = Int(number.exponent)
      let band = (power - Int(Double.leastNonzeroMagnitude.exponent)) / Self.bandPowers
      let units = (abs(number) / Self.unit(band)).rounded()
      // Negative numbers have bands of their own, below zero.
      _ = bands[number < 0 ? -1 - band : band, default: Histogram(numberOfSignificantValueDigits: .three)]
        .record(UInt64(units))
    }

    private static func unit(_ band: Int) -> Double {
      let power = Int(Double.leastNonzeroMagnitude.exponent) + band * bandPowers - digitPowers
      // Below the smallest number there is no smaller unit.
      return Double(sign: .plus, exponent: max(power, Int(Double.leastNonzeroMagnitude.exponent)), significand: 1)
    }

    /// The number at a rank, counted from 1.
    func number(at rank: UInt64) -> Double {
      var left = rank
      let negative = bands.filter { $0.key < 0 }.sorted { $0.key < $1.key }
      for (key, histogram) in negative {
        let count = histogram.totalCount
        // The largest sizes are the smallest numbers.
        if left <= count { return -Self.size(at: count - left + 1, histogram, -1 - key) }
        left -= count
      }
      if left <= zeros { return 0 }
      left -= zeros
      let positive = bands.filter { $0.key >= 0 }.sorted { $0.key < $1.key }
      for (key, histogram) in positive {
        if left <= histogram.totalCount { return Self.size(at: left, histogram, key) }
        left -= histogram.totalCount
      }
      return .infinity
    }

    private static func size(at rank: UInt64, _ histogram: Histogram<UInt64>, _ band: Int) -> Double {
      // The middle of a rank: no rounding can reach the next one.
      let percentile = (Double(rank) - 0.5) / Double(histogram.totalCount) * 100
      let units = histogram.medianEquivalentForValue(histogram.valueAtPercentile(percentile))
      return Double(units) * unit(band)
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
      var all = Histograms()
      for number in exact { all.add(number) }
      histograms = all
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
