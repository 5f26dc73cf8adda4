/// Parsing of logical expressions and their operands.
extension JSONPathParser {
  /// A literal, a query or a function call, before its use is known.
  struct Operand {
    enum Kind {
      case literal(JSON)
      case query(PathQuery)
      case function(PathCall)
    }

    let kind: Kind
    let range: Range<Int>
    /// Where the query violates the grammar of singular queries; `nil` for other operands.
    var plural: Plural?
  }

  /// The first violation of the grammar of singular queries (RFC 9535, 2.3.5.1) by a query.
  struct Plural {
    let offset: Int
    /// Whether it is only a blank between the brackets, which that grammar does not allow.
    let isBlank: Bool
  }

  /// Parses an expression. `&&` binds tighter than `||`.
  mutating func expression() throws(PathSyntaxError) -> PathFilter {
    var choices: [PathFilter] = []
    var terms: [PathFilter] = []
    while true {
      terms.append(try basic())
      let end = index
      skipBlanks()
      let mark = current
      let isJoined = (mark == ASCII.ampersand || mark == ASCII.bar) && byte(1) == mark
      if isJoined {
        index += 2
        skipBlanks()
        if mark == ASCII.ampersand { continue }
      } else {
        index = end
      }
      choices.append(terms.count == 1 ? terms[0] : .and(terms))
      terms = []
      if !isJoined { return choices.count == 1 ? choices[0] : .or(choices) }
    }
  }

  private mutating func basic() throws(PathSyntaxError) -> PathFilter {
    let start = index
    let isNegated = current == ASCII.exclamation
    if isNegated {
      index += 1
      skipBlanks()
    }
    if current == ASCII.openParenthesis {
      let inner = try parenthesized()
      return isNegated ? .not(inner) : inner
    }
    let left = try operand(isLeft: true)
    skipBlanks()
    if let failure = foreignComparison(left) { throw failure }
    guard let comparison = try comparison() else {
      index = left.range.upperBound
      let test = try test(left)
      return isNegated ? .not(test) : test
    }
    if isNegated { throw negationFailure(start) }
    skipBlanks()
    let right = try operand(isLeft: false)
    if let failure = logicalFailure(left, comparison, right) { throw failure }
    if case .literal = left.kind, case .literal = right.kind { constants.append((left.range, right.range)) }
    return .comparison(
      try comparable(left, in: "that is compared"), comparison, try comparable(right, in: "that is compared"))
  }

  private mutating func parenthesized() throws(PathSyntaxError) -> PathFilter {
    index += 1
    try enter()
    skipBlanks()
    let inner = try expression()
    let end = index
    skipBlanks()
    guard current == ASCII.closeParenthesis else { throw filterFailure("')'", from: end) }
    index += 1
    leave()
    return inner
  }

  // MARK: Operands

  mutating func operand(isLeft: Bool) throws(PathSyntaxError) -> Operand {
    let start = index
    var plural: Plural?
    let kind: Operand.Kind
    switch current {
    case ASCII.at, ASCII.dollar:
      index += 1
      let query = PathQuery(isRelative: text[start] == ASCII.at, segments: try segments())
      plural =
        pluralSegment.map { Plural(offset: $0, isBlank: false) }
        ?? blankInBrackets.map { Plural(offset: $0, isBlank: true) }
      kind = .query(query)
    case ASCII.quote, ASCII.apostrophe: kind = .literal(JSON(string: try quoted()))
    case let byte? where byte.isDigit || byte == ASCII.minus: kind = .literal(try number())
    case let byte? where Self.beginsName(byte): kind = try word(isLeft: isLeft)
    default: throw operandFailure()
    }
    return Operand(kind: kind, range: start..<index, plural: plural)
  }

  private mutating func number() throws(PathSyntaxError) -> JSON {
    let start = index
    if current == ASCII.minus { index += 1 }
    try digits("a digit after '-'")
    let first = text[start] == ASCII.minus ? start + 1 : start
    if text[first] == ASCII.zero, index > first + 1 {
      let significant = text[first..<(index - 1)].firstIndex { $0 != ASCII.zero } ?? index - 1
      index = start
      throw failure("a number without zeros before it", Repair(first..<significant, ""))
    }
    var isInteger = true
    if current == ASCII.dot {
      isInteger = false
      index += 1
      try digits("a digit after '.'")
    }
    if current.map({ $0 | 0x20 }) == ASCII.lowerE {
      isInteger = false
      index += 1
      if current == ASCII.plus || current == ASCII.minus { index += 1 }
      try digits("a digit in the exponent")
    }
    let text = string(start..<index)
    if isInteger, let integer = Int64(text) { return JSON(.int(integer)) }
    return JSON(.text(text))
  }

  private mutating func digits(_ expected: String) throws(PathSyntaxError) {
    guard current?.isDigit == true else { throw failure(expected) }
    while current?.isDigit == true { index += 1 }
  }

  /// Returns an operand as one side of a comparison, or as an argument that is a value.
  mutating func comparable(_ operand: Operand, in role: String) throws(PathSyntaxError) -> PathComparable {
    switch operand.kind {
    case .literal(let json): return .literal(json)
    case .query(let query):
      guard let plural = operand.plural else { return .query(query) }
      index = plural.offset
      if plural.isBlank {
        throw failure("no blanks inside the brackets of a query \(role)", Repair(index..<blankEnd, ""))
      }
      throw failure("only child segments with one name or index in a query \(role)")
    case .function(let call):
      guard !call.function.isLogical else {
        index = operand.range.lowerBound
        throw failure("a value, not \(call.function.name)(), which is true or false by itself")
      }
      return .function(call)
    }
  }

  private mutating func test(_ operand: Operand) throws(PathSyntaxError) -> PathFilter {
    switch operand.kind {
    case .query(let query): return .exists(query)
    case .function(let call) where call.function.isLogical: return .function(call)
    case .function(let call):
      skipBlanks()
      throw failure(
        "a comparison such as '> 0' after \(call.function.name)()", nameRepair(from: operand.range.upperBound))
    case .literal:
      skipBlanks()
      throw failure("a comparison such as '==' after a literal")
    }
  }

  // MARK: Comparisons

  private mutating func comparison() throws(PathSyntaxError) -> PathComparison? {
    let second = byte(1)
    let result: PathComparison
    switch current {
    case ASCII.equals:
      guard second == ASCII.equals else {
        let isSwapped = second == ASCII.less || second == ASCII.greater
        let corrected = isSwapped ? string((index + 1)..<(index + 2)) + "=" : "=="
        throw failure("'=='", Repair(index..<(index + (isSwapped ? 2 : 1)), corrected))
      }
      result = .equal
    case ASCII.exclamation:
      guard second == ASCII.equals else { return nil }
      result = .notEqual
    case ASCII.less: result = second == ASCII.equals ? .lessOrEqual : .less
    case ASCII.greater: result = second == ASCII.equals ? .greaterOrEqual : .greater
    default: return nil
    }
    let start = index
    index += second == ASCII.equals ? 2 : 1
    switch current {
    case ASCII.equals:
      throw failure("a value after the comparison", Repair(index..<(index + 1), ""))
    case ASCII.greater where result == .less:
      throw failure("a value after '<'", Repair(start..<(index + 1), "!="))
    default: return result
    }
  }

  /// Records an error for `!a == b`, which may be intended as `!(a == b)`.
  private mutating func negationFailure(_ start: Int) -> PathSyntaxError {
    var ahead = self
    ahead.skipBlanks()
    var repair: Repair?
    if let right = try? ahead.operand(isLeft: false) {
      let range = (start + 1)..<right.range.upperBound
      repair = Repair(range, "(" + string(range) + ")")
    }
    index = start
    return failure("parentheses around the comparison after '!'", repair)
  }

  /// Records an error for `match(…) == true`, which means the same as `match(…)`.
  private mutating func logicalFailure(
    _ left: Operand, _ comparison: PathComparison, _ right: Operand
  ) -> PathSyntaxError? {
    guard case .function(let test) = left.kind, test.function.isLogical, case .literal(let json) = right.kind,
      let wanted = json.bool, comparison == .equal || comparison == .notEqual
    else { return nil }
    index = left.range.lowerBound
    let call = (wanted == (comparison == .equal) ? "" : "!") + string(left.range)
    return failure(
      "a value, not \(test.function.name)(), which is true or false by itself",
      Repair(left.range.lowerBound..<right.range.upperBound, call))
  }

  // MARK: Errors

  private mutating func operandFailure() -> PathSyntaxError {
    var repair: Repair?
    switch current {
    case ASCII.dot: repair = Repair(index..<index, byte(1)?.isDigit == true ? "0" : "@")
    case ASCII.openBracket: repair = Repair(index..<index, "@")
    case ASCII.plus, ASCII.equals, ASCII.ampersand, ASCII.bar:
      repair = Repair(index..<(index + 1), "")
    default: break
    }
    return failure("a literal, a query or a function", repair)
  }

  /// Records an error for a byte that cannot follow a complete expression.
  mutating func filterFailure(_ close: String, from end: Int) -> PathSyntaxError {
    let expected = "'&&', '||' or \(close)"
    switch current {
    case ASCII.ampersand, ASCII.bar:
      return failure(expected, Repair(index..<index, string(index..<(index + 1))))
    case nil: return failure(expected, Repair(end..<end, String(close.dropFirst().dropLast())))
    case ASCII.closeParenthesis, ASCII.closeBracket:
      let isExtra = close == "']'" || close == Self.conditionEnd
      return failure(expected, isExtra ? Repair(index..<(index + 1), "") : Repair(end..<end, ")"))
    case let byte? where byte.isLetter:
      let word = index..<wordEnd(from: index)
      switch string(word).lowercased() {
      case "and": return failure(expected, Repair(word, "&&"))
      case "or": return failure(expected, Repair(word, "||"))
      default: break
      }
    default: break
    }
    return failure(expected, nameRepair(from: end))
  }
}
