import Testing

@testable import JSONSift

@Suite struct JSONPathDiagnosisTests {
  @Test func `a valid path has no diagnosis`() {
    for text in ["$", "$..a[?@.b == 1]", "$['a', 0, 1:2, *]"] { #expect(JSONPath.Diagnosis(text) == nil) }
  }

  @Test(arguments: steps + brackets + filters + functions)
  func `an invalid path is shown with a caret and a suggestion`(text: String, description: String) throws {
    let diagnosis = try #require(JSONPath.Diagnosis(text))
    #expect(diagnosis.description == description)
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
    var random = SeededRandom.announced()
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
  static let steps: [(String, String)] = [
    (
      #"$.items.[0]"#,
      #"""
      path '$.items.[0]': expected a name or '*' after '.', or '[' without '.', found '['
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
      path '$.': expected a name or '*' after '.', found the end of the text
          | $.
          |   ^ did you mean '$'?
      """#
    ),
    (
      #"$.."#,
      #"""
      path '$..': expected a name, '*' or '[' after '..', found the end of the text
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
      path '$.'a b'': expected a name or '*' after '.' (a name in quotes is written in brackets), found '''
          | $.'a b'
          |   ^ did you mean '$['a b']'?
      """#
    ),
    (
      #"$.1"#,
      #"""
      path '$.1': expected a name or '*' after '.' (an index is written in brackets), found a digit
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
      path '$.a-b': expected '.' or '[' before the next segment (a name with other characters is written as ['a-b']), found '-'
          | $.a-b
          |    ^ did you mean '$['a-b']'?
      """#
    ),
    (
      #"$..a-b.c"#,
      #"""
      path '$..a-b.c': expected '.' or '[' before the next segment (a name with other characters is written as ['a-b']), found '-'
          | $..a-b.c
          |     ^ did you mean '$..['a-b'].c'?
      """#
    ),
    (
      #"$.a b"#,
      #"""
      path '$.a b': expected '.' or '[' before the next segment (a name with other characters is written as ['a-b']), found a letter
          | $.a b
          |     ^ did you mean '$['a b']'?
      """#
    ),
    (
      #"$.a.length()"#,
      #"""
      path '$.a.length()': expected '.' or '[' before the next segment (a name with other characters is written as ['a-b']), found '('
          | $.a.length()
          |           ^
      """#
    ),
  ]
}
