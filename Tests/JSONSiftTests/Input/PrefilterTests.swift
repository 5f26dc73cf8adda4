import TestSupport
import Testing

@testable import JSONSift

/// The records for which a condition holds, and everything reported about them, with the prefilter and without.
@Suite struct PrefilterTests {
  static let documents = isDebug ? 6_000 : 20_000

  /// The results, and the number of lines ruled out.
  private struct Found: Equatable {
    var records: [String] = []
    var checkpoint: JSONCheckpoint?
    var errors = 0
    var failure: JSONError?
    var ruledOut = 0

    /// Everything except what differs by design.
    var results: Found { Found(records: records, checkpoint: checkpoint, failure: failure) }
    /// The same if bad lines are counted.
    var counted: Found { Found(records: records, checkpoint: checkpoint, errors: errors, failure: failure) }
  }

  private static func options(
    _ prefilter: JSONRecordOptions.Prefilter, _ recovery: JSONRecordOptions.Recovery = .skip
  ) -> JSONRecordOptions {
    return with(JSONRecordOptions(framing: .lines, recovery: recovery)) { $0.prefilter = prefilter }
  }

  private static func find(
    _ condition: JSONCondition, in source: JSONSource, _ options: JSONRecordOptions
  ) throws -> Found {
    var matches = try JSONMatches(of: [("", JSONPath("$"))], where: condition, in: source, records: options)
    var found = Found()
    do throws(JSONError) {
      while let match = try matches.next() {
        found.records.append("\(matches.recordLine ?? 0) \(match.byteRange) \(match.value.rawText)")
      }
    } catch {
      found.failure = error
    }
    matches.content.records.borrow {
      found.checkpoint = $0.reader.checkpoint
      found.errors = $0.reader.errorCount
    }
    found.ruledOut = matches.tally.ruledOut
    return found
  }

  private static func difference(_ condition: JSONCondition, _ bytes: [UInt8], size: Int?) throws -> (String?, Found) {
    let source = { size.map { JSONSource.chunks(chunks(of: bytes, size: $0)) } ?? .bytes(bytes) }
    let plain = try find(condition, in: source(), options(.never))
    let filtered = try find(condition, in: source(), options(.always))
    guard plain.results == filtered.results else {
      return ("\(condition), reads of \(String(describing: size)): \(filtered), not \(plain)", filtered)
    }
    for recovery in [JSONRecordOptions.Recovery.stop, .report] {
      let parsed = try find(condition, in: source(), options(.never, recovery))
      let validated = try find(condition, in: source(), options(.automatic, recovery))
      guard parsed.counted == validated.counted else {
        return ("\(condition), \(recovery), reads of \(size ?? 0): \(validated), not \(parsed)", filtered)
      }
    }
    return (nil, filtered)
  }

  // MARK: Random

  @Test func `random conditions find the same random records under any read size`() throws {
    var random = SeededGenerator.announced()
    var (documents, ruledOut, found) = (0, 0, 0)
    while documents < Self.documents {
      let condition = try random.condition()
      guard !RequiredLiterals(condition.filter).clauses.isEmpty else { continue }
      var text = ""
      for _ in 0..<1 + random.below(12) {
        text += random.document().replacing("\n", with: " ")
        text += random.pick(["\n", "\n", "\n", "\r\n", "\n\n", " \n"])
        documents += 1
      }
      if random.below(3) == 0 { text.removeLast() }
      let size = random.below(4) == 0 ? nil : 1 + random.below(300)
      let (difference, filtered) = try Self.difference(condition, Array(text.utf8), size: size)
      if let difference {
        Issue.record("\(difference)\n\(text)")
        return
      }
      ruledOut += filtered.ruledOut
      found += filtered.records.count
    }
    #expect(ruledOut > Self.documents / 10)
    #expect(found > Self.documents / 200)
  }

  @Test func `tasks and workers find the same records`() async throws {
    var random = SeededGenerator.announced()
    let bytes = Self.adversarial(&random, 300)
    for text in ["@.level == 'error'", "@.level == 'error' || @.error", "search(@.message, 'err')"] {
      let condition = try JSONCondition(text)
      let expected = try Self.find(condition, in: .bytes(bytes), Self.options(.never)).records
      #expect(!expected.isEmpty)
      for prefilter in [JSONRecordOptions.Prefilter.never, .automatic, .always] {
        for size in [1, 7, 300, 3000, 1 << 18] {
          var records = JSONRecords(bytes: bytes, options: Self.options(prefilter)).where(condition)
          records.request.readBytes = size
          var found: [String] = []
          for try await record in records { found.append("\(record.line) \(record.byteRange) \(record.value.rawText)") }
          #expect(found == expected, "\(text), \(prefilter), reads of \(size)")
          guard size > 1 else { continue }
          for workers in [1, 3] {
            let side = records.workers(workers) { "\($0.line) \($0.byteRange) \($0.value.rawText)" }
            found = []
            for try await record in side { found.append(record) }
            #expect(found == expected, "\(text), \(prefilter), reads of \(size), \(workers) workers")
          }
        }
      }
    }
  }

  // MARK: Adversaries

  /// `error` in several spellings, and strings similar to it.
  private static let words = [
    "error", "\\u0065rror", "erro\\u0072", "\\u0065\\u0072\\u0072\\u006F\\u0072", "err\\u006for", "\\\\u0065rror",
    "\\\\\\u0065rror", "error\\u0000", "\\\"error\\\"", "error\\\\", "\\/error", "Error", "err\\nor", "\\u00e9rror",
    "info",
  ]
  private static let keys = ["level", "\\u006cevel", "lev\\u0065l", "error", "Level", "level\\\\", "message"]
  private static let broken = [
    "{\"level\":\"error\"", "{\"level\":error}", "\"error", "{\"level\":\"error\",}",
    "{\"level\":\"\\u00zz\",\"error\"}", "\u{1}", "]", "{\"level\":\"info\"}}", "error", "\"error\" \"level\"",
  ]

  private static func adversarial(_ random: inout SeededGenerator, _ count: Int) -> [UInt8] {
    var text = ""
    for _ in 0..<count {
      switch random.below(10) {
      case 0: text += random.pick(broken)
      case 1: text += random.pick(["", " ", "\r", "\t"])
      default:
        var members: [String] = []
        for _ in 0..<random.below(5) {
          let blank = random.pick(["", " ", "\t"])
          let value = random.below(6) == 0 ? "[\"\(random.pick(words))\"]" : "\"\(random.pick(words))\""
          members.append("\"\(random.pick(keys))\"\(blank):\(blank)\(value)")
        }
        text += "{\(members.joined(separator: ","))}"
      }
      text += "\n"
    }
    return Array(text.utf8)
  }

  static let conditions = [
    "@.level == 'error'", "@.level == 'error' && @.message", "@.error", "@.level == 'error' || @.message == 'info'",
    "search(@.level, 'err')", "@.level == '/error'", "@.level == 'éérror'", "@.level == '\\\\u0065rror'",
    "@.level == '\"error\"'", "@['level\\\\']", "@..[?@ == 'error']", "!(@.level != 'error')", "@.level == 'err\\nor'",
  ]

  @Test(arguments: conditions)
  func `spellings, decoys and bad lines do not change the result under any read size`(text: String) throws {
    let condition = try JSONCondition(text)
    var random = SeededGenerator.announced()
    var found = 0
    // In a debug build every third size, different ones for each condition.
    let rest = text.utf8.count % 3
    let small = (1...64).filter { !isDebug || $0 % 3 == rest }
    for size in small + [100, 255, 300, nil] as [Int?] {
      let (difference, filtered) = try Self.difference(condition, Self.adversarial(&random, 40), size: size)
      if let difference {
        Issue.record(Comment(rawValue: difference))
        return
      }
      found += filtered.records.count
    }
    // A value that no line has is the only one without a match.
    #expect((found > 0) == (text != "@.level == 'éérror'"))
  }

  @Test func `backslashes before quotes neither hide nor create a required literal at any offset in a block`() throws {
    let condition = try JSONCondition("@.level == 'error'")
    for offset in 0..<64 {
      // In a debug build each offset has one size.
      let sizes = [nil, 1, 63, 64, 65] as [Int?]
      var text = ""
      for slashes in 0..<6 {
        let pad = String(repeating: "x", count: offset)
        let escapes = String(repeating: "\\\\", count: slashes)
        text += "{\"pad\":\"\(pad)\(escapes)\",\"level\":\"error\"}\n"
        text += "{\"pad\":\"\(pad)\(escapes)\\\",\\\"level\\\":\\\"error\\\"\"}\n"
        text += "{\"pad\":\"\(pad)\(escapes)\\\"error\",\"level\":\"info\"}\n"
        text += "{\"pad\":\"\(pad)\(escapes)\",\"level\":\"\\u0065rror\"}\n"
        text += "{\"pad\":\"\(pad)\(escapes)\",\"level\":\"info\"}\n"
      }
      for size in isDebug ? [sizes[offset % sizes.count]] : sizes {
        let (difference, filtered) = try Self.difference(condition, Array(text.utf8), size: size)
        #expect(difference == nil)
        #expect(filtered.records.count == 12)
        #expect(filtered.ruledOut >= 12)
      }
    }
  }

  @Test func `lines whose escapes cannot spell a character of a required literal are ruled out`() throws {
    let condition = try JSONCondition("@.level == 'error'")
    let lines = [
      #"{"m":"a\nb\tc \"quoted\" \\ \/ \b\f\r","level":"info"}"#, #"{"m":"\u00e9\u4e2d\ud83d\ude00","level":"info"}"#,
      #"{"m":"\u0009\u0031","level":"info"}"#,
    ]
    let found = try Self.find(
      condition, in: .bytes(Array(lines.joined(separator: "\n").utf8) + [10]), Self.options(.always))
    #expect(found.ruledOut == 3)
    let hidden = try Self.find(
      condition, in: .bytes(Array("{\"m\":\"\\u0061\",\"level\":\"info\"}\n".utf8)), Self.options(.always))
    #expect(hidden.ruledOut == 0)
  }

  // MARK: Reported errors

  private static let mixed = Array(
    "{\"level\":\"info\"}\nbad\n{\"level\":\"error\"}\n{\"level\":\"error\"\n\u{FFFD}\n{\"level\":\"error\"}\n".utf8)

  @Test func `bad lines that are ruled out are not counted, thrown or reported`() throws {
    let condition = try JSONCondition("@.level == 'error'")
    let plain = try Self.find(condition, in: .bytes(Self.mixed), Self.options(.never))
    let filtered = try Self.find(condition, in: .bytes(Self.mixed), Self.options(.automatic))
    #expect(plain.errors == 3)
    #expect(filtered.errors == 1)
    #expect(filtered.ruledOut == 3)
    #expect(filtered.results == plain.results)
    let stopped = try Self.find(condition, in: .bytes(Self.mixed), Self.options(.always, .stop))
    #expect(stopped.failure?.byteOffset == 55)
    #expect(stopped.records.count == 1)
  }

  @Test func `the counted bad lines depend neither on the reads nor on where the prefilter is suspended`() throws {
    var random = SeededGenerator.announced()
    let condition = try JSONCondition("@.level == 'error'")
    let error = "{\"level\":\"error\",\"pad\":\"\(String(repeating: "x", count: 4000))\"}\n"
    // In the second part the prefilter is suspended.
    var bytes = Self.adversarial(&random, 200) + Array(String(repeating: error, count: 70).utf8)
    bytes += Self.adversarial(&random, 200) + Array("\"error".utf8)
    let whole = try Self.find(condition, in: .bytes(bytes), Self.options(.always))
    let plain = try Self.find(condition, in: .bytes(bytes), Self.options(.never))
    #expect(whole.results == plain.results)
    #expect(whole.errors > 0)
    #expect(whole.errors < plain.errors)
    for size in [1, 2, 63, 64, 300, 4096] {
      let found = try Self.find(condition, in: .chunks(chunks(of: bytes, size: size)), Self.options(.always))
      #expect(found.results == whole.results)
      #expect(found.errors == whole.errors)
    }
  }

  @Test(.enabled(if: ValidationScan.isOn, "the environment switches the validation off"))
  func `if bad lines are counted, only valid JSON lines are ruled out`() throws {
    let condition = try JSONCondition("@.level == 'error'")
    for (recovery, errors) in [(JSONRecordOptions.Recovery.stop, 1), (.report, 3)] {
      let found = try Self.find(condition, in: .bytes(Self.mixed), Self.options(.automatic, recovery))
      #expect(found.ruledOut == 1)
      #expect(found.errors == errors)
    }
    var options = with(Self.options(.automatic)) { $0.maxErrors = 2 }
    let limited = try Self.find(condition, in: .bytes(Self.mixed), options)
    #expect(limited.failure?.code == .tooManyErrors)
    #expect(limited.ruledOut == 1)
    options.prefilter = .always
    #expect(try Self.find(condition, in: .bytes(Self.mixed), options).ruledOut == 3)
    let other = try Self.find(JSONCondition("@.level != 'info'"), in: .bytes(Self.mixed), Self.options(.automatic))
    #expect(other.ruledOut == 0)
  }

  @Test func `a condition that exceeds its limit does so with the prefilter too`() throws {
    let long = "{\"a\":[" + Array(repeating: "1", count: 500).joined(separator: ",") + "]}\n{\"a\":[1],\"b\":\"x\"}\n"
    for text in ["count(@.a[*]) == 1 && @.b == 'x'", "count(@..a[?@..b]) == 0 && @.b == 'x'"] {
      var options = with(Self.options(.never)) { $0.reading.limits.querySteps = 400 }
      let condition = try JSONCondition(text)
      let plain = try Self.find(condition, in: .bytes(Array(long.utf8)), options)
      options.prefilter = .automatic
      let filtered = try Self.find(condition, in: .bytes(Array(long.utf8)), options)
      #expect(plain.failure?.code == .queryLimit)
      #expect(filtered == plain)
    }
  }

  @Test func `other framings are read without a prefilter`() throws {
    for framing in [JSONFraming.values, .document] {
      let options = with(Self.options(.always)) { $0.framing = framing }
      let found = try Self.find(JSONCondition("@.a == 'x'"), in: .bytes(Array("{\"a\":1}".utf8)), options)
      #expect(found == Found(checkpoint: found.checkpoint))
    }
  }

  @Test func `a line may have text before its value`() throws {
    var options = with(Self.options(.never)) { $0.skipsPrefix = true }
    let bytes = Array(
      "\"error\" x {\"level\":\"info\"}\n2025 {\"level\":\"error\"}\nx y\nz {\"level\":\"warn\"}\n".utf8)
    let condition = try JSONCondition("@.level == 'error'")
    let plain = try Self.find(condition, in: .bytes(bytes), options)
    options.prefilter = .always
    let filtered = try Self.find(condition, in: .bytes(bytes), options)
    #expect(filtered.results == plain.results)
    #expect(filtered.records.count == 1)
    #expect(filtered.ruledOut == 2)
  }

  @Test func `a line that is too long is reported once, and the following matches are found`() throws {
    var options = with(Self.options(.never)) { $0.reading.limits.recordBytes = 40 }
    let long = "{\"m\":\"" + String(repeating: "error ", count: 100) + "\"}"
    let bytes = Array("{\"m\":1}\n\(long)\n{\"level\":\"error\"}\n{\"m\":2}\n\(long)\n{\"level\":\"error\"}".utf8)
    let condition = try JSONCondition("@.level == 'error'")
    for size in [nil, 1, 39, 40, 41, 300] as [Int?] {
      let source = { size.map { JSONSource.chunks(chunks(of: bytes, size: $0)) } ?? .bytes(bytes) }
      options.prefilter = .never
      let plain = try Self.find(condition, in: source(), options)
      options.prefilter = .always
      let filtered = try Self.find(condition, in: source(), options)
      #expect(filtered.results == plain.results)
      #expect(filtered.errors == plain.errors)
      #expect(filtered.errors == 2)
      #expect(filtered.records.count == 2)
    }
  }

  @Test func `many short lines before an incomplete long one are read in linear time`() throws {
    // A comparison of literals is not evaluated on texts, so the prefilter stays on.
    let condition = try JSONCondition("@.level == 'error' && 1 == 1")
    let pair = "{\"level\":\"error\"}\n{\"level\":\"info\"}\n"
    let long = "{\"level\":\"error\",\"m\":\"" + String(repeating: "x", count: 200_000) + "\"}\n"
    let text = Array((String(repeating: pair, count: 1500) + long).utf8)
    let (difference, filtered) = try Self.difference(condition, text, size: 100_000)
    #expect(difference == nil)
    #expect(filtered.records.count == 1501)
    #expect(filtered.ruledOut == 1500)
  }

  // MARK: Suspension

  @Test(arguments: [("", 1, false), ("", 5, true), (" ", 1, true)])
  func `where texts decide the condition of lines that a kernel accepts, the prefilter must rule out three quarters`(
    blank: String, infos: Int, staysOn: Bool
  ) throws {
    let condition = try JSONCondition("@.level == 'error'")
    let lines = "\(blank){\"level\":\"error\"}\n" + String(repeating: "\(blank){\"level\":\"infos\"}\n", count: infos)
    let text = Array(String(repeating: lines, count: 500).utf8)
    let (difference, filtered) = try Self.difference(condition, text, size: 100_000)
    #expect(difference == nil)
    #expect(filtered.records.count == 500)
    // Without the validation, no kernel accepts a line.
    #expect((filtered.ruledOut > 450 * infos) == (staysOn || !ValidationScan.isOn), "\(filtered.ruledOut)")
  }

  @Test func `the prefilter is suspended while most lines are parsed, and resumes`() throws {
    let condition = try JSONCondition("@.level == 'error'")
    let error = "{\"level\":\"error\",\"pad\":\"\(String(repeating: "x", count: 4000))\"}\n"
    let info = error.replacing("error", with: "infos")
    let few = String(repeating: error + info + info + info, count: 100)
    let text = String(repeating: error, count: 300) + String(repeating: info, count: 300) + few
    let (difference, filtered) = try Self.difference(condition, Array(text.utf8), size: nil)
    #expect(difference == nil)
    #expect(filtered.records.count == 400)
    // The first lines, none of them ruled out, suspend the prefilter for a megabyte, which includes the first of the other
    // lines.
    #expect(filtered.ruledOut > 500)
    #expect(filtered.ruledOut < 600)
  }
}
