import JSONSift

/// A sum that does not depend on the order of its numbers.
///
/// Every finite number is added with all its digits, except a number with digits below 10^-360, for which the nearest
/// Double is added. The result is exact up to 38 digits, otherwise the nearest Double.
struct ExactSum {
  /// The sums of short numbers: at index i in units of 10^-i. 2^67 numbers fit.
  private var short: [Int128] = []
  /// The sum of all other numbers.
  private var wide: DecimalAccumulator?
  /// Whether no number has lost digits.
  private var isExact = true

  /// A sum with more digits is written as a Double.
  private static let maxDigits = 38
  private static let exponents = -128...127

  mutating func add(_ number: NumberText.Short) {
    let index = Int(-number.exponent)
    while short.count <= index { short.append(0) }
    short[index] &+= Int128(number.mantissa)
  }

  /// Adds any number.
  ///
  /// - Parameter double: The nearest Double, which is finite.
  mutating func add(_ text: UnsafeRawBufferPointer, _ double: Double) {
    var number = unsafe DecimalText(prefixOf: text) ?? DecimalText()
    if !DecimalAccumulator.holds(number) {
      isExact = false
      number = Self.decimal(double.description)
    }
    var sum = wide ?? DecimalAccumulator()
    // Without this, the next line would copy the limbs.
    wide = nil
    sum.add(number)
    wide = sum
  }

  private static func decimal(_ text: String) -> DecimalText {
    var text = text
    return text.withUTF8 { unsafe DecimalText(prefixOf: UnsafeRawBufferPointer($0)) } ?? DecimalText()
  }

  private var total: DecimalText {
    var all = wide ?? DecimalAccumulator()
    for (index, sum) in short.enumerated() where sum != 0 {
      all.add(Self.decimal("\(sum)e-\(index)"))
    }
    return all.total
  }

  /// The nearest Double, and the sum as JSON: `null` if it is beyond the range of Double and not exact.
  var result: (number: Double, text: String) {
    let total = total
    let number = total.doubleValue
    if isExact, total.digits.count <= Self.maxDigits, Self.exponents.contains(total.exponent) {
      return (number, total.plainText)
    }
    return (number, number.isFinite ? JSON(number).stringValue : "null")
  }
}

/// Adds decimals exactly. Its limbs are signed digits in base 10^18; carries are propagated only when the sum is read.
private struct DecimalAccumulator {
  private static let limbDigits = 18
  private static let base: Int128 = 1_000_000_000_000_000_000
  /// The first limb has the unit 10^-360: the last digit of the smallest Double's shortest decimal has the unit
  /// 10^-324.
  private static let lowest = -360
  /// The largest Double is below 10^309, and 2^63 of them are below 10^328.
  private static let limbCount = 40

  private var limbs = [Int128](repeating: 0, count: limbCount)

  /// Returns whether a number whose nearest Double is finite has no digits below those of the limbs.
  static func holds(_ number: DecimalText) -> Bool { number.digits.isEmpty || number.exponent >= lowest }

  mutating func add(_ number: DecimalText) {
    var position = number.exponent - Self.lowest
    for digit in number.digits.reversed() {
      let limb = position / Self.limbDigits
      // No finite number has digits there.
      guard limb >= 0, limb < Self.limbCount else { return }
      let amount = Int128(digit) &* Self.powers[position % Self.limbDigits]
      limbs[limb] &+= number.isNegative ? -amount : amount
      position += 1
    }
  }

  private static let powers: [Int128] = {
    var powers: [Int128] = [1]
    while powers.count < limbDigits, let last = powers.last { powers.append(last * 10) }
    return powers
  }()

  /// The sum.
  var total: DecimalText {
    var isNegative = false
    var digits: [UInt8] = []
    var carried = Self.carried(limbs)
    // Only the last limb can be negative now, and it has the sign of the sum.
    if let last = carried.last, last < 0 {
      isNegative = true
      carried = Self.carried(limbs.map { -$0 })
    }
    for limb in carried.reversed() {
      let limbDigits = String(limb).utf8.map { $0 - 0x30 }
      digits += Array(repeating: 0, count: max(Self.limbDigits - limbDigits.count, 0)) + limbDigits
    }
    return DecimalText(isNegative: isNegative, digits: digits, exponent: Self.lowest)
  }

  /// Returns the same number with limbs from 0 up to the base, except the last.
  private static func carried(_ limbs: [Int128]) -> [Int128] {
    var carry: Int128 = 0
    var result = limbs
    for index in limbs.indices.dropLast() {
      let (quotient, rest) = (limbs[index] + carry).quotientAndRemainder(dividingBy: base)
      carry = rest < 0 ? quotient - 1 : quotient
      result[index] = rest < 0 ? rest + base : rest
    }
    if let last = limbs.indices.last { result[last] = limbs[last] + carry }
    return result
  }
}
