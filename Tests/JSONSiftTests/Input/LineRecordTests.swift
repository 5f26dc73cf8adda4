import TestSupport
import Testing

@testable import JSONSift

@Suite struct LineRecordTests {
  static let texts: [(String, [String])] = [
    ("", []), ("\n", []), ("\n\n \r\n\t\n", []), ("\u{FEFF}", ["unexpectedEnd@3 record line 1 at 1:4"]),
    ("\u{FEFF}\n1", ["2 4..<5 1"]), ("1\n2\n", ["1 0..<1 1", "2 2..<3 2"]), ("1\n2", ["1 0..<1 1", "2 2..<3 2"]),
    ("1\r\n2\r\n", ["1 0..<1 1", "2 3..<4 2"]), ("\n\n1\n\n\n2", ["3 2..<3 1", "6 6..<7 2"]),
    ("\u{FEFF}[1]\n[2]", ["1 3..<6 [1]", "2 7..<10 [2]"]), ("  {\"a\" : 1}  \n", [#"1 2..<11 {"a" : 1}"#]),
    ("\"é\"\n", ["1 0..<4 \"é\""]), ("x\n1\n", ["unexpectedByte@0 record line 1 at 1:1", "2 2..<3 1"]),
    ("1\n[2\n3\n", ["1 0..<1 1", "unexpectedEnd@4 record line 2 at 2:3", "3 5..<6 3"]),
    ("1\n[2", ["1 0..<1 1", "unexpectedEnd@4 record line 2 at 2:3"]),
    ("1 2\n3", ["trailingContent@2 record line 1 at 1:3", "2 4..<5 3"]),
    ("{}{}\n{}", ["trailingContent@2 record line 1 at 1:3", "2 5..<7 {}"]),
    ("\"a\n\"b\"\n", ["unexpectedEnd@2 record line 1 at 1:3", "2 3..<6 \"b\""]),
    ("012\n12", ["invalidNumber@1 record line 1 at 1:2", "2 4..<6 12"]),
    ("[1,\n2]\n", ["unexpectedEnd@3 record line 1 at 1:4", "trailingContent@5 record line 2 at 2:2"]),
    ("1\n\u{FEFF}2\n3", ["1 0..<1 1", "2 5..<6 2", "3 7..<8 3"]),
    ("\u{B}\n1", ["unexpectedByte@0 record line 1 at 1:1", "2 2..<3 1"]),
  ]

  @Test(arguments: texts)
  func `each line is a record or an error and does not affect the next one`(
    text: String, expected: [String]
  ) throws {
    try expectTrace(text, .lines, expected)
  }

  @Test func `stored records stay valid`() throws {
    let lines = (0..<2_000).map {
      "{\"id\":\($0),\"s\":\"v\($0)\",\"a\":[\((0..<($0 % 40)).map(String.init).joined(separator: ","))]}"
    }
    var reader = try JSONRecordReader(.bytes(Array(lines.joined(separator: "\n").utf8)))
    var all: [JSONRecord] = []
    while let record = try reader.next() {
      if record.line % 3 > 0 { all.append(record) }
    }
    #expect(all.count == 1_334)
    for record in all {
      let index = record.line - 1
      #expect(record.value.rawText == lines[index] && record["id"].int == index && record["s"].string == "v\(index)")
      if index % 40 > 0 { #expect(record["a"][index % 40 - 1].int == index % 40 - 1) }
    }
  }
}
