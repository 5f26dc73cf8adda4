import TestSupport
import Testing

@testable import JSONSift

@Suite struct SequenceRecordTests {
  static let texts: [(String, [String])] = [
    ("", []), ("\u{1E}", []), ("\n \n", []), ("\u{1E}{}\n", ["1 1..<3 {}"]),
    ("\u{1E}1\n\u{1E}2\n", ["1 1..<2 1", "2 4..<5 2"]),
    ("\u{1E}\u{1E}\u{1E}[1]\n", ["1 3..<6 [1]"]), ("\u{1E}[1]\u{1E}[2]", ["1 1..<4 [1]", "1 5..<8 [2]"]),
    ("\u{1E}\"a\"\u{1E}\"b\"", [#"1 1..<4 "a""#, #"1 5..<8 "b""#]),
    // A value on several lines.
    ("\u{1E}{\n\"a\":\n1}\n\u{1E}[2]\n", ["1 1..<10 {\n\"a\":\n1}", "4 12..<15 [2]"]),
    // Values that may be truncated: RFC 7464, 2.4.
    ("\u{1E}12\u{1E}3\n", ["unexpectedEnd@3 record line 1 at 1:4", "1 4..<5 3"]),
    (
      "\u{1E}1 \u{1E}true\u{1E}null\n\u{1E}false",
      ["1 1..<2 1", "unexpectedEnd@8 record line 1 at 1:9", "1 9..<13 null", "unexpectedEnd@20 record line 2 at 2:7"]
    ),
    ("\u{1E}1", ["unexpectedEnd@2 record line 1 at 1:3"]),
    // A bad record; reading continues at the next separator.
    (
      "\u{1E}{\"a\":\u{1E}{\"a\":1}\n\u{1E}x\n\u{1E}2\n",
      [
        "unexpectedEnd@6 record line 1 at 1:7", "1 7..<14 {\"a\":1}", "unexpectedByte@16 record line 2 at 2:2",
        "3 19..<20 2",
      ]
    ),
    ("\u{1E}\n\u{1E}1\n", ["unexpectedEnd@2 record line 1 at 2:1", "2 3..<4 1"]),
    ("\u{1E}1 2\n\u{1E}3\n", ["trailingContent@3 record line 1 at 1:4", "2 6..<7 3"]),
    ("\u{1E}{\"a\":\"x\u{1E}1\n", ["unexpectedEnd@8 record line 1 at 1:9", "1 9..<10 1"]),
    // No leading separator.
    (" \n\u{1E}1\n", ["2 3..<4 1"]), ("5\n\u{1E}1\n", ["unexpectedByte@0 record line 1 at 1:1", "2 3..<4 1"]),
    (" 5", ["unexpectedByte@1 record line 1 at 1:2"]),
    ("\n 5\n6\u{1E}1\n", ["unexpectedByte@2 record line 2 at 2:2", "3 6..<7 1"]),
    // A byte order mark at the very start, and one elsewhere.
    ("\u{FEFF}\u{1E}1\n", ["1 4..<5 1"]), ("\u{FEFF}", []),
    ("\u{1E}\u{FEFF}1\n", ["unexpectedByte@1 record line 1 at 1:2"]),
    (" \u{FEFF}\u{1E}1\n", ["unexpectedByte@1 record line 1 at 1:2", "1 5..<6 1"]),
  ]

  @Test(arguments: texts)
  func `the text between two separators is a record or an error`(text: String, expected: [String]) throws {
    try expectTrace(text, .textSequence, expected)
  }

  @Test(arguments: [
    "12345678901234567890\n\u{1E}1\n", "     \n        \n\n   \u{1E}1\n", "  [1234567890123456", "   x\u{1E}1\n",
  ])
  func `issue 16: a sequence without a leading separator has one error under every chunking`(text: String) throws {
    var options = JSONRecordOptions(framing: .textSequence, recovery: .report)
    options.reading.limits.recordBytes = 8
    let bytes = Array(text.utf8)
    let whole = try elements(.bytes(bytes), options)
    for size in 1..<bytes.count {
      #expect(try elements(.chunks(chunks(of: bytes, size: size)), options) == whole, "chunks of \(size)")
    }
    #expect(!whole.contains { $0.contains("recordLimit") })
    #expect(whole.contains { $0.contains("unexpectedByte") } == !text.hasPrefix("     "))
  }

  @Test func `bad records of a sequence are reported with their bytes, also one that is too long`() throws {
    var options = JSONRecordOptions(framing: .textSequence, recovery: .report)
    options.reading.limits.recordBytes = 20
    options.rawByteLimit = 10
    let long = "[\"\(String(repeating: "long\\n", count: 100))\"]\n"
    let bytes = Array("\u{1E}[1]\n\u{1E}[\n\n2\n\u{1E}\(long)\u{1E}{\u{1E}[3]\n\u{1E}\(long)".utf8)
    let expected = [
      "1 1..<4 [1]", "bad 2 6..<11 unexpectedEnd@11 at 5:1 5 goes on",
      "bad 5 12..<617 recordLimit@12 at 5:2 10 truncated goes on", "bad 6 618..<619 unexpectedEnd@619 at 6:3 1 goes on",
      "6 620..<623 [3]", "bad 7 625..<1230 recordLimit@625 at 7:2 10 truncated goes on",
    ]
    for size in 1...300 {
      #expect(try elements(.chunks(chunks(of: bytes, size: size)), options) == expected, "chunks of \(size)")
    }
  }

  @Test func `a leading separator selects the sequence framing whatever the name`() throws {
    for name in [nil, "a.json", "a.log"] {
      #expect(JSONFraming.guess(name: name, head: [0x1E, 0x7B]) == .textSequence)
    }
    for size in 1...4 {
      var reader = try JSONRecordReader(
        .chunks(chunks(of: Array("\u{1E}[1]\n".utf8), size: size)), framing: .automatic)
      #expect(reader.framing == .textSequence)
      #expect(try reader.next()?[0].int == 1)
    }
  }
}
