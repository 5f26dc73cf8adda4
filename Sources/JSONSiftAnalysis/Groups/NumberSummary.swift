import JSONSift

/// The summary of the numbers that one path selected in one group.
package struct NumberSummary {
  var count: Int { order.count }
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

  mutating func addAbsent() { absent &+= 1 }

  mutating func addWrong() { wrong &+= 1 }

  /// Adds a number.
  ///
  /// - Parameters:
  ///   - texts: Contains the text of the number in `range`.
  ///   - short: The number, if it has the short form.
  mutating func add(_ double: Double, _ short: NumberText.Short?, in texts: [UInt8], _ range: Range<Int>) {
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
    let mean = number.isFinite ? order.withinRange(number / Double(count)) : number
    let results: [(name: String, text: String?)] =
      [
        ("sum", text), ("min", String(decoding: minimum.text, as: UTF8.self)),
        ("max", String(decoding: maximum.text, as: UTF8.self)), ("mean", Percentiles.text(mean)),
      ] + zip(Percentiles.names, order.texts).map { ($0, $1) }
    return [("count", "\(count)")] + results.map { ($0.name, count > 0 ? $0.text : nil) }
      + [("absent", "\(absent)"), ("wrong", "\(wrong)")]
  }
}
