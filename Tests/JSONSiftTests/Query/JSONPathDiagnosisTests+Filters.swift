extension JSONPathDiagnosisTests {
  /// Filters: comparisons, literals and logic.
  static let filters: [(String, String)] = [
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
      path '$[?!@.a == 1]': expected parentheses around the comparison after '!', found '!'
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
      path '$[?@.* == 1]': expected only child segments with one name or index in a query that is compared, found '.'
          | $[?@.* == 1]
          |     ^
      """#
    ),
    (
      #"$[?@..a == 1]"#,
      #"""
      path '$[?@..a == 1]': expected only child segments with one name or index in a query that is compared, found '.'
          | $[?@..a == 1]
          |     ^
      """#
    ),
    (
      #"$[?@[ 'a' ] == 1]"#,
      #"""
      path '$[?@[ 'a' ] == 1]': expected no blanks inside the brackets of a query that is compared, found a space
          | $[?@[ 'a' ] == 1]
          |      ^ did you mean '$[?@['a'] == 1]'?
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
      path '$[?@.a == 1': expected '&&', '||' or ']', found the end of the text
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
      path '$[?@.a == 1.]': expected a digit after '.', found ']'
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
  ]
}
