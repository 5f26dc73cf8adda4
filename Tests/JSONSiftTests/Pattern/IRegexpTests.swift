import TestSupport
import Testing

@testable import JSONSift

/// How much of a text matches. A text that matches as a whole also matches in part.
enum Extent: Sendable { case whole, part, none }

extension IRegexp {
  /// Returns the extent of the match, computed with tables and without, which must agree.
  func extent(of text: String) -> Extent {
    let bytes = Array(text.utf8)
    var answers: [Bool] = []
    for whole in [true, false] {
      var simulation = IRegexpSimulation(program)
      let simulated = simulation.matches(bytes: bytes, whole: whole)
      let tables = IRegexpTables(program, whole: whole).matches(bytes: bytes)
      let answer = whole ? matches(whole: text) : matches(partOf: text)
      #expect(simulated == answer, "\(pattern) over \(text)")
      #expect(tables ?? answer == answer, "tables of \(pattern) over \(text)")
      answers.append(answer)
    }
    #expect(!answers[0] || answers[1], "\(pattern) over \(text)")
    return answers[0] ? .whole : answers[1] ? .part : .none
  }
}

// The macros of the tests do not accept spans.
extension IRegexp {
  func matches(bytes: [UInt8], whole: Bool) -> Bool { matches(bytes.span, whole: whole) }
}

extension IRegexpSimulation {
  mutating func matches(bytes: [UInt8], whole: Bool) -> Bool { matches(bytes.span, whole: whole) }
}

extension IRegexpTables {
  func matches(bytes: [UInt8]) -> Bool? { matches(bytes.span) }
}

@Suite struct IRegexpTests {
  typealias Case = (pattern: String, text: String, extent: Extent)

  static let atoms: [Case] = [
    ("", "", .whole), ("", "a", .part), ("a", "a", .whole), ("a", "", .none), ("a", "b", .none), ("a", "ba", .part),
    ("a", "ab", .part), ("a", "A", .none), ("abc", "abc", .whole), ("abc", "ab", .none), ("abc", "xabcx", .part),
    ("abc", "abxc", .none), ("aab", "aaab", .part), (" ", " ", .whole), ("\u{0}", "\u{0}", .whole),
    ("\u{1F}", "\u{1F}", .whole), ("\n", "\n", .whole), ("!\"#%&'", "!\"#%&'", .whole), (",-/", ",-/", .whole),
    ("0123456789:;<=>", "0123456789:;<=>", .whole), ("@AZ", "@AZ", .whole), ("_`az", "_`az", .whole),
    ("~\u{7F}", "~\u{7F}", .whole), ("é", "é", .whole), ("é", "e\u{301}", .none), ("e", "e\u{301}", .part),
    ("e.", "e\u{301}", .whole), ("😀", "😀", .whole), ("😀", "😁", .none), ("\u{D7FF}", "\u{D7FF}", .whole),
    ("\u{E000}", "\u{E000}", .whole), ("\u{10FFFF}", "\u{10FFFF}", .whole), ("ж", "Ж", .none), ("日本", "日本語", .part),
    ("日本語", "日本語", .whole), ("^", "^", .whole), ("$", "$", .whole), ("^a$", "a", .none), ("^a$", "^a$", .whole),
    ("a^b", "a^b", .whole), ("a$b", "xa$bx", .part), ("^*", "^^^", .whole), ("$+", "$$", .whole), ("^+", "", .none),
  ]

  static let dots: [Case] = [
    (".", "a", .whole), (".", "", .none), (".", "\n", .none), (".", "\r", .none), (".", "\t", .whole),
    (".", "\u{2028}", .whole), (".", "\u{2029}", .whole), (".", "\u{85}", .whole), (".", "😀", .whole),
    (".", "\r\u{2028}\n", .part), ("a.b", "a😀b", .whole), ("a.b", "ab", .none), ("a.b", "a\nb", .none),
    (".*", "", .whole), (".*", "abc", .whole), (".*", "a\nb", .part), ("..", "\u{E9}x", .whole), (".+", "\n\r", .none),
    (".", "👨‍👩‍👧", .part), (".{5}", "👨‍👩‍👧", .whole), (".", "\r\n", .none), ("\\r\\n", "\r\n", .whole),
  ]

  static let escapes: [Case] = [
    (#"\("#, "(", .whole), (#"\)"#, ")", .whole), (#"\*"#, "*", .whole), (#"\+"#, "+", .whole), (#"\-"#, "-", .whole),
    (#"\."#, ".", .whole), (#"\."#, "a", .none), (#"\?"#, "?", .whole), (#"\["#, "[", .whole), (#"\\"#, "\\", .whole),
    (#"\]"#, "]", .whole), (#"\^"#, "^", .whole), (#"\n"#, "\n", .whole), (#"\n"#, "n", .none), (#"\r"#, "\r", .whole),
    (#"\t"#, "\t", .whole), (#"\{"#, "{", .whole), (#"\|"#, "|", .whole), (#"\}"#, "}", .whole),
    (#"a\\.c"#, "a\\\u{2028}c", .whole), (#"a\\.c"#, "a.c", .none), (#"a\.c"#, "axc", .none),
    (#"a\[.c"#, "a[xc", .whole),
    (#"\(\)"#, "()", .whole), (#"\n*"#, "\n\n", .whole), (#"\\n"#, "\\n", .whole), (#"\{2\}"#, "{2}", .whole),
  ]

  static let branches: [Case] = [
    ("a|b", "a", .whole), ("a|b", "b", .whole), ("a|b", "c", .none), ("a|b", "ab", .part), ("a|", "", .whole),
    ("|a", "a", .whole), ("|", "", .whole), ("|", "x", .part), ("a||b", "", .whole), ("ab|cd", "abd", .part),
    ("ab|cd", "acd", .part), ("ab|cd|ef", "ef", .whole), ("ab|cd|ef", "e", .none), ("a|ab", "ab", .whole),
    ("ab|a", "ab", .whole), ("a|b|c|d|e", "e", .whole), ("(a|b)c", "bc", .whole), ("(a|b)c", "ac", .whole),
    ("(a|b)c", "abc", .part), ("()", "", .whole), ("()a", "a", .whole), ("(a)(b)", "ab", .whole),
    ("((a))", "a", .whole), ("(a(b(c)))", "abc", .whole), ("(a|(b|(c|d)))e", "de", .whole), ("(|a)b", "b", .whole),
    ("(a|)b", "ab", .whole), ("x(|)y", "xy", .whole), ("(foo|bar)baz", "barbaz", .whole),
    ("(foo|bar)baz", "foobar", .none), ("a(b|c)", "ad", .none),
  ]

  static let quantifiers: [Case] = [
    ("a*", "", .whole), ("a*", "aaa", .whole), ("a*", "b", .part), ("a+", "", .none), ("a+", "a", .whole),
    ("a+", "aaa", .whole), ("a+", "baab", .part), ("a?", "", .whole), ("a?", "a", .whole), ("a?", "aa", .part),
    ("ab*", "abbb", .whole), ("ab*", "abab", .part), ("(ab)*", "abab", .whole), ("(ab)+", "aba", .part),
    ("a{0}", "", .whole), ("a{0}", "a", .part), ("a{0}b", "b", .whole), ("a{0}b", "ab", .part), ("a{1}", "a", .whole),
    ("a{3}", "aaa", .whole), ("a{3}", "aa", .none), ("a{3}", "aaaa", .part), ("a{003}", "aaa", .whole),
    ("a{0,}", "", .whole), ("a{0,}", "aa", .whole), ("a{2,}", "a", .none), ("a{2,}", "aa", .whole),
    ("a{2,}", "aaaaa", .whole), ("a{0,0}", "", .whole), ("a{0,2}", "aa", .whole), ("a{0,2}", "aaa", .part),
    ("a{2,3}", "a", .none), ("a{2,3}", "aa", .whole), ("a{2,3}", "aaa", .whole), ("a{2,3}", "aaaa", .part),
    ("a{2,3}b", "aaaab", .part), ("a{2,2}", "aa", .whole), ("(a|b){2}", "ba", .whole), ("(ab){2,3}", "ababab", .whole),
    ("(ab){2,3}", "ab", .none), ("(a{2}){3}", "aaaaaa", .whole), ("(a{2}){3}", "aaaaa", .none),
    ("(a{2,3}){2}", "aaaaaa", .whole), ("(a{2,3}){2}", "aaa", .none), ("(a*)*", "aaa", .whole), ("(a*)*", "b", .part),
    ("(a*)+", "", .whole), ("(a+)*b", "aaab", .whole), ("(a?)*", "aa", .whole), ("(a?){3}", "a", .whole),
    ("(a?){3}", "aaaa", .part), ("(a*){3,}", "", .whole), ("(|a){2,}", "aaa", .whole), ("(|a)+", "aaa", .whole),
    ("(a|ab)(c|bcd)(d*)", "abcd", .whole), ("b.?b", "bab", .whole), ("b.?b", "bba", .part), ("b.?b", "bcd", .none),
    ("[0-9]{4}-[0-9]{2}", "2026-11", .whole), ("[0-9]{4}-[0-9]{2}", "on 2026-11-21", .part),
    ("(0|[1-9][0-9]*)(\\.[0-9]+)?", "10.25", .whole), ("(0|[1-9][0-9]*)(\\.[0-9]+)?", "010", .part),
    ("(a*b)*", "aabab", .whole), ("(a*b)*", "aaba", .part), ("(x+x+)+y", "xxxxxxxxxx", .none), ("(){9}", "", .whole),
    ("(a{0}){99999999999999999999}", "", .whole), ("a{00000000000000000000000001,2}", "aa", .whole),
  ]

  static let classes: [Case] = [
    ("[a]", "a", .whole), ("[a]", "b", .none), ("[abc]", "c", .whole), ("[abc]", "xcx", .part), ("[a-c]", "b", .whole),
    ("[a-c]", "d", .none), ("[a-c]", "-", .none), ("[a-a]", "a", .whole), ("[a-cx-z]", "y", .whole),
    ("[a-cx-z]", "m", .none), ("[^a]", "b", .whole), ("[^a]", "a", .none), ("[^a]", "\n", .whole),
    ("[^a]", "😀", .whole), ("[^a-z]", "m", .none), ("[^a-z]", "M", .whole), ("[-]", "-", .whole), ("[-]", "a", .none),
    ("[--]", "-", .whole), ("[-a]", "-", .whole), ("[-a]", "a", .whole), ("[a-]", "-", .whole), ("[a-]", "a", .whole),
    ("[a-]", "b", .none), ("[-a-]", "-", .whole), ("[-a-c]", "b", .whole), ("[a-c-]", "-", .whole),
    ("[^-]", "-", .none), ("[^-]", "a", .whole), ("[^-a]", "b", .whole), ("[^a-]", "-", .none), ("[^--]", "-", .none),
    ("[a^]", "^", .whole), ("[^^]", "^", .none), ("[^^]", "a", .whole), (#"[\^a]"#, "^", .whole),
    (#"[\^a]"#, "a", .whole), ("[.]", ".", .whole), ("[.]", "a", .none), ("[$(){}|*+?,]", "$", .whole),
    ("[$(){}|*+?,]", "{", .whole), ("[$(){}|*+?,]", "|", .whole), ("[$(){}|*+?,]", ",", .whole),
    ("[$(){}|*+?,]", ")", .whole), ("[$(){}|*+?,]", "a", .none), (#"[\]]"#, "]", .whole), (#"[\[]"#, "[", .whole),
    (#"[\\]"#, "\\", .whole), (#"[\-]"#, "-", .whole), (#"[\n\r\t]"#, "\r", .whole), (#"[\n\r\t]"#, "n", .none),
    (#"[\n-\r]"#, "\u{B}", .whole), (#"[+-\-]"#, ",", .whole), (#"[+-\-]"#, ".", .none), (#"[a\-c]"#, "b", .none),
    (#"[a\-c]"#, "-", .whole), (#"[\[-\]]"#, "\\", .whole), (#"[!-\^]"#, "A", .whole), ("[é]", "é", .whole),
    ("[é]", "e", .none), ("[à-ý]", "é", .whole), ("[à-ý]", "þ", .none), ("[a-ý]", "~", .whole),
    ("[a-ý]", "\u{80}", .whole), ("[^à-ý]", "é", .none), ("[^à-ý]", "a", .whole), ("[😀-😂]", "😁", .whole),
    ("[😀-😂]", "😃", .none), ("[\u{D7FF}-\u{E000}]", "\u{E000}", .whole), ("[\u{0}-\u{10FFFF}]", "ж", .whole),
    ("[^\u{0}-\u{10FFFF}]", "ж", .none), ("[^\u{0}-\u{10FFFF}]*", "ж", .part), ("[ab]+", "abba", .whole),
    ("[^ab]+", "xyz", .whole), ("a[.b]c", "a.c", .whole), ("a[.b]c", "axc", .none), (#"a[\].]c"#, "a]c", .whole),
    ("[\u{7E}-\u{82}]", "\u{81}", .whole), ("[é-êèa-z]", "ê", .whole), ("[é-êèa-z]", "ë", .none),
    ("[a-z]+@[a-z]+\\.[a-z]{2,3}", "me@here.org", .whole), ("[a-z]+@[a-z]+\\.[a-z]{2,3}", "(me@here.org)", .part),
  ]

  static let categoryEscapes: [Case] = [
    (#"\p{L}"#, "a", .whole), (#"\p{L}"#, "ж", .whole), (#"\p{L}"#, "1", .none), (#"\p{Lu}"#, "Ж", .whole),
    (#"\p{Lu}"#, "ж", .none), (#"\p{Lu}"#, "жЖ", .part), (#"\P{Lu}"#, "Ж", .none), (#"\P{Lu}"#, "\n", .whole),
    (#"\p{Nd}+"#, "12٣", .whole), (#"\P{Nd}+"#, "12", .none), (#"[\p{L}_]+"#, "a_ж", .whole),
    (#"[\p{L}_]"#, "1", .none),
    (#"[^\p{L}]"#, "1", .whole), (#"[^\p{L}]"#, "ж", .none), (#"[^\P{L}]"#, "ж", .whole), (#"[^\P{L}]"#, "1", .none),
    (#"[\p{L}-]"#, "-", .whole), (#"[-\p{L}]"#, "-", .whole), (#"[\p{L}\p{N}]+"#, "a1Ⅳ", .whole),
    (#"[\p{L}\P{L}]"#, "\u{378}", .whole), (#"[\P{L}a-c]"#, "b", .whole), (#"[\P{L}a-c]"#, "d", .none),
    (#"\p{C}"#, "\u{0}", .whole), (#"\p{Cn}"#, "\u{10FFFF}", .whole), (#"\p{Co}"#, "\u{E000}", .whole),
    (#"[\p{Lu}é]+"#, "ÉéÉ", .whole), (#"[\p{Lu}é]+"#, "è", .none), (#"\p{Zs}"#, "\u{3000}", .whole),
    (#"\p{Sc}[0-9]+"#, "€20", .whole), (#"\p{Mn}"#, "e\u{301}", .part), (#"\p{L}\p{M}*"#, "e\u{301}\u{302}", .whole),
  ]

  static let cases = atoms + dots + escapes + branches + quantifiers + classes + categoryEscapes

  @Test(arguments: cases)
  func `a text matches as a whole, in part or not at all`(pattern: String, text: String, extent: Extent) throws {
    #expect(try IRegexp(pattern).extent(of: text) == extent)
  }

  static let invalid: [(pattern: String, offset: Int)] = [
    ("*", 0), ("+", 0), ("?", 0), ("{1}", 0), ("{", 0), ("}", 0), ("a}", 1), ("]", 0), ("a]", 1), (")", 0), ("a)b", 1),
    ("(", 1), ("(a", 2), ("((a)", 4), ("(a))", 3), ("a|*", 2), ("(*a)", 1), ("(|+)", 2), ("a**", 2), ("a*+", 2),
    ("a+?", 2), ("a*?", 2), ("a??", 2), ("a++", 2), ("a{1}{2}", 4), ("a{1}?", 4), ("a{1}*", 4), ("a{", 2), ("a{}", 2),
    ("a{1", 3), ("a{,}", 2), ("a{,3}", 2), ("a{1,2", 5), ("a{1,", 4), ("a{1,2,3}", 5), ("a{x}", 2), ("a{-1}", 2),
    ("a{ 1}", 2), ("a{1, 2}", 4), ("a{1 }", 3), ("a{3,2}", 4), ("a{10,9}", 5), ("a{2000000001,2000000000}", 13),
    ("[", 1), ("[]", 1), ("[^]", 2), ("[a", 2), ("[a-", 3), ("[^", 2), ("[-", 2), ("a[]b", 2), ("[[]", 1),
    ("[a[b]]", 2), ("[]a]", 1), ("[b-a]", 3), ("[é-a]", 4), ("[--a]", 2), ("[a--]", 3), ("[a-b-c]", 4), ("[a-c-e]", 4),
    (#"[\p{L}-z]"#, 6), (#"[a-\p{L}]"#, 3), ("[a-z-[aeiou]]", 4), ("[a-[b]]", 3), ("[[:alpha:]]", 1), (#"[\d]"#, 2),
    (#"[\w-]"#, 2), (#"[a-\d]"#, 4), (#"\"#, 1), (#"a\"#, 2), (#"\d"#, 1), (#"\D"#, 1), (#"\w"#, 1), (#"\W"#, 1),
    (#"\s"#, 1), (#"\S"#, 1), (#"\i"#, 1), (#"\c"#, 1), (#"\b"#, 1), (#"\B"#, 1), (#"\A"#, 1), (#"\z"#, 1), (#"\1"#, 1),
    (#"\0"#, 1), (#"\x41"#, 1), (#"\u0041"#, 1), (#"\/"#, 1), (#"\$"#, 1), (#"\,"#, 1), (#"\ "#, 1), (#"\é"#, 1),
    (#"\f"#, 1), (#"\v"#, 1), (#"\N"#, 1), (#"\p"#, 2), (#"\pL"#, 2), (#"\p{}"#, 3), (#"\p{L"#, 4), (#"\p{"#, 3),
    (#"\p{l}"#, 3), (#"\p{LU}"#, 3), (#"\p{Lx}"#, 3), (#"\p{Cs}"#, 3), (#"\P{Cs}"#, 3), (#"\p{^L}"#, 3),
    (#"\p{ L}"#, 3), (#"\p{L }"#, 4), (#"\p{Letter}"#, 3), (#"\p{IsBasicLatin}"#, 3), (#"\p{X}"#, 3), (#"\p{L&}"#, 4),
    (#"[\p{Zx}]"#, 4), ("(?:a)", 1), ("(?=a)", 1), ("(?!a)", 1), ("(?<n>a)", 1), ("(?i)a", 1), ("(?#c)", 1),
    (#"(a)\1"#, 4), (#"\Qa\E"#, 1),
  ]

  @Test(arguments: invalid)
  func `text outside the grammar is rejected at its first wrong byte`(pattern: String, offset: Int) {
    let error = jsonError { _ = try IRegexp(pattern) }
    #expect(error?.code == .invalidPath)
    #expect(error?.byteOffset == offset)
    #expect((try? IRegexp(pattern)) == nil)
  }

  @Test func `every ASCII character is literal, needs an escape or has a meaning`() {
    for byte in UInt8(0)..<0x80 {
      let character = String(Unicode.Scalar(byte))
      let special = ".\\?*+()[]{}|".contains(character)
      if !special { #expect((try? IRegexp(character))?.extent(of: character) == .whole) }
      let inClass = (try? IRegexp("[x\(character)]"))
      #expect((inClass == nil) == "[]\\".contains(character) || character == "]", "[x\(character)]")
      let escaped = (try? IRegexp("\\" + character))
      #expect((escaped != nil) == "()*+-.?[\\]^nrt{|}".contains(character), "\\\(character)")
    }
  }

  @Test func `an error states what was expected`() {
    #expect(jsonError { _ = try IRegexp("a**") }?.message.contains("something to repeat before '*'") == true)
    #expect(jsonError { _ = try IRegexp("[b-a]") }?.message.contains("from a lower to a higher character") == true)
  }

  @Test func `a caret and a dollar are anchors only if requested`() throws {
    let cases: [Case] = [
      ("^ab.*", "abc", .whole), ("^ab.*", "xab", .none), (".*bc$", "abc", .whole), (".*bc$", "abcx", .none),
      ("^a", "ba", .none), ("^a", "ab", .part), ("a$", "ba", .part), ("a$", "ab", .none), ("^$", "", .whole),
      ("^$", "a", .none), ("$^", "", .whole), ("^^a$$", "a", .whole), ("a^b", "ab", .none), ("a^b", "a^b", .none),
      ("(^a|b)c", "xbc", .part), ("(^a|b)c", "xac", .none), ("a(b$|c)", "acb", .part), ("a(b$|c)", "xab", .part),
      ("a(b$|c)", "abx", .none), (#"\^a"#, "^a", .whole), ("[$]", "$", .whole), ("[a^]", "^", .whole),
      ("$", "a", .part), ("(^)*a", "a", .whole), ("(a|^)b", "cb", .none), ("a$b", "ab", .none), ("(a$)+", "aa", .part),
      ("(a|$)+", "aa", .whole), ("(^|x)a", "bxa", .part), ("^a|b$", "ab", .part), ("x*$", "ax", .part),
      ("$a", "a", .none),
    ]
    for (pattern, text, extent) in cases {
      #expect(try IRegexp(pattern, readsAnchors: true).extent(of: text) == extent, "\(pattern) over \(text)")
    }
    for pattern in ["^*", "$+", "^?", "a$?", "${2}"] { #expect((try? IRegexp(pattern, readsAnchors: true)) == nil) }
  }

  @Test func `patterns are equal if their bytes are equal`() throws {
    #expect(try IRegexp("é") != IRegexp("e\u{301}"))
    #expect(try Set([IRegexp("a"), IRegexp("a"), IRegexp("b"), IRegexp("a", readsAnchors: true)]).count == 3)
  }

  @Test func `matching of ill-formed bytes terminates`() throws {
    let pattern = try IRegexp(#"(.|\p{L}|\n)*"#)
    for bytes: [UInt8] in [
      [0xFF], [0xC3], [0xE2, 0x82], [0xF0], [0x80, 0x80], [0xF7, 0xBF, 0xBF, 0xBF], [0xC3, 0x41],
    ] {
      for _ in 0..<2 { #expect(pattern.matches(bytes: bytes, whole: true)) }
      #expect(IRegexpTables(pattern.program, whole: true).matches(bytes: bytes) == true)
    }
  }
}
