import TestSupport
import Testing

@testable import JSONSift

/// A function is one constant and one entry of a list: these tests add functions that the library does not have.
@Suite struct PathFunctionTests {
  /// Whether a text begins with another one.
  static let starts = PathFunction(
    name: "starts", parameters: [.value, .value("a prefix")],
    evaluation: .logical { (call, current, context) throws(QueryLimitExceeded) -> Bool in
      guard let text = try context.value(of: call.arguments[0], current)?.string,
        let prefix = try context.value(of: call.arguments[1], current)?.string
      else { return false }
      try context.spend(1 + prefix.utf8.count)
      return text.utf8.starts(with: prefix.utf8)
    }, otherNames: ["hasprefix"])

  /// The last value that a query selects.
  static let last = PathFunction(
    name: "last", parameters: [.nodes],
    evaluation: .value { (call, current, context) throws(QueryLimitExceeded) -> JSON? in
      guard try context.count(of: call.arguments[0], current) == 1 else { return nil }
      return try context.value(of: call.arguments[0], current)
    }, needsArguments: true)

  static let seven = PathFunction(
    name: "seven", parameters: [],
    evaluation: .number { (_, _, _) throws(QueryLimitExceeded) -> Int? in 7 }, isNeverNothing: true)

  static let functions = PathFunction.all + [starts, last, seven]

  static let conditions: [(String, Bool)] = [
    ("starts(@.level, 'err')", true), ("starts(@.level, 'rr')", false), ("!starts(@.level, 'rr')", true),
    ("starts(@.missing, '')", false), ("starts(@.level, @.prefix) && length(@.level) == 5", true),
    ("starts(value(@..level), 'e')", true), ("last(@.tags[0]) == 'a'", true), ("last(@.tags[*]) == 'a'", false),
    ("seven() == 7", true), ("seven( ) > length(@.level)", true), ("@.tags[?starts(@, 'b')]", true),
    ("@.tags[?starts(@, 'c')]", false), ("starts(last(@.tags[1]), 'b')", true),
  ]

  @Test(arguments: conditions)
  func `a new function works in a condition, in a path and for the lines of a log`(text: String, holds: Bool) throws {
    let record = #"{"level":"error","prefix":"er","tags":["a","b"]}"#
    let condition = try JSONCondition(text, functions: Self.functions)
    #expect(try condition.holds(for: JSON(parsing: record)) == holds)
    let path = try JSONPath("$[?\(text)]", functions: Self.functions)
    #expect(try JSON(parsing: "[\(record)]").query(path).count == (holds ? 1 : 0))
    #expect(try JSONPath(path.description, functions: Self.functions) == path)
    let lines = Array("\(record)\n{}\n\(record)\n".utf8)
    var matches = try JSONMatches(
      of: [("level", JSONPath("$.level"))], where: condition, in: .bytes(lines), framing: .lines)
    var count = 0
    while try matches.next() != nil { count += 1 }
    #expect(count == (holds ? 2 : 0))
  }

  @Test func `a call of a new function is described as it is written`() throws {
    let path = try JSONPath("$[?starts( @.a,'x' ) && (last(@.b[*])==seven())]", functions: Self.functions)
    #expect(path.description == "$[?starts(@['a'], 'x') && last(@['b'][*]) == seven()]")
    #expect(try path != JSONPath("$[?starts(@.a, 'y') && last(@.b[*]) == seven()]", functions: Self.functions))
    #expect(
      try JSONCondition("starts(@.a, 'x')", functions: Self.functions).filter
        != JSONCondition("search(@.a, 'x')").filter)
  }

  static let rejected: [(String, String)] = [
    ("starts(@.a)", "',' and a prefix, the second argument of starts(), found ')'"),
    ("starts()", "a value as an argument of starts(), found ')'"),
    ("starts(@.a, 'x', 1)", "')', because starts() takes two arguments, found ','"),
    (
      "starts(@..a, 'x')",
      "only child segments with one name or index in a query that is an argument of starts(), found '.'"
    ),
    ("starts(@.a, 'x') < 2", "a value, not starts(), which is true or false by itself, found a letter"),
    ("length(starts(@.a, 'x')) > 1", "a value, not starts(), which is true or false by itself, found a letter"),
    ("last(1) == 1", "a query as the argument of last(), found a digit"),
    ("last(@.a)", "a comparison such as '> 0' after last(), found the end of the input"),
    ("seven(1) == 1", "')', because seven() takes no arguments, found a digit"),
    (
      "hasPrefix(@.a, 'x')",
      "one of the functions length, count, match, search, value, starts, last and seven, found a letter"
    ),
  ]

  @Test(arguments: rejected)
  func `wrong arguments of a new function are rejected with its name`(text: String, message: String) throws {
    #expect(throws: JSONError.self) { try JSONCondition(text, functions: Self.functions) }
    let diagnosis = try #require(JSONPath.Diagnosis("$[?\(text)]", functions: Self.functions))
    #expect(diagnosis.error.message.replacing("found ']'", with: "found the end of the input") == "expected \(message)")
  }

  @Test func `synonyms and misspellings of a new function's name suggest it`() throws {
    let functions = Self.functions
    #expect(JSONPath.Diagnosis("$[?hasPrefix(@.a, 'x')]", functions: functions)?.suggestion == "$[?starts(@.a, 'x')]")
    #expect(JSONPath.Diagnosis("$[?sevne() == 7]", functions: functions)?.suggestion == "$[?seven() == 7]")
  }

  @Test func `a function without required literals rules out no record`() throws {
    let silent = try JSONCondition("starts(@.rarely, 'x')", functions: Self.functions)
    #expect(RequiredLiterals(silent.filter).clauses.isEmpty)
    #expect(ConditionWork(of: silent.filter) == nil)
    let needing = try JSONCondition("last(@.rarely) == 'x'", functions: Self.functions)
    #expect(!RequiredLiterals(needing.filter).clauses.isEmpty)
  }

  @Test func `function names are unique`() {
    let names = PathFunction.all.flatMap { [$0.name] + $0.otherNames }
    #expect(Set(names).count == names.count)
  }

  @Test(arguments: PathFunction.all.map(\.name))
  func `each function has its row in the guide to paths`(name: String) throws {
    let guide = String(
      decoding: try PackageFiles.bytes(of: "Sources/JSONSift/JSONSift.docc/Guides/Paths.md"), as: UTF8.self)
    #expect(guide.split(separator: "\n").contains { $0.hasPrefix("| `\(name)(") })
  }
}
