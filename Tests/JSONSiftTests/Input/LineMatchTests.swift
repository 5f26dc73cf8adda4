import TestSupport
import Testing

@testable import JSONSift

/// Lines in which paths of names lead to scalars. A kernel scans such lines without parsing them.
@Suite struct LineMatchTests {
  static let rounds = isDebug ? 200 : 4_000

  /// How lines are read.
  private enum Mode { case matching, keeping }

  /// Returns the matches, each with the state of the reader at it, and the errors.
  private static func find(
    _ paths: [JSONPath], _ bytes: [UInt8], reads size: Int?, _ mode: Mode, limit: Int = .max,
    _ change: (inout JSONRecordOptions) -> Void = { _ in }
  ) throws -> [String] {
    var options = JSONRecordOptions(framing: .lines)
    change(&options)
    let source = size.map { JSONSource.chunks(chunks(of: bytes, size: $0)) } ?? .bytes(bytes)
    // Paths given as `keeping` make the reader keep the record's document, which excludes the kernel.
    var matches = try JSONMatches(
      of: paths.map { ($0.description, $0) }, where: nil, in: source, records: options, keepsDocument: false,
      resumingAt: nil, keeping: mode == .keeping ? paths : nil)
    var found: [String] = []
    while found.count < limit {
      do throws(JSONError) {
        guard let match = try matches.next() else { break }
        found.append(
          "line \(matches.recordLine ?? 0), \(match.pathIndex) \(match.byteRange) \(match.location) \(match.value.rawText)"
        )
      } catch {
        let bad = matches.badRecord(of: error)
        let position = matches.position(of: error)
        found.append(
          "error \(error.code) at \(error.byteOffset) \(position.line):\(position.column), record \(bad?.line ?? 0) "
            + "\(bad?.byteRange ?? 0..<0) \(bad?.rawBytes.count ?? 0)")
        if error.code.endsInput { break }
      }
      matches.content.records.borrow { found.append("\($0.reader.checkpoint) \($0.reader.recordBytes.byteCount)") }
    }
    matches.content.records.borrow { found.append("\($0.reader.checkpoint) \($0.reader.line)") }
    // The summaries are incomplete in the middle of a record.
    if limit == .max { found.append("\(matches.summaries)") }
    return found
  }

  private static let scalars = ["1", "-0.5e3", "\"\"", #""x""#, #""\u00e9\"}""#, "true", "false", "null", #""é""#]
  private static let others = [
    #""b":{"a":[{}]}"#, #""s":"\"a\":{""#, #""n":[1,[2,{"a":3}],"]"]"#, #""\u0062":0"#, #""aa":{"b":1}"#,
    #""x\\":"\\""#,
    #""":{}"#,
  ]
  /// Lines in which the value of `$.a.b` is missing, repeated, invalid or written in an unusual form.
  private static let irregularLines = [
    #"{"a":7}"#, #"{"a":{"b":[1]}}"#, #"{"a":{"b":{"c":1}}}"#, "[]", "{}", "7", #"{"\u0061":{"b":1}}"#,
    #"{"a":{"\u0062":2}}"#, #"{"a":{"b":1},"a":{"b":2}}"#, #"{"a":{"b":1,"b":2}}"#, #"{"a":null,"a":{"b":2}}"#, "",
    "  ", "\t", #" {"a":{"b":3}}"#, #"{"a":{"b":4}} "#, #"{"a":{"b":4}}7"#, #"{"a":{"b":01}}"#, #"{"a":{"b":tru}}"#,
    #"{"a":{"b":1.5.2}}"#, #"{"a":{"b":"\q"}}"#, #"{"a":{"b":"}}"#, #"{"a":{"b":1}"#, #"{"a":{"b":1]}"#,
    #"{"a":{"b" 1}}"#, #"{"a":{"b":}}"#, #"{"a":{"b":1,}}"#, #"{"a":{"b":"\ud800"}}"#, #"{"a":{"b":1}}}"#,
    #"{"a":{"b":1}}{"a":{"b":2}}"#, "{\"a\":{\"b\":\"\u{1}\"}}", "{\"a\":{\"b\":\"\u{7F}\"}}",
    "\u{FEFF}{\"a\":{\"b\":1}}",
  ]

  private static func regularLine(_ random: inout SeededGenerator) -> String {
    var members: [String] = []
    for _ in 0..<random.below(4) { members.append(random.pick(others)) }
    if random.below(8) > 0 {
      let inner = random.below(3) == 0 ? "\"c\":[{\"b\":9}]," : ""
      let blank = random.pick(["", "", " "])
      let scalar = random.pick(scalars)
      let value = random.below(10) == 0 ? "{}" : "{\(inner)\(blank)\"b\"\(blank):\(blank)\(scalar)\(blank)}"
      members.insert("\"a\":\(value)", at: random.below(members.count + 1))
    }
    return "{\(members.joined(separator: random.pick([",", " , "])))}"
  }

  private static func text(_ random: inout SeededGenerator, lines: Int, odd: Int) -> [UInt8] {
    var text = ""
    for _ in 0..<lines {
      text += random.below(odd) == 0 ? random.pick(irregularLines) : regularLine(&random)
      text += random.pick(["\n", "\n", "\n", "\n", "\r\n", " \n"])
    }
    if random.below(3) == 0 { text.removeLast() }
    return Array(text.utf8)
  }

  @Test func `random lines give the same matches as their documents, with the same reader state at each`() throws {
    var random = SeededGenerator.announced()
    var matched = 0
    for _ in 0..<Self.rounds {
      let bytes = Self.text(&random, lines: 1 + random.below(90), odd: random.pick([4, 30, 10_000]))
      let paths = try (0..<random.pick([1, 1, 2, 3, 5])).map { _ in
        try JSONPath(
          random.pick([
            "$.a.b", "$['a'].b", "$.a", "$.n", "$.s", "$['']", "$.aa.b", "$['x\\\\']", "$.a.none", "$.none.a", "$.a.c",
          ]))
      }
      let limit = random.below(4) == 0 ? random.below(20) : Int.max
      let expected = try Self.find(paths, bytes, reads: nil, .keeping, limit: limit)
      for size in [nil, 1 + random.below(300), 1 + random.below(3000)] {
        let found = try Self.find(paths, bytes, reads: size, .matching, limit: limit)
        guard found == expected else {
          let index = zip(found, expected).prefix { $0 == $1 }.count
          Issue.record(
            """
            \(paths), reads of \(String(describing: size)) of
            \(String(decoding: bytes, as: UTF8.self))
            found \(found.dropFirst(index).prefix(3))
            not \(expected.dropFirst(index).prefix(3))
            """)
          return
        }
      }
      if expected.count > 20 { matched += 1 }
    }
    #expect(matched > Self.rounds / 4)
  }

  private static let kept = [
    "$.a", "$.a.b", "$.a.c", "$.a.c[0]", "$.a.c[*].b", "$.n", "$.n[-1]", "$.n[1][1].a", "$.n[?@ == ']']", "$.s",
    "$.none", "$.b.a", "$.b.a[0]", "$.aa..b", "$.aa", "$['x\\\\']", "$.a[0]", "$.a.b.c", "$.n[?@ == $.s]",
    "$.b.a[?@.x == $.a.b]",
  ]

  /// Returns the values that paths select in each valid record, with the checkpoint after it, and the errors in between.
  private static func collect(
    _ paths: [JSONPath], _ reader: inout JSONRecordReader, _ limits: JSONLimits
  ) throws -> [String] {
    var found: [String] = []
    while found.count < 10_000 {
      do throws(JSONError) {
        guard let record = try reader.next() else { break }
        let questions = PathEvaluations(of: record.value, count: 1, limits: limits)
        found.append("line \(record.line) at \(record.value.byteRange ?? 0..<0)")
        for (number, path) in paths.enumerated() {
          let values = try questions.values(path)
          if path.isSingular { #expect(try questions.value(ofSingular: path) == values.first) }
          for value in values { found.append("\(number) \(value.byteRange ?? 0..<0) \(value.rawText)") }
        }
        found.append("\(reader.checkpoint)")
      } catch {
        found.append("\(error) \(reader.position(of: error))")
        if error.code.endsInput { break }
      }
    }
    return found
  }

  /// Returns the same, with the texts of a record passed where possible. Counts the borrowed records.
  private static func collectRows(
    _ paths: [JSONPath], _ reader: inout JSONRecordReader, _ limits: JSONLimits, borrowed: inout Int
  ) throws -> [String] {
    var found: [String] = []
    while found.count < 10_000 {
      var row: [String] = []
      if unsafe reader.borrowRows(
        { unsafe row.append("\($0) \(String(decoding: $1, as: UTF8.self))") }, endRow: { false }) > 0
      {
        borrowed += 1
        found += ["line \(reader.line)"] + row + ["\(reader.checkpoint)"]
        continue
      }
      do throws(JSONError) {
        guard let record = try reader.next() else { break }
        found.append("line \(reader.line)")
        let questions = PathEvaluations(of: record.value, count: 1, limits: limits)
        for (number, path) in paths.enumerated() {
          for value in try questions.values(path) { found.append("\(number) \(value.rawText)") }
        }
        found.append("\(reader.checkpoint)")
      } catch {
        found.append("\(error) \(reader.position(of: error))")
        if error.code.endsInput { break }
      }
    }
    return found
  }

  @Test(.enabled(if: ValidationScan.isOn, "the environment switches the validation off"))
  func `borrowed column texts equal those of the records, with the same reader state at each`()
    throws
  {
    var random = SeededGenerator.announced()
    var borrowed = 0
    for _ in 0..<(isDebug ? 100 : 600) {
      var lines: [String] = []
      for _ in 0..<(1 + random.below(60)) {
        lines.append(random.below(10) == 0 ? random.pick(Self.irregularLines) : Self.regularLine(&random))
      }
      let text = Array((lines.joined(separator: "\n") + random.pick(["", "\n"])).utf8)
      let paths = try (0..<(1 + random.below(4))).map { _ in try JSONPath(random.pick(Self.kept)) }
      var options = JSONRecordOptions(framing: .lines)
      if random.below(4) == 0 { options.reading.limits.depth = 1 + random.below(4) }
      let size = random.pick([nil, 1 + random.below(300), 1 + random.below(3000)])
      func source() -> JSONSource { size.map { .chunks(chunks(of: text, size: $0)) } ?? .bytes(text) }
      var whole = try JSONRecordReader(source(), options: options)
      var none = 0
      let expected = try Self.collectRows(paths, &whole, options.reading.limits, borrowed: &none)
      var reader = try JSONRecordReader(source(), options: options)
      try reader.keep(only: paths)
      let found = try Self.collectRows(paths, &reader, options.reading.limits, borrowed: &borrowed)
      #expect(found == expected && none == 0, "\(random): \(paths.map(\.description)), reads of \(size ?? 0)")
    }
    #expect(borrowed > 50)
  }

  @Test(arguments: [JSONFraming.lines, .values, .textSequence], [false, true])
  func `kept records hold only the requested values, and these are the values of the record`(
    framing: JSONFraming, hasPrefix: Bool
  ) throws {
    guard framing == .lines || !hasPrefix else { return }
    var random = SeededGenerator.announced()
    var matched = 0
    let rounds = isDebug ? 50 : 150
    for _ in 0..<rounds {
      var text: [UInt8] = []
      for _ in 0..<(1 + random.below(60)) {
        let line = random.below(10) == 0 ? random.pick(Self.irregularLines) : Self.regularLine(&random)
        text += Array(((framing == .textSequence ? "\u{1E}" : hasPrefix ? "12:30 " : "") + line + "\n").utf8)
      }
      let paths = try (0..<(1 + random.below(4))).map { _ in try JSONPath(random.pick(Self.kept)) }
      var options = with(JSONRecordOptions(framing: framing)) { $0.skipsPrefix = hasPrefix }
      if random.below(4) == 0 { options.reading.limits.depth = 1 + random.below(4) }
      let size = random.pick([nil, 1 + random.below(300), 1 + random.below(3000)])
      func source() -> JSONSource { size.map { .chunks(chunks(of: text, size: $0)) } ?? .bytes(text) }
      var whole = try JSONRecordReader(source(), options: options)
      let expected = try Self.collect(paths, &whole, options.reading.limits)
      var reader = try JSONRecordReader(source(), options: options)
      try reader.keep(only: paths)
      let found = try Self.collect(paths, &reader, options.reading.limits)
      guard found == expected else {
        let index = zip(found, expected).prefix { $0 == $1 }.count
        Issue.record(
          """
          \(random): \(paths.map(\.description)), reads of \(size ?? 0), depth \(options.reading.limits.depth):
          found \(found.dropFirst(index).prefix(3))
          not \(expected.dropFirst(index).prefix(3))
          \(String(decoding: text, as: UTF8.self))
          """)
        return
      }
      if found.count > 30 { matched += 1 }
    }
    #expect(matched > rounds / 4)
  }

  @Test(.enabled(if: ValidationScan.isOn, "the environment switches the validation off"))
  func `the kernel handles all lines of the usual form`() throws {
    let lines = (0..<5000).map { #"{"n":[\#($0)],"s":"é","a":{"b":\#($0)}}"# }
    var reader = try JSONRecordReader(.bytes(Array((lines.joined(separator: "\n") + "\n").utf8)))
    let paths: [JSONPath] = ["$.a.b", "$.x", "$.a.b", "$.s"]
    var trees = LineTrieScanner.of(try paths.map { try $0.checked() }, JSONOptions())
    var record = try reader.next()
    #expect(record != nil)
    for number in 1..<5000 {
      for (query, text) in [(0, "\(number)"), (2, "\(number)"), (3, "\"é\"")] {
        let next = trees?.nextMatch(&reader)
        let match = try #require(next)
        let value = try trees?.value(of: match, &reader).0
        let line = reader.line
        #expect(match.query == query && value?.rawText == text && line == number + 1)
      }
    }
    let hasMore = trees?.nextMatch(&reader) != nil
    record = try reader.next()
    #expect(!hasMore && record == nil)
  }
}
