import Testing

@testable import JSONSift

@Suite struct JSONTextTests {
  /// Records which of three names each text equals.
  private struct Comparer: JSONEventHandler {
    var found: [String] = []

    private mutating func note(_ text: borrowing JSONText) -> Bool {
      var names = ""
      if text.isEqual(to: "") { names += "empty " }
      if text.isEqual(to: "name") { names += "name " }
      if text.isEqual(to: "é") { names += "é " }
      if text.isEqual(to: "a\"b") { names += "quote " }
      if text.isEqual(to: "x") { names += "x " }
      found.append(names)
      return true
    }

    mutating func startObject(at offset: Int) throws(JSONError) -> Bool { true }
    mutating func endObject(at offset: Int) throws(JSONError) -> Bool { true }
    mutating func startArray(at offset: Int) throws(JSONError) -> Bool { true }
    mutating func endArray(at offset: Int) throws(JSONError) -> Bool { true }
    mutating func key(_ key: borrowing JSONText) throws(JSONError) -> Bool { note(key) }
    mutating func string(_ string: borrowing JSONText) throws(JSONError) -> Bool { note(string) }
    mutating func number(_ number: borrowing JSONText) throws(JSONError) -> Bool { note(number) }
    mutating func bool(_ value: Bool, byteRange: Range<Int>) throws(JSONError) -> Bool { true }
    mutating func null(byteRange: Range<Int>) throws(JSONError) -> Bool { true }
  }

  static let texts: [(String, String)] = [
    (#""""#, "empty "), (#""name""#, "name "), (#""n\u0061me""#, "name "), (#""nam""#, ""), (#""names""#, ""),
    (#""é""#, "é "), (#""\u00e9""#, "é "), (#""e\#u{301}""#, ""), (#""e\u0301""#, ""), (#""a\"b""#, "quote "),
    (#""a\u0022b""#, "quote "), (#""x""#, "x "), (#""\u0078""#, "x "), ("12", ""),
  ]

  @Test(arguments: texts)
  func `a text is compared byte by byte with its escapes decoded`(text: String, names: String) throws {
    var reader = JSONPushReader(Comparer())
    try reader.feed(text.utf8)
    try reader.finish()
    #expect(reader.handler.found == [names])
  }

  static let escapes: [(String, String)] = [
    (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"), (#"\u0000"#, "\0"), (#"\u00e9\u20AC\ud83d\ude00"#, "é€😀"),
    (#"\ud83d"#, "\u{FFFD}"), (#"\ude00x"#, "\u{FFFD}x"), (#"\ud83d\ud83d\ude00"#, "\u{FFFD}😀"),
    (#"\ud83dabc"#, "\u{FFFD}abc"), (#"\ud83d\u0041"#, "\u{FFFD}A"), (#"\\ud83d"#, "\\ud83d"),
    (#"\ufeff"#, "\u{FEFF}"), (#"\ud800\n"#, "\u{FFFD}\n"), (#"é\u0301"#, "é\u{301}"),
    (#"\uDBFF\uDFFF"#, "\u{10FFFF}"), (#"\uD800\uDC00"#, "\u{10000}"),
  ]

  @Test(arguments: escapes)
  func `escapes are decoded and a lone surrogate can read as U+FFFD`(source: String, text: String) throws {
    let json = try JSON(parsing: "[\"\(source)\"]", options: JSONOptions(loneSurrogates: .replace))
    let found = json[0].string ?? ""
    #expect(Array(found.utf8) == Array(text.utf8))
    #expect(json[0].rawText == "\"\(source)\"")
  }
}
