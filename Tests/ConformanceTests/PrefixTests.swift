import JSONSift
import TestSupport
import Testing

/// A truncated text is never accepted as complete.
@Suite struct PrefixTests {
  /// The error of a text truncated at `count`: ill-formed UTF-8 if the cut is inside a character.
  private static func cut(_ bytes: [UInt8], at count: Int) -> Outcome {
    var start = count
    while start > 0, start < bytes.count, bytes[start] & 0xC0 == 0x80 { start -= 1 }
    return start < count ? .rejected("invalidUTF8", at: start) : .rejected("unexpectedEnd", at: count)
  }

  @Test func `every proper prefix of a document is rejected at its end`() throws {
    let bytes = SampleDocument.bytes
    #expect(bytes.count > 4000)
    #expect(events(of: bytes, chunk: nil).outcome == .accepted)
    var failures: [String] = []
    // In a debug build only every eighth byte is tried.
    for count in stride(from: 0, to: bytes.count, by: isDebug ? 8 : 1) {
      let prefix = Array(bytes[..<count])
      let expected = Self.cut(bytes, at: count)
      let parsed = Outcome { () throws(JSONError) in _ = try JSON(parsing: prefix) }
      if parsed != expected { failures.append("JSON(parsing:) of \(count) bytes: \(parsed), not \(expected)") }
      for size in [nil, 7] {
        let pushed = events(of: prefix, chunk: size).outcome
        if pushed != expected { failures.append("JSONPushReader of \(count) bytes: \(pushed), not \(expected)") }
      }
    }
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  /// Texts with the lengths at which a prefix is a complete document.
  static let short: [(text: String, whole: Set<Int>)] = [
    ("12.5e+3", [1, 2, 4, 7]), ("-0", [2]), ("-12", [2, 3]), ("0.5 \n", [1, 3, 4, 5]), ("true\t", [4, 5]),
    ("false", [5]), ("null  ", [4, 5, 6]), (#""a\"b\\" "#, [8, 9]), (#""\ud83d\ude00""#, [14]), ("\"é\"", [4]),
    (" [] ", [3, 4]), ("{}\r\n", [2, 3, 4]), (#"[1,{"a":[]}]"#, [12]), ("\u{FEFF}[0]\n", [6, 7]), (#""""#, [2]),
  ]

  @Test(arguments: 0..<short.count)
  func `a prefix is accepted only if it holds a whole value and white space`(index: Int) throws {
    let (text, whole) = Self.short[index]
    let bytes = Array(text.utf8)
    for count in 0...bytes.count {
      let prefix = Array(bytes[..<count])
      let failures = try EntryPoints.disagreements(
        on: prefix, expected: whole.contains(count) ? .accepted : Self.cut(bytes, at: count))
      #expect(failures.isEmpty, "\(count) bytes of \(text): \(summary(of: failures))")
    }
  }

  /// 64 lines, each of them one string.
  private static let strings = (0..<64).map { index in
    ["\"line \(index)\"", "\"\"", "\"é\(index)\"", "\"\\\"\\\\\"", "\"😀\\u00e9\"", "\"[{,:\""][index % 6]
  }

  @Test(arguments: [JSONFraming.lines, .values], [nil, 1, 5])
  func `every prefix of a stream of strings is rejected unless the cut falls between values`(
    framing: JSONFraming, chunk: Int?
  ) throws {
    let bytes = Array(Self.strings.map { $0 + "\n" }.joined().utf8)
    var between: Set<Int> = [0]
    var end = 0
    for string in Self.strings {
      end += string.utf8.count
      between.formUnion([end, end + 1])
      end += 1
    }
    var failures: [String] = []
    for count in 0...bytes.count {
      let records = EntryPoints.records(of: Array(bytes[..<count]), framing: framing, chunk: chunk)
      let expected: Outcome = between.contains(count) ? .accepted : Self.cut(bytes, at: count)
      // The truncated record begins after the last boundary between two values.
      let whole = between.filter { $0 <= count }.count / 2
      if records.outcome != expected || records.ranges.count != whole {
        failures.append("\(count) bytes: \(records.ranges.count) records and \(records.outcome), not \(expected)")
      }
    }
    #expect(failures.isEmpty, "\(summary(of: failures))")
  }

  static let openStrings: [(text: String, document: String, lines: String, values: String)] = [
    ("{} \"abc", "trailingContent@3", "trailingContent@3", "unexpectedEnd@7"),
    ("1 \"", "trailingContent@2", "trailingContent@2", "unexpectedEnd@3"),
    ("\"a\"\n\"b\"\n\"c", "trailingContent@4", "unexpectedEnd@10", "unexpectedEnd@10"),
    ("[]\n\"", "trailingContent@3", "unexpectedEnd@4", "unexpectedEnd@4"),
    ("null \"\\", "trailingContent@5", "trailingContent@5", "unexpectedEnd@7"),
  ]

  @Test(arguments: 0..<openStrings.count)
  func `an open string after whole values is rejected`(index: Int) throws {
    let (text, document, lines, values) = Self.openStrings[index]
    let bytes = Array(text.utf8)
    let expected = try #require(Outcome(document))
    let failures = try EntryPoints.disagreements(on: bytes, expected: expected)
    #expect(failures.isEmpty, "\(summary(of: failures))")
    for size in [nil, 1, 2, 3] {
      let asLines = EntryPoints.records(of: bytes, framing: .lines, chunk: size).outcome
      #expect(asLines == Outcome(lines))
      let asValues = EntryPoints.records(of: bytes, framing: .values, chunk: size).outcome
      #expect(asValues == Outcome(values))
    }
  }
}
