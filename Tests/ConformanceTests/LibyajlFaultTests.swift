import JSONSift
import TestSupport
import Testing

/// Texts that end the process, or are read wrongly, in a libyajl with known faults: CVE-2017-16516 and issue 260 of its
/// project. `Scripts/check sanitizers yajl` runs this suite with such a library, so a text that reached it would end the run.
@Suite struct LibyajlFaultTests {
  /// Escaped texts, and what they are if lone surrogates are replaced. The first lone surrogate is at the offset.
  private static let traps: [(escaped: String, lone: Int, replaced: String)] = [
    (#"\uD800\\DC00"#, 0, "\u{FFFD}\\DC00"), (#"\ud800\\a"#, 0, "\u{FFFD}\\a"), (#"\ud800\\u"#, 0, "\u{FFFD}\\u"),
    (#"e2d\ud83d\\u0"#, 3, "e2d\u{FFFD}\\u0"), (#"\uDBFF\\"#, 0, "\u{FFFD}\\"), (#"\uD800\\\\x"#, 0, "\u{FFFD}\\\\x"),
    (#"\udbff\"\\q"#, 0, "\u{FFFD}\"\\q"), (#"\uD83D\n\\t"#, 0, "\u{FFFD}\n\\t"), (#"\uD800"#, 0, "\u{FFFD}"),
    (#"\ud83d\ude00\uD83D\\u12"#, 12, "\u{1F600}\u{FFFD}\\u12"), (#"\\\ud9aB\\\u0041"#, 2, "\\\u{FFFD}\\A"),
    (#"\\uD83D\uD83D\\x"#, 7, "\\uD83D\u{FFFD}\\x"), (#"\uD83D\uD83D\\x"#, 0, "\u{FFFD}\u{FFFD}\\x"),
    (#"\uD83D\u0041\\uD83D\\"#, 0, "\u{FFFD}A\\uD83D\\"), (#"\uD8001\\\\\uD800\\\\"#, 0, "\u{FFFD}1\\\\\u{FFFD}\\\\"),
  ]

  /// Documents around an escaped text, as a value and as a key. The long ones are validated before they are parsed.
  private static let documents: [(head: String, tail: String)] = {
    let long = "[" + String(repeating: #"{"id":1,"name":"x"},"#, count: 20)
    return [
      (#"[""#, #""]"#), (#"{"e":{""#, #"":"a"}}"#), (#"{"a":{"e":""#, #""},"b":[1,"c"]}"#),
      (long + "\"", #"",12,"z"]"#), (long + "{\"", #"":0},"z"]"#), (#"[""#, #"","# + String(long.dropFirst()) + "0]"),
    ]
  }()

  @Test(arguments: 0..<traps.count)
  func `CVE-2017-16516 and yajl issue 260: every entry point reports the lone surrogate`(index: Int) throws {
    let trap = Self.traps[index]
    for (head, tail) in Self.documents {
      let bytes = Array((head + trap.escaped + tail).utf8)
      let expected = Outcome.rejected("loneSurrogate", at: head.utf8.count + trap.lone)
      let found = try EntryPoints.disagreements(on: bytes, expected: expected)
      #expect(found.isEmpty, "\(head)\(trap.escaped)\(tail) \(summary(of: found))")
      #expect(throws: DecodingError.self) { try JSONSiftDecoder().decode(JSON.self, from: bytes) }
      let lines = bytes + [0x0A] + Array("[1]\n".utf8)
      #expect(EntryPoints.records(of: lines, framing: .lines, chunk: nil).outcome == expected)
    }
  }

  @Test(arguments: 0..<traps.count)
  func `CVE-2017-16516 and yajl issue 260: with replacement every entry point reads the text`(index: Int) throws {
    let trap = Self.traps[index]
    let options = JSONOptions(loneSurrogates: .replace)
    for (head, tail) in Self.documents {
      let text = head + trap.escaped + tail
      let bytes = Array(text.utf8)
      let whole = try JSON(parsing: bytes, options: options)
      #expect(Self.texts(of: whole).contains(trap.replaced), "\(text)")

      let reading = events(of: bytes, chunk: nil, options: options)
      #expect(reading.error == nil)
      #expect(reading.events.contains { $0.text.utf8.elementsEqual(trap.replaced.utf8) && $0.isEscaped }, "\(text)")
      let sizes: [Int?] = (1...16).map { $0 } + [64]
      if let difference = differenceOverEveryChunking(of: bytes, sizes: sizes, options: options) {
        Issue.record("\(text) \(difference)")
      }
      for cut in 1..<bytes.count {
        if let difference = reading.difference(from: events(of: bytes, cutAt: [cut], options: options)) {
          Issue.record("\(text) cut at \(cut): \(difference)")
        }
      }
      let file = try TemporaryFile(bytes)
      #expect(Self.texts(of: try JSON(contentsOf: file.path, options: options)).contains(trap.replaced))
      for size in [1, 7, 64] {
        for framing in [JSONFraming.document, .lines, .values] {
          var reader = try JSONRecordReader(
            .chunks(Chunks(bytes, size: size)), framing: framing, options: options)
          let record = try #require(try reader.next())
          #expect(Self.texts(of: record.value).contains(trap.replaced), "\(text) as \(framing) in chunks of \(size)")
        }
        var matches = try JSONMatches(of: "$[*]", in: .chunks(Chunks(bytes, size: size)), options: options)
        var texts: [String] = []
        while let match = try matches.next() { texts += Self.texts(of: match.value) }
        if head.hasSuffix("[\"") { #expect(texts.contains(trap.replaced), "\(text) in chunks of \(size)") }
      }
    }
  }

  /// Returns the strings and keys of a value.
  private static func texts(of json: JSON) -> [String] {
    if let string = json.string { return [string] }
    return json.flatMap { key, value in (json.type == .dictionary ? [key] : []) + texts(of: value) }
  }
}
