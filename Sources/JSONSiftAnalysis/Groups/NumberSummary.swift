import JSONSift

/// The summary of the numbers that one path selected in one group.
package struct NumberSummary {
  private(set) var count = 0
  /// The number of records without a value.
  private(set) var absent = 0
  /// The number of values that are not numbers or are beyond the range of Double.
  private(set) var wrong = 0
  private var sum = ExactSum()
  private var minimum = Bound()
  private var maximum = Bound()
  private var order = Percentiles()

  /// The minimum or maximum so far; the first of equal numbers.
  private struct Bound {
    var double = 0.0
    var text: [UInt8] = []
    /// Whether no other number of this form has the same Double. Otherwise numbers of the same Double are compared exactly.
    var isDistinct = false
  }

  private static let shares = [(name: "p50", share: 0.5), (name: "p95", share: 0.95), (name: "p99", share: 0.99)]

  mutating func addAbsent() { absent &+= 1 }

  mutating func addWrong() { wrong &+= 1 }

  /// Adds a number.
  ///
  /// - Parameters:
  ///   - texts: Contains the text of the number in `range`.
  ///   - short: The number, if it has the short form.
  mutating func add(_ double: Double, _ short: NumberText.Short?, in texts: [UInt8], _ range: Range<Int>) {
    count &+= 1
    order.add(double)
    var isDistinct = false
    if let short {
      sum.add(short)
      isDistinct = short.mantissa.magnitude < NumberText.Short.distinctMagnitude
    } else {
      unsafe texts.withUnsafeBytes { unsafe sum.add(UnsafeRawBufferPointer(rebasing: $0[range]), double) }
    }
    if count == 1 {
      minimum = Bound(double: double, text: Array(texts[range]), isDistinct: isDistinct)
      maximum = minimum
      return
    }
    if double <= minimum.double, isBeyond(minimum, double, isDistinct, texts, range, { $0 < $1 }) {
      minimum = Bound(double: double, text: Array(texts[range]), isDistinct: isDistinct)
    }
    if double >= maximum.double, isBeyond(maximum, double, isDistinct, texts, range, { $0 > $1 }) {
      maximum = Bound(double: double, text: Array(texts[range]), isDistinct: isDistinct)
    }
  }

  /// Returns whether a number replaces a bound that its Double equals or exceeds.
  private func isBeyond(
    _ bound: Bound, _ double: Double, _ isDistinct: Bool, _ texts: [UInt8], _ range: Range<Int>,
    _ isOrdered: (JSON, JSON) -> Bool
  ) -> Bool {
    guard double == bound.double else { return true }
    if isDistinct && bound.isDistinct || texts[range].elementsEqual(bound.text) { return false }
    guard let number = try? JSON(parsing: texts[range]), let other = try? JSON(parsing: bound.text) else {
      return false
    }
    return isOrdered(number, other)
  }

  package static let names = NumberSummary().columns.map(\.name)

  /// The columns, with the texts of their values as JSON. Without numbers only the counts have a value. Records are added in
  /// the order of the input, on one thread, so a statistic may depend on that order.
  package var columns: [(name: String, text: String?)] {
    let (number, text) = sum.result
    // The sum is rounded before it is divided, so the quotient can be outside the range of the numbers.
    let mean = number.isFinite ? withinRange(number / Double(count)) : number
    let percentiles = order.numbers(at: Self.shares.map(\.share), of: count)
    let results: [(name: String, text: String?)] =
      [
        ("sum", text), ("min", String(decoding: minimum.text, as: UTF8.self)),
        ("max", String(decoding: maximum.text, as: UTF8.self)), ("mean", Self.text(mean)),
      ]
      // The middle of a bucket can be outside the range of the numbers.
      + Self.shares.indices.map { index in
        (Self.shares[index].name, percentiles.flatMap { Self.text(withinRange($0[index])) })
      }
    return [("count", "\(count)")] + results.map { ($0.name, count > 0 ? $0.text : nil) }
      + [("absent", "\(absent)"), ("wrong", "\(wrong)")]
  }

  private static func text(_ number: Double) -> String? { number.isFinite ? JSON(number).stringValue : nil }

  /// The nearest number from `minimum` to `maximum`. A zero has no sign: numbers are ordered by value.
  private func withinRange(_ number: Double) -> Double {
    let inside = min(max(number, minimum.double), maximum.double)
    return inside == 0 ? 0 : inside
  }
}
