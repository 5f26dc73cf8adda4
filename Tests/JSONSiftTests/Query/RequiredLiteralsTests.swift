import TestSupport
import Testing

@testable import JSONSift

@Suite struct RequiredLiteralsTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let condition: String
    /// Clauses in any order, required literals of a clause between bars.
    let literals: Set<String>
    var testDescription: String { condition }

    init(_ condition: String, _ literals: String...) {
      self.condition = condition
      self.literals = Set(literals)
    }
  }

  static let comparisons = [
    Case("@.level == 'error'", #""level""#, #""error""#), Case("'error' == @.level", #""level""#, #""error""#),
    Case("@.a.b[0]['c'] == \"x\"", #""a""#, #""b""#, #""c""#, #""x""#), Case("@.n == 1", #""n""#),
    Case("@.n == 1.0e5", #""n""#), Case("@.n == null", #""n""#), Case("@.n == true", #""n""#), Case("@.n < 1", #""n""#),
    Case("@.n >= 'abc'", #""n""#), Case("@.n > @.m", #""n""#, #""m""#), Case("@ == 'x'", #""x""#), Case("@ == 1"),
    Case("@.s == ''", #""s""#, #""""#), Case("$.level == 'error'", #""level""#, #""error""#),
    // These also hold if the values are missing.
    Case("@.n != 1"), Case("@.n == @.m"), Case("@.n <= @.m"), Case("@.n >= @.m"), Case("!@.n"), Case("!(@.n == 'x')"),
    Case("!(@.n < 1)"), Case("length(@.a) == length(@.b)"), Case("count(@.a) == 0"), Case("@.a == value(@..b)"),
    Case("'x' == 'x'"), Case("1 == 1"), Case("count(@..a) == count(@..b)"), Case("@.n != @.m", #""n"|"m""#),
    Case("!(@.n != 'x')", #""n""#, #""x""#), Case("!(@.n == @.m)", #""n"|"m""#), Case("length(@.a) > 3", #""a""#),
    Case("value(@..a) == 'xy'", #""a""#, #""xy""#), Case("count(@.a) == @.b", #""b""#),
    Case("length(value(@.a)) < 2", #""a""#), Case("length(@.a) == 'x'", #""a""#, #""x""#),
  ]

  static let logic = [
    Case("@.a && @.b == 'x'", #""a""#, #""b""#, #""x""#), Case("@.a || @.bc", #""a"|"bc""#), Case("@.a || !@.b"),
    Case("@.a == 'x' || @.a == 'y'", #""x"|"y""#), Case("@.a == 'x' && (@.b || 1 == 1)", #""a""#, #""x""#),
    Case("!(!@.a)", #""a""#), Case("!(!@.a || !@.b)", #""a""#, #""b""#), Case("!(@.a != 'x' || @.b)", #""a""#, #""x""#),
    Case("!(!@.a && !@.b)", #""a"|"b""#), Case("!(@.a && @.b)"),
    Case("(@.a == 'long one' && @.b == 'x') || @.c == 'y'", #""long one"|"y""#),
  ]

  static let queries = [
    Case("@"), Case("@.*"), Case("@[0]"), Case("@[1:2]"), Case("@..a", #""a""#), Case("@..*"),
    Case("@['a','b']", #""a"|"b""#), Case("@['a',0]"), Case("@.tags[?@ == 'b']", #""tags""#, #""b""#),
    Case("@[?@.k && @.v > 1].w", #""k""#, #""v""#, #""w""#), Case("@[?@.k && @.l, ?@.m]", #""k"|"m""#),
    Case("@[?@.k || !@.v]"), Case("@[?@.k, ?@.l]", #""k"|"l""#), Case("@[?$.root == 'r']", #""root""#, #""r""#),
  ]

  static let patterns = [
    Case("match(@.a, 'error')", #""a""#, #""error""#), Case("search(@.a, 'error')", #""a""#, "error"),
    Case("match(@.a, 'time.*out')", #""a""#, "time"), Case("search(@.a, 'ab+c')", #""a""#, "ab"),
    Case("search(@.a, 'timeouts? of')", #""a""#, "timeout"), Case("search(@.a, 'xay*')", #""a""#, "xa"),
    Case("search(@.a, '^started')", #""a""#, "started"), Case("search(@.a, 'a')", #""a""#),
    Case("search(@.a, 'one|two')", #""a""#), Case("search(@.a, '(one)?x')", #""a""#),
    Case("search(@.a, '[ab]c')", #""a""#),
    Case("search(@.a, 'one{0,2}')", #""a""#), Case("match(@.a, '')", #""a""#, #""""#), Case("search(@.a, '')", #""a""#),
    Case("match(@.a, @.b)", #""a""#, #""b""#), Case("!match(@.a, 'error')"), Case("search('abc', 'bc')"),
    Case("search(@.a, 'ab?😀x')", #""a""#, "😀x"),
  ]

  static let strings = [
    // Characters that must be escaped split a string; a slash splits it only if the remaining part is long enough.
    Case(#"@ == 'a\nlonger'"#, #"longer""#), Case(#"@ == 'longer\\b'"#, #""longer"#), Case(#"@ == '\n'"#),
    Case(#"@ == "say \"hello\"""#, #""say "#), Case("@ == '/api/orders'", #"orders""#), Case("@ == '/a/b'", #""/a/b""#),
    Case("@['it\\'s']", #""it's""#), Case("@['é']", #""é""#), Case("@ == '\\u0065rror'", #""error""#),
    Case("@['']", #""""#),
  ]

  @Test(arguments: comparisons + logic + queries + patterns + strings)
  func `a condition requires certain bytes`(test: Case) throws {
    let clauses = RequiredLiterals(try JSONCondition(test.condition).filter).clauses
    let found = clauses.map { clause in clause.map { String(decoding: $0.bytes, as: UTF8.self) }.joined(separator: "|")
    }
    #expect(Set(found) == test.literals)
    #expect(found.count == test.literals.count)
  }

  @Test func `values are searched for before names, and long literals before short ones`() throws {
    #expect(try JSONCondition("@.severity == 'x'").literals == [["\"x\""], ["\"severity\""]])
    #expect(try JSONCondition("@.a == 'xy' && @.b == 'xyz'").literals.first == ["\"xyz\""])
    #expect(try JSONCondition("@.n != 1").literals.isEmpty)
  }

  static let escapes: [(String, [String])] = [
    ("error", ["\\u006", "\\u007"]), ("ERROR", ["\\u004", "\\u005"]), ("a-1", ["\\u002", "\\u003", "\\u006"]),
    ("é", ["\\u0"]), ("中", ["\\u4"]), ("\u{F900}", ["\\uF", "\\uf"]), ("😀", ["\\uD", "\\ud"]),
    ("a/b", ["\\/", "\\u002", "\\u006"]), ("\u{FFFD}", ["\\u"]), ("", []),
  ]

  @Test(arguments: escapes)
  func `only an escape of one of its characters can hide a required literal`(text: String, escapes: [String]) throws {
    let literal = try #require(RequiredLiteral.whole(text))
    #expect(Set(literal.escapes.map { String(decoding: $0, as: UTF8.self) }) == Set(escapes))
    #expect(literal.escapes.count == escapes.count)
  }

  @Test func `every text for which a random condition holds contains its required literals`() throws {
    var random = SeededGenerator.announced()
    var needed = 0
    var held = 0
    for _ in 0..<5_000 {
      let condition = try random.condition()
      let clauses = RequiredLiterals(condition.filter).clauses
      guard !clauses.isEmpty else { continue }
      needed += 1
      for _ in 0..<4 {
        let document = random.document()
        guard try condition.holds(for: JSON(parsing: document)) else { continue }
        held += 1
        for clause in clauses {
          let isThere = clause.contains { literal in
            ([literal.bytes] + literal.escapes).contains { document.utf8Contains($0) }
          }
          if !isThere {
            Issue.record("\(condition) holds for \(document), which has none of \(clause)")
            return
          }
        }
      }
    }
    #expect(needed > 500)
    #expect(held > 20)
  }

  static let work: [(String, Bool)] = [
    ("@.a == 'x'", true), ("@.tags[?@ == 'b']", true), ("count(@..a) > 1", true), ("@..a..b", false),
    ("@..[?@.a == 1]", true), ("@..[?@..a]", false), ("@..[?@.a == @.b]", false), ("@.a == @.b", true),
    ("@[?$.a == 1]", false), ("@[?@[?@.a]]", true), ("match(@.a, 'x')", true), ("match(@.a, @.b)", false),
    ("@[?@[?@..a]]", true), ("@..[?@[?@..a]]", false), ("$.a == 'x'", true), ("@.a <= 1e400", true),
    ("@.k1 || !(@[0] >= 3) && $.a.a.a.a.a.a", true), ("'\(String(repeating: "x", count: 3000))' <= @", true),
    ("@ <= \(String(repeating: "7", count: 900))", true),
  ]

  @Test(arguments: work)
  func `work that grows faster than a text is recognized`(text: String, isLinear: Bool) throws {
    let condition = try JSONCondition(text)
    #expect((ConditionWork(of: condition.filter) != nil) == isLinear)
  }

  @Test func `linear work stays below its stated bound`() throws {
    for text in Self.work.filter({ $0.1 }).map({ $0.0 }) {
      let condition = try JSONCondition(text)
      let work = try #require(ConditionWork(of: condition.filter))
      for document in [
        "[" + Array(repeating: "1", count: 400).joined(separator: ",") + "]",
        String(repeating: "[", count: 400) + String(repeating: "]", count: 400),
        String(repeating: "{\"a\":", count: 200) + "1" + String(repeating: "}", count: 200),
        "[" + Array(repeating: #"{"a":"x","b":[]}"#, count: 50).joined(separator: ",") + "]",
        "{" + (0..<200).map { "\"k\($0)\":[1]" }.joined(separator: ",") + "}",
        "\"" + String(repeating: "x", count: 2000) + "\"", "\"" + String(repeating: "\\n", count: 2000) + "\"",
        String(repeating: "7", count: 900), "{" + (0..<200).map { _ in "\"\":1" }.joined(separator: ",") + "}",
      ] {
        var limits = JSONLimits()
        // The least limit within which the bound lets the condition be evaluated on the text.
        limits.querySteps = try #require((0...).first { work.maxBytes(within: $0) >= document.utf8.count })
        let value = try JSON(parsing: document)
        #expect(throws: Never.self, "\(text)") { _ = try condition.holds(for: value, limits: limits) }
      }
    }
  }
}

extension String {
  fileprivate func utf8Contains(_ bytes: [UInt8]) -> Bool {
    let text = Array(utf8)
    guard text.count >= bytes.count else { return false }
    return (0...(text.count - bytes.count)).contains { text[$0..<($0 + bytes.count)].elementsEqual(bytes) }
  }
}
