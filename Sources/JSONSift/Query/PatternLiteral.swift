/// What every text has that a pattern matches.
enum PatternLiteral {
  /// Choices, groups, classes, counts and escapes are not looked into.
  private static let opaque = Set("|()[]{}\\".unicodeScalars)

  static func literal(in pattern: String, isWhole: Bool) -> RequiredLiteral? {
    var runs: [[Unicode.Scalar]] = [[]]
    for scalar in pattern.unicodeScalars {
      guard !opaque.contains(scalar) else { return nil }
      switch scalar {
      // What stands before it may be missing.
      case "*", "?":
        _ = runs[runs.count - 1].popLast()
        runs.append([])
      case "+", ".", "^", "$": runs.append([])
      default: runs[runs.count - 1].append(scalar)
      }
    }
    let isPlain = runs.count == 1
    var text = String.UnicodeScalarView()
    for run in runs where run.count > text.count { text = String.UnicodeScalarView(run) }
    return isPlain && isWhole ? .whole(String(text)) : .part(String(text))
  }
}
