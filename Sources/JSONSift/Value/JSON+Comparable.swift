/// The order that SwiftyJSON documents: values of two types are in no order at all, numbers and strings are ordered, and of
/// all else only equal values are `<=` and `>=`.
extension JSON: Comparable {
  /// Whether both are numbers or both strings, and the left is the smaller one.
  public static func < (left: JSON, right: JSON) -> Bool { left.isBefore(right) }

  /// Whether the right is smaller; see `<`.
  public static func > (left: JSON, right: JSON) -> Bool { right.isBefore(left) }

  /// Whether the left is smaller, or both are equal.
  public static func <= (left: JSON, right: JSON) -> Bool { left.isBefore(right) || left == right }

  /// Whether the right is smaller, or both are equal.
  public static func >= (left: JSON, right: JSON) -> Bool { right.isBefore(left) || left == right }

  private func isBefore(_ other: JSON) -> Bool {
    switch (type, other.type) {
    case (.number, .number): return (numberOrder(other) ?? 0) < 0
    case (.string, .string): return (string ?? "") < (other.string ?? "")
    default: return false
    }
  }
}
