// Longer than other files: each message stands in full, as people see it.
import Testing

@testable import JSONSift

@Suite struct JSONPathDiagnosisTests {
  @Test func `a path has no diagnosis`() {
    for text in ["$", "$..a[?@.b == 1]", "$['a', 0, 1:2, *]"] { #expect(JSONPathDiagnosis(text) == nil) }
  }

  @Test(arguments: table)
  func `a bad path is shown with a caret and what may be meant`(text: String, description: String) throws {
    let diagnosis = try #require(JSONPathDiagnosis(text))
    #expect(diagnosis.description == description)
    #expect(diagnosis.error == jsonError { _ = try JSONPath(text) })
    if let suggestion = diagnosis.suggestion { #expect(throws: Never.self) { try JSONPath(suggestion) } }
  }

  @Test func `blanks at the ends are taken away`() {
    #expect(JSONPathDiagnosis(" \n$.a")?.suggestion == "$.a")
    #expect(JSONPathDiagnosis("$.a \t")?.suggestion == "$.a")
    #expect(JSONPathDiagnosis("")?.suggestion == "$")
  }

  @Test func `a line feed does not end the line that is shown`() {
    let diagnosis = JSONPathDiagnosis("$.\nb")
    #expect(
      diagnosis?.description == """
        path '$.·b': expected a name or '*' after '.', without blanks between them, found a line feed
            | $.·b
            |   ^ did you mean '$.b'?
        """)
  }

  @Test func `of a long path the part around the place is shown`() throws {
    let text = "$" + String(repeating: ".abc", count: 500) + ".[0]" + String(repeating: ".def", count: 400)
    let lines = try #require(JSONPathDiagnosis(text)).description.split(separator: "\n")
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.utf8.count < 700 })
    let caret = try #require(lines[2].firstIndex(of: "^"))
    #expect(Array(lines[1])[lines[2].distance(from: lines[2].startIndex, to: caret)] == "[")
  }

  @Test func `any change of one byte of a path is a path or has a diagnosis that ends`() throws {
    var random = SeededRandom.announced()
    let marks = Array("$@.[]()?*:,'\"=!<>&| -0aé\\".unicodeScalars)
    let path = "$.a..b['c', 0, 1:5:2, *][?@.x == 1 && (!$.y[-1] || count(@.*) > 2) || match(@.z, \"q\")].d"
    for _ in 0..<3_000 {
      var scalars = Array(path.unicodeScalars)
      for _ in 0...random.below(3) {
        let place = random.below(scalars.count)
        switch random.below(3) {
        case 0: scalars.remove(at: place)
        case 1: scalars.insert(random.pick(marks), at: place)
        default: scalars[place] = random.pick(marks)
        }
      }
      let text = scalars.reduce(into: "") { $0.unicodeScalars.append($1) }
      guard let diagnosis = JSONPathDiagnosis(text) else { continue }
      #expect(diagnosis.error.byteOffset <= text.utf8.count)
      if let suggestion = diagnosis.suggestion { _ = try JSONPath(suggestion) }
    }
  }

  static let table: [(String, String)] = [
    (
      #"$.items.[0]"#,
      #"""
      path '$.items.[0]': expected a name or '*' after '.'; before '[' there is no '.', found '['
          | $.items.[0]
          |         ^ did you mean '$.items[0]'?
      """#
    ),
    (
      #"items"#,
      #"""
      path 'items': expected '$' at the start of a path, found a letter
          | items
          | ^ did you mean '$.items'?
      """#
    ),
    (
      #"store.book"#,
      #"""
      path 'store.book': expected '$' at the start of a path, found a letter
          | store.book
          | ^ did you mean '$.store.book'?
      """#
    ),
    (
      #"@.a"#,
      #"""
      path '@.a': expected '$' at the start of a path, found '@'
          | @.a
          | ^ did you mean '$.a'?
      """#
    ),
    (
      #".a"#,
      #"""
      path '.a': expected '$' at the start of a path, found '.'
          | .a
          | ^ did you mean '$.a'?
      """#
    ),
    (
      #"$."#,
      #"""
      path '$.': expected a name or '*' after '.', found its end
          | $.
          |   ^ did you mean '$'?
      """#
    ),
    (
      #"$.."#,
      #"""
      path '$..': expected a name, '*' or '[' after '..', found its end
          | $..
          |    ^ did you mean '$..*'?
      """#
    ),
    (
      #"$...a"#,
      #"""
      path '$...a': expected a name, '*' or '[' after '..', found '.'
          | $...a
          |    ^ did you mean '$..a'?
      """#
    ),
    (
      #"$. a"#,
      #"""
      path '$. a': expected a name or '*' after '.', without blanks between them, found a space
          | $. a
          |   ^ did you mean '$.a'?
      """#
    ),
    (
      #"$.'a b'"#,
      #"""
      path '$.'a b'': expected a name or '*' after '.'; a name in quotes stands in brackets, found '''
          | $.'a b'
          |   ^ did you mean '$['a b']'?
      """#
    ),
    (
      #"$.1"#,
      #"""
      path '$.1': expected a name or '*' after '.'; an index stands in brackets, found a digit
          | $.1
          |   ^ did you mean '$[1]'?
      """#
    ),
    (
      #"$.1a"#,
      #"""
      path '$.1a': expected a name or '*' after '.', found a digit
          | $.1a
          |   ^ did you mean '$['1a']'?
      """#
    ),
    (
      #"$.$ref"#,
      #"""
      path '$.$ref': expected a name or '*' after '.', found '$'
          | $.$ref
          |   ^ did you mean '$['$ref']'?
      """#
    ),
    (
      #"$.a-b"#,
      #"""
      path '$.a-b': expected '.' or '[' before the next step; a name that is no word stands in brackets: ['a-b'], found '-'
          | $.a-b
          |    ^ did you mean '$['a-b']'?
      """#
    ),
    (
      #"$..a-b.c"#,
      #"""
      path '$..a-b.c': expected '.' or '[' before the next step; a name that is no word stands in brackets: ['a-b'], found '-'
          | $..a-b.c
          |     ^ did you mean '$..['a-b'].c'?
      """#
    ),
    (
      #"$.a b"#,
      #"""
      path '$.a b': expected '.' or '[' before the next step; a name that is no word stands in brackets: ['a-b'], found a letter
          | $.a b
          |     ^ did you mean '$['a b']'?
      """#
    ),
    (
      #"$[items]"#,
      #"""
      path '$[items]': expected a name in quotes, an index, a slice, '*' or a filter ('?') after '[', found a letter
          | $[items]
          |   ^ did you mean '$['items']'?
      """#
    ),
    (
      #"$[@type]"#,
      #"""
      path '$[@type]': expected a name in quotes, an index, a slice, '*' or a filter ('?') after '[', found '@'
          | $[@type]
          |   ^ did you mean '$['@type']'?
      """#
    ),
    (
      #"$[first name]"#,
      #"""
      path '$[first name]': expected a name in quotes, an index, a slice, '*' or a filter ('?') after '[', found a letter
          | $[first name]
          |   ^ did you mean '$['first name']'?
      """#
    ),
    (
      #"$[]"#,
      #"""
      path '$[]': expected a name in quotes, an index, a slice, '*' or a filter ('?') after '[', found ']'
          | $[]
          |   ^ did you mean '$[*]'?
      """#
    ),
    (
      #"$['a'"#,
      #"""
      path '$['a'': expected ',' or ']', found its end
          | $['a'
          |      ^ did you mean '$['a']'?
      """#
    ),
    (
      #"$['a"#,
      #"""
      path '$['a': expected the closing quote of a string, found its end
          | $['a
          |     ^ did you mean '$['a']'?
      """#
    ),
    (
      #"$['a]"#,
      #"""
      path '$['a]': expected the closing quote of a string, found its end
          | $['a]
          |      ^ did you mean '$['a']'?
      """#
    ),
    (
      #"$["a\'b"]"#,
      #"""
      path '$["a\'b"]': expected no '\' before a quote that is not the string's own, found '''
          | $["a\'b"]
          |      ^ did you mean '$["a'b"]'?
      """#
    ),
    (
      #"$['\x']"#,
      #"""
      path '$['\x']': expected an escape after '\': one of \ / b f n r t u and the quote, found a letter
          | $['\x']
          |     ^ did you mean '$['\\x']'?
      """#
    ),
    (
      #"$['\ud800']"#,
      #"""
      path '$['\ud800']': expected a \u escape of a whole character, found '\'
          | $['\ud800']
          |    ^
      """#
    ),
    (
      #"$[0 2]"#,
      #"""
      path '$[0 2]': expected ',' or ']', found a digit
          | $[0 2]
          |     ^ did you mean '$[0, 2]'?
      """#
    ),
    (
      #"$['a' 'b']"#,
      #"""
      path '$['a' 'b']': expected ',' or ']', found '''
          | $['a' 'b']
          |       ^ did you mean '$['a', 'b']'?
      """#
    ),
    (
      #"$[0,]"#,
      #"""
      path '$[0,]': expected a name in quotes, an index, a slice, '*' or a filter ('?') after ',', found ']'
          | $[0,]
          |     ^ did you mean '$[0]'?
      """#
    ),
    (
      #"$[,0]"#,
      #"""
      path '$[,0]': expected a name in quotes, an index, a slice, '*' or a filter ('?') after '[', found ','
          | $[,0]
          |   ^ did you mean '$[0]'?
      """#
    ),
    (
      #"$[01]"#,
      #"""
      path '$[01]': expected an index without zeros before it, found a digit
          | $[01]
          |   ^ did you mean '$[1]'?
      """#
    ),
    (
      #"$[-0]"#,
      #"""
      path '$[-0]': expected 0 without '-', found '-'
          | $[-0]
          |   ^ did you mean '$[0]'?
      """#
    ),
    (
      #"$[+1]"#,
      #"""
      path '$[+1]': expected a name in quotes, an index, a slice, '*' or a filter ('?') after '[', found '+'
          | $[+1]
          |   ^ did you mean '$[1]'?
      """#
    ),
    (
      #"$[- 1]"#,
      #"""
      path '$[- 1]': expected a digit after '-', found a space
          | $[- 1]
          |    ^ did you mean '$[-1]'?
      """#
    ),
    (
      #"$[9007199254740992]"#,
      #"""
      path '$[9007199254740992]': expected an index inside ±(2^53 - 1), found a digit
          | $[9007199254740992]
          |   ^
      """#
    ),
    (
      #"$[0]]"#,
      #"""
      path '$[0]]': expected '.' or '[' before the next step; a name that is no word stands in brackets: ['a-b'], found ']'
          | $[0]]
          |     ^ did you mean '$[0]'?
      """#
    ),
    (
      #"$[(@.length-1)]"#,
      #"""
      path '$[(@.length-1)]': expected a name in quotes, an index, a slice, '*' or a filter ('?') after '[', found '('
          | $[(@.length-1)]
          |   ^ did you mean '$[-1]'?
      """#
    ),
    (
      #"$[@.a]"#,
      #"""
      path '$[@.a]': expected a name in quotes, an index, a slice, '*' or a filter ('?') after '[', found '@'
          | $[@.a]
          |   ^ did you mean '$[?@.a]'?
      """#
    ),
    (
      #"$[?@.a = 1]"#,
      #"""
      path '$[?@.a = 1]': expected '==', found '='
          | $[?@.a = 1]
          |        ^ did you mean '$[?@.a == 1]'?
      """#
    ),
    (
      #"$[?@.a === 1]"#,
      #"""
      path '$[?@.a === 1]': expected a value after the comparison, found '='
          | $[?@.a === 1]
          |          ^ did you mean '$[?@.a == 1]'?
      """#
    ),
    (
      #"$[?@.a <> 1]"#,
      #"""
      path '$[?@.a <> 1]': expected a value after '<', found '>'
          | $[?@.a <> 1]
          |         ^ did you mean '$[?@.a != 1]'?
      """#
    ),
    (
      #"$[?@.a => 1]"#,
      #"""
      path '$[?@.a => 1]': expected '==', found '='
          | $[?@.a => 1]
          |        ^ did you mean '$[?@.a >= 1]'?
      """#
    ),
    (
      #"$[?@.a & @.b]"#,
      #"""
      path '$[?@.a & @.b]': expected '&&', '||' or ']', found '&'
          | $[?@.a & @.b]
          |        ^ did you mean '$[?@.a && @.b]'?
      """#
    ),
    (
      #"$[?@.a | @.b]"#,
      #"""
      path '$[?@.a | @.b]': expected '&&', '||' or ']', found '|'
          | $[?@.a | @.b]
          |        ^ did you mean '$[?@.a || @.b]'?
      """#
    ),
    (
      #"$[?@.a and not @.b]"#,
      #"""
      path '$[?@.a and not @.b]': expected '&&', '||' or ']', found a letter
          | $[?@.a and not @.b]
          |        ^ did you mean '$[?@.a && !@.b]'?
      """#
    ),
    (
      #"$[?@.a == 1 or @.b == 2]"#,
      #"""
      path '$[?@.a == 1 or @.b == 2]': expected '&&', '||' or ']', found a letter
          | $[?@.a == 1 or @.b == 2]
          |             ^ did you mean '$[?@.a == 1 || @.b == 2]'?
      """#
    ),
    (
      #"$[?@.a == foo]"#,
      #"""
      path '$[?@.a == foo]': expected a literal, a query ('@' or '$') or a function, found a letter
          | $[?@.a == foo]
          |           ^ did you mean '$[?@.a == 'foo']'?
      """#
    ),
    (
      #"$[?price < 10]"#,
      #"""
      path '$[?price < 10]': expected a literal, a query ('@' or '$') or a function, found a letter
          | $[?price < 10]
          |    ^ did you mean '$[?@.price < 10]'?
      """#
    ),
    (
      #"$[?@.a == True]"#,
      #"""
      path '$[?@.a == True]': expected a literal, a query ('@' or '$') or a function, found a letter
          | $[?@.a == True]
          |           ^ did you mean '$[?@.a == true]'?
      """#
    ),
    (
      #"$[?@.a == None]"#,
      #"""
      path '$[?@.a == None]': expected a literal, a query ('@' or '$') or a function, found a letter
          | $[?@.a == None]
          |           ^ did you mean '$[?@.a == null]'?
      """#
    ),
    (
      #"$[?!@.a == 1]"#,
      #"""
      path '$[?!@.a == 1]': expected no '!' before a comparison without parentheses, found '!'
          | $[?!@.a == 1]
          |    ^ did you mean '$[?!(@.a == 1)]'?
      """#
    ),
    (
      #"$[?@.a-b > 1]"#,
      #"""
      path '$[?@.a-b > 1]': expected '&&', '||' or ']', found '-'
          | $[?@.a-b > 1]
          |       ^ did you mean '$[?@['a-b'] > 1]'?
      """#
    ),
    (
      #"$[?true]"#,
      #"""
      path '$[?true]': expected a comparison such as '==' after a literal, found ']'
          | $[?true]
          |        ^
      """#
    ),
    (
      #"$[?'abc']"#,
      #"""
      path '$[?'abc']': expected a comparison such as '==' after a literal, found ']'
          | $[?'abc']
          |         ^
      """#
    ),
    (
      #"$[?@.* == 1]"#,
      #"""
      path '$[?@.* == 1]': expected only names and indexes, one by one, in a query that is compared, found '.'
          | $[?@.* == 1]
          |     ^
      """#
    ),
    (
      #"$[?@..a == 1]"#,
      #"""
      path '$[?@..a == 1]': expected only names and indexes, one by one, in a query that is compared, found '.'
          | $[?@..a == 1]
          |     ^
      """#
    ),
    (
      #"$[?@[ 'a' ] == 1]"#,
      #"""
      path '$[?@[ 'a' ] == 1]': expected no blanks between the brackets of a query that is compared, found a space
          | $[?@[ 'a' ] == 1]
          |      ^ did you mean '$[?@['a'] == 1]'?
      """#
    ),
    (
      #"$[?len(@.a) > 1]"#,
      #"""
      path '$[?len(@.a) > 1]': expected one of the functions length, count, match, search and value, found a letter
          | $[?len(@.a) > 1]
          |    ^ did you mean '$[?length(@.a) > 1]'?
      """#
    ),
    (
      #"$[?coutn(@.a) > 1]"#,
      #"""
      path '$[?coutn(@.a) > 1]': expected one of the functions length, count, match, search and value, found a letter
          | $[?coutn(@.a) > 1]
          |    ^ did you mean '$[?count(@.a) > 1]'?
      """#
    ),
    (
      #"$[?foo(@.a)]"#,
      #"""
      path '$[?foo(@.a)]': expected one of the functions length, count, match, search and value, found a letter
          | $[?foo(@.a)]
          |    ^
      """#
    ),
    (
      #"$[?count (@.a) > 1]"#,
      #"""
      path '$[?count (@.a) > 1]': expected '(' directly after the name of a function, found a space
          | $[?count (@.a) > 1]
          |         ^ did you mean '$[?count(@.a) > 1]'?
      """#
    ),
    (
      #"$[?count(1) > 1]"#,
      #"""
      path '$[?count(1) > 1]': expected a query as the argument of count(), found a digit
          | $[?count(1) > 1]
          |          ^
      """#
    ),
    (
      #"$[?count(@.a)]"#,
      #"""
      path '$[?count(@.a)]': expected a comparison such as '> 0' after count(), found ']'
          | $[?count(@.a)]
          |              ^
      """#
    ),
    (
      #"$[?count()]"#,
      #"""
      path '$[?count()]': expected a query as the argument of count(), found ')'
          | $[?count()]
          |          ^
      """#
    ),
    (
      #"$[?length(@.*) > 1]"#,
      #"""
      path '$[?length(@.*) > 1]': expected only names and indexes, one by one, in a query that is an argument of length(), found '.'
          | $[?length(@.*) > 1]
          |            ^
      """#
    ),
    (
      #"$[?length(@.a, 1) > 1]"#,
      #"""
      path '$[?length(@.a, 1) > 1]': expected ')': length() takes one argument, found ','
          | $[?length(@.a, 1) > 1]
          |              ^
      """#
    ),
    (
      #"$[?match(@.a)]"#,
      #"""
      path '$[?match(@.a)]': expected ',' and a pattern, the second argument of match(), found ')'
          | $[?match(@.a)]
          |             ^
      """#
    ),
    (
      #"$[?match(@.a, 'x') == true]"#,
      #"""
      path '$[?match(@.a, 'x') == true]': expected a value, which match() does not have: it is true or false by itself, found a letter
          | $[?match(@.a, 'x') == true]
          |    ^ did you mean '$[?match(@.a, 'x')]'?
      """#
    ),
    (
      #"$[?match(@.a, 'x') != true]"#,
      #"""
      path '$[?match(@.a, 'x') != true]': expected a value, which match() does not have: it is true or false by itself, found a letter
          | $[?match(@.a, 'x') != true]
          |    ^ did you mean '$[?!match(@.a, 'x')]'?
      """#
    ),
    (
      #"$[?length(match(@.a, 'x')) > 1]"#,
      #"""
      path '$[?length(match(@.a, 'x')) > 1]': expected a value, which match() does not have: it is true or false by itself, found a letter
          | $[?length(match(@.a, 'x')) > 1]
          |           ^
      """#
    ),
    (
      #"$[?(@.a == 1]"#,
      #"""
      path '$[?(@.a == 1]': expected '&&', '||' or ')', found ']'
          | $[?(@.a == 1]
          |             ^ did you mean '$[?(@.a == 1)]'?
      """#
    ),
    (
      #"$[?@.a == 1)]"#,
      #"""
      path '$[?@.a == 1)]': expected '&&', '||' or ']', found ')'
          | $[?@.a == 1)]
          |            ^ did you mean '$[?@.a == 1]'?
      """#
    ),
    (
      #"$[?@.a == 1"#,
      #"""
      path '$[?@.a == 1': expected '&&', '||' or ']', found its end
          | $[?@.a == 1
          |            ^ did you mean '$[?@.a == 1]'?
      """#
    ),
    (
      #"$[?@.a == .5]"#,
      #"""
      path '$[?@.a == .5]': expected a literal, a query or a function, found '.'
          | $[?@.a == .5]
          |           ^ did you mean '$[?@.a == 0.5]'?
      """#
    ),
    (
      #"$[?@.a == +1]"#,
      #"""
      path '$[?@.a == +1]': expected a literal, a query or a function, found '+'
          | $[?@.a == +1]
          |           ^ did you mean '$[?@.a == 1]'?
      """#
    ),
    (
      #"$[?@.a == 01]"#,
      #"""
      path '$[?@.a == 01]': expected a number without zeros before it, found a digit
          | $[?@.a == 01]
          |           ^ did you mean '$[?@.a == 1]'?
      """#
    ),
    (
      #"$[?@.a == 1.]"#,
      #"""
      path '$[?@.a == 1.]': expected a digit after the point, found ']'
          | $[?@.a == 1.]
          |             ^
      """#
    ),
    (
      #"$[?@.a == ]"#,
      #"""
      path '$[?@.a == ]': expected a literal, a query or a function, found ']'
          | $[?@.a == ]
          |           ^
      """#
    ),
    (
      #"$[?@.a == 1 == 2]"#,
      #"""
      path '$[?@.a == 1 == 2]': expected '&&', '||' or ']', found '='
          | $[?@.a == 1 == 2]
          |             ^
      """#
    ),
    (
      #"$[?@.a=1&@.b=2|@.c]"#,
      #"""
      path '$[?@.a=1&@.b=2|@.c]': expected '==', found '='
          | $[?@.a=1&@.b=2|@.c]
          |       ^ did you mean '$[?@.a==1&&@.b==2||@.c]'?
      """#
    ),
    (
      #"$[1:2:3:4]"#,
      #"""
      path '$[1:2:3:4]': expected ',' or ']', found ':'
          | $[1:2:3:4]
          |        ^
      """#
    ),
    (
      #"$[1:+2]"#,
      #"""
      path '$[1:+2]': expected the end of a slice without '+', found '+'
          | $[1:+2]
          |     ^ did you mean '$[1:2]'?
      """#
    ),
    (
      #"$.a.length()"#,
      #"""
      path '$.a.length()': expected '.' or '[' before the next step; a name that is no word stands in brackets: ['a-b'], found '('
          | $.a.length()
          |           ^
      """#
    ),
  ]
}
