import Testing

@testable import JSONSift

@Suite struct JSONPathTests {
  static let bad: [(String, Int)] = [
    ("", 0), ("a", 0), (" $", 0), ("@", 0), ("$ ", 1), ("$.a ", 3), ("$.", 2), ("$..", 2), ("$..a", 2), ("$.[0]", 2),
    ("$.1", 2),
    ("$.-a", 2), ("$. a", 2), ("$.'a'", 2), ("$a", 1), ("$$", 1), ("$[", 2), ("$[]", 2), ("$[ ]", 3), ("$[a]", 2),
    ("$['a", 4),
    ("$['a'", 5), (#"$["a']"#, 6), ("$['a\u{1}']", 4), ("$['a\n']", 4), (#"$['\x']"#, 4), (#"$['\u12']"#, 7),
    (#"$['\u']"#, 5), (#"$['\ud800']"#, 3), (#"$['\udc00']"#, 3), (#"$['\ud800\u0041']"#, 3), (#"$['\ud800x']"#, 3),
    (#"$['\"']"#, 4), (#"$["\'"]"#, 4), (#"$['\"#, 4), (#"$['\U0041']"#, 4), ("$[-1]", 2), ("$[-0]", 2), ("$[01]", 2),
    ("$[00]", 2), ("$[1", 3), ("$[1,2]", 3), ("$['a','b']", 5), ("$[1:2]", 3), ("$[:2]", 2), ("$[?@.a]", 2),
    ("$[+1]", 2),
    ("$[1.0]", 3), ("$[1e2]", 3), ("$[1 2]", 4), ("$[9007199254740992]", 18), ("$[99999999999999999999]", 18),
    ("$.a b", 4),
    ("$.a.", 4), ("$[*", 3), ("$[**]", 3), ("$['a']x", 6), ("$.a-b", 3), ("$.a$", 3), ("$.*a", 3), ("$[0]]", 4),
    ("$.a!", 3),
  ]

  @Test(arguments: bad)
  func `a bad path is refused at its first wrong byte`(text: String, offset: Int) {
    let error = jsonError { _ = try JSONPath(text) }
    #expect(error?.code == .invalidPath)
    #expect(error?.byteOffset == offset)
  }

  static let good: [(String, String)] = [
    ("$", "$"), ("$.a", "$['a']"), ("$.*", "$[*]"), ("$[*]", "$[*]"), ("$['a']", "$['a']"), (#"$["a"]"#, "$['a']"),
    ("$[0]", "$[0]"), ("$[9007199254740991]", "$[9007199254740991]"), ("$ .a [ 0 ]\n[ * ]", "$['a'][0][*]"),
    ("$.é😀_9", "$['é😀_9']"), ("$['']", "$['']"), ("$._", "$['_']"), (#"$['\'']"#, #"$['\'']"#),
    (#"$["\""]"#, #"$['"']"#),
    (#"$["'"]"#, #"$['\'']"#), (#"$['\\\/\b\f\n\r\t']"#, #"$['\\/\b\f\n\r\t']"#), (#"$['\u0041\u00e9']"#, "$['Aé']"),
    (#"$['\ud83d\uDE00']"#, "$['😀']"), (#"$['\u0000\u001F']"#, #"$['\u0000\u001f']"#),
    ("$['a b']['c.d']", "$['a b']['c.d']"),
    ("$.a.b[1].c[*].d", "$['a']['b'][1]['c'][*]['d']"), ("$['$']['@']['*']", "$['$']['@']['*']"),
    ("$.true.null", "$['true']['null']"),
  ]

  @Test(arguments: good)
  func `a path has one spelling and reads back from it`(text: String, spelling: String) throws {
    let path = try JSONPath(text)
    #expect(path.description == spelling)
    #expect(try JSONPath(spelling) == path)
    #expect(path.isDefinite == !spelling.contains("[*]"))
  }

  @Test func `any name comes back from the description`() throws {
    var random = SeededRandom.announced()
    for _ in 0..<3_000 {
      var name = ""
      for _ in 0..<random.below(6) {
        let code = UInt32(random.below(random.pick([0x30, 0x80, 0x3000, 0x11_0000])))
        if let scalar = Unicode.Scalar(code) { name.unicodeScalars.append(scalar) }
      }
      let path = try JSONPath("$['x'][7]")
      let named = try JSONPath(pathText(name))
      #expect(try JSONPath(named.description) == named)
      #expect(named.segments == [.name(name)])
      guard case .name(let found)? = named.segments.first else { return }
      #expect(found.utf8.elementsEqual(name.utf8))
      #expect(path != named)
    }
  }

  /// A name in double quotes, with the escapes that it needs.
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
