import Testing

@testable import JSONSift

@Suite struct LineRecordTests {
  static let texts: [(String, [String])] = [
    ("", []), ("\n", []), ("\n\n \r\n\t\n", []), ("\u{FEFF}", ["unexpectedEnd@3 record line 1 at 1:4"]),
    ("\u{FEFF}\n1", ["2 4..<5 1"]),
    ("1\n2\n", ["1 0..<1 1", "2 2..<3 2"]), ("1\n2", ["1 0..<1 1", "2 2..<3 2"]),
    ("1\r\n2\r\n", ["1 0..<1 1", "2 3..<4 2"]),
    ("\n\n1\n\n\n2", ["3 2..<3 1", "6 6..<7 2"]), ("\u{FEFF}[1]\n[2]", ["1 3..<6 [1]", "2 7..<10 [2]"]),
    ("  {\"a\" : 1}  \n", [#"1 2..<11 {"a" : 1}"#]), ("\"é\"\n", ["1 0..<4 \"é\""]),
    ("x\n1\n", ["unexpectedByte@0 record line 1 at 1:1", "2 2..<3 1"]),
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
    #expect(try trace(text, .lines) == expected)
    let different = try (1...max(text.utf8.count, 1)).filter { size in
      try trace(.chunks(chunks(of: Array(text.utf8), size: size)), .lines) != expected
    }
    #expect(different.isEmpty, "sizes of chunks that differ")
  }

  @Test func `invalid UTF-8 invalidates only its own line`() throws {
    let bytes = Array("\"é\"\n\"".utf8) + [0xFF] + Array("\"\n\"ü\"\n\"".utf8) + [0xC3] + Array("\n\"ok\"\n".utf8)
    let expected = [
      "1 0..<4 \"é\"", "invalidUTF8@6 record line 2 at 2:2", "3 9..<13 \"ü\"", "invalidUTF8@15 record line 4 at 4:2",
      "5 17..<21 \"ok\"",
    ]
    for size in 1...bytes.count {
      #expect(try trace(.chunks(chunks(of: bytes, size: size)), .lines) == expected, "\(size)")
    }
  }

  @Test func `a line that is too long is rejected and the next one is read`() throws {
    var limits = JSONLimits()
    limits.recordBytes = 10
    let options = JSONOptions(limits: limits)
    let long = "[\(String(repeating: "1,", count: 300))1]"
    let text = "[12345678]\n[123456789]\n1\n\(long)\n\n2\n\(long)\r\n3\n[123456789]"
    let expected = [
      "1 0..<10 [12345678]", "recordLimit@11 record line 2 at 2:1", "3 23..<24 1",
      "recordLimit@25 record line 4 at 4:1",
      "6 630..<631 2", "recordLimit@632 record line 7 at 7:1", "8 1237..<1238 3",
      "recordLimit@1239 record line 9 at 9:1",
    ]
    let bytes = Array(text.utf8)
    #expect(try trace(.bytes(bytes), .lines, options: options) == expected)
    for size in 1...300 {
      #expect(
        try trace(.chunks(chunks(of: bytes, size: size)), .lines, options: options) == expected, "chunks of \(size)")
    }
  }

  @Test func `a mixed input gives the same records and errors for every chunk size`() throws {
    let parts = [
      "\u{FEFF}{\"id\":1}\r\n", "\n", "{\"id\":2,\"s\":\"é€😀\\n\"}\n", "{\"id\":3\n", "   \t\r\n", "nonsense\n",
      "[1,2,3]\n", "1 2\n",
      "\"\(String(repeating: "long ", count: 200))\"\n", "{\"a\":{\"b\":[{},{}]}}\n", "\"open\n", "-0.5e+10\r\n",
      "01\n", "true",
    ]
    var bytes: [UInt8] = []
    for (index, part) in parts.enumerated() {
      bytes += Array(part.utf8)
      if index % 4 == 2 { bytes += [0x22, 0xC3, 0x28, 0x22, 0x0A] }
    }
    let expected = try trace(.bytes(bytes), .lines)
    #expect(expected.count == 15)
    for size in 1...300 {
      #expect(try trace(.chunks(chunks(of: bytes, size: size)), .lines) == expected, "chunks of \(size)")
    }
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

  @Test func `a stream of many windows keeps lines and offsets`() throws {
    let line = #"{"id": 12345, "name": "värde", "list": [1, 2, 3]}"#
    let count = 20_000
    var reader = try JSONRecordReader(.bytes(Array(String(repeating: line + "\n", count: count).utf8)))
    var seen = 0
    while let record = try reader.next() {
      #expect(record.line == seen + 1 && record.byteRange.lowerBound == seen * (line.utf8.count + 1))
      seen += 1
    }
    #expect(seen == count && reader.line == count)
  }

  @Test func `the bytes of a valid and of a bad record are available`() throws {
    var reader = try JSONRecordReader(.bytes(Array(" [1] \r\nbad\n".utf8)))
    _ = try reader.next()
    let good = unsafe reader.recordBytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    #expect(good.hasPrefix(" [1] "))
    #expect(throws: JSONError.self) { _ = try JSON(parsing: "bad") }
    var error: JSONError?
    do { _ = try reader.next() } catch let failure { error = failure }
    let bad = unsafe reader.recordBytes.withUnsafeBytes { unsafe String(decoding: $0, as: UTF8.self) }
    #expect(bad.hasPrefix("bad") && error?.byteOffset == 7)
    if let error {
      #expect(reader.excerpt(of: error).description == "bad\n^")
    }
    let end = try reader.next()
    #expect(end == nil)
  }

  @Test func `a source that cannot be opened reports an error`() {
    let error = jsonError { _ = try JSONRecordReader(.path("/nonexistent/x")) }
    #expect(error?.code == .unreadable)
  }
}
