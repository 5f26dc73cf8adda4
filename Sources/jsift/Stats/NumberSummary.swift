import JSONSift

/// What is known of the numbers that one path has found in one group.
struct NumberSummary {
  private(set) var count = 0
  /// Records where there was nothing, and where there was something else than a number that a Double can hold.
  private(set) var absent = 0
  private(set) var wrong = 0
  private var sum = ExactSum()
  private var least = Bound()
  private var most = Bound()
  private var order = Percentiles()

  /// The smallest or the largest number so far: the first of equal ones.
  private struct Bound {
    var double = 0.0
    var text: [UInt8] = []
    /// Whether a number with another text and the same Double is an equal number. Else the values decide.
    var isDistinct = false
  }

  static let shares = [0.5, 0.95, 0.99]

  mutating func addAbsent() { absent &+= 1 }

  mutating func addWrong() { wrong &+= 1 }

  /// Adds a number.
  ///
  /// - Parameters:
  ///   - texts: Its text is a part of it.
  ///   - short: The number, if it is of the common form.
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
      least = Bound(double: double, text: Array(texts[range]), isDistinct: isDistinct)
      most = least
      return
    }
    if double <= least.double, isBeyond(least, double, isDistinct, texts, range, { $0 < $1 }) {
      least = Bound(double: double, text: Array(texts[range]), isDistinct: isDistinct)
    }
    if double >= most.double, isBeyond(most, double, isDistinct, texts, range, { $0 > $1 }) {
      most = Bound(double: double, text: Array(texts[range]), isDistinct: isDistinct)
    }
  }

  /// Whether a number takes the place of a bound that its Double equals or passes.
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

  /// What stands in them.
  var cells: [Cell] {
    guard count > 0 else {
      return [Cell(0)] + Array(repeating: .absent, count: Self.names.count - 3) + [Cell(absent), Cell(wrong)]
    }
    let (number, text) = sum.result
    let found = order.numbers(at: Self.shares, of: count) ?? []
    let percentiles = found.map { number in
      // The middle of a bucket can lie outside of all numbers. A zero has no sign here: numbers are ordered by value.
      let number = min(max(number, least.double), most.double)
      return Cell(number == 0 ? 0 : number)
    }
    return [
      Cell(count), .json(Array(text.utf8)), .json(least.text), .json(most.text), Cell(number / Double(count)),
    ] + percentiles + [Cell(absent), Cell(wrong)]
  }
}
