import Testing

@testable import JSONSift

/// Literal patterns that RFC 9485 does not have.
@Suite struct PatternDiagnosisTests {
  /// Patterns, and what is proposed instead.
  static let foreign: [(String, String?)] = [
    (#"\d+"#, "[0-9]+"), (#"\D"#, "[^0-9]"), (#"\w"#, "[A-Za-z0-9_]"), (#"\W\S"#, #"[^A-Za-z0-9_][^ \t\n\r]"#),
    (#"\s"#, #"[ \t\n\r]"#), ("(?i)Error 5", "[Ee][rR][rR][oO][rR] 5"), ("(?i)[a-c_x]", "[a-cA-C_xX]"), ("(?i)é", nil),
    (".*?x", ".*x"), ("a{2,}?", "a{2,}"), ("a++", nil), ("[", #"\["#), ("(", #"\("#), ("a)b(", #"a\)b\("#),
    ("*", #"\*"#), ("*.log", ".*.log"), ("a|+", #"a|\+"#), ("a{2", "a{2}"), ("a{,3}", "a{0,3}"), (#"{"a""#, #"\{"a""#),
    ("a}", #"a\}"#), ("a]", #"a\]"#), ("[]a]", #"[\]a]"#), ("[a[]", #"[a\[]"#), ("[^]]", #"[^\]]"#),
    ("(?:a|b)", "(a|b)"), ("(?<n>a)(?P<m>b)", "(a)(b)"), ("a(?=b)", nil), ("a(?!b)", nil), ("(?<=a)b", nil),
    ("(?<!a)b", nil), ("(?s)a", nil), ("(?", nil), (#"(a)\1"#, nil), (#"\k<n>"#, nil),
    (#"\bfoo\b"#, "(^|[^A-Za-z0-9_])foo([^A-Za-z0-9_]|$)"), (#"a\b b"#, nil), (#"\Ba"#, nil), (#"\A\d\z"#, "^[0-9]$"),
    (#"[\w.-]"#, "[A-Za-z0-9_.-]"), (#"[\w-.]"#, #"[A-Za-z0-9_\-.]"#), (#"[\D]"#, nil), (#"[\b]"#, nil),
    ("[[:digit:]_]", "[0-9_]"), (#"\$5\/a\:"#, "[$]5/a:"), (#"[\$]"#, "[$]"), (#"\x41\u00e9\x2e"#, #"Aé\."#),
    (#"\e"#, "\u{1B}"), (#"\pL"#, #"\p{L}"#), (#"\p"#, nil), (#"[\p]"#, nil), (#"\p{L"#, nil), (#"\p{Greek}"#, nil),
    (#"a\"#, #"a\\"#), (#"\Qa\E"#, nil), ("^*", nil), ("[z-a]", nil), (#"[a-\d]"#, nil), ("a{10000}b{10000}", nil),
  ]

  @Test(arguments: foreign)
  func `issue 48, row 2: a literal pattern that is none is diagnosed, with one that means the same`(
    _ pattern: String, _ expected: String?
  ) throws {
    for quote in ["'", "\""] as [Character] {
      let text = "!search(@.m, \(JSONPathParser.quoted(pattern, by: quote)))"
      let diagnosis = try #require(JSONCondition(text).patternDiagnosis)
      #expect(diagnosis.suggestion == expected.map { "!search(@.m, \(JSONPathParser.quoted($0, by: quote)))" })
      #expect(diagnosis.error.code == .invalidPath)
      #expect(14...text.utf8.count ~= diagnosis.error.byteOffset)
      if let suggestion = diagnosis.suggestion { #expect(try JSONCondition(suggestion).patternDiagnosis == nil) }
      // RFC 9535: a pattern that is none matches nothing. One that is too large is an error.
      if !pattern.contains("0000") { #expect(try JSONCondition(text).holds(for: ["m": "a"])) }
    }
  }

  @Test
  func `a valid pattern, a pattern from the values, and a pattern outside a call of match or search are not diagnosed`()
    throws
  {
    for text in [
      "$.a", #"$[?search(@.a, "[0-9]+$")]"#, "$[?match(@.a, @.pattern)]", #"$[?@.a == "\\d"]"#, #"$["\\d"]"#,
      #"$[?search("\\d", @.a)]"#, #"$[?search(@.a, "\u0008\n\t\f")]"#,
    ] { #expect(try JSONPath(text).patternDiagnosis == nil, "\(text)") }
  }

  @Test func `all literal patterns of a path are corrected, at any depth and beside other errors`() throws {
    let path = JSONPath(#"$.a[?@.b[?match(@.c, "\\d")] || !search(@.d, "é\\s")]"#)
    #expect(
      path.patternDiagnosis?.suggestion
        == #"$['a'][?@['b'][?match(@['c'], '[0-9]')] || !search(@['d'], 'é[ \\t\\n\\r]')]"#)
    #expect(
      JSONPath.Diagnosis(#"$[?search(@.a, "\d\d\w")]"#)?.suggestion == #"$[?search(@.a, "[0-9][0-9][A-Za-z0-9_]")]"#)
    #expect(JSONPath.Diagnosis(#"$[?search(@.a, "(a)\1")]"#)?.suggestion == nil)
    #expect(try JSONCondition("match(@.a, 5)").patternDiagnosis?.suggestion == "match(@.a, '5')")
    #expect(
      try JSONCondition(#"search(@.a, "\bx")"#).patternDiagnosis?.suggestion == #"search(@.a, "(^|[^A-Za-z0-9_])x")"#)
  }

  @Test func `a comparison of two literals is valid, and diagnosed: it is the same for every value`() throws {
    #expect(try JSONCondition(#""level" == "error""#).patternDiagnosis?.suggestion == #"@["level"] == "error""#)
    #expect(try JSONCondition("5 < 'a'").patternDiagnosis?.suggestion == "5 < @['a']")
    let numbers = try #require(JSONCondition("@.a || 1 == 1").patternDiagnosis)
    #expect(numbers.suggestion == nil && numbers.error.byteOffset == 7)
    #expect(try JSONCondition("@.a == 'x'").patternDiagnosis == nil)
    #expect(
      try JSONPath("$[?'a' == 'a']").patternDiagnosis != nil && JSON(parsing: "[1]").query("$[?'a' == 'a']") == [1])
  }

  @Test func `a diagnosis of a pattern names the foreign part, and marks it`() throws {
    let diagnosis = try JSONCondition(#"search(@.m, "\u00e9\\d+")"#).patternDiagnosis
    #expect(
      diagnosis?.description == #"""
        condition 'search(@.m, "\u00e9\\d+")': expected '[0-9]' instead of '\d' (patterns are those of RFC 9485), found '\'
            | search(@.m, "\u00e9\\d+")
            |                    ^ did you mean 'search(@.m, "é[0-9]+")'?
        """#)
  }
}
