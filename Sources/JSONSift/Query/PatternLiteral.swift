/// Finds the literal that each text matching a pattern contains.
enum PatternLiteral {
  /// Characters of alternatives, groups, classes, counts and escapes. A pattern with one of them yields no literal.
  private static let opaque = Set("|()[]{}\\".unicodeScalars)

  static func literal(in pattern: String, isWhole: Bool) -> RequiredLiteral? {
    var runs: [[Unicode.Scalar]] = [[]]
    for scalar in pattern.unicodeScalars {
      guard !opaque.contains(scalar) else { return nil }
      switch scalar {
      // The character before the quantifier is optional.
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
