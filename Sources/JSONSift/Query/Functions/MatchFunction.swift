extension PathFunction {
  /// The function that returns whether a whole string matches a pattern of RFC 9485.
  static let match = pattern("match", isWhole: true, otherNames: ["regex", "test", "matches"])
}
