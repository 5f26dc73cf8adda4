extension JSONPathDiagnosisTests {
  /// Functions in filters.
  static let functions: [(String, String)] = [
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
      path '$[?length(@.*) > 1]': expected only child segments with one name or index in a query that is an argument of length(), found '.'
          | $[?length(@.*) > 1]
          |            ^
      """#
    ),
    (
      #"$[?length(@.a, 1) > 1]"#,
      #"""
      path '$[?length(@.a, 1) > 1]': expected ')', because length() takes one argument, found ','
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
      path '$[?match(@.a, 'x') == true]': expected a value, not match(), which is true or false by itself, found a letter
          | $[?match(@.a, 'x') == true]
          |    ^ did you mean '$[?match(@.a, 'x')]'?
      """#
    ),
    (
      #"$[?match(@.a, 'x') != true]"#,
      #"""
      path '$[?match(@.a, 'x') != true]': expected a value, not match(), which is true or false by itself, found a letter
          | $[?match(@.a, 'x') != true]
          |    ^ did you mean '$[?!match(@.a, 'x')]'?
      """#
    ),
    (
      #"$[?length(match(@.a, 'x')) > 1]"#,
      #"""
      path '$[?length(match(@.a, 'x')) > 1]': expected a value, not match(), which is true or false by itself, found a letter
          | $[?length(match(@.a, 'x')) > 1]
          |           ^
      """#
    ),
  ]
}
