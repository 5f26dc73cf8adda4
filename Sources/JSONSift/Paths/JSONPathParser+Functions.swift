extension PathFunction {
  var name: String {
    switch self {
    case .length: "length"
    case .count: "count"
    case .value: "value"
    case .match: "match"
    case .search: "search"
    }
  }

  /// Whether the result is true or false, not a value.
  var isLogical: Bool {
    switch self {
    case .match, .search: true
    case .length, .count, .value: false
    }
  }
}

/// The functions of RFC 9535, section 2.4, and words that are none.
extension JSONPathParser {
  private static let functions = ["length", "count", "match", "search", "value"]

  /// `true`, `false`, `null` or a function.
  mutating func word(isLeft: Bool) throws(PathStop) -> Operand.Kind {
    let start = index
    while let byte = current, Self.beginsName(byte) || byte.isDigit { index += 1 }
    let name = string(start..<index)
    if current == ASCII.openParenthesis { return .function(try function(name, start)) }
    switch name {
    case "true": return .literal(JSON(.bool(true)))
    case "false": return .literal(JSON(.bool(false)))
    case "null": return .literal(.null)
    default: throw wordFailure(name, start, isLeft: isLeft)
    }
  }

  private mutating func function(_ name: String, _ start: Int) throws(PathStop) -> PathFunction {
    guard Self.functions.contains(name) else {
      let repair = Self.function(near: name).map { Repair(range: start..<index, replacement: $0) }
      index = start
      throw failure("one of the functions length, count, match, search and value", repair)
    }
    index += 1
    try enter()
    let result: PathFunction
    switch name {
    case "length": result = .length(try value(of: name, isFirst: true))
    case "count": result = .count(try nodes(of: name))
    case "value": result = .value(try nodes(of: name))
    case "match": result = .match(try value(of: name, isFirst: true), try value(of: name, isFirst: false))
    default: result = .search(try value(of: name, isFirst: true), try value(of: name, isFirst: false))
    }
    skipBlanks()
    guard current == ASCII.closeParenthesis else {
      let count = name == "match" || name == "search" ? "two arguments" : "one argument"
      throw failure(
        "')': \(name)() takes \(count)", current == nil ? Repair(range: index..<index, replacement: ")") : nil)
    }
    index += 1
    leave()
    return result
  }

  private mutating func value(of name: String, isFirst: Bool) throws(PathStop) -> PathComparable {
    skipBlanks()
    if !isFirst {
      guard current == ASCII.comma else { throw failure("',' and a pattern, the second argument of \(name)()") }
      index += 1
      skipBlanks()
    }
    guard current != ASCII.closeParenthesis else { throw failure("a value as an argument of \(name)()") }
    let operand = try operand(isLeft: isFirst)
    return try comparable(operand, in: "that is an argument of \(name)()")
  }

  private mutating func nodes(of name: String) throws(PathStop) -> PathQuery {
    skipBlanks()
    guard current != ASCII.closeParenthesis else { throw failure("a query as the argument of \(name)()") }
    let operand = try operand(isLeft: true)
    guard case .query(let query) = operand.kind else {
      index = operand.range.lowerBound
      throw failure("a query as the argument of \(name)()")
    }
    return query
  }

  // MARK: Errors

  private mutating func wordFailure(_ name: String, _ start: Int, isLeft: Bool) -> PathStop {
    let end = index
    skipBlanks()
    let repair: Repair
    switch name.lowercased() {
    case "true", "false", "null": repair = Repair(range: start..<end, replacement: name.lowercased())
    case "nil", "none": repair = Repair(range: start..<end, replacement: "null")
    case "not": repair = Repair(range: start..<index, replacement: "!")
    case _ where current == ASCII.openParenthesis: repair = Repair(range: end..<index, replacement: "")
    case _ where isLeft: repair = Repair(range: start..<start, replacement: "@.")
    default:
      let word = start..<wordEnd(from: start)
      repair = Repair(range: word, replacement: Self.quoted(string(word)))
    }
    if current == ASCII.openParenthesis, Self.functions.contains(name) {
      index = end
      return failure("'(' directly after the name of a function", repair)
    }
    index = start
    return failure("a literal, a query ('@' or '$') or a function", repair)
  }

  /// The function that may be meant.
  private static func function(near name: String) -> String? {
    switch name.lowercased() {
    case "len", "size", "strlen": return "length"
    case "regex", "test", "matches": return "match"
    case "contains", "find": return "search"
    case let name:
      let near = functions.map { (name: $0, distance: distance(Array($0.utf8), Array(name.utf8))) }
      guard let best = near.min(by: { $0.distance < $1.distance }), best.distance <= 2 else { return nil }
      return best.name
    }
  }

  /// How many letters are to be changed, added or removed; of long names only that it is many.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
    guard right.count <= 16 else { return right.count }
    var row = Array(0...right.count)
    for (place, letter) in left.enumerated() {
      var diagonal = row[0]
      row[0] = place + 1
      for other in right.indices {
        let changed = diagonal + (letter == right[other] ? 0 : 1)
        diagonal = row[other + 1]
        row[other + 1] = min(changed, row[other] + 1, row[other + 1] + 1)
      }
    }
    return row[right.count]
  }
}
