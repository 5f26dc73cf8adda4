import Testing

@testable import JSONSift

@Suite struct JSONPathDiagnosisTests {
  @Test func `a path has no diagnosis`() {
    for text in ["$", "$..a[?@.b == 1]", "$['a', 0, 1:2, *]"] { #expect(JSONPathDiagnosis(text) == nil) }
  }

  @Test(arguments: steps + brackets + filters + functions)
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

  /// Steps with a dot, and the start of a path.
  static let steps: [(String, String)] = [
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
      path '$.'a b'': expected a name or '*' after '.'; a name in quotes is written in brackets, found '''
          | $.'a b'
          |   ^ did you mean '$['a b']'?
      """#
    ),
    (
      #"$.1"#,
      #"""
      path '$.1': expected a name or '*' after '.'; an index is written in brackets, found a digit
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
      path '$.a-b': expected '.' or '[' before the next step; a name with other characters is written in brackets: ['a-b'], found '-'
          | $.a-b
          |    ^ did you mean '$['a-b']'?
      """#
    ),
    (
      #"$..a-b.c"#,
      #"""
      path '$..a-b.c': expected '.' or '[' before the next step; a name with other characters is written in brackets: ['a-b'], found '-'
          | $..a-b.c
          |     ^ did you mean '$..['a-b'].c'?
      """#
    ),
    (
      #"$.a b"#,
      #"""
      path '$.a b': expected '.' or '[' before the next step; a name with other characters is written in brackets: ['a-b'], found a letter
          | $.a b
          |     ^ did you mean '$['a b']'?
      """#
    ),
    (
      #"$.a.length()"#,
      #"""
      path '$.a.length()': expected '.' or '[' before the next step; a name with other characters is written in brackets: ['a-b'], found '('
          | $.a.length()
          |           ^
      """#
    ),
  ]
}
