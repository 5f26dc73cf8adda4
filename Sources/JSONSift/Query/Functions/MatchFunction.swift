extension PathFunction {
  /// Whether a whole text matches a pattern of RFC 9485.
  static let match = pattern("match", isWhole: true, otherNames: ["regex", "test", "matches"])
}
