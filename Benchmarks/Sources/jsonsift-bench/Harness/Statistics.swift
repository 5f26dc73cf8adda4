import Foundation

/// The middle of some figures, and how far they go.
struct Spread: Codable {
  let median: Double
  let min: Double
  let max: Double

  /// `values` is not empty.
  init(_ values: [Double]) {
    let sorted = values.sorted()
    let middle = sorted.count / 2
    median = sorted.count.isMultiple(of: 2) ? (sorted[middle - 1] + sorted[middle]) / 2 : sorted[middle]
    min = sorted[0]
    max = sorted[sorted.count - 1]
  }

  private init(median: Double, min: Double, max: Double) {
    self.median = median
    self.min = min
    self.max = max
  }

  /// The same ratios seen from the other side.
  var inverse: Spread { Spread(median: 1 / median, min: 1 / max, max: 1 / min) }
}

/// The mean for ratios: 2 and 0.5 cancel out.
func geometricMean(_ values: [Double]) -> Double {
  guard !values.isEmpty else { return 0 }
  return exp(values.reduce(0) { $0 + log($1) } / Double(values.count))
}
