import TestSupport
import Testing

@testable import JSONSift

@Suite struct JSONPathDiagnosisTests {
  @Test func `a valid path has no diagnosis`() {
    for text in ["$", "$..a[?@.b == 1]", "$['a', 0, 1:2, *]"] { #expect(JSONPath.Diagnosis(text) == nil) }
  }

  /// A path, what is found instead, at which byte, and what is suggested.
  typealias Miss = (text: String, found: String, byte: Int, suggestion: String?)

  static let misses = [steps, brackets, filters, functions].joined().flatMap { group in
    group.value.map { (group.key, $0) }
  }

  @Test(arguments: misses) func `an invalid path is shown with a caret and a suggestion`(
    expected: String, miss: Miss
  ) throws {
    let text = miss.text
    let diagnosis = try #require(JSONPath.Diagnosis(text))
    let blanks = String(repeating: " ", count: miss.byte)
    #expect(
      diagnosis.description == """
        path '\(text)': expected \(expected), found \(miss.found)
            | \(text)
            | \(blanks)^\(miss.suggestion.map { " did you mean '\($0)'?" } ?? "")
        """)
    #expect(diagnosis.suggestion == miss.suggestion)
    #expect(diagnosis.error == jsonError { _ = try JSONPath(text) })
    if let suggestion = diagnosis.suggestion { #expect(throws: Never.self) { try JSONPath(suggestion) } }
  }

  @Test func `surrounding blanks are removed`() {
    #expect(JSONPath.Diagnosis(" \n$.a")?.suggestion == "$.a")
    #expect(JSONPath.Diagnosis("$.a \t")?.suggestion == "$.a")
    #expect(JSONPath.Diagnosis("")?.suggestion == "$")
  }

  @Test func `a line feed does not end the displayed line`() {
    let diagnosis = JSONPath.Diagnosis("$.\nb")
    #expect(
      diagnosis?.description == """
        path '$.·b': expected a name or '*' after '.', without blanks between them, found a line feed
            | $.·b
            |   ^ did you mean '$.b'?
        """)
  }

  @Test func `a long path is shown in part around the error`() throws {
    let text = "$" + String(repeating: ".abc", count: 500) + ".[0]" + String(repeating: ".def", count: 400)
    let lines = try #require(JSONPath.Diagnosis(text)).description.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.utf8.count < 700 })
    let caret = try #require(lines[2].firstIndex(of: "^"))
    #expect(Array(lines[1])[lines[2].distance(from: lines[2].startIndex, to: caret)] == "[")
  }

  @Test func `any one-byte change of a path gives a path or a diagnosis`() throws {
    var random = SeededGenerator.announced()
    let marks = Array("$@.[]()?*:,'\"=!<>&| -0aé\\".unicodeScalars)
    let path = "$.a..b['c', 0, 1:5:2, *][?@.x == 1 && (!$.y[-1] || count(@.*) > 2) || match(@.z, \"q\")].d"
    for _ in 0..<3_000 {
      var scalars = Array(path.unicodeScalars)
      for _ in 0...random.below(3) {
        let index = random.below(scalars.count)
        switch random.below(3) {
        case 0: scalars.remove(at: index)
        case 1: scalars.insert(random.pick(marks), at: index)
        default: scalars[index] = random.pick(marks)
        }
      }
      let text = scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
      guard let diagnosis = JSONPath.Diagnosis(text) else { continue }
      #expect(diagnosis.error.byteOffset <= text.utf8.count)
      if let suggestion = diagnosis.suggestion { _ = try JSONPath(suggestion) }
    }
  }

  /// Steps with a dot, and the start of a path.
  private static let steps: KeyValuePairs<String, [Miss]> = [
    "a name or '*' after '.', or '[' without '.'": [("$.items.[0]", "'['", 8, "$.items[0]")],
    "'$' at the start of a path": [
      ("items", "a letter", 0, "$.items"), ("store.book", "a letter", 0, "$.store.book"), ("@.a", "'@'", 0, "$.a"),
      (".a", "'.'", 0, "$.a"),
    ],
    "a name or '*' after '.'": [
      ("$.", "the end of the text", 2, "$"), ("$.1a", "a digit", 2, "$['1a']"), ("$.$ref", "'$'", 2, "$['$ref']"),
    ], "a name, '*' or '[' after '..'": [("$..", "the end of the text", 3, "$..*"), ("$...a", "'.'", 3, "$..a")],
    "a name or '*' after '.', without blanks between them": [("$. a", "a space", 2, "$.a")],
    "a name or '*' after '.' (a name in quotes is written in brackets)": [("$.'a b'", "'''", 2, "$['a b']")],
    "a name or '*' after '.' (an index is written in brackets)": [("$.1", "a digit", 2, "$[1]")],
    "'.' or '[' before the next segment (a name with other characters is written as ['a-b'])": [
      ("$.a-b", "'-'", 3, "$['a-b']"), ("$..a-b.c", "'-'", 4, "$..['a-b'].c"), ("$.a b", "a letter", 4, "$['a b']"),
      ("$.a.length()", "'('", 10, nil),
    ],
  ]

  /// Steps in brackets: names, indexes and slices.
  private static let brackets: KeyValuePairs<String, [Miss]> = [
    "a name in quotes, an index, a slice, '*' or a filter ('?') after '['": [
      ("$[items]", "a letter", 2, "$['items']"), ("$[@type]", "'@'", 2, "$['@type']"),
      ("$[first name]", "a letter", 2, "$['first name']"), ("$[]", "']'", 2, "$[*]"), ("$[,0]", "','", 2, "$[0]"),
      ("$[+1]", "'+'", 2, "$[1]"), ("$[(@.length-1)]", "'('", 2, "$[-1]"), ("$[@.a]", "'@'", 2, "$[?@.a]"),
    ],
    "',' or ']'": [
      ("$['a'", "the end of the text", 5, "$['a']"), ("$[0 2]", "a digit", 4, "$[0, 2]"),
      ("$['a' 'b']", "'''", 6, "$['a', 'b']"), ("$[1:2:3:4]", "':'", 7, nil),
    ],
    "the closing quote of a string": [
      ("$['a", "the end of the text", 4, "$['a']"), ("$['a]", "the end of the text", 5, "$['a']"),
    ], #"no '\' before a quote of the other kind"#: [(#"$["a\'b"]"#, "'''", 5, #"$["a'b"]"#)],
    #"an escape after '\': one of \ / b f n r t u and the quote"#: [(#"$['\x']"#, "a letter", 4, #"$['\\x']"#)],
    #"a \u escape of a whole character"#: [(#"$['\ud800']"#, #"'\'"#, 3, nil)],
    "a name in quotes, an index, a slice, '*' or a filter ('?') after ','": [("$[0,]", "']'", 4, "$[0]")],
    "an index without zeros before it": [("$[01]", "a digit", 2, "$[1]")],
    "0 without '-'": [("$[-0]", "'-'", 2, "$[0]")], "a digit after '-'": [("$[- 1]", "a space", 3, "$[-1]")],
    "an index between -(2^53 - 1) and 2^53 - 1": [("$[9007199254740992]", "a digit", 2, nil)],
    "'.' or '[' before the next segment (a name with other characters is written as ['a-b'])": [
      ("$[0]]", "']'", 4, "$[0]")
    ], "the end of a slice without '+'": [("$[1:+2]", "'+'", 4, "$[1:2]")],
  ]

  /// Filters: comparisons, literals and logic.
  private static let filters: KeyValuePairs<String, [Miss]> = [
    "'=='": [
      ("$[?@.a = 1]", "'='", 7, "$[?@.a == 1]"), ("$[?@.a => 1]", "'='", 7, "$[?@.a >= 1]"),
      ("$[?@.a=1&@.b=2|@.c]", "'='", 6, "$[?@.a==1&&@.b==2||@.c]"),
    ], "a value after the comparison": [("$[?@.a === 1]", "'='", 9, "$[?@.a == 1]")],
    "a value after '<'": [("$[?@.a <> 1]", "'>'", 8, "$[?@.a != 1]")],
    "'&&', '||' or ']'": [
      ("$[?@.a & @.b]", "'&'", 7, "$[?@.a && @.b]"), ("$[?@.a | @.b]", "'|'", 7, "$[?@.a || @.b]"),
      ("$[?@.a and not @.b]", "a letter", 7, "$[?@.a && !@.b]"),
      ("$[?@.a == 1 or @.b == 2]", "a letter", 12, "$[?@.a == 1 || @.b == 2]"),
      ("$[?@.a-b > 1]", "'-'", 6, "$[?@['a-b'] > 1]"), ("$[?@.a == 1)]", "')'", 11, "$[?@.a == 1]"),
      ("$[?@.a == 1", "the end of the text", 11, "$[?@.a == 1]"), ("$[?@.a == 1 == 2]", "'='", 12, nil),
    ],
    "a literal, a query ('@' or '$') or a function": [
      ("$[?@.a == foo]", "a letter", 10, "$[?@.a == 'foo']"), ("$[?price < 10]", "a letter", 3, "$[?@.price < 10]"),
      ("$[?@.a == True]", "a letter", 10, "$[?@.a == true]"), ("$[?@.a == None]", "a letter", 10, "$[?@.a == null]"),
    ], "parentheses around the comparison after '!'": [("$[?!@.a == 1]", "'!'", 3, "$[?!(@.a == 1)]")],
    "a comparison such as '==' after a literal": [("$[?true]", "']'", 7, nil), ("$[?'abc']", "']'", 8, nil)],
    "only child segments with one name or index in a query that is compared": [
      ("$[?@.* == 1]", "'.'", 4, nil), ("$[?@..a == 1]", "'.'", 4, nil),
    ],
    "no blanks inside the brackets of a query that is compared": [
      ("$[?@[ 'a' ] == 1]", "a space", 5, "$[?@['a'] == 1]")
    ], "'&&', '||' or ')'": [("$[?(@.a == 1]", "']'", 12, "$[?(@.a == 1)]")],
    "a literal, a query or a function": [
      ("$[?@.a == .5]", "'.'", 10, "$[?@.a == 0.5]"), ("$[?@.a == +1]", "'+'", 10, "$[?@.a == 1]"),
      ("$[?@.a == ]", "']'", 10, nil),
    ], "a number without zeros before it": [("$[?@.a == 01]", "a digit", 10, "$[?@.a == 1]")],
    "a digit after '.'": [("$[?@.a == 1.]", "']'", 12, nil)],
  ]

  /// Functions in filters.
  private static let functions: KeyValuePairs<String, [Miss]> = [
    "one of the functions length, count, match, search and value": [
      ("$[?len(@.a) > 1]", "a letter", 3, "$[?length(@.a) > 1]"),
      ("$[?coutn(@.a) > 1]", "a letter", 3, "$[?count(@.a) > 1]"), ("$[?foo(@.a)]", "a letter", 3, nil),
    ], "'(' directly after the name of a function": [("$[?count (@.a) > 1]", "a space", 8, "$[?count(@.a) > 1]")],
    "a query as the argument of count()": [("$[?count(1) > 1]", "a digit", 9, nil), ("$[?count()]", "')'", 9, nil)],
    "a comparison such as '> 0' after count()": [("$[?count(@.a)]", "']'", 13, nil)],
    "only child segments with one name or index in a query that is an argument of length()": [
      ("$[?length(@.*) > 1]", "'.'", 11, nil)
    ], "')', because length() takes one argument": [("$[?length(@.a, 1) > 1]", "','", 13, nil)],
    "',' and a pattern, the second argument of match()": [("$[?match(@.a)]", "')'", 12, nil)],
    "a value, not match(), which is true or false by itself": [
      ("$[?match(@.a, 'x') == true]", "a letter", 3, "$[?match(@.a, 'x')]"),
      ("$[?match(@.a, 'x') != true]", "a letter", 3, "$[?!match(@.a, 'x')]"),
      ("$[?length(match(@.a, 'x')) > 1]", "a letter", 10, nil),
    ],
  ]
}
