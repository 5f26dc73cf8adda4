/// Comparisons of other languages, which a person may write: `@.a in [1, 2]` and `@.a =~ 'x'`.
extension JSONPathParser {
  /// Records an error for a comparison of another language after an operand; returns `nil` if there is none.
  mutating func foreignComparison(_ left: Operand) -> PathSyntaxError? {
    if current == ASCII.equals, byte(1) == UInt8(ascii: "~") { return patternFailure(left) }
    guard current.map({ $0.isLetter }) == true, index > left.range.upperBound else { return nil }
    var words: [String] = []
    var ahead = self
    for _ in 0..<2 {
      let start = ahead.index
      while ahead.current?.isLetter == true { ahead.index += 1 }
      words.append(string(start..<ahead.index).lowercased())
      ahead.skipBlanks()
      if words.last != "not" { break }
    }
    guard words == ["in"] || words == ["not", "in"] else { return nil }
    return membershipFailure(left, ahead, isNegated: words.count == 2)
  }

  /// Records an error for `in`.
  ///
  /// - Parameter ahead: The parser after `in`.
  private mutating func membershipFailure(_ left: Operand, _ ahead: JSONPathParser, isNegated: Bool) -> PathSyntaxError
  {
    var ahead = ahead
    var test: String?
    if let values = ahead.list(), let first = values.first {
      let tests = values.map { "\(string(left.range)) == \(string($0))" }.joined(separator: " || ")
      // Alone, a disjunction needs no parentheses.
      let isAlone = left.range.lowerBound == 0 && ahead.index == text.count && !isNegated || values.count == 1
      test = isAlone ? "\(string(left.range)) \(isNegated ? "!=" : "==") \(string(first))" : "(\(tests))"
      if isAlone, values.count > 1 { test = tests }
      if isNegated, values.count > 1 { test = "!(\(tests))" }
    } else if let right = try? ahead.operand(isLeft: false), case .query = right.kind, case .literal = left.kind {
      test = (isNegated ? "!" : "") + "\(string(right.range))[?@ == \(string(left.range))]"
    }
    let repair = test.map { Repair(range: left.range.lowerBound..<ahead.index, replacement: $0) }
    return failure("a comparison with each value, joined by '||', because there is no 'in'", repair)
  }

  /// Parses literals in brackets or parentheses, and returns their ranges; `nil` if there is no such list.
  private mutating func list() -> [Range<Int>]? {
    guard current == ASCII.openBracket || current == ASCII.openParenthesis else { return nil }
    let close = current == ASCII.openBracket ? ASCII.closeBracket : ASCII.closeParenthesis
    var values: [Range<Int>] = []
    var ahead = self
    repeat {
      ahead.index += 1
      ahead.skipBlanks()
      guard values.count < Self.maxSegments, let value = try? ahead.operand(isLeft: false), case .literal = value.kind
      else { return nil }
      values.append(value.range)
      ahead.skipBlanks()
    } while ahead.current == ASCII.comma
    guard ahead.current == close else { return nil }
    index = ahead.index + 1
    return values
  }

  /// Records an error for `=~`.
  private mutating func patternFailure(_ left: Operand) -> PathSyntaxError {
    var ahead = self
    ahead.index += 2
    ahead.skipBlanks()
    var repair: Repair?
    if case .query = left.kind, let right = try? ahead.operand(isLeft: false), case .literal(let json) = right.kind,
      json.string != nil
    {
      repair = Repair(
        range: left.range.lowerBound..<right.range.upperBound,
        replacement: "search(\(string(left.range)), \(string(right.range)))")
    }
    return failure("search(…) or match(…), because there is no '=~'", repair)
  }
}
