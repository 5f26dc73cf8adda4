/// The order of SwiftyJSON: values of different types are not ordered, numbers and strings are ordered, and all other values
/// are `<=` and `>=` only if they are equal.
extension JSON: Comparable {
  /// Returns whether both are numbers or both are strings, and the left is smaller.
  public static func < (left: JSON, right: JSON) -> Bool { left.isBefore(right) }

  /// Returns whether the right is smaller; see `<`.
  public static func > (left: JSON, right: JSON) -> Bool { right.isBefore(left) }

  /// Returns whether the left is smaller, or both are equal.
  public static func <= (left: JSON, right: JSON) -> Bool { left.isBefore(right) || left == right }

  /// Returns whether the right is smaller, or both are equal.
  public static func >= (left: JSON, right: JSON) -> Bool { right.isBefore(left) || left == right }

  private func isBefore(_ other: JSON) -> Bool {
    switch (type, other.type) {
    case (.number, .number): return (numberOrder(other) ?? 0) < 0
    case (.string, .string): return (string ?? "") < (other.string ?? "")
    default: return false
    }
  }
}
