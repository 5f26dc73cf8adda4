import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// Paths that are matched in text that was validated and not parsed. The matches and the reported errors equal those of reading
/// every byte with libyajl.
@Suite struct ValidatedMatchTests {
  /// A match, and the number of bytes read before it was returned.
  struct Found: Equatable, CustomStringConvertible {
    let path: Int
    let location: String
    let range: Range<Int>
    let text: String
    let bytesRead: Int

    init(_ match: JSONMatch, _ bytesRead: Int) {
      path = match.pathIndex
      location = match.location.description
      range = match.byteRange
      text = match.value.rawText
      self.bytesRead = bytesRead
    }

    var description: String { "path \(path) at \(location), bytes \(range), after \(bytesRead)" }
  }

  struct Outcome: Equatable {
    var found: [Found] = []
    var error: JSONError?
    var reached: [Bool] = []
  }

  private static func validated(_ paths: [JSONPath], _ chunks: [[UInt8]], _ options: JSONOptions) throws -> Outcome {
    let chunks = CountedChunks(chunks)
    var matches = try JSONMatches(of: paths.map { ($0.description, $0) }, in: .chunks(chunks), options: options)
    var outcome = Outcome()
    do throws(JSONError) {
      while let match = try matches.next() { outcome.found.append(Found(match, chunks.bytesRead)) }
    } catch {
      outcome.error = error
    }
    outcome.reached = matches.summaries.map { $0.outcome != .absent }
    return outcome
  }

  /// Returns the matches if libyajl reads every byte and each event goes to the matcher.
  private static func parsed(_ paths: [JSONPath], _ chunks: [[UInt8]], _ options: JSONOptions) throws -> Outcome {
    var matcher = try PathMatcher(
      paths.map { try $0.checked() }, names: paths.map(\.description), limits: options.limits)
    // The whole text is read, also behind an early answer.
    matcher.isLooking = true
    var parser = ChunkedParser(options: options)
    var outcome = Outcome()
    var bytesRead = 0
    do throws(JSONError) {
      do throws(JSONError) {
        for chunk in chunks where !parser.isStopped {
          bytesRead += chunk.count
          try unsafe chunk.span.withUnsafeBytes { (chunk) throws(JSONError) in
            try unsafe parser.feed(chunk, into: &matcher)
          }
          while let match = try matcher.next() { outcome.found.append(Found(match, bytesRead)) }
        }
        if !parser.isStopped { try parser.finish(into: &matcher) }
      } catch {
        // Matches before the error are returned first.
        matcher.queue.releaseAll()
        while let match = try matcher.next() { outcome.found.append(Found(match, bytesRead)) }
        throw error
      }
      while let match = try matcher.next() { outcome.found.append(Found(match, bytesRead)) }
    } catch {
      let isIgnored = matcher.hasAnswers && !Self.followsAnswer(error, in: chunks, hasMatch: !outcome.found.isEmpty)
      outcome.error = isIgnored ? nil : error
    }
    outcome.reached = paths.indices.map { path in outcome.found.contains { $0.path == path } || matcher.reachedEnd(path)
    }
    return outcome
  }

  /// Returns whether an error behind an early answer is reported: a value, or what separates values, or any text if there is
  /// no match.
  private static func followsAnswer(_ error: JSONError, in chunks: [[UInt8]], hasMatch: Bool) -> Bool {
    guard error.code == .trailingContent else { return false }
    let rest = Array(chunks.joined().dropFirst(error.byteOffset))
    return !hasMatch || JSONFraming.beginsValue(rest[...])
      || rest.first.map { "\0\u{1E},;-#=*|".utf8.contains($0) } == true
  }

  /// Returns the borrowed texts, each after the number of its path; then the error.
  private static func borrowed(_ matches: consuming JSONMatches, _ limit: Int = .max) -> [String] {
    var matches = matches
    var texts: [String] = []
    while texts.count < limit {
      // Some are passed one by one, others as many at once as there are.
      if texts.count % 3 > 0 {
        let count = unsafe matches.borrowMatches { path, bytes in
          unsafe texts.append("\(path) \(String(decoding: bytes, as: UTF8.self))")
          return texts.count < limit && texts.count % 5 > 0
        }
        if count > 0 { continue }
      }
      do throws(JSONError) {
        var text: [UInt8] = []
        var number = -1
        let isThere = try unsafe matches.borrowNext { path, bytes in
          number = path
          unsafe text += bytes
        }
        guard isThere else { break }
        texts.append("\(number) \(String(decoding: text, as: UTF8.self))")
      } catch {
        if texts.last == "\(error)" { break }
        texts.append("\(error)")
      }
    }
    return texts
  }

  private static func options(_ change: (inout JSONOptions) -> Void) -> JSONOptions {
    var options = JSONOptions()
    change(&options)
    return options
  }

  static let allOptions: [JSONOptions] = [
    JSONOptions(), JSONOptions(), JSONOptions(loneSurrogates: .replace), options { $0.limits.depth = 3 },
    options { $0.limits.stringBytes = 3 }, options { $0.limits.keyBytes = 2 }, options { $0.limits.numberBytes = 3 },
    options { $0.limits.recordBytes = 12 }, options { $0.limits.tapeBytes = 4096 },
  ]

  /// The number of documents that each test generates; `JSONSIFT_TEST_ROUNDS` sets it.
  static let rounds =
    ProcessInfo.processInfo.environment["JSONSIFT_TEST_ROUNDS"].flatMap { Int($0) } ?? (isDebug ? 200 : 2000)

  static let paths = [
    "$[*].a", "$.a", "$.a.b", "$[0]", "$[1].a", "$.a[*]", "$[*]", "$.*", "$[*][*]", "$.a.*.b", "$[1:3]", "$.a[0]",
    "$[*].a.b", "$['a','b']", "$[-1]", "$.a[-2:]", "$[?@.a]", "$[*].b[0]", "$.x", "$[9]", "$.a.b.c",
  ]

  static let descendantPaths = [
    "$..a", "$..b", "$..c", "$..a.b", "$..a[*]", "$.a..b", "$[*]..a", "$..a[0]", "$..a[?@.b]", "$..['a','b']", "$..*",
    "$..[0]", "$..b.*", "$..a..b", "$[*]..c.a", "$..x", "$..*.a", "$..*[0]", "$..a[-1]", "$[2]..a", "$..['é']",
    "$..['e\u{301}']", "$..['']", "$..b.c", "$..*.*.b",
  ]

  /// Returns a random document, or an array of many, which may be damaged.
  static func damagedText(_ random: inout SeededGenerator) -> [UInt8] {
    var text = Array(random.document().utf8)
    if random.below(3) == 0 {
      var elements: [[UInt8]] = []
      for _ in 0..<(1 + random.below(30)) {
        elements.append(random.below(3) > 0 ? text : Array(random.document().utf8))
      }
      text = Array("[".utf8) + elements.joined(separator: Array(",".utf8)) + Array("]".utf8)
    }
    for _ in 0..<random.below(3) where !text.isEmpty {
      let offset = random.below(text.count)
      switch random.below(3) {
      case 0: text[offset] = random.pick(TextCheckerTests.bytes)
      case 1: text.insert(random.pick(TextCheckerTests.bytes), at: offset)
      default: text.removeSubrange(offset..<min(offset + 1 + random.below(3), text.count))
      }
    }
    return text
  }

  @Test(arguments: allOptions.indices)
  func `damaged documents give the same matches and errors after the same byte`(index: Int) throws {
    let options = Self.allOptions[index]
    var random = SeededGenerator.announced()
    var counts = (found: 0, wrong: 0)
    for _ in 0..<Self.rounds {
      let text = Self.damagedText(&random)
      let candidates = random.below(2) == 0 ? Self.paths : Self.descendantPaths
      let paths = try (0..<(1 + random.below(random.below(10) == 0 ? 9 : 3))).map { _ in
        try JSONPath(random.pick(candidates))
      }
      let size = random.pick([1, 1, 2, 7, 64, 200, 100 + random.below(1000), max(text.count, 1), max(text.count, 1)])
      let chunks = TestSupport.chunks(of: text, size: size)
      let (found, expected) = (try Self.validated(paths, chunks, options), try Self.parsed(paths, chunks, options))
      guard found == expected else {
        Issue.record(
          """
          \(random): \(paths.map(\.description)) in chunks of \(size): \(found), not \(expected): \
          \(String(decoding: text, as: UTF8.self))
          """)
        return
      }
      let borrowed = Self.borrowed(
        try JSONMatches(
          of: paths.map { ("", $0) }, in: .chunks(TestSupport.chunks(of: text, size: size)), options: options))
      let texts = found.found.map { "\($0.path) \($0.text)" } + (found.error.map { ["\($0)"] } ?? [])
      guard borrowed == texts else {
        Issue.record("\(random): \(paths.map(\.description)): \(String(decoding: text, as: UTF8.self))")
        return
      }
      if !found.found.isEmpty { counts.found += 1 }
      if found.error != nil { counts.wrong += 1 }
    }
    #expect(counts.found > Self.rounds / 20 && counts.wrong > Self.rounds / 20)
  }

  @Test func `a key cut inside a character is reported by the checker alone`() throws {
    let text: [UInt8] = Array("{\"b\":1,\"0c".utf8) + [0xE0, 0x0A, 0x22]
    let paths: [JSONPath] = ["$[*]"]
    for size in [1, 2, 100] {
      let chunks = chunks(of: text, size: size)
      let options = Self.options { $0.limits.keyBytes = 2 }
      #expect(try Self.validated(paths, chunks, options) == Self.parsed(paths, chunks, options), "chunks of \(size)")
    }
  }

  @Test func `a scalar after which reading may stop is read to its end`() throws {
    for text in ["-\n", "[-,1]", "{\"a\":tru}", "{\"a\":\"\\q\",\"b\":1}", "{\"a\":1", "{\"a\":1x}", "1e", "\"a"] {
      for path in ["$.a.b", "$.a", "$[0]", "$[0][0]"] {
        for size in [1, 2, 100] {
          let chunks = chunks(of: Array(text.utf8), size: size)
          let paths = [try JSONPath(path)]
          #expect(
            try Self.validated(paths, chunks, JSONOptions()) == Self.parsed(paths, chunks, JSONOptions()),
            "\(path) of \(text), chunks of \(size)")
        }
      }
    }
  }

  @Test func `a match is returned before more is read to judge what follows its document`() throws {
    let text = Array("[[1]] \"x\"\n, \"x\"\n, \"x\"\n, \"x\"\n]".utf8)
    for size in 1...text.count {
      let chunks = chunks(of: text, size: size)
      let found = try Self.validated(["$[0]"], chunks, JSONOptions())
      #expect(found == (try Self.parsed(["$[0]"], chunks, JSONOptions())), "chunks of \(size)")
    }
  }

  // MARK: Records

  struct Row: Equatable {
    var found: [String] = []
    var text: String?
    var error: JSONError?
    var line = 0

    /// The form of ``borrowed(_:_:)``.
    var borrowed: String? { text ?? error.map { "\($0)" } }
  }

  private static let limit = 1000

  /// Returns the matches of paths in records, and the errors of the records between.
  private static func validated(
    _ paths: [JSONPath], where condition: JSONCondition?, _ source: JSONSource, _ options: JSONRecordOptions
  ) throws -> [Row] {
    var matches = try JSONMatches(
      of: paths.map { ($0.description, $0) }, where: condition, in: source, records: options)
    var rows: [Row] = []
    while rows.count < limit {
      do throws(JSONError) {
        guard let match = try matches.next() else { break }
        rows.append(
          Row(
            found: ["\(match.byteRange)"], text: "\(match.pathIndex) \(match.value.rawText)",
            line: matches.recordLine ?? 0))
      } catch {
        if rows.last?.error == error { break }
        rows.append(Row(error: error, line: matches.recordLine ?? 0))
      }
    }
    return rows
  }

  /// Returns the same if libyajl reads every record and the paths are evaluated in memory.
  private static func parsed(
    _ paths: [JSONPath], where condition: JSONCondition?, _ source: JSONSource, _ options: JSONRecordOptions
  ) throws -> [Row] {
    var reader = try JSONRecordReader(source, options: options)
    var rows: [Row] = []
    while rows.count < limit {
      do throws(JSONError) {
        guard let record = try reader.next() else { break }
        if let condition, try !condition.holds(for: record.value) { continue }
        for (number, path) in paths.enumerated() {
          for value in try record.value.query(path) {
            rows.append(
              Row(found: ["\(value.byteRange ?? 0..<0)"], text: "\(number) \(value.rawText)", line: record.line))
          }
        }
      } catch {
        if rows.last?.error == error { break }
        rows.append(Row(error: error, line: reader.line))
      }
    }
    return rows
  }

  static let recordPaths = [
    "$.a", "$.b.c", "$.a.b", "$.a[0]", "$.a[*]", "$.b", "$[0]", "$.*", "$.x.y", "$['a']['b']", "$.b.*", "$.a[-1]",
    "$..c", "$", "$.a[?@ == $.b.c]", "$.b[?@ == 'x']",
  ]
  static let conditions = [
    "@.a", "@.b.c == null", "@.a[0] == 1", "@.x", "!@.a", "@.b.c == 'x'", "@.b[?@ == $.a.b]", "$.b.c == @.a.b",
  ]

  static let framings: [(JSONFraming, start: [String], end: [String], hasPrefix: Bool)] = [
    (.lines, [""], ["\n", "\n", "\r\n", "\n\n"], false), (.lines, ["", "INFO ", "[7] "], ["\n", "\r\n"], true),
    (.values, [""], ["\n", " ", "\n"], false), (.textSequence, ["\u{1E}"], ["\n"], false),
  ]

  @Test(arguments: framings.indices)
  func `damaged records give the same matches and errors`(index: Int) throws {
    let (framing, starts, ends, hasPrefix) = Self.framings[index]
    var random = SeededGenerator.announced()
    var counts = (found: 0, wrong: 0)
    for _ in 0..<Self.rounds {
      let reading = random.pick(Self.allOptions)
      var options = JSONRecordOptions(framing: framing, reading: reading)
      options.skipsPrefix = hasPrefix
      options.prefilter = random.pick([.automatic, .never])
      var text: [UInt8] = []
      for _ in 0..<random.below(40) {
        let line =
          random.below(3) > 0
          ? "{\"a\":\(random.pick(["1", "[1,2]", "{\"b\":\"x\"}"])),\"b\":{\"c\":\(random.pick(["null", "\"x\"", "-1.5"]))}}"
          : random.pick(RecordValidationTests.lines)
        text += Array((random.pick(starts) + line + random.pick(ends)).utf8)
      }
      for _ in 0..<random.below(3) where !text.isEmpty {
        text[random.below(text.count)] = random.pick(TextCheckerTests.bytes)
      }
      let paths = try (0..<(1 + random.below(3))).map { _ in try JSONPath(random.pick(Self.recordPaths)) }
      let condition = random.below(3) == 0 ? try JSONCondition(random.pick(Self.conditions)) : nil
      let size = random.pick([nil, 1, 7, 64, 1 + random.below(300)])
      func source() -> JSONSource { size.map { .chunks(chunks(of: text, size: $0)) } ?? .bytes(text) }
      let found = try Self.validated(paths, where: condition, source(), options)
      let expected = try Self.parsed(paths, where: condition, source(), options)
      guard found == expected else {
        let pair =
          zip(found, expected).first { $0 != $1 }.map { "\($0), not \($1)" } ?? "\(found.count), not \(expected.count)"
        Issue.record(
          """
          \(random): \(paths.map(\.description)), reads of \(size ?? 0): \(pair): \
          \(String(decoding: text, as: UTF8.self))
          """)
        return
      }
      let borrowed = Self.borrowed(
        try JSONMatches(of: paths.map { ("", $0) }, where: condition, in: source(), records: options), Self.limit)
      guard borrowed == found.compactMap(\.borrowed) else {
        Issue.record("\(random): \(paths.map(\.description)): \(String(decoding: text, as: UTF8.self))")
        return
      }
      if found.contains(where: { $0.error == nil }) { counts.found += 1 }
      if found.contains(where: { $0.error != nil }) { counts.wrong += 1 }
    }
    #expect(counts.found > Self.rounds / 20 && counts.wrong > Self.rounds / 20)
  }
}
