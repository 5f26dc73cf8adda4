import JSONSift

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// What is known of the numbers that one path has found in one group.
struct NumberSummary {
  private(set) var count = 0
  /// Records where there was nothing, and where there was something else than a number that a Double can hold.
  private(set) var absent = 0
  private(set) var wrong = 0
  private var sum = ExactSum()
  private var least: (number: Double, json: JSON)?
  private var most: (number: Double, json: JSON)?
  private var order = Percentiles()

  static let shares = [0.5, 0.95, 0.99]

  mutating func addAbsent() { absent += 1 }

  mutating func add(_ value: JSON) {
    guard value.type == .number, let number = value.double, number.isFinite else {
      wrong += 1
      return
    }
    count += 1
    sum.add(value, number)
    order.add(number)
    // Of numbers that are one Double the values decide.
    if least.map({ number < $0.number || number == $0.number && value < $0.json }) ?? true {
      least = (number, value.detached())
    }
    if most.map({ number > $0.number || number == $0.number && value > $0.json }) ?? true {
      most = (number, value.detached())
    }
  }

  /// The columns of a summary.
  static let names = ["count", "sum", "min", "max", "mean", "p50", "p95", "p99", "absent", "wrong"]

  /// What stands in them.
  var cells: [Cell] {
    let total = sum.text
    // What is nearly the smallest or largest number is no smaller or larger than that.
    let bounds = (least?.number ?? 0)...(most?.number ?? 0)
    let percentiles =
      order.numbers(at: Self.shares, of: count)?
      .map { Cell(min(max($0, bounds.lowerBound), bounds.upperBound)) } ?? Self.shares.map { _ in .absent }
    return [
      Cell(count), count > 0 ? .json(Array(total.utf8)) : .absent, least.map { Cell($0.json) } ?? .absent,
      most.map { Cell($0.json) } ?? .absent, count > 0 ? Cell(sum.number / Double(count)) : .absent,
    ] + percentiles + [Cell(absent), Cell(wrong)]
  }
}

/// A sum that loses nothing while it has at most 38 digits.
private struct ExactSum {
  private var integers: Int128 = 0
  private var decimals = Decimal(0)
  private var rest = 0.0
  private var isExact = true

  mutating func add(_ value: JSON, _ number: Double) {
    if isExact {
      if let integer = value.exactly(Int64.self) {
        integers &+= Int128(integer)
        return
      }
      // A Decimal keeps 38 digits, and rounds what has more.
      if let decimal = value.decimal {
        let next = decimals + decimal
        // Neither of the two has lost digits.
        if !next.isNaN, next - decimals == decimal, next - decimal == decimals {
          decimals = next
          return
        }
      }
      rest = self.number
      isExact = false
    }
    rest += number
  }

  private var total: Decimal? {
    guard isExact, let integers = Decimal(string: "\(integers)") else { return nil }
    let sum = integers + decimals
    return sum - integers == decimals && sum - decimals == integers ? sum : nil
  }

  var number: Double {
    guard isExact else { return rest }
    return total.flatMap { Double("\($0)") } ?? Double(integers) + (Double("\(decimals)") ?? 0)
  }

  /// The sum as JSON.
  var text: String { total.map { "\($0)" } ?? (number.isFinite ? JSON(number).stringValue : "null") }
}
