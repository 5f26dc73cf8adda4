import TestSupport
import Testing

@testable import JSONSift

@Suite struct JSONErrorMessageTests {
  /// A text, and the complete description of its error.
  static let texts: [(String, String)] = [
    ("[1,]", "byte 3: expected a value after ',', found ']'"), ("[,]", "byte 1: expected a value or ']', found ','"),
    ("x", "byte 0: expected a value, found a letter"),
    ("[1 2]", "byte 3: expected ',' or ']' after an element, found a digit"),
    ("[1:2]", "byte 2: expected ',' or ']' after an element, found ':'"),
    ("{1}", "byte 1: expected a key in quotes or '}', found a digit"),
    (#"{"a":1,}"#, "byte 7: expected a key in quotes after ',', found '}'"),
    (#"{"a" 1}"#, "byte 5: expected ':' after a key, found a digit"),
    (#"{"a":}"#, "byte 5: expected a value, found '}'"),
    (#"{"a":1 "b"}"#, "byte 7: expected ',' or '}' after a member, found a string"),
    ("{'a':1}", "byte 1: expected a key in quotes or '}', found '''"),
    ("[1}", "byte 2: expected ',' or ']' after an element, found '}'"),
    ("", "byte 0: expected a value, found the end of the text"),
    ("[", "byte 1: expected a value or ']', found the end of the text"),
    ("[1", "byte 2: expected ',' or ']' after an element, found the end of the text"),
    (#"{"a""#, "byte 4: expected ':' after a key, found the end of the text"),
    (#""abc"#, "byte 4: expected the closing quote of a string, found the end of the text"),
    ("tru", "byte 3: expected the rest of true, false or null, found the end of the text"),
    ("-", "byte 1: expected the rest of a number, found the end of the text"),
    ("1 2", "byte 2: expected the end of the text after one value, found a digit"),
    (#"{} "abc"#, "byte 3: expected the end of the text after one value, found a string"),
    ("12a", "byte 2: expected the end of the number, found a letter"),
    ("01", "byte 1: expected the end of the number, found a digit"),
    ("1.x", "byte 2: expected a digit after '.', found a letter"),
    ("-x", "byte 1: expected a digit after '-', found a letter"),
    ("1e+ ", "byte 3: expected a digit in the exponent, found a space"),
    ("trux", "byte 3: expected the literal true, found a letter"),
    ("[nul]", "byte 4: expected the literal null, found ']'"),
    ("\"a\u{1}\"", #"byte 2: expected an escape such as \n or \u0000, found the control character 0x01 in a string"#),
    ("\"a\n\"", #"byte 2: expected an escape such as \n or \u0000, found a line feed in a string"#),
    (#""\x""#, #"byte 2: expected one of " \ / b f n r t u after a backslash, found a letter"#),
    (#""\u12g4""#, #"byte 5: expected four hexadecimal digits after \u, found a letter"#),
    (#"{"\u12":1}"#, #"byte 6: expected four hexadecimal digits after \u, found the end of the string"#),
    (#"["\ud800"]"#, #"byte 2: expected a \u escape of a whole character, found half of a surrogate pair"#),
    ("\u{B}1", "byte 0: expected a value, found the control character 0x0B"),
    ("é", "byte 0: expected a value, found a character that is not ASCII"),
  ]

  @Test(arguments: texts)
  func `invalid JSON text gets this message`(text: String, message: String) {
    let error = jsonError { _ = try JSON(parsing: text) }
    #expect(error?.description == message)
  }

  @Test func `invalid UTF-8 gets this message`() {
    let error = jsonError { _ = try JSON(parsing: [0x22, 0x61, 0xFF, 0x22] as [UInt8]) }
    #expect(error?.code == .invalidUTF8)
    #expect(error?.description == "byte 2: expected UTF-8, found an invalid byte sequence")
  }

  static let limited: [(String, WritableKeyPath<JSONLimits, Int> & Sendable, Int, JSONError.Code, String)] = [
    (
      "[[[1]]]", \.depth, 2, .depthLimit,
      "byte 2: expected arrays and objects nested at most 2 deep, found one more level"
    ),
    (#"["abcd"]"#, \.stringBytes, 3, .stringLimit, "byte 1: expected a string of at most 3 bytes, found a longer one"),
    (#"{"abcd":1}"#, \.keyBytes, 3, .keyLimit, "byte 1: expected a key of at most 3 bytes, found a longer one"),
    ("[12345]", \.numberBytes, 4, .numberLimit, "byte 1: expected a number of at most 4 bytes, found a longer one"),
  ]

  @Test(arguments: limited)
  func `an exceeded limit gets this message`(
    text: String, limit: WritableKeyPath<JSONLimits, Int> & Sendable, value: Int, code: JSONError.Code, message: String
  ) {
    var limits = JSONLimits()
    limits[keyPath: limit] = value
    let error = jsonError { _ = try JSON(parsing: text, options: JSONOptions(limits: limits)) }
    #expect(error?.code == code)
    #expect(error?.description == message)
    limits[keyPath: limit] = value + 1
    let wider = jsonError { _ = try JSON(parsing: text, options: JSONOptions(limits: limits)) }
    #expect(wider == nil)
  }

  @Test func `a record that is too long gets this message`() throws {
    let limits = with(JSONLimits()) { $0.recordBytes = 4 }
    var reader = try JSONRecordReader(.bytes(Array("[1,2]\n".utf8)), options: JSONOptions(limits: limits))
    let found = jsonError { _ = try reader.next() }
    #expect(found?.description == "byte 0: expected a record of at most 4 bytes, found a longer one")
  }

  @Test func `two adjacent values get this message`() throws {
    var reader = try JSONRecordReader(.bytes(Array("1\"a\"".utf8)), framing: .values)
    var found: JSONError?
    do {
      _ = try reader.next()
      _ = try reader.next()
    } catch { found = error }
    #expect(found?.description == "byte 1: expected white space between two values, found a string")
  }

  @Test func `a tape that is too large gets this message`() {
    let error = JSONError(.tapeLimit, at: 9, limit: 4096)
    let reason = "expected a document whose tape (the index of its values) has at most 4096 bytes, found a larger one"
    #expect(error.description == "byte 9: \(reason)")
  }

  @Test func `a missing file gets the system's message`() {
    let error = jsonError { _ = try JSON(contentsOf: "/nonexistent/file.json") }
    #expect(error?.code == .unreadable)
    #expect(error?.description == "\"/nonexistent/file.json\": No such file or directory")
  }

  @Test func `an invalid path gets this message`() {
    let start = jsonError { _ = try JSONPath.init("a") }
    #expect(start?.description == "byte 0: expected '$' at the start of a path, found a letter")
    let end = jsonError { _ = try JSONPath.init("$.") }
    #expect(end?.description == "byte 2: expected a name or '*' after '.', found the end of the text")
  }

  static let found: [(UInt8, String)] = [
    (0x22, "a string"), (0x7B, "'{'"), (0x7D, "'}'"), (0x5B, "'['"), (0x5D, "']'"), (0x2C, "','"), (0x3A, "':'"),
    (0x27, "'''"), (0x2F, "'/'"), (0x5C, "'\\'"), (0x2B, "'+'"), (0x2D, "'-'"), (0x2E, "'.'"), (0x30, "a digit"),
    (0x39, "a digit"), (0x0A, "a line feed"), (0x20, "a space"), (0x00, "the control character 0x00"),
    (0x09, "the control character 0x09"), (0x1F, "the control character 0x1F"), (0x41, "a letter"), (0x7A, "a letter"),
    (0x40, "a character with no meaning here"), (0x7F, "a character with no meaning here"),
    (0x80, "a character that is not ASCII"), (0xFF, "a character that is not ASCII"),
  ]

  @Test(arguments: found)
  func `a byte is described by its class and not by its value`(byte: UInt8, words: String) {
    #expect(JSONError.Found(byte: byte).description == words)
  }

  @Test func `a message never contains text of the document`() {
    for text in [#"{"secret" "value"}"#, "[secret]", #""secret\q""#, "secret", "{\"secret\":12secret}"] {
      let error = jsonError { _ = try JSON(parsing: text) }
      #expect(error?.description.contains("secret") == false, "\(text)")
    }
  }

  @Test func `each code is named after itself`() {
    let codes: [(JSONError.Code, String)] = [
      (.unexpectedByte, "unexpectedByte"), (.unexpectedEnd, "unexpectedEnd"), (.trailingContent, "trailingContent"),
      (.missingSeparator, "missingSeparator"), (.invalidNumber, "invalidNumber"), (.invalidLiteral, "invalidLiteral"),
      (.controlCharacter, "controlCharacter"), (.invalidEscape, "invalidEscape"), (.loneSurrogate, "loneSurrogate"),
      (.invalidUTF8, "invalidUTF8"), (.depthLimit, "depthLimit"), (.stringLimit, "stringLimit"),
      (.keyLimit, "keyLimit"), (.numberLimit, "numberLimit"), (.recordLimit, "recordLimit"), (.tapeLimit, "tapeLimit"),
      (.unreadable, "unreadable"), (.invalidPath, "invalidPath"),
    ]
    #expect(codes.allSatisfy { $0.0.description == $0.1 })
    #expect(Set(codes.map(\.0)).count == 18)
  }

  @Test func `a shifted error differs only in its offset`() {
    let error = JSONError(.invalidNumber, at: 3, found: .init(byte: 0x41), expected: .digit(after: .point))
    #expect(error.shifted(by: 10).description == "byte 13: expected a digit after '.', found a letter")
    #expect(error.shifted(by: 0) == error)
  }
}

/// Determines which of several faults in one string is reported.
@Suite struct FirstFaultTests {
  static let texts: [(String, String)] = [
    (#"["\ud800 \x"]"#, "loneSurrogate@2"), (#"["\ud800\x"]"#, "loneSurrogate@2"),
    (#"["\x \ud800"]"#, "invalidEscape@3"), (#"["\ud83d\ude00 \x"]"#, "invalidEscape@16"),
    (#"["\ud83d\ude0x"]"#, "loneSurrogate@2"), (#"{"\udc00\u12x":1}"#, "loneSurrogate@2"),
    ("[\"\\ud800\n\"]", "loneSurrogate@2"), ("[\"a\n\\ud800\"]", "controlCharacter@3"),
    (#"["\ud800 "#, "loneSurrogate@2"), (#"["\ud800"#, "unexpectedEnd@8"), (#"["\ud800\"#, "unexpectedEnd@9"),
    (#"["\ud800\ud"#, "unexpectedEnd@11"), (#"["\ud800\ude0"#, "unexpectedEnd@13"),
    (#"["\ud800\uc"#, "loneSurrogate@2"), ("[\"\\ud800 \u{B}\"]", "loneSurrogate@2"),
    // Longer than the limit of 20 bytes: a fault before the 21st byte is reported first.
    (#"["\ud800 56789012345678901234"]"#, "loneSurrogate@2"), (#"["1234567890123\ud83d\ude00 "]"#, "stringLimit@1"),
    (#"["12345678901234567890\ud800 "]"#, "stringLimit@1"), (#"["123456789012345678\ud800 "]"#, "stringLimit@1"),
    (#"{"\ud800 56789012345678901234":1}"#, "loneSurrogate@2"),
  ]

  private static func words(_ text: String, _ options: JSONOptions, size: Int?) -> String {
    var reader = JSONPushReader(EventLog(), options: options)
    do throws(JSONError) {
      let bytes = Array(text.utf8)
      for chunk in chunks(of: bytes, size: size ?? bytes.count) { try reader.feed(chunk) }
      try reader.finish()
      return "none"
    } catch {
      return "\(error.code)@\(error.byteOffset)"
    }
  }

  @Test(arguments: texts)
  func `issue 16: the first fault of a string is reported however the text is cut`(
    text: String, expected: String
  ) {
    var options = JSONOptions()
    options.limits.stringBytes = 20
    options.limits.keyBytes = 20
    for size in [nil] + (1...text.utf8.count).map({ $0 }) {
      #expect(Self.words(text, options, size: size) == expected, "chunks of \(size ?? 0)")
    }
    let parsed = jsonError { _ = try JSON(parsing: text, options: options) }
    #expect(parsed.map { "\($0.code)@\($0.byteOffset)" } == expected)
  }

  @Test func `a replaced lone surrogate is not a fault`() {
    let options = with(JSONOptions()) { $0.loneSurrogates = .replace }
    for size in [nil, 1, 2, 5] { #expect(Self.words(#"["\ud800 \x"]"#, options, size: size) == "invalidEscape@10") }
  }
}
