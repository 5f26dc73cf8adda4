import Foundation
import TestSupport
import Testing

@testable import JSONSift

@Suite struct JSONDoubleTests {
  static let hard = [
    "2.2250738585072011e-308", "2.2250738585072012e-308", "2.2250738585072014e-308",
    "2.225073858507201136057409796709e-308",
    "9007199254740991", "9007199254740992", "9007199254740993", "9007199254740993.0", "9007199254740993.00000000000001",
    "9007199254740994", "9007199254740995", "9007199254740992e1", "9007199254740993e1", "1.7976931348623157e308",
    "1.7976931348623158e308", "1.7976931348623159e308", "1.797693134862315808e308", "179769313486231580793e289",
    "4.9e-324", "5e-324", "2.4703282292062327208e-324", "2.4703282292062328e-324", "2.47032822920623272e-324", "7e-324",
    "7.4e-324", "7.5e-324", "1e23", "8.5e22", "9e22", "1e22", "6929495644600919.5", "3.518437208883201171875e13",
    "1.00000000000000011102230246251565404236316680908203125",
    "1.00000000000000011102230246251565404236316680908203126",
    "1.00000000000000011102230246251565404236316680908203124", "0.1e-6", "1e308", "1e309", "-1e309", "1e-323", "1e-324",
    "123456789012345678901234567890", "0.000000000000000000000000000000000000001", "1e400", "1e-400", "0", "-0", "-0.0",
    "0e400", "-0e-400", "3.14159265358979323846", "1e0", "10e-1", "0.3", "2.5e-1", "62.5364939768271845828",
    "8.10109172351e-10", "1.50000000000000011102230246251565", "9007199254740991.4999999999999999999999999999999995",
    "10000000000000000000000000000000000000000e+21", "5708990770823838890407843763683279797179383808e0",
    "72057594037927933",
    "7205759403792793199999e-5", "9.109383632e-31", "1e1000000000000000000000", "1e-1000000000000000000000",
  ]

  /// Returns the result of the C library. The integer -0 is 0, as documented.
  private func reference(_ text: String) -> Double { text == "-0" ? 0 : CLibrary.double(text) }

  private func isSame(_ one: Double?, _ other: Double) -> Bool { one?.bitPattern == other.bitPattern }

  @Test(arguments: hard)
  func `a difficult number is rounded to the nearest Double`(text: String) throws {
    let json = try JSON(parsing: text)
    #expect(isSame(json.double, reference(text)))
    #expect(isSame(json.doubleValue, reference(text)))
  }

  @Test func `a halfway number of hundreds of digits is rounded to even, and a slightly larger one up`() throws {
    let options = JSONOptions(limits: .unlimited)
    var random = SeededGenerator.announced()
    for _ in 0..<30 {
      let value = Double(bitPattern: random.next() & 0x001F_FFFF_FFFF_FFFF | UInt64(random.below(600)) << 53)
      guard value.isFinite, value > 0, value.nextUp.isFinite else { continue }
      // Halfway to the next Double: the mean of the complete digits of both.
      let low = CLibrary.text("%.1100f", value)
      let high = CLibrary.text("%.1100f", value.nextUp)
      let text = average(low, high)
      let even = value.significandBitPattern & 1 == 0 ? value : value.nextUp
      #expect(isSame(try JSON(parsing: text, options: options).double, even))
      #expect(isSame(try JSON(parsing: text + "0000000001", options: options).double, value.nextUp))
      #expect(isSame(try JSON(parsing: text, options: options).double, reference(text)))
    }
  }

  /// Returns the mean of two decimal texts of the same form, with one digit more.
  private func average(_ low: String, _ high: String) -> String {
    let width = max(low.utf8.count, high.utf8.count)
    func digits(_ text: String) -> [Int] {
      Array(repeating: 0, count: width - text.utf8.count) + text.utf8.map { $0 == 0x2E ? -1 : Int($0) - 0x30 }
    }
    var carry = 0
    var sum = zip(digits(low), digits(high)).reversed().map { one, other -> Int in
      if one < 0 { return -1 }
      let total = one + other + carry
      carry = total / 10
      return total % 10
    }
    sum.append(carry)
    var text = ""
    var rest = 0
    for digit in sum.reversed() {
      if digit < 0 {
        text += "."
        continue
      }
      text += "\((rest * 10 + digit) / 2)"
      rest = (rest * 10 + digit) % 2
    }
    text += "\(rest * 5)"
    let trimmed = text.drop { $0 == "0" }
    return trimmed.hasPrefix(".") ? "0" + trimmed : String(trimmed)
  }

  /// Returns a number in one of the forms that people and programs write.
  private func randomNumber(_ random: inout SeededGenerator) -> String {
    func digits(_ count: Int) -> String {
      var text = String(1 + random.below(9))
      for _ in 1..<max(count, 1) { text.append(Character(UnicodeScalar(UInt8(0x30 + random.below(10))))) }
      return text
    }
    let sign = random.below(3) == 0 ? "-" : ""
    switch random.below(7) {
    case 0: return sign + digits(1 + random.below(25))
    case 1: return sign + digits(1 + random.below(10)) + "." + digits(1 + random.below(20))
    case 2: return sign + "0." + String(repeating: "0", count: random.below(12)) + digits(1 + random.below(20))
    case 3: return sign + digits(1 + random.below(20)) + "e\(random.below(700) - 350)"
    case 4:
      return sign + digits(1) + "." + digits(1 + random.below(18))
        + "E\(random.pick(["", "+", "-"]))\(random.below(330))"
    case 5:
      let value = Double(bitPattern: random.next())
      return value.isFinite ? "\(value)" : "1.5"
    default: return sign + digits(15 + random.below(5)) + "e\(random.below(60) - 30)"
    }
  }

  @Test func `a hundred thousand random numbers are rounded as by strtod`() throws {
    var random = SeededGenerator.announced()
    var wrong: [String] = []
    for _ in 0..<10 {
      let texts = (0..<10_000).map { _ in randomNumber(&random) }
      let json = try JSON(parsing: "[" + texts.joined(separator: ",") + "]")
      for (text, element) in zip(texts, json) where !isSame(element.1.double, reference(text)) { wrong.append(text) }
    }
    #expect(wrong.isEmpty, "\(wrong.count) wrong, such as \(wrong.prefix(5))")
  }

  /// Returns a number of at most 19 digits; many of them are halfway between two Doubles or next to such a number.
  private func shortNumber(_ random: inout SeededGenerator) -> String {
    // 54 bits with the last one set: halfway, as it is and after any shift.
    let halfway = random.next() >> 10 | 1 << 53 | 1
    let aside = UInt64(bitPattern: Int64(random.below(3) - 1))
    switch random.below(4) {
    case 0: return "\(random.next() >> UInt64(random.below(64)))e\(random.below(60) - 30)"
    case 1: return "\(halfway << UInt64(random.below(11)) &+ aside)"
    case 2:
      // Times 5^n, by 10^n.
      let exponent = random.below(4)
      let power = [1, 5, 25, 125][exponent] as UInt64
      let (product, overflow) = halfway.multipliedReportingOverflow(by: power)
      return overflow ? "-\(halfway)" : "-\(product &+ aside)e-\(exponent)"
    default:
      let value = Double(random.next() >> UInt64(random.below(40))) / Double(1 << UInt64(random.below(63)))
      return "\(value)"
    }
  }

  @Test func `a million numbers of up to nineteen digits are rounded as by strtod`() throws {
    var random = SeededGenerator.announced()
    var wrong: [String] = []
    for _ in 0..<(isDebug ? 3 : 100) {
      let texts = (0..<10_000).map { _ in shortNumber(&random) }
      let json = try JSON(parsing: "[" + texts.joined(separator: ",") + "]")
      for (text, element) in zip(texts, json) where !isSame(element.1.double, reference(text)) { wrong.append(text) }
    }
    #expect(wrong.isEmpty, "\(wrong.count) wrong, such as \(wrong.prefix(5))")
  }

  @Test func `strings are rounded the same way`() throws {
    var random = SeededGenerator.announced()
    for _ in 0..<2_000 {
      let text = randomNumber(&random)
      let value = reference(text)
      guard value == 0 || (abs(value) < 1e120 && abs(value) > 1e-120) else { continue }
      let found = try JSON(parsing: "\"\(text)\"").doubleValue
      #expect(found == value, "\(text)")
    }
  }

  @Test func `a Float is the nearest to the Double`() throws {
    let json = try JSON(parsing: "[0.1,16777217,1e300,-1e300,1e-300,true,3.5]")
    #expect(json[0].float == 0.1 && json[0].floatValue == 0.1)
    #expect(json[1].float == 16_777_216)
    #expect(json[2].float == .infinity && json[3].floatValue == -.infinity)
    #expect(json[4].float == 0 && json[5].float == 1)
    #expect(json[6].float == 3.5)
  }

  static let others: [(String, Double?, Double)] = [
    ("true", 1, 1), ("false", 0, 0), ("null", nil, 0), ("[]", nil, 0), ("{}", nil, 0), ("\"3.25\"", nil, 3.25),
    ("\"12abc\"", nil, 12), ("\" 12.5 \"", nil, 12.5), ("\"1,000\"", nil, 1), ("\"5.\"", nil, 5), ("\".5\"", nil, 0.5),
    ("\"0x10\"", nil, 0), ("\"nan\"", nil, 0), ("\"inf\"", nil, 0), ("\"\"", nil, 0), ("\"1e400\"", nil, 0),
    ("\"-2e3\"", nil, -2_000), ("\"1e\"", nil, 1), ("\"true\"", nil, 0),
  ]

  @Test(arguments: others)
  func `other values have no Double or are converted to one`(text: String, double: Double?, value: Double) throws {
    let json = try JSON(parsing: text)
    #expect(json.double == double)
    #expect(json.doubleValue == value)
    #expect(json.float == double.map { Float($0) })
    #expect(json.floatValue == Float(value))
  }
}
