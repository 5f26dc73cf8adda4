/// A number in the form in which it is compared and hashed.
///
/// Two integers, or decimals with more digits than a Double has, are compared exactly. If one side is a Double, by origin or
/// because its text has a fraction with few digits, both are compared as Doubles. This is SwiftyJSON's behavior, which
/// compares as `NSNumber` does. So equal numbers have the same nearest Double, and that is hashed.
enum NumberOrder {
  case integer(isNegative: Bool, magnitude: UInt64)
  case double(Double)
  case exact(DecimalText)

  /// The maximum number of significant digits of a number that is compared as a Double.
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

  /// The nearest Double; infinite if the number is larger than any Double.
  var double: Double {
    switch self {
    case .integer(let isNegative, let magnitude): isNegative ? -Double(magnitude) : Double(magnitude)
    case .double(let double): double
    case .exact(let number): number.doubleValue
    }
  }

  /// Returns a negative number, 0, or a positive number.
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

  /// Compares a Double with an exact number. An exact number that is larger than any Double is still below infinity.
  private static func compare(_ left: Double, with right: NumberOrder) -> Int {
    let double = right.double
    guard double.isInfinite, !left.isNaN else { return compare(left, double) }
    return left == double ? (double > 0 ? 1 : -1) : compare(left, double)
  }

  /// Compares two Doubles. NaN equals NaN, and is ordered between the negative numbers and 0, as `NSNumber` does.
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

  /// Compares the exact values. Returns a negative number, 0, or a positive number.
  static func compare(_ left: DecimalText, _ right: DecimalText) -> Int {
    guard !left.digits.isEmpty || !right.digits.isEmpty else { return 0 }
    let leftSign = left.digits.isEmpty ? 0 : left.isNegative ? -1 : 1
    let rightSign = right.digits.isEmpty ? 0 : right.isNegative ? -1 : 1
    guard leftSign == rightSign else { return leftSign < rightSign ? -1 : 1 }
    if left.magnitude != right.magnitude { return left.magnitude < right.magnitude ? -leftSign : leftSign }
    // Digits without trailing zeros, the first of the same power of ten: they are ordered lexicographically.
    if left.digits == right.digits { return 0 }
    return left.digits.lexicographicallyPrecedes(right.digits) ? -leftSign : leftSign
  }
}
