/// A number as it is compared and hashed.
///
/// Two integers, or decimals with more digits than a Double has, compare exactly. Where one side is a Double, by origin or
/// because its text has a fraction of few digits, both are compared as Doubles: that is documented of SwiftyJSON, which
/// compares as `NSNumber` does. So equal numbers have one nearest Double, and that is what is hashed.
enum NumberOrder {
  case integer(isNegative: Bool, magnitude: UInt64)
  case double(Double)
  case exact(DecimalText)

  /// More significant digits than this are more than a Double holds.
  private static let doubleDigits = 17

  init?(_ json: JSON) {
    switch json.builtNumber {
    case .int(let int): self = .integer(isNegative: int < 0, magnitude: int.magnitude)
    case .uint(let uint): self = .integer(isNegative: false, magnitude: uint)
    case .double(let double): self = .double(double)
    case .float(let float): self = .double(Double(float))
    default:
      if let (isNegative, magnitude) = unsafe json.withNumber({ unsafe NumberBytes.integer($0) }) ?? nil {
        self = .integer(isNegative: isNegative && magnitude != 0, magnitude: magnitude)
        return
      }
      guard let number = json.decimalText else { return nil }
      let double = number.doubleValue
      let isDouble =
        !number.isIntegerText && number.digits.count <= Self.doubleDigits && double.isFinite
        && (double != 0 || number.digits.isEmpty)
      self = isDouble ? .double(double) : .exact(number)
    }
  }

  /// The nearest Double; infinite where the number is larger than any.
  var double: Double {
    switch self {
    case .integer(let isNegative, let magnitude): isNegative ? -Double(magnitude) : Double(magnitude)
    case .double(let double): double
    case .exact(let number): number.doubleValue
    }
  }

  /// Below 0, 0, or above 0.
  static func compare(_ left: NumberOrder, _ right: NumberOrder) -> Int {
    switch (left, right) {
    case (.integer(let leftNegative, let leftMagnitude), .integer(let rightNegative, let rightMagnitude)):
      guard leftNegative == rightNegative else { return leftNegative ? -1 : 1 }
      guard leftMagnitude != rightMagnitude else { return 0 }
      return (leftMagnitude < rightMagnitude) == leftNegative ? 1 : -1
    case (.double(let left), .double(let right)): return compare(left, right)
    case (.double(let left), _): return compare(left, with: right)
    case (_, .double(let right)): return -compare(right, with: left)
    default: return DecimalText.compare(left.decimalText, right.decimalText)
    }
  }

  /// A Double beside a number that is none. One that is larger than any Double is still below infinity.
  private static func compare(_ left: Double, with right: NumberOrder) -> Int {
    let double = right.double
    guard double.isInfinite, !left.isNaN else { return compare(left, double) }
    return left == double ? (double > 0 ? 1 : -1) : compare(left, double)
  }

  /// NaN equals NaN, and stands between the negative numbers and 0, as `NSNumber` has it.
  private static func compare(_ left: Double, _ right: Double) -> Int {
    if left < right { return -1 }
    if left > right { return 1 }
    if left == right || (left.isNaN && right.isNaN) { return 0 }
    return left.isNaN ? (right < 0 ? 1 : -1) : (left < 0 ? -1 : 1)
  }

  private var decimalText: DecimalText {
    switch self {
    case .integer(let isNegative, let magnitude): DecimalText(isNegative: isNegative, magnitude: magnitude)
    case .exact(let number): number
    case .double: DecimalText()
    }
  }
}

extension DecimalText {
  init(isNegative: Bool, magnitude: UInt64) {
    var text = (isNegative ? "-" : "") + magnitude.description
    self = text.withUTF8 { unsafe DecimalText(prefixOf: UnsafeRawBufferPointer($0)) } ?? DecimalText()
  }

  /// Below 0, 0, or above 0, by the exact values.
  static func compare(_ left: DecimalText, _ right: DecimalText) -> Int {
    guard !left.digits.isEmpty || !right.digits.isEmpty else { return 0 }
    let leftSign = left.digits.isEmpty ? 0 : left.isNegative ? -1 : 1
    let rightSign = right.digits.isEmpty ? 0 : right.isNegative ? -1 : 1
    guard leftSign == rightSign else { return leftSign < rightSign ? -1 : 1 }
    if left.magnitude != right.magnitude { return left.magnitude < right.magnitude ? -leftSign : leftSign }
    // Digits without trailing zeros, the first of one power: they order as text does.
    if left.digits == right.digits { return 0 }
    return left.digits.lexicographicallyPrecedes(right.digits) ? -leftSign : leftSign
  }
}
