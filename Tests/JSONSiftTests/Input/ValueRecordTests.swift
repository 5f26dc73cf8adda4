import TestSupport
import Testing

@testable import JSONSift

@Suite struct ValueRecordTests {
  static let texts: [(String, [String])] = [
    ("", []), ("  \n ", []), ("\u{FEFF}", ["unexpectedEnd@3 record line 1 at 1:4"]), ("1", ["1 0..<1 1"]),
    ("1 2\n3", ["1 0..<1 1", "1 2..<3 2", "2 4..<5 3"]),
    ("{}{}", ["1 0..<2 {}", "1 2..<4 {}"]), ("[]1", ["1 0..<2 []", "1 2..<3 1"]), ("1[]", ["1 0..<1 1", "1 1..<3 []"]),
    (#"{}"x""#, ["1 0..<2 {}", #"1 2..<5 "x""#]), (#""x"{}"#, [#"1 0..<3 "x""#, "1 3..<5 {}"]),
    ("012", ["invalidNumber@1 record line 1 at 1:2"]), ("truefalse", ["missingSeparator@4 record line 1 at 1:5"]),
    (#""a""b""#, [#"1 0..<3 "a""#, "missingSeparator@3 record line 1 at 1:4"]),
    (#"1"a""#, ["1 0..<1 1", "missingSeparator@1 record line 1 at 1:2"]),
    (#""a"1"#, [#"1 0..<3 "a""#, "missingSeparator@3 record line 1 at 1:4"]),
    ("1-2", ["invalidNumber@1 record line 1 at 1:2"]), ("nulltrue", ["missingSeparator@4 record line 1 at 1:5"]),
    ("true\"a\"", ["1 0..<4 true", "missingSeparator@4 record line 1 at 1:5"]),
    ("1,2", ["1 0..<1 1", "unexpectedByte@1 record line 1 at 1:2"]), ("]", ["unexpectedByte@0 record line 1 at 1:1"]),
    ("[1]]", ["1 0..<3 [1]", "unexpectedByte@3 record line 1 at 1:4"]),
    ("[1}", ["unexpectedByte@2 record line 1 at 1:3"]), ("{\n\"a\":1}\n[2]", ["1 0..<8 {\n\"a\":1}", "3 9..<12 [2]"]),
    ("[1\n,\n2", ["unexpectedEnd@6 record line 1 at 3:2"]),
    ("[\n1,\n x]\n5", ["unexpectedByte@6 record line 1 at 3:2"]),
    ("1\n\n{\n\"a\" 1}", ["1 0..<1 1", "unexpectedByte@9 record line 3 at 4:5"]),
    ("\"a", ["unexpectedEnd@2 record line 1 at 1:3"]), ("\u{FEFF}[1]2", ["1 3..<6 [1]", "1 6..<7 2"]),
    ("\u{FEFF} 1", ["1 4..<5 1"]), ("\u{FEFF}\n[1]", ["2 4..<7 [1]"]),
    ("\"]\"[\"[\\\"\"]", [#"1 0..<3 "]""#, "1 3..<10 [\"[\\\"\"]"]),
    ("\u{B}1", ["unexpectedByte@0 record line 1 at 1:1"]), ("1\u{C}2", ["unexpectedByte@1 record line 1 at 1:2"]),
    ("{} \u{FEFF}1", ["1 0..<2 {}", "unexpectedByte@3 record line 1 at 1:4"]),
  ]

  @Test(arguments: texts.filter { !$0.0.contains("\u{C}") })
  func `values need no separator where tokens cannot merge`(text: String, expected: [String]) throws {
    try expectTrace(text, .values, expected)
  }

  @Test func `values across many reads equal those of a single read`() throws {
    var writer = RandomText(random: .announced())
    for _ in 0..<60 {
      let text = (0..<12).map { _ in writer.value(depth: 3) + writer.random.pick([" ", "\n", "\r\n\t"]) }.joined()
      let bytes = Array(text.utf8)
      let expected = try trace(.bytes(bytes), .values)
      #expect(expected.count == 12)
      for size in [1, 2, 3, 5, 8, 13, 64] {
        #expect(try trace(.chunks(chunks(of: bytes, size: size)), .values) == expected, "chunks of \(size) of \(text)")
      }
    }
  }

  static let long: [String] = [
    "[1,2,3,4,5,6 x] 7", "[\"ééééééééééé\"] 7", "[1,2,3,4,5,6,7,8,9] 7", "12345678901234567890 7",
    "[1,2,3,4,\"\u{1}\"] 7",
    "truetruetruetrue 7", "[1,2,3,4,5,6,7}] 7", "\"0123456789é\" 7", "[[[[[[[[[[[[[]]]]]]]]]]]]] 7",
  ]

  @Test(arguments: long)
  func `a value over its limit has the same error for every chunk size`(text: String) throws {
    let options = with(JSONOptions()) { $0.limits.recordBytes = 8 }
    let bytes = Array(text.utf8)
    let whole = try trace(.bytes(bytes), .values, options: options)
    var different: [String] = []
    for size in 1...bytes.count {
      let found = try trace(.chunks(chunks(of: bytes, size: size)), .values, options: options)
      if found != whole { different.append("chunks of \(size): \(found)") }
    }
    #expect(different.isEmpty, "whole: \(whole), \(different.count) others, such as \(different.prefix(3))")
  }

  @Test func `an error in one document has its position within the lines`() throws {
    let text = "{\n  \"a\": [1,\n   2 3]\n}"
    #expect(try trace(text, .document) == ["unexpectedByte@18 record line 1 at 3:6"])
    #expect(try trace(" \n[1]\n", .document) == ["1 2..<5 [1]"])
    #expect(try trace("[1] 2", .document) == ["trailingContent@4 record line 1 at 1:5"])
  }

  @Test func `an empty document is an error as documented`() throws {
    #expect(try trace("", .document) == ["unexpectedEnd@0 record line 1 at 1:1"])
    #expect(try trace(" \n", .document) == ["unexpectedEnd@2 record line 1 at 2:1"])
    #expect(try trace("", .lines).isEmpty && trace("", .values).isEmpty)
  }
}
