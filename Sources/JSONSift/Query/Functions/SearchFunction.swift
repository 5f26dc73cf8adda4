extension PathFunction {
  /// Whether a part of a text matches a pattern of RFC 9485.
  static let search = pattern("search", isWhole: false, otherNames: ["contains", "find"])
}
