import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// Every number is a decimal: `==`, `<` and hashing are those of the decimals.
@Suite struct NumberEqualityTests {
  /// A number and the decimal that it must be: a reference that shares nothing with the library.
  private struct Sample: CustomStringConvertible {
    let json: JSON
    let text: String
    /// The sign, the power of ten of the first digit, and the digits without zeros at either end.
    let sign: Int
    let magnitude: Int128
    let digits: String

    var description: String { text }

    init(_ json: JSON, _ text: String) {
      self.json = json
      self.text = text
      var number = Substring(text.lowercased())
      let isNegative = number.hasPrefix("-")
      if isNegative { number.removeFirst() }
      let parts = number.split(separator: "e")
      let halves = parts[0].split(separator: ".", omittingEmptySubsequences: false)
      let fraction = halves.count > 1 ? halves[1] : ""
      var digits = Substring(halves[0] + fraction)
      var power = (parts.count > 1 ? Int128(parts[1]) ?? 0 : 0) - Int128(fraction.count)
      while digits.last == "0" {
        digits.removeLast()
        power += 1
      }
      digits = digits.drop { $0 == "0" }
      sign = digits.isEmpty ? 0 : isNegative ? -1 : 1
      magnitude = digits.isEmpty ? 0 : power + Int128(digits.count)
      self.digits = String(digits)
    }

    func order(_ other: Sample) -> Int {
      if sign != other.sign { return sign < other.sign ? -1 : 1 }
      if magnitude != other.magnitude { return magnitude < other.magnitude ? -sign : sign }
      return digits == other.digits ? 0 : digits < other.digits ? -sign : sign
    }
  }

  /// A random spelling of a number from a small set, so that many are equal.
  private func spelling(_ random: inout SeededGenerator) -> String {
    let cores = [
      "0", "1", "10", "125", "9007199254740993", "9007199254740992", "18446744073709551615", "18446744073709551616",
      "1000000000000000000005", "12345678901234567890", "1234567890123456789", "99999999999999999999",
      "100000001490116",
    ]
    let powers: [Int128] = [
      0, 0, 1, -1, 2, -15, 20, 307, 309, -325, 9_999, -9_999, 1 << 40, 999_999_999_999_999_999,
      1_000_000_000_000_000_000, 1_999_999_999_999_999_999, 2_000_000_000_000_000_000, -2_000_000_000_000_000_001,
      123_456_789_012_345_678_901_234_567,
    ]
    var digits = cores.randomElement(using: &random) ?? "0"
    var power = powers.randomElement(using: &random) ?? 0
    let zeros = Int.random(in: 0...3, using: &random)
    digits += String(repeating: "0", count: zeros)
    power -= Int128(zeros)
    let point = Int.random(in: 0...digits.count, using: &random)
    if point < digits.count {
      power += Int128(digits.count - point)
      let whole = point == 0 || digits.hasPrefix("0") ? "0" : String(digits.prefix(point))
      if point > 0, digits.hasPrefix("0") { return Bool.random(using: &random) ? "-0.0e7" : "0" }
      digits = whole + "." + digits.dropFirst(point)
    } else if digits.hasPrefix("0") {
      return "-0"
    }
    let sign = Bool.random(using: &random) ? "-" : ""
    if power == 0, Bool.random(using: &random) { return sign + digits }
    let mark = ["e", "E", power < 0 ? "e" : "e+"].randomElement(using: &random) ?? "e"
    return sign + digits + mark + (power < 0 ? "-" : "") + (["", "0", "000"].randomElement(using: &random) ?? "")
      + String(power.magnitude)
  }

  private func samples(_ random: inout SeededGenerator) throws -> [Sample] {
    var samples: [Sample] = []
    for _ in 0..<150 {
      let text = spelling(&random)
      samples.append(Sample(try JSON(parsing: "[\(text)]")[0], text))
      if let double = Double(text), double.isFinite, double != 0 || Sample(JSON.null, text).sign == 0 {
        samples.append(Sample(JSON(double), double.description))
      }
      if let float = Float(text), float.isFinite { samples.append(Sample(JSON(float), float.description)) }
      if let int = Int(text) { samples.append(Sample(JSON(int), text)) }
      if let uint = UInt64(text) { samples.append(Sample(JSON(uint), text)) }
      if let int = Int128(text) { samples.append(Sample(JSON(int), text)) }
    }
    return samples
  }

  @Test func `issue 48: equality, order and hash of numbers are those of their decimals`() throws {
    var random = SeededGenerator()
    let samples = try samples(&random)
    for left in samples {
      for right in samples {
        let order = left.order(right)
        let (one, two) = (left.json, right.json)
        let isRight =
          (one == two) == (order == 0) && (one < two) == (order < 0) && (one > two) == (order > 0)
          && (order != 0 || one.hashValue == two.hashValue) && (one.exactOrder(two) ?? 9).signum() == order
        if !isRight { Issue.record("\(left) \(right) \(random)") }
      }
    }
    let count = Set(samples.map { "\($0.sign) \($0.magnitude) \($0.digits)" }).count
    for _ in 0..<5 {
      #expect(Set(samples.shuffled(using: &random).map(\.json)).count == count, "\(random)")
    }
  }

  @Test func `issue 48: a number equals itself after it is written and read`() throws {
    var random = SeededGenerator()
    for sample in try samples(&random) {
      let copy = try JSON(parsing: sample.json.bytes())
      #expect(copy == sample.json && copy.hashValue == sample.json.hashValue, "\(sample) \(random)")
      let options = with(JSONWriterOptions()) { $0.spelling = .normalized }
      let normalized = try JSON(parsing: sample.json.bytes(options))
      // A text of more than 38 digits, and no other, is rounded there.
      #expect(normalized == sample.json || sample.digits.count > 38, "\(sample) \(random)")
    }
  }

  /// Three numbers: are the first two equal, the last two, and the outer ones?
  static let triples: [(String, JSON, String)] = [
    ("100000000000000000000", JSON(1e20), "100000000000000000000.5"), ("0.1", JSON(0.1), "0.10000000000000000001"),
    ("9007199254740993", JSON(9007199254740992.0), "9007199254740992"), ("1e400", JSON(Double.infinity), "2e400"),
    ("0.1", JSON(Float(0.1)), "1e-1"), ("-0.0", JSON(0), "-0"),
    ("18446744073709551615", JSON(UInt64.max), "1.8446744073709551615e19"),
  ]

  @Test(arguments: triples)
  func `issue 48: equality of numbers is transitive, and a set does not depend on the order`(
    first: String, second: JSON, third: String
  ) throws {
    let numbers = [try JSON(parsing: first), second, try JSON(parsing: third)]
    for (a, b, c) in [(0, 1, 2), (1, 2, 0), (2, 0, 1)] {
      #expect(!(numbers[a] == numbers[b] && numbers[b] == numbers[c]) || numbers[a] == numbers[c])
    }
    let sizes = [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]].map { order in
      Set(order.map { numbers[$0] }).count
    }
    #expect(Set(sizes).count == 1)
  }

  @Test func `issue 48: a condition agrees with ==`() throws {
    for text in ["0.1", "1e-1", "0.10", "100000000000000000000", "1e20", "9007199254740993", "1e999999999"] {
      for number in [JSON(0.1), JSON(1e20), JSON(9007199254740992.0), try JSON(parsing: "10e999999998")] {
        let condition = try JSONCondition("@ == \(text)")
        #expect(try condition.holds(for: number) == (number == JSON(parsing: text)), "\(text) \(number)")
      }
    }
  }

  @Test func `issue 48: exponents of any size are compared in the time that their texts take`() throws {
    let far = "1e" + String(repeating: "9", count: 900)
    let next = "10e" + String(repeating: "9", count: 899) + "8"
    #expect(try JSON(parsing: far) == JSON(parsing: next))
    #expect(try JSON(parsing: far) > JSON(parsing: "9e" + String(repeating: "9", count: 899) + "8"))
    #expect(try JSON(parsing: "1e999999999") != JSON(parsing: "1e999999998"))
    #expect(try JSON(parsing: "1e-999999999") > JSON(0) && JSON(parsing: far) < JSON(Double.infinity))
    #expect(try JSON(parsing: "-" + far) > JSON(-Double.infinity))
  }

  @Test func `NaN is one value, between the negative numbers and 0`() {
    #expect(JSON(Double.nan) == JSON(Float.nan) && JSON(Double.nan) < JSON(0) && JSON(-1) < JSON(Double.nan))
    #expect(JSON(-Double.infinity) < JSON(Double.nan) && JSON(Double.nan) < JSON(Double.infinity))
    #expect(JSON(Double.nan).exactOrder(JSON(Double.nan)) == nil)
  }
}
