/// Parsing of function calls and literals, and errors for other words.
extension JSONPathParser {
  /// Parses `true`, `false`, `null` or a function call.
  mutating func word(isLeft: Bool) throws(PathSyntaxError) -> Operand.Kind {
    let start = index
    while let byte = current, Self.beginsName(byte) || byte.isDigit { index += 1 }
    let name = string(start..<index)
    if current == ASCII.openParenthesis { return .function(try call(name, start)) }
    switch name {
    case "true": return .literal(JSON(.bool(true)))
    case "false": return .literal(JSON(.bool(false)))
    case "null": return .literal(.null)
    default: throw wordFailure(name, start, isLeft: isLeft)
    }
  }

  private mutating func call(_ name: String, _ start: Int) throws(PathSyntaxError) -> PathCall {
    guard let function = functions.first(where: { $0.name == name }) else {
      let repair = function(near: name).map { Repair(start..<index, $0) }
      index = start
      throw failure("one of the functions \(Self.list(functions.map(\.name)))", repair)
    }
    index += 1
    try enter()
    var arguments: [PathArgument] = []
    for position in function.parameters.indices { arguments.append(try argument(position, of: function)) }
    skipBlanks()
    guard current == ASCII.closeParenthesis else {
      throw failure(
        "')', because \(name)() takes \(Self.argumentCount(function))",
        current == nil ? Repair(index..<index, ")") : nil)
    }
    index += 1
    leave()
    return PathCall(function, arguments)
  }

  private mutating func argument(_ position: Int, of function: PathFunction) throws(PathSyntaxError) -> PathArgument {
    let parameter = function.parameters[position]
    let isFirst = position == 0
    skipBlanks()
    if !isFirst {
      guard current == ASCII.comma else {
        throw failure("',' and \(parameter.noun), the \(Self.ordinal(position)) argument of \(function.name)()")
      }
      index += 1
      skipBlanks()
    }
    switch parameter.kind {
    case .value:
      guard current != ASCII.closeParenthesis else { throw failure("a value as an argument of \(function.name)()") }
      let operand = try operand(isLeft: isFirst)
      if parameter.isPattern, case .literal = operand.kind {
        patterns.append(PatternUse(range: operand.range, isWhole: function.name == PathFunction.match.name))
      }
      return .value(try comparable(operand, in: "that is an argument of \(function.name)()"))
    case .nodes:
      let expected = "a query as \(function.parameters.count == 1 ? "the" : "an") argument of \(function.name)()"
      guard current != ASCII.closeParenthesis else { throw failure(expected) }
      let operand = try operand(isLeft: true)
      guard case .query(let query) = operand.kind else {
        index = operand.range.lowerBound
        throw failure(expected)
      }
      return .nodes(query)
    }
  }

  // MARK: Errors

  private mutating func wordFailure(_ name: String, _ start: Int, isLeft: Bool) -> PathSyntaxError {
    let end = index
    skipBlanks()
    let repair: Repair
    switch name.lowercased() {
    case "true", "false", "null": repair = Repair(start..<end, name.lowercased())
    case "nil", "none": repair = Repair(start..<end, "null")
    case "not": repair = Repair(start..<index, "!")
    case "where" where start == 0: repair = Repair(start..<index, "")
    case _ where current == ASCII.openParenthesis: repair = Repair(end..<index, "")
    case _ where isLeft: repair = Repair(start..<start, "@.")
    default:
      let word = start..<wordEnd(from: start)
      repair = Repair(word, Self.quoted(string(word)))
    }
    if current == ASCII.openParenthesis, functions.contains(where: { $0.name == name }) {
      index = end
      return failure("'(' directly after the name of a function", repair)
    }
    index = start
    return failure("a literal, a query ('@' or '$') or a function", repair)
  }

  private static func argumentCount(_ function: PathFunction) -> String {
    switch function.parameters.count {
    case 0: "no arguments"
    case 1: "one argument"
    case 2: "two arguments"
    case let count: "\(count) arguments"
    }
  }

  private static func ordinal(_ position: Int) -> String {
    let words = ["first", "second", "third", "fourth"]
    return position < words.count ? words[position] : "next"
  }

  /// Returns the words as a list: `a, b and c`.
  private static func list(_ words: [String]) -> String {
    guard words.count > 1, let last = words.last else { return words.first ?? "" }
    return words.dropLast().joined(separator: ", ") + " and " + last
  }

  /// Returns the name of the function that a misspelt name may mean.
  private func function(near name: String) -> String? {
    let name = name.lowercased()
    if let other = functions.first(where: { $0.otherNames.contains(name) }) { return other.name }
    // No suggestion for a long name: the comparison takes time in proportion to its length.
    guard name.utf8.count <= 16 else { return nil }
    let near = functions.map { (name: $0.name, distance: $0.name.utf8.editDistance(to: name.utf8)) }
    guard let best = near.min(by: { $0.distance < $1.distance }), best.distance <= 2 else { return nil }
    return best.name
  }
}
