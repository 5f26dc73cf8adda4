extension JSONPathDiagnosisTests {
  /// Steps in brackets: names, indexes and slices.
  static let brackets: [(String, String)] = [
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
      path '$['a'': expected ',' or ']', found the end of the text
          | $['a'
          |      ^ did you mean '$['a']'?
      """#
    ),
    (
      #"$['a"#,
      #"""
      path '$['a': expected the closing quote of a string, found the end of the text
          | $['a
          |     ^ did you mean '$['a']'?
      """#
    ),
    (
      #"$['a]"#,
      #"""
      path '$['a]': expected the closing quote of a string, found the end of the text
          | $['a]
          |      ^ did you mean '$['a']'?
      """#
    ),
    (
      #"$["a\'b"]"#,
      #"""
      path '$["a\'b"]': expected no '\' before a quote of the other kind, found '''
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
      path '$[9007199254740992]': expected an index between -(2^53 - 1) and 2^53 - 1, found a digit
          | $[9007199254740992]
          |   ^
      """#
    ),
    (
      #"$[0]]"#,
      #"""
      path '$[0]]': expected '.' or '[' before the next segment (a name with other characters is written as ['a-b']), found ']'
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
  ]
}
