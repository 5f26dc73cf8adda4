import JSONSift

/// The summary of the numbers that one path selected in one group.
struct NumberSummary {
  private(set) var count = 0
  /// The number of records without a value, and the number of values that are not numbers or are beyond the range of
  /// Double.
  private(set) var absent = 0
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

  static let shares = [0.5, 0.95, 0.99]

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

  /// The columns of a summary.
  static let names = ["count", "sum", "min", "max", "mean", "p50", "p95", "p99", "absent", "wrong"]

  /// The values of the columns.
  var cells: [Cell] {
    guard count > 0 else {
      return [Cell(0)] + Array(repeating: .absent, count: Self.names.count - 3) + [Cell(absent), Cell(wrong)]
    }
    let (number, text) = sum.result
    let found = order.numbers(at: Self.shares, of: count) ?? []
    let percentiles = found.map { number in
      // The middle of a bucket can be outside the range of the numbers. A zero has no sign here: numbers are ordered by
      // value.
      let number = min(max(number, minimum.double), maximum.double)
      return Cell(number == 0 ? 0 : number)
    }
    return [
      Cell(count), .json(Array(text.utf8)), .json(minimum.text), .json(maximum.text), Cell(number / Double(count)),
    ] + percentiles + [Cell(absent), Cell(wrong)]
  }
}
