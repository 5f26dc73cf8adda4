import TestSupport
import Testing

@testable import JSONSift

@Suite struct PrefixRecordTests {
  private static var options: JSONRecordOptions {
    return with(JSONRecordOptions(framing: .lines, recovery: .report)) { $0.skipsPrefix = true }
  }

  private static func trace(_ bytes: [UInt8], size: Int) throws -> [String] {
    var reader = try JSONRecordReader(.chunks(chunks(of: bytes, size: size)), options: options)
    var lines: [String] = []
    while let element = try reader.nextResult() {
      switch element {
      case .success(let record):
        let prefix = String(decoding: record.prefix, as: UTF8.self)
        #expect(record.byteRange.lowerBound >= record.prefix.count)
        lines.append("\(prefix)|\(record.value.rawText)")
      case .failure(let bad): lines.append("\(bad.error.code)@\(bad.error.byteOffset - bad.byteRange.lowerBound)")
      }
    }
    return lines
  }

  static let lines: [(String, String)] = [
    (#"2024-05-01T10:00:00.1Z stdout F {"a":1}"#, #"2024-05-01T10:00:00.1Z stdout F |{"a":1}"#),
    (#"[INFO] {"a":1}"#, #"[INFO] |{"a":1}"#), (#"[INFO][main] [1,2]"#, #"[INFO][main] |[1,2]"#),
    (
      #"<34>1 2003-10-11T22:14:15.003Z host su - ID47 - {"a":[1]}  "#,
      #"<34>1 2003-10-11T22:14:15.003Z host su - ID47 - |{"a":[1]}"#
    ),
    (#"I0102 15:04:05 1 file.go:12] {"a":1}"#, #"I0102 15:04:05 1 file.go:12] |{"a":1}"#),
    (#"labels{x=1} it's {"a":"} {"}"#, #"labels{x=1} it's |{"a":"} {"}"#),
    (#"web-1  | {"a":{"b":[{}]}}"#, #"web-1  | |{"a":{"b":[{}]}}"#),
    // No prefix.
    (#"{"a":1}"#, #"|{"a":1}"#), ("[1,2]", "|[1,2]"), ("5", "|5"), ("-1.5e3", "|-1.5e3"), ("true", "|true"),
    (#""a {} [1]""#, #"|"a {} [1]""#), (#"  {"a":1}"#, #"  |{"a":1}"#),
    // An array as a prefix, and two values on a line.
    (#"[7] {"a":1}"#, #"[7] |{"a":1}"#), ("[7] [8]", "trailingContent@4"), (#"x {"a":1}{"b":2}"#, "trailingContent@9"),
    (#"{"a":1}{"b":2}"#, "trailingContent@7"), (#"x {"a":1} y"#, "trailingContent@10"),
    (#"x {"a":1} [2]"#, "trailingContent@10"), ("[x] [7] [y] [8]", "trailingContent@8"),
    // A truncated record: no value is extracted from its middle.
    (#"{"id":1,"u":{"n":1}"#, "unexpectedEnd@19"), (#"x {"id":1,"u":{"n":1}"#, "unexpectedEnd@21"),
    (#"[1,2,{"a":1}"#, "unexpectedEnd@12"), (#"x {"a":1,}"#, "unexpectedByte@9"),
    // No value.
    ("some text here", "unexpectedByte@0"), ("[INFO] done", "unexpectedByte@1"), (#"x "a""#, "unexpectedByte@0"),
    ("x 5", "unexpectedByte@0"),
  ]

  @Test(arguments: lines)
  func `text before the value is skipped and kept`(line: String, expected: String) throws {
    for end in ["", "\n", "\r\n"] {
      let bytes = Array((line + end).utf8)
      for size in [1, 2, 3, 7, bytes.count] {
        #expect(try Self.trace(bytes, size: size) == [expected], "chunks of \(size)")
      }
    }
  }

  @Test func `a prefix may be invalid UTF-8 but a value may not`() throws {
    let prefix: [UInt8] = [0xE9, 0x20, 0x5B, 0xFF, 0x5D, 0x20]
    let bytes = prefix + Array("{\"a\":1}\n".utf8) + Array("x {\"a\":\"".utf8) + [0xFF] + Array("\"}\n".utf8)
    for size in 1...bytes.count {
      var reader = try JSONRecordReader(.chunks(chunks(of: bytes, size: size)), options: Self.options)
      let record = try reader.next()
      #expect(record?.prefix == prefix)
      #expect(record?.byteRange == prefix.count..<(prefix.count + 7))
      #expect(try reader.next() == nil)
      #expect(reader.errorCount == 1)
    }
    #expect(try Self.trace(bytes, size: bytes.count).last == "invalidUTF8@8")
  }

  @Test func `a byte order mark before a prefix is part of it`() throws {
    #expect(try Self.trace(Array("\u{FEFF}x {\"a\":1}".utf8), size: 99) == ["\u{FEFF}x |{\"a\":1}"])
    #expect(try Self.trace(Array("\u{FEFF}{\"a\":1}".utf8), size: 99) == ["\u{FEFF}|{\"a\":1}"])
  }

  @Test(arguments: ["[", "{", "[]", "[x]", "{}x", "[\"", "x[{"])
  func `the cost of a line of brackets is proportional to its length`(chunk: String) throws {
    // At quadratic cost this would take hours.
    let line = "x " + String(repeating: chunk, count: 200_000 / chunk.utf8.count)
    #expect(try Self.trace(Array(line.utf8), size: 1 << 20).count == 1)
  }

  @Test func `without the option a prefix is an error`() throws {
    var reader = try JSONRecordReader(.bytes(Array("[INFO] {}\n  {}\n".utf8)))
    #expect(jsonError { _ = try reader.next() }?.byteOffset == 1)
    #expect(try reader.next()?.prefix == Array("  ".utf8))
  }
}
