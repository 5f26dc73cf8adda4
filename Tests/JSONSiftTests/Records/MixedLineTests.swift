import TestSupport
import Testing

@testable import JSONSift

/// Records of one or several lines between lines of other text.
@Suite struct MixedLineTests {
  private func options(
    maxLines: Int = 1000, _ limits: JSONLimits = JSONLimits(), prefix: Bool = false
  ) -> JSONRecordOptions {
    var options = JSONRecordOptions(framing: .lines, reading: JSONOptions(limits: limits))
    options.steps = [.mixed(maxLines: maxLines)]
    options.skipsPrefix = prefix
    return options
  }

  private func read(_ text: String, _ options: JSONRecordOptions, size: Int? = nil) throws -> [String] {
    try readLines(Array(text.utf8), options, size: size).map { found in
      switch found {
      case .record(let text, let line): "\(line) \(text.replacing("\r", with: "~"))"
      case .bad(let line, _, let raw, _): "\(line) bad \(raw)"
      }
    }
  }

  /// What has to be found: each attempt parses its text from the start for each further line.
  private func expected(_ lines: [String], maxLines: Int, _ limits: JSONLimits) -> [String] {
    var found: [String] = []
    var first = 0
    while first < lines.count {
      defer { first += 1 }
      guard let byte = lines[first].utf8.first(where: { !$0.isJSONWhitespace }), byte | 0x20 == UInt8(ascii: "{") else {
        continue
      }
      var (last, text) = (first, lines[first])
      while true {
        let error = jsonError { _ = try JSON(parsing: Array((text + "\r").utf8), options: JSONOptions(limits: limits)) }
        if text.utf8.count <= limits.recordBytes, error == nil {
          found.append("\(first + 1) \(text.replacing("\r", with: "~"))")
          first = last
          break
        }
        last += 1
        guard text.utf8.count <= limits.recordBytes, error?.code == .unexpectedEnd, last < lines.count,
          last - first < maxLines
        else {
          found.append("\(first + 1) bad \(lines[first])")
          break
        }
        text += "\r" + lines[last]
      }
    }
    return found
  }

  private static let pieces = [
    "{", "}", "[", "]", "[", "{", "},", "],", "1", "2,", #""a":"#, #""b":"#, #"{"a":1}"#, #"{"a":1},"#, "[1,", "[[",
    "]]", "[{",
    "}]", #"{"a":["#, #"{"a":{"#, #""c":["#, "", " ", #""s"#, "tru", "null", "text", "x [1]", #"{"a":"]"}"#,
    #"["\ud83d"]"#,
    #"["\ud83d\ude00","#, "[[[[[[[[[", "]]]]]]]]]", #"{"k":"}"#, ",", "[] []", "{}",
  ]

  @Test func `records over several lines are those of a parser that begins again at each line`() throws {
    var random = SeededGenerator.announced()
    for _ in 0..<(isDebug ? 1500 : 60_000) {
      var lines = (0..<(1 + random.below(24))).map { _ in random.pick(Self.pieces) }
      // Some of a kind, so that they go on for longer.
      if random.below(3) == 0 {
        let few = [random.pick(Self.pieces), random.pick(Self.pieces), random.pick(Self.pieces)]
        lines = lines.map { _ in random.pick(few) }
      }
      var limits = JSONLimits()
      if random.below(2) == 0 { limits.depth = 1 + random.below(12) }
      if random.below(3) == 0 { limits.recordBytes = 4 + random.below(40) }
      let maxLines = random.below(2) == 0 ? 1 + random.below(8) : 1000
      let trimmed = expected(lines, maxLines: maxLines, limits).map { $0.trimmed }
      let text = lines.joined(separator: "\n")
      let sizes: [Int?] = [nil, 1 + random.below(20)]
      for size in sizes {
        let found = try read(text, options(maxLines: maxLines, limits), size: size).map { $0.trimmed }
        #expect(
          found == trimmed,
          "\(random), at most \(maxLines) lines, depth \(limits.depth), \(limits.recordBytes) bytes: \(text)")
      }
    }
  }

  @Test func `records over several lines are the same under every chunking`() throws {
    var random = SeededGenerator(seed: 52)
    let text = (0..<300).map { _ in random.pick(Self.pieces) + "\n" }.joined()
    #expect(
      try differenceOverEveryChunking(of: Array(text.utf8)) { try readLines(Array(text.utf8), options(), size: $0) }
        == nil)
  }

  @Test func `a record has its first line, and an unfinished one is bad by that line`() throws {
    let text = "start\n{\n  \"a\": [1,\n  2]\n}\n[INFO] text\n{\"b\":\n{\"c\":3}\n\n{\"d\":4"
    let found = try readLines(Array(text.utf8), options())
    #expect(
      found == [
        .record(text: "{\r  \"a\": [1,\r  2]\r}", line: 2), .bad(line: 7, range: 38..<43, raw: #"{"b":"#, offset: 43),
        .record(text: #"{"c":3}"#, line: 8), .bad(line: 10, range: 53..<59, raw: #"{"d":4"#, offset: 59),
      ])
  }

  @Test(arguments: [nil, 1, 7])
  func `the prefix of each line of a record is left out, and escape sequences behind it`(size: Int?) throws {
    let text = """
      12:01:09 app | {
      12:01:10 app |   "a": [
      12:01:10 app |     1 ]
      12:01:11 app | }
      12:01:12 [app] {"b":[1]}
      12:01:13 [app] starts
      12:01:14 [app] {"c":
      3}
      12:01:15 [app] {"d":
      12:01:15 app | [5]
      \u{1B}[32m{\u{1B}[0m
      "k":1\u{1B}[0m
      }\u{1B}[0m
      """
    #expect(
      try read(text, options(prefix: true), size: size) == [
        #"1 {~  "a": [~    1 ]~}"#, #"5 {"b":[1]}"#, #"7 {"c":~3}"#, #"9 bad 12:01:15 [app] {"d":"#, "10 [5]",
        #"11 {~"k":1~}"#,
      ])
  }

  @Test func `the content of joined lines can be records over several lines`() throws {
    let lines = ["P {", #"F "a":"#, "F 1}", "F text", #"F {"b" 2}"#].map { "2023-01-27T13:40:28.9Z stdout \($0)" }
    var options = options()
    options.steps = [.join(.cri), .mixed()]
    let found = try readLines(Array(lines.joined(separator: "\n").utf8), options)
    let start = lines[..<4].joined(separator: "\n").utf8.count + 1
    #expect(
      found == [
        .record(text: "{\"a\":\r1}", line: 1),
        .bad(line: 5, range: start..<(start + lines[4].utf8.count), raw: lines[4], offset: start + 37),
      ])
  }

  @Test func `half of a surrogate pair that is replaced does not end a record`() throws {
    var options = options()
    options.reading.loneSurrogates = .replace
    #expect(try read("{\"a\":\n\"\\ud83d\"\n,\"\\ude00\":[\n1]}", options) == [#"1 {"a":~"\ud83d"~,"\ude00":[~1]}"#])
  }

  @Test func `the containers around a record are forgotten, and those inside of it are not`() throws {
    let opening = (0..<1500).map { _ in "[\n{\"a\":\n" }.joined()
    let found = try read(opening + "0\n" + String(repeating: "}\n]\n", count: 1500), options(maxLines: 101))
    #expect(found.count == 2951)
    #expect(found.dropLast().allSatisfy { $0.contains(" bad ") })
    let record =
      Array(repeating: "[~{\"a\":", count: 25).joined(separator: "~") + "~0~"
      + Array(repeating: "}~]", count: 25).joined(separator: "~")
    #expect(found.last == "2951 " + record)
  }

  @Test func `lines that are nested without end are bad, each by itself`() throws {
    let count = isDebug ? 3000 : 100_000
    let found = try read(String(repeating: "[\n", count: count), options(maxLines: 100))
    #expect(found.count == count)
    #expect(found.last == "\(count) bad [")
  }
}

extension String {
  /// The text without blanks around the value.
  fileprivate var trimmed: String { replacing(" ", with: "").replacing("~~", with: "~") }
}
