extension PathFunction {
  /// The function that returns whether a part of a string matches a pattern of RFC 9485.
  static let search = pattern("search", isWhole: false, otherNames: ["contains", "find"])
}
