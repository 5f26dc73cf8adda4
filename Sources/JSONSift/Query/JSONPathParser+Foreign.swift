/// Comparisons of other languages, which a person may write: `@.a in [1, 2]`, `@.a =~ 'x'`, `@.a LIKE 'x%'`.
extension JSONPathParser {
  /// Records an error for a comparison of another language after an operand; returns `nil` if there is none.
  mutating func foreignComparison(_ left: Operand) -> PathSyntaxError? {
    if current == ASCII.equals, byte(1) == UInt8(ascii: "~") { return patternFailure(left) }
    guard current.map({ $0.isLetter }) == true, index > left.range.upperBound else { return nil }
    var ahead = self
    var words = [ahead.word()]
    if words == ["not"] || words == ["is"] { words.append(ahead.word()) }
    if words == ["is", "not"] { words.append(ahead.word()) }
    let name = words.joined(separator: " ")
    switch name {
    case "in", "not in": return membershipFailure(left, ahead, isNegated: name != "in")
    case "is null": return failure(left, name, ahead, "\(string(left.range)) == null")
    case "is not null": return failure(left, name, ahead, "(\(string(left.range)) && \(string(left.range)) != null)")
    case "exists": return failure(left, name, ahead, string(left.range))
    case "like", "not like", "contains":
      let text = ahead.textLiteral().map { Self.quoted(Self.pattern($0, isLike: name != "contains")) }
      let test = text.map { "\(name == "contains" ? "search" : "match")(\(string(left.range)), \($0))" }
      return failure(left, name, ahead, test.map { (words.count == 2 ? "!" : "") + $0 })
    case "between":
      guard let low = try? ahead.operand(isLeft: false) else { return failure(left, name, ahead, nil) }
      ahead.skipBlanks()
      guard ahead.word() == "and", let high = try? ahead.operand(isLeft: false) else {
        return failure(left, name, ahead, nil)
      }
      let path = string(left.range)
      return failure(left, name, ahead, "(\(path) >= \(string(low.range)) && \(path) <= \(string(high.range)))")
    default: return nil
    }
  }

  /// Reads a word, and the blanks behind it.
  private mutating func word() -> String {
    let start = index
    while current?.isLetter == true { index += 1 }
    defer { skipBlanks() }
    return string(start..<index).lowercased()
  }

  private mutating func textLiteral() -> String? {
    guard let operand = try? operand(isLeft: false), case .literal(let json) = operand.kind else { return nil }
    return json.string
  }

  /// Returns the pattern for a text of `LIKE`, in which `%` is any text and `_` any character, or for a text as it is.
  private static func pattern(_ text: String, isLike: Bool) -> String {
    text.map { character in
      switch character {
      case "%" where isLike: ".*"
      case "_" where isLike: "."
      default: "\\.*+?()[]{}|^$".contains(character) ? "\\\(character)" : "\(character)"
      }
    }.joined()
  }

  /// Records an error for an operator of another language.
  ///
  /// - Parameters:
  ///   - ahead: The parser after its operands.
  ///   - test: What means the same; `nil` if that is not known.
  private mutating func failure(
    _ left: Operand, _ name: String, _ ahead: JSONPathParser, _ test: String?
  ) -> PathSyntaxError {
    var repair: Repair?
    if case .query = left.kind {
      repair = test.map { Repair(left.range.lowerBound..<ahead.index, $0) }
    }
    return failure("a comparison such as '==', because there is no '\(name)'", repair)
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
      let isAlone = left.range.lowerBound == 0 && ahead.index == text.count
      if values.count == 1 {
        test = "\(string(left.range)) \(isNegated ? "!=" : "==") \(string(first))"
      } else {
        test = isNegated ? "!(\(tests))" : isAlone ? tests : "(\(tests))"
      }
    } else if let right = try? ahead.operand(isLeft: false), case .query = right.kind, case .literal = left.kind {
      test = (isNegated ? "!" : "") + "\(string(right.range))[?@ == \(string(left.range))]"
    }
    let repair = test.map { Repair(left.range.lowerBound..<ahead.index, $0) }
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
        left.range.lowerBound..<right.range.upperBound, "search(\(string(left.range)), \(string(right.range)))")
    }
    return failure("search(…) or match(…), because there is no '=~'", repair)
  }
}
