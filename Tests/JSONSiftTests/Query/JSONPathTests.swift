import TestSupport
import Testing

@testable import JSONSift

@Suite struct JSONPathTests {
  static let bad: [(String, Int)] = [
    ("", 0), ("a", 0), (" $", 0), ("@", 0), ("$ ", 1), ("$.a ", 3), ("$.", 2), ("$..", 3), ("$.[0]", 2), ("$.1", 2),
    ("$.-a", 2), ("$. a", 2), ("$.'a'", 2), ("$a", 1), ("$$", 1), ("$[", 2), ("$[]", 2), ("$[ ]", 3), ("$[a]", 2),
    ("$['a", 4), ("$['a'", 5), (#"$["a']"#, 6), ("$['a\u{1}']", 4), ("$['a\n']", 4), (#"$['\x']"#, 4),
    (#"$['\u12']"#, 7), (#"$['\u']"#, 5), (#"$['\ud800']"#, 3), (#"$['\udc00']"#, 3), (#"$['\ud800\u0041']"#, 3),
    (#"$['\ud800x']"#, 3), (#"$['\"']"#, 4), (#"$["\'"]"#, 4), (#"$['\"#, 4), (#"$['\U0041']"#, 4), ("$[-0]", 2),
    ("$[01]", 2), ("$[00]", 2), ("$[1", 3), ("$[+1]", 2), ("$[1.0]", 3), ("$[1e2]", 3), ("$[1 2]", 4),
    ("$[9007199254740992]", 2), ("$[99999999999999999999]", 2), ("$.a b", 4), ("$.a.", 4), ("$[*", 3), ("$[**]", 3),
    ("$['a']x", 6), ("$.a-b", 3), ("$.a$", 3), ("$.*a", 3), ("$[0]]", 4), ("$.a!", 3), ("$[-9007199254740992]", 2),
    ("$[?@.a==1", 9), ("$[?@.a==]", 8), ("$[?(@.a]", 7), ("$[?]", 3), ("$[?!]", 4), ("$[?@.a &&]", 9),
    ("$[?&& @.a]", 3), ("$[?@.a && || @.b]", 10), ("$[?@.* == 1]", 4), ("$[?@[0,1] == 1]", 4), ("$[?@.a == @..b]", 11),
    ("$[?((@.a) == 1)]", 10), ("$[?(@.a) == 1]", 9), ("$[?!!@.a]", 4), ("$[?length(@.a)]", 14),
    ("$[?@.a == length(@.*)]", 18), ("$[?match(@.a)]", 12), ("$[?nope(@.a)]", 3), ("$[?value((@.a)) == 1]", 9),
    ("$[?count(@.a == 1) > 1]", 13), ("$[?@.a > 1e]", 11), ("$[?@.a > 1.5.5]", 12), ("$[1::2:]", 6), ("$[1:2,:]x", 8),
    ("$[::01]", 4), ("$[?@['a' ]==1]", 8), (#"$[?'a' == 'b\']"#, 15),
  ]

  @Test(arguments: bad)
  func `an invalid path is rejected at its first wrong byte`(text: String, offset: Int) {
    let error = jsonError { _ = try JSONPath(text) }
    #expect(error?.code == .invalidPath)
    #expect(error?.byteOffset == offset)
  }

  static let good: [(String, String)] = [
    ("$", "$"), ("$.a", "$['a']"), ("$.*", "$[*]"), ("$[*]", "$[*]"), ("$['a']", "$['a']"), (#"$["a"]"#, "$['a']"),
    ("$[0]", "$[0]"), ("$[9007199254740991]", "$[9007199254740991]"), ("$ .a [ 0 ]\n[ * ]", "$['a'][0][*]"),
    ("$.é😀_9", "$['é😀_9']"), ("$['']", "$['']"), ("$._", "$['_']"), (#"$['\'']"#, #"$['\'']"#),
    (#"$["\""]"#, #"$['"']"#), (#"$["'"]"#, #"$['\'']"#), (#"$['\\\/\b\f\n\r\t']"#, #"$['\\/\b\f\n\r\t']"#),
    (#"$['\u0041\u00e9']"#, "$['Aé']"), (#"$['\ud83d\uDE00']"#, "$['😀']"),
    (#"$['\u0000\u001F']"#, #"$['\u0000\u001f']"#), ("$['a b']['c.d']", "$['a b']['c.d']"),
    ("$.a.b[1].c[*].d", "$['a']['b'][1]['c'][*]['d']"), ("$['$']['@']['*']", "$['$']['@']['*']"),
    ("$.true.null", "$['true']['null']"),
  ]

  @Test(arguments: good)
  func `a path has one spelling and parses back from it`(text: String, spelling: String) throws {
    let path = try JSONPath(text)
    #expect(path.description == spelling)
    #expect(try JSONPath(spelling) == path)
    #expect(path.isSingular == !spelling.contains("[*]"))
  }

  static let queries: [(String, String)] = [
    ("$..a", "$..['a']"), ("$..*", "$..[*]"), ("$..[0,'a']", "$..[0, 'a']"), ("$[-1]", "$[-1]"), ("$[1:5:1]", "$[1:5]"),
    ("$[::]", "$[:]"), ("$[ 1 : 5 : -2 ]", "$[1:5:-2]"), ("$[::0]", "$[::0]"), ("$[?@.a]", "$[?@['a']]"),
    ("$[? ( @.a ) ]", "$[?@['a']]"), ("$[?!@.a]", "$[?!@['a']]"), ("$[?! (@.a==1)]", "$[?!(@['a'] == 1)]"),
    ("$[?!(!@.a)]", "$[?!(!@['a'])]"), ("$[?@.a||@.b&&@.c]", "$[?@['a'] || @['b'] && @['c']]"),
    ("$[?(@.a||@.b)&&@.c]", "$[?(@['a'] || @['b']) && @['c']]"),
    ("$[?@.a||(@.b||@.c)]", "$[?@['a'] || (@['b'] || @['c'])]"),
    ("$[?(@.a&&@.b)||@.c]", "$[?@['a'] && @['b'] || @['c']]"),
    ("$[?!(@.a&&@.b)]", "$[?!(@['a'] && @['b'])]"), (#"$[?@=="it's"]"#, #"$[?@ == 'it\'s']"#),
    ("$[?@==1.50E+3]", "$[?@ == 1.50E+3]"), ("$[?@==-0]", "$[?@ == 0]"), ("$[?null!=@]", "$[?null != @]"),
    ("$[?@<true]", "$[?@ < true]"), ("$[?length( @.a )>=$.b[0]]", "$[?length(@['a']) >= $['b'][0]]"),
    ("$[?search(@, 'a.c')&&match(@.a,@.b)]", "$[?search(@, 'a.c') && match(@['a'], @['b'])]"),
    ("$[?count(@..*)==value(@.*)]", "$[?count(@..[*]) == value(@[*])]"), ("$[?@[?@>1]]", "$[?@[?@ > 1]]"),
    ("$[?@.a, ?@.b]", "$[?@['a'], ?@['b']]"), ("$\n..a", "$..['a']"),
    ("$[?9007199254740993==@]", "$[?9007199254740993 == @]"),
  ]

  @Test(arguments: queries)
  func `every selector and filter has one spelling and parses back from it`(text: String, spelling: String) throws {
    let path = try JSONPath(text)
    #expect(path.description == spelling)
    #expect(try JSONPath(spelling) == path)
    #expect(path.isSingular == (text == "$[-1]"))
  }

  @Test func `a path is singular if it has only single names and indexes`() throws {
    for text in ["$", "$.a", "$['a'][0]", "$[-1]"] { #expect(try JSONPath(text).isSingular, "\(text)") }
    for text in ["$.*", "$..a", "$[0,1]", "$[0:1]", "$[?@]"] { #expect(try !JSONPath(text).isSingular, "\(text)") }
  }

  @Test func `an invalid literal keeps its error, and every use throws it`() throws {
    let path: JSONPath = "$.items.[0]"
    #expect(path.error?.code == .invalidPath)
    #expect(path.error?.byteOffset == 8)
    #expect(path.description == "$.items.[0]")
    #expect(path != "$.other.[0]")
    let json: JSON = ["items": [1]]
    let failure = try #require(path.error)
    #expect(throws: failure) { try json.query("$.items.[0]") }
    #expect(throws: failure) { try json.matches(of: path) }
    #expect(throws: failure) { _ = try JSONMatches(of: path, in: .bytes([])) }
    let good: JSONPath = "$.items[0]"
    #expect(good.error == nil)
    #expect(try json.query(good) == [1])
  }

  @Test func `a stream rejects a query that it cannot answer`() {
    let error = jsonError { _ = try JSONMatches(of: "$[?@.a == $.b]", in: .bytes([])) }
    let wanted =
      "byte 0: expected '@' instead of '$' inside a filter: '$' is the whole text, which a stream does not keep"
    #expect(error?.description.hasPrefix(wanted) == true)
  }

  @Test func `names and literals in filters compare strings by bytes and numbers by value`() {
    #expect(Set<JSONPath>(["$['\u{E9}']", "$['e\u{301}']"]).count == 2)
    #expect(JSONPath(#"$[?@ == "\u00e9"]"#) == "$[?@ == '\u{E9}']")
    #expect(JSONPath("$[?@ == 'e\u{301}']") != "$[?@ == '\u{E9}']")
    #expect(JSONPath("$[?@ == 1.0]") == "$[?@ == 1]")
    #expect(JSONPath("$[?@ == 1.0]").hashValue == JSONPath("$[?@ == 1]").hashValue)
    #expect(JSONPath("$[?@ == 0.1]") != "$[?@ == 0.10000000000000000001]")
    #expect(JSONPath("$[?@ == 1]") != "$[?@ == '1']")
  }

  @Test func `any name survives a round trip through the description`() throws {
    var random = SeededGenerator.announced()
    for _ in 0..<3_000 {
      var name = ""
      for _ in 0..<random.below(6) {
        let code = UInt32(random.below(random.pick([0x30, 0x80, 0x3000, 0x11_0000])))
        if let scalar = Unicode.Scalar(code) { name.unicodeScalars.append(scalar) }
      }
      let path: JSONPath = "$['x'][7]"
      let named = try JSONPath(pathText(name))
      #expect(try JSONPath(named.description) == named)
      guard case .name(let found)? = named.query.segments.first?.selectors.first else {
        Issue.record("\(named) is no name")
        return
      }
      #expect(found.string.utf8.elementsEqual(name.utf8))
      #expect(path != named)
    }
  }

  /// Returns a name in double quotes, with the necessary escapes.
  private func pathText(_ name: String) -> String {
    var text = "$[\""
    for scalar in name.unicodeScalars {
      if scalar.value < 0x20 {
        text += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
      } else {
        if scalar == "\"" || scalar == "\\" { text += "\\" }
        text.unicodeScalars.append(scalar)
      }
    }
    return text + "\"]"
  }
}
