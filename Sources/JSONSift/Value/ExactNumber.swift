/// A finite number for exact comparison. Most numbers have a significand of 64 bits; the others keep all their digits. Equal
/// numbers have one form.
package enum ExactNumber: Hashable {
  /// significand * 10^exponent. The significand does not end in 0 and has at most 19 digits; 0 has the exponent 0.
  case small(isNegative: Bool, significand: UInt64, exponent: Int)
  /// A number of more than 19 digits, or whose exponent is out of range.
  case large(DecimalText)

  /// Returns `nil` if the value is not a number, or is NaN or infinite.
  init?(_ json: JSON) {
    switch json.builtNumber {
    case .int(let int): self.init(isNegative: int < 0, significand: int.magnitude, exponent: 0)
    case .double(let double):
      guard let number = ExactNumber(double) else { return nil }
      self = number
    default:
      guard let number = unsafe json.withNumber({ unsafe ExactNumber(text: $0) }) ?? nil else { return nil }
      self = number
    }
  }

  /// The shortest decimal that parses back to the Double; `nil` if it is NaN or infinite.
  init?(_ double: Double) {
    // Integers up to 2^53 are written with all digits.
    if double.magnitude <= 0x1p53, let int = Int64(exactly: double) {
      self.init(isNegative: int < 0, significand: int.magnitude, exponent: 0)
      return
    }
    guard double.isFinite else { return nil }
    var text = double.description
    guard let number = text.withUTF8({ unsafe ExactNumber(text: UnsafeRawBufferPointer($0)) }) else { return nil }
    self = number
  }

  private init(isNegative: Bool, significand: UInt64, exponent: Int) {
    guard significand != 0 else {
      self = .small(isNegative: false, significand: 0, exponent: 0)
      return
    }
    var significand = significand
    var exponent = exponent
    while true {
      let (quotient, remainder) = significand.quotientAndRemainder(dividingBy: 10)
      guard remainder == 0 else { break }
      significand = quotient
      exponent += 1
    }
    self = .small(isNegative: isNegative, significand: significand, exponent: exponent)
  }

  /// The number at the start of a text; `nil` if it is none.
  package init?(text: UnsafeRawBufferPointer) {
    if let short = unsafe NumberBytes.short(text) {
      self.init(isNegative: short.isNegative, significand: short.mantissa, exponent: short.exponent)
    } else if let number = unsafe DecimalText(prefixOf: text) {
      guard number.digits.count <= 19, !number.isOutOfRange else {
        self = .large(number)
        return
      }
      let significand = number.digits.reduce(0 as UInt64) { $0 &* 10 &+ UInt64($1) }
      self.init(isNegative: number.isNegative, significand: significand, exponent: number.exponent)
    } else {
      return nil
    }
  }

  /// Whether the number is below 0.
  var isNegative: Bool {
    switch self {
    case .small(let isNegative, _, _): isNegative
    case .large(let number): number.isNegative
    }
  }

  /// Returns a negative, zero or positive number for the order of two numbers.
  package static func compare(_ left: ExactNumber, _ right: ExactNumber) -> Int {
    guard case .small(let leftNegative, let leftDigits, let leftExponent) = left,
      case .small(let rightNegative, let rightDigits, let rightExponent) = right
    else { return DecimalText.compare(left.decimalText, right.decimalText) }
    let leftSign = leftDigits == 0 ? 0 : leftNegative ? -1 : 1
    let rightSign = rightDigits == 0 ? 0 : rightNegative ? -1 : 1
    guard leftSign == rightSign else { return leftSign < rightSign ? -1 : 1 }
    // Scales both to the smaller exponent. A significand that overflows is larger than the other, which does not.
    let (leftScaled, leftOverflow) = scaled(leftDigits, by: leftExponent - rightExponent)
    let (rightScaled, rightOverflow) = scaled(rightDigits, by: rightExponent - leftExponent)
    if leftOverflow { return leftSign }
    if rightOverflow { return -leftSign }
    return leftScaled == rightScaled ? 0 : leftScaled < rightScaled ? -leftSign : leftSign
  }

  private static func scaled(_ digits: UInt64, by power: Int) -> (UInt64, Bool) {
    guard power > 0, digits != 0 else { return (digits, false) }
    guard power < 20 else { return (digits, true) }
    var result = digits
    for _ in 0..<power {
      let (product, overflow) = result.multipliedReportingOverflow(by: 10)
      if overflow { return (digits, true) }
      result = product
    }
    return (result, false)
  }

  private var decimalText: DecimalText {
    switch self {
    case .large(let number): number
    case .small(let isNegative, let significand, let exponent):
      DecimalText(
        isNegative: isNegative, digits: significand.description.utf8.map { $0 &- ASCII.zero }, exponent: exponent)
    }
  }
}

extension DecimalText: Hashable {
  package static func == (left: DecimalText, right: DecimalText) -> Bool { compare(left, right) == 0 }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(isNegative && !digits.isEmpty)
    hasher.combine(digits)
    hasher.combine(exponent)
    hasher.combine(farMagnitude)
  }

  /// Compares the exact values. Returns a negative number, 0, or a positive number.
  static func compare(_ left: DecimalText, _ right: DecimalText) -> Int {
    guard !left.digits.isEmpty || !right.digits.isEmpty else { return 0 }
    let leftSign = left.digits.isEmpty ? 0 : left.isNegative ? -1 : 1
    let rightSign = right.digits.isEmpty ? 0 : right.isNegative ? -1 : 1
    guard leftSign == rightSign else { return leftSign < rightSign ? -1 : 1 }
    let order = compareMagnitudes(left, right)
    if order != 0 { return order * leftSign }
    // Digits without trailing zeros, the first of the same power of ten: they are ordered lexicographically.
    if left.digits == right.digits { return 0 }
    return left.digits.lexicographicallyPrecedes(right.digits) ? -leftSign : leftSign
  }

  private static func compareMagnitudes(_ left: DecimalText, _ right: DecimalText) -> Int {
    guard left.isOutOfRange, right.isOutOfRange, left.exponent.signum() == right.exponent.signum() else {
      // An exponent out of range is beyond each one in it, also after its digits are added.
      let (left, right) = (
        left.isOutOfRange ? left.exponent : left.magnitude, right.isOutOfRange ? right.exponent : right.magnitude
      )
      return (left - right).signum()
    }
    let (one, two) = (left.farMagnitude, right.farMagnitude)
    if one == two { return 0 }
    let isLess = one.count == two.count ? one.lexicographicallyPrecedes(two) : one.count < two.count
    return isLess ? -left.exponent.signum() : left.exponent.signum()
  }
}
