import TestSupport
import Testing

@testable import JSONSift

@Suite struct JSONPointerTests {
  /// A text, and its tokens.
  static let good: [(String, [String])] = [
    ("", []), ("/", [""]), ("//", ["", ""]), ("/foo", ["foo"]), ("/foo/0", ["foo", "0"]), ("/foo/", ["foo", ""]),
    ("/a~1b", ["a/b"]), ("/m~0n", ["m~n"]), ("/~01", ["~1"]), ("/~10", ["/0"]), ("/~0~1~00", ["~/~0"]), ("/ ", [" "]),
    ("/c%d", ["c%d"]), ("/%7E", ["%7E"]), ("/#", ["#"]), ("/-", ["-"]), (#"/i\j"#, [#"i\j"#]), (#"/k"l"#, [#"k"l"#]),
    ("/é/e\u{301}/😎", ["é", "e\u{301}", "😎"]), ("/a\u{0}b\n\tc", ["a\u{0}b\n\tc"]),
    // A combining mark that joins the preceding slash or tilde to one character is still a separate byte.
    ("/\u{301}a", ["\u{301}a"]), ("/~0\u{301}/~1\u{301}", ["~\u{301}", "/\u{301}"]),
  ]

  @Test(arguments: good)
  func `a pointer is split at its slashes, unescaped, and prints as it was read`(
    text: String, tokens: [String]
  ) throws {
    let pointer = try JSONPointer(text)
    #expect(sameTokens(pointer.tokens, tokens))
    #expect(isSame(pointer.description, text))
    #expect(pointer == JSONPointer(tokens: tokens) && pointer == JSONPointer(stringLiteral: text))
    #expect(pointer.error == nil)
  }

  /// A text, and the complete description of its error.
  static let bad: [(String, String)] = [
    ("a", "byte 0: expected '/' at the start, found a letter"),
    ("0", "byte 0: expected '/' at the start, found a digit"),
    (" /a", "byte 0: expected '/' at the start, found a space"),
    ("é", "byte 0: expected '/' at the start, found a character that is not ASCII"),
    ("#/a", "byte 0: expected '/' at the start ('#' begins a URI fragment: JSONPointer(fragment:)), found '#'"),
    ("/~", "byte 2: expected '0' or '1' after '~': '~0' is '~' and '~1' is '/', found the end of the text"),
    ("/~/a", "byte 2: expected '0' or '1' after '~': '~0' is '~' and '~1' is '/', found '/'"),
    ("/é~2", "byte 4: expected '0' or '1' after '~': '~0' is '~' and '~1' is '/', found a digit"),
    ("/~0~x", "byte 4: expected '0' or '1' after '~': '~0' is '~' and '~1' is '/', found a letter"),
    (
      "/~\u{301}0",
      "byte 2: expected '0' or '1' after '~': '~0' is '~' and '~1' is '/', found a character that is not ASCII"
    ),
  ]

  @Test(arguments: bad)
  func `an invalid pointer gets this message`(text: String, message: String) {
    let error = jsonError { _ = try JSONPointer(text) }
    #expect(error?.code == .invalidPath)
    #expect(error?.description == message)
  }

  @Test func `an invalid literal keeps its error and finds no value`() {
    let pointer: JSONPointer = "a/b"
    #expect(pointer.error?.code == .invalidPath && pointer.error?.byteOffset == 0)
    #expect(pointer.tokens.isEmpty && pointer.parent == nil && pointer.description == "a/b")
    #expect(pointer.appending("c") == pointer && pointer.appending(0).error == pointer.error)
    #expect(pointer != "" && pointer == JSONPointer("a/b") && pointer != "b/b")
    var json: JSON = ["a": ["b": 1]]
    #expect(json[pointer: pointer].error == .notExist)
    json[pointer: pointer] = 2
    json[pointer: pointer].int = 2
    #expect(json == ["a": ["b": 1]])
    #expect(jsonError { _ = try JSONPointer(fragment: pointer.fragment) } != nil)
  }

  @Test func `pointers are equal if their bytes are equal`() {
    #expect(JSONPointer("/\u{e9}") != JSONPointer("/e\u{301}"))
    #expect(Set<JSONPointer>(["/\u{e9}", "/e\u{301}", "/a/b", "/a~1b", "/a", "/a"]).count == 5)
    #expect(JSONPointer("") != "/")
  }

  @Test func `appending adds a name or index, and the parent is one token shorter`() {
    let pointer = JSONPointer("/a").appending("b/~c").appending(7).appending("-")
    #expect(pointer == "/a/b~1~0c/7/-")
    #expect(pointer.parent?.parent?.parent == "/a")
    #expect(JSONPointer("/a").parent == "" && JSONPointer("").parent == nil)
  }

  // MARK: Fragments

  /// A fragment, and the text of its pointer.
  static let fragments: [(String, String)] = [
    ("#", ""), ("#/", "/"), ("#/foo/0", "/foo/0"), ("#/a~1b", "/a~1b"), ("#/m~0n", "/m~0n"), ("#/c%25d", "/c%d"),
    ("#/%20", "/ "), ("#/k%22l", #"/k"l"#), ("#/%C3%A9", "/é"), ("#/%F0%9F%98%8E", "/😎"), ("#/%00%0A", "/\u{0}\n"),
    ("#/%23", "/#"), ("#/-._~0!$&'()*+,;=:@/?", "/-._~0!$&'()*+,;=:@/?"),
    ("#/%5B%5D%7B%7D%7C%3C%3E%60", "/[]{}|<>`"), ("#/%7F", "/\u{7F}"),
  ]

  @Test(arguments: fragments)
  func `a fragment encodes exactly the characters that a URI cannot contain`(fragment: String, text: String) throws {
    let pointer = try JSONPointer(text)
    #expect(pointer.fragment == fragment)
    #expect(try JSONPointer(fragment: fragment) == pointer)
  }

  @Test(arguments: [
    ("#%2Ffoo", "/foo"), ("#/%66oo", "/foo"), ("#/%7E1", "/~1"), ("#/~%31", "/~1"), ("#/%c3%a9", "/é"),
    ("#/%2F", "//"), ("#/%2525", "/%25"),
  ])
  func `unneeded percent-encoding is decoded once before the pointer is parsed`(fragment: String, text: String) throws {
    #expect(try JSONPointer(fragment: fragment) == JSONPointer(text))
  }

  private static let encode = "'%' and two hexadecimal digits for each byte that a fragment cannot hold"

  /// A fragment, and the complete description of its error.
  static let badFragments: [(String, String)] = [
    ("", "byte 0: expected '#' at the start of a fragment, found the end of the text"),
    ("/a", "byte 0: expected '#' at the start of a fragment, found '/'"),
    ("#a", "byte 1: expected '/' at the start, found a letter"),
    ("#%61", "byte 1: expected '/' at the start, found a letter"),
    ("#/%", "byte 3: expected two hexadecimal digits after '%', found the end of the text"),
    ("#/%2", "byte 4: expected two hexadecimal digits after '%', found the end of the text"),
    ("#/%2x", "byte 4: expected two hexadecimal digits after '%', found a letter"),
    ("#/%-1", "byte 3: expected two hexadecimal digits after '%', found '-'"),
    ("#/e^f", "byte 3: expected \(encode), found '^'"), ("#/ ", "byte 2: expected \(encode), found a space"),
    ("#/é", "byte 2: expected \(encode), found a character that is not ASCII"),
    ("#/a#", "byte 3: expected \(encode), found '#'"),
    ("#/%20%FF", "byte 5: expected UTF-8 in percent-encoded bytes, found '%'"),
    ("#/a%C3", "byte 3: expected UTF-8 in percent-encoded bytes, found '%'"),
    ("#/%20~2", "byte 6: expected '0' or '1' after '~': '~0' is '~' and '~1' is '/', found a digit"),
    ("#/%20%7E", "byte 8: expected '0' or '1' after '~': '~0' is '~' and '~1' is '/', found the end of the text"),
  ]

  @Test(arguments: badFragments)
  func `an invalid fragment gets this message`(fragment: String, message: String) {
    let error = jsonError { _ = try JSONPointer(fragment: fragment) }
    #expect(error?.code == .invalidPath)
    #expect(error?.description == message)
  }

  @Test(arguments: ["#/%C0%AF", "#/%ED%A0%80", "#/%F4%90%80%80", "#/%E2%82", "#/%80", "#/%C3/"])
  func `invalid UTF-8 is rejected at its first byte`(fragment: String) {
    let error = jsonError { _ = try JSONPointer(fragment: fragment) }
    #expect(error?.code == .invalidPath && error?.byteOffset == 2)
  }

  // MARK: Every pointer

  private static func randomToken(_ random: inout SeededGenerator) -> String {
    var token = ""
    for _ in 0..<Int.random(in: 0...5, using: &random) {
      let top: UInt32 = [0x80, 0x80, 0x800, 0x11_0000].randomElement(using: &random) ?? 0x80
      let special: [Unicode.Scalar] = ["/", "~", "%", "#", "-", "0", "1", "\u{301}"]
      if Bool.random(using: &random), let scalar = special.randomElement(using: &random) {
        token.unicodeScalars.append(scalar)
      } else if let scalar = Unicode.Scalar(UInt32.random(in: 0..<top, using: &random)) {
        token.unicodeScalars.append(scalar)
      }
    }
    return token
  }

  @Test func `any pointer survives a round trip through its text and its fragment`() throws {
    var random = SeededGenerator()
    print("pointers: \(random)")
    for _ in 0..<5_000 {
      let tokens = (0..<Int.random(in: 0...4, using: &random)).map { _ in Self.randomToken(&random) }
      let pointer = JSONPointer(tokens: tokens)
      #expect(sameTokens(try JSONPointer(pointer.description).tokens, tokens), "\(random)")
      #expect(try JSONPointer(fragment: pointer.fragment) == pointer, "\(random)")
      #expect(pointer.fragment.utf8.allSatisfy { $0 < 0x7F && $0 > 0x20 }, "\(random)")
    }
  }

  @Test func `a text is rejected or printed unchanged, and a damaged fragment never traps`() throws {
    var random = SeededGenerator()
    print("pointers: \(random)")
    for _ in 0..<5_000 {
      let text = "/" + Self.randomToken(&random) + Self.randomToken(&random)
      if let pointer = try? JSONPointer(text) {
        #expect(isSame(pointer.description, text), "\(random)")
      } else {
        #expect(text.contains("~") || text.utf8.contains(0x7E), "\(random)")
      }
      if let pointer = try? JSONPointer(fragment: "#" + text) {
        #expect(try JSONPointer(fragment: pointer.fragment) == pointer, "\(random)")
      }
    }
  }
}

/// Returns whether two lists have the same bytes.
private func sameTokens(_ left: [String], _ right: [String]) -> Bool {
  left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
}
