/// A number in the form in which it is compared and hashed.
///
/// Every number is a decimal: a text is its exact value, and a `Double` or `Float` is the shortest decimal that parses back
/// to it, which is the text that is written for it. So equality is transitive, and survives writing and reading.
enum NumberOrder {
  case finite(ExactNumber)
  /// NaN or infinite.
  case nonFinite(Double)
  /// A finite Double that was created in Swift. The shortest decimals of two Doubles have the order of the Doubles, so the
  /// digits are only needed for a comparison with another number.
  case double(Double)

  init?(_ json: JSON) {
    if case .double(let double) = json.builtNumber {
      self = double.isFinite ? .double(double) : .nonFinite(double)
    } else if let double = json.builtNumber?.nonFinite {
      self = .nonFinite(double)
    } else if let number = ExactNumber(json) {
      self = .finite(number)
    } else {
      return nil
    }
  }

  /// Returns a negative number, 0, or a positive number. NaN equals NaN, and is ordered between the negative numbers and 0,
  /// as `NSNumber` does.
  static func compare(_ left: NumberOrder, _ right: NumberOrder) -> Int {
    if case .double(let left) = left, case .double(let right) = right {
      return left < right ? -1 : left == right ? 0 : 1
    }
    if let left = left.exact, let right = right.exact { return ExactNumber.compare(left, right) }
    return left.rank - right.rank
  }

  private var exact: ExactNumber? {
    switch self {
    case .finite(let number): number
    case .nonFinite: nil
    case .double(let double): ExactNumber(double)
    }
  }

  /// The order among numbers of which one is not finite.
  private var rank: Int {
    switch self {
    case .finite(let number): number.isNegative ? -2 : 0
    case .double(let double): double < 0 ? -2 : 0
    case .nonFinite(let double): double.isNaN ? -1 : double < 0 ? -3 : 1
    }
  }

  func hash(into hasher: inout Hasher) {
    if let exact { exact.hash(into: &hasher) } else { hasher.combine(rank) }
  }
}
