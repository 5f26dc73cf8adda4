import TestSupport
import Testing

@testable import JSONSift

/// Paths over one document that arrives in windows. The reader parses only the values that the paths request.
@Suite struct PathWindowTests {
  #if DEBUG
    static let rounds = 300
  #else
    static let rounds = 4_000
  #endif

  /// Returns the texts of the matches in their order, and the error.
  ///
  /// - Parameter whole: Whether the document is read as a whole before the paths are evaluated in it.
  static func run(
    _ paths: [JSONPath], _ bytes: [UInt8], _ size: Int, whole: Bool = false, limits: JSONLimits = JSONLimits()
  ) throws -> (lines: [String], error: JSONError?, summaries: [JSONMatches.Summary]) {
    var matches = try JSONMatches(
      of: paths.map { ($0.description, $0) }, in: .chunks(chunks(of: bytes, size: size)), keepsDocument: whole,
      options: JSONOptions(limits: limits))
    // Each path has its own order; matches of several paths are delivered as they become known.
    var lines: [[String]] = paths.map { _ in [] }
    var failure: JSONError?
    do throws(JSONError) {
      while let match = try matches.next() {
        lines[match.pathIndex].append("\(match.pathIndex) \(match.byteRange) \(match.location) \(match.value.rawText)")
      }
    } catch {
      failure = error
    }
    return (lines.flatMap { $0 }, failure, matches.summaries)
  }

  /// Damages a document at a few offsets, and compares the matches of paths in it in windows of several sizes.
  ///
  /// - Parameter comparesAccepted: Whether to compare with the whole document too, if it is accepted.
  /// - Returns: Whether the document was rejected; `nil` if there was a difference, which is recorded.
  static func damage(
    _ document: [UInt8], _ paths: [JSONPath], _ random: inout SeededRandom, comparesAccepted: Bool
  ) throws -> Bool? {
    var bytes = document
    for _ in 0..<1 + random.below(3) {
      bytes[random.below(bytes.count)] = random.pick(Array("{}[]\",:\\0tx \u{1}".utf8))
    }
    let whole = try run(paths, bytes, bytes.count)
    for size in [1, 1 + random.below(300), 64] {
      let found = try run(paths, bytes, size)
      guard found.lines == whole.lines, found.error == whole.error else {
        Issue.record(
          "\(paths) in windows of \(size) of \(String(decoding: bytes, as: UTF8.self)): \(found), not \(whole)")
        return nil
      }
    }
    let validated = try run(paths, bytes, bytes.count, whole: true)
    if validated.error == nil, comparesAccepted {
      guard whole.lines == validated.lines, whole.error == nil else {
        Issue.record("\(paths) of \(String(decoding: bytes, as: UTF8.self)): \(whole), not \(validated)")
        return nil
      }
    }
    return whole.error != nil
  }

  private static func randomPath(_ random: inout SeededRandom) throws -> JSONPath? {
    var maker = RandomQuery(random: random)
    let query = maker.query()
    var spelling = QuerySpelling(random: maker.random)
    let text = spelling.text(query)
    random = spelling.random
    return query.refersToRoot ? nil : try JSONPath(text)
  }

  private static func randomDocument(_ random: inout SeededRandom) -> [UInt8] {
    var writer = RandomDocument(random: random)
    let text = writer.document()
    random = writer.random
    return Array(text.utf8)
  }

  @Test func `random paths select the same in random documents for any windows`() throws {
    var random = SeededRandom.announced()
    var matched = 0
    for _ in 0..<Self.rounds {
      let bytes = Self.randomDocument(&random)
      var paths: [JSONPath] = []
      for _ in 0..<(random.below(5) == 0 ? 3 : 1) { if let path = try Self.randomPath(&random) { paths.append(path) } }
      if paths.isEmpty { continue }
      let expected = try Self.run(paths, bytes, max(bytes.count, 1), whole: true)
      try #require(expected.error == nil)
      if !expected.lines.isEmpty { matched += 1 }
      for size in [1, 2 + random.below(8), 1 + random.below(300), max(bytes.count, 1)] {
        let found = try Self.run(paths, bytes, size)
        guard found.lines == expected.lines, found.error == nil, found.summaries == expected.summaries else {
          Issue.record(
            """
            \(paths) in windows of \(size) of
            \(String(decoding: bytes, as: UTF8.self))
            selects \(found)
            not     \(expected)
            """)
          return
        }
      }
    }
    #expect(matched > Self.rounds / 10)
  }

  @Test func `long documents give the same in windows with arbitrary boundaries`() throws {
    var random = SeededRandom.announced()
    var all = 0
    let documents = isDebug ? 1 : 4
    for _ in 0..<documents {
      var writer = RandomDocument(random: random)
      var parts: [String] = []
      for number in 0..<(isDebug ? 1_500 : 3_000) {
        parts.append(
          "{\"id\":\(number),\"skipped\":\(writer.document()),\"user\":{\"x\":[{}],\"id\":\(writer.document())}}")
      }
      random = writer.random
      let bytes = Array("{\"meta\":{\"version\":1},\"records\":[\(parts.joined(separator: ",\n"))]}\n".utf8)
      for text in [
        "$.records[*].user.id", "$.records[5].user", "$.records[7:90:3]['id','user']", "$.meta.version",
        "$.records[-2:]",
        "$.records[?@.id < 9].user.id", "$.records[*].user..a", "$.records[*]", "$.*[*].skipped[*]", "$.records",
        "$.none",
      ] {
        let path = try JSONPath(text)
        let expected = try Self.run([path], bytes, 1 << 16, whole: true)
        all += expected.lines.count
        for size in [97 + random.below(200), 1 << 16, bytes.count] {
          let found = try Self.run([path], bytes, size)
          #expect(found.lines == expected.lines && found.error == nil, "\(text) in windows of \(size)")
        }
      }
    }
    #expect(all > documents * (isDebug ? 1_250 : 2_500))
  }

  @Test func `escapes before quotes end strings correctly at every offset in a block`() throws {
    for shift in 0..<64 {
      for backslashes in 0..<6 {
        let blank = String(repeating: " ", count: shift)
        let escapes = String(repeating: "\\\\", count: backslashes / 2) + (backslashes % 2 == 1 ? "\\\"" : "")
        let text = """
          {\(blank)"x":"\(escapes)","y":["\(escapes)]","{\(escapes)"],"z\(escapes)":{"\(escapes)":"}"},"a":"\(escapes)}","b":[1]}
          """
        let bytes = Array(text.utf8)
        let paths: [JSONPath] = ["$.a", "$.b[0]", "$.*"]
        // In a debug build one of the paths at each offset.
        for path in isDebug ? [paths[(shift + backslashes) % 3]] : paths {
          let expected = try Self.run([path], bytes, bytes.count, whole: true)
          try #require(expected.error == nil && !expected.lines.isEmpty)
          for size in [1, 63, 64, 65, bytes.count] {
            let found = try Self.run([path], bytes, size)
            #expect(found.lines == expected.lines && found.error == nil, "\(text) in windows of \(size)")
          }
        }
      }
    }
  }

  @Test func `damaged documents give the same matches up to the damage, or an error, and never trap`() throws {
    var random = SeededRandom.announced()
    var rejected = 0
    for _ in 0..<Self.rounds {
      var bytes = Self.randomDocument(&random)
      if random.below(2) == 0 {
        bytes.removeLast(1 + random.below(bytes.count))
      } else {
        for _ in 0..<1 + random.below(3) {
          bytes[random.below(bytes.count)] =
            random.below(4) == 0
            ? UInt8(random.below(256)) : random.pick(Array("{}[]\",:\\0tx ".utf8))
        }
      }
      guard let path = try Self.randomPath(&random) else { continue }
      let validated = try Self.run([path], bytes, max(bytes.count, 1), whole: true)
      let whole = try Self.run([path], bytes, max(bytes.count, 1))
      for size in [1, 1 + random.below(20)] {
        let found = try Self.run([path], bytes, size)
        guard found.lines == whole.lines, found.error == whole.error else {
          Issue.record("\(path) in windows of \(size) of \(bytes): \(found), not \(whole) as in one")
          return
        }
      }
      if whole.error != nil { rejected += 1 }
      if validated.error == nil {
        #expect(
          whole.lines == validated.lines && whole.error == nil, "\(path) of \(String(decoding: bytes, as: UTF8.self))")
      }
    }
    #expect(rejected > Self.rounds / 4)
  }

  @Test(arguments: [
    ("$.a", "{\"a\":[1,2", JSONError.Code.unexpectedEnd, 9), ("$.b", "{\"a\":1", .unexpectedEnd, 6),
    ("$.a.b", "{\"a\":{\"b\":[1 2]}}", .unexpectedByte, 13), ("$.a[*]", "{\"a\":[1,]}", .unexpectedByte, 8),
    ("$.a[*]", "{\"a\":[1}]", .unexpectedByte, 7), ("$.a[*]", "{\"a\":[tru]}", .invalidLiteral, 9),
    ("$.a[*]", "{\"a\":[01]}", .invalidNumber, 7), ("$.*", "{\"a\\q\":1}", .invalidEscape, 4),
    ("$.*", "{\"\u{1}\":1}", .controlCharacter, 2), ("$.*", "{\"a\u{B}\":1}", .controlCharacter, 3),
    ("$.*", "{\"a\u{C}\":1}", .controlCharacter, 3), ("$.*", "{\"a\\ud800\":1}", .loneSurrogate, 3),
    ("$[*]", "[\"\\ud800\"]", .loneSurrogate, 2),
    ("$.b[*]", "{\"a\":[1}},\"b\":[]}", .unexpectedByte, 7), ("$.b[*]", "{\"a\":\"x", .unexpectedEnd, 7),
    ("$.b[*]", "{\"a\":1}}", .trailingContent, 7), ("$.b[*]", "", .unexpectedEnd, 0),
    ("$.b[*]", "{\"a\":[1},\"b\":[]}", .unexpectedByte, 7), ("$.b[*]", "{\"a\":1,\"b\" [2]}", .unexpectedByte, 11),
    ("$.b[*]", "{\"a\":1,\"b\":x}", .unexpectedByte, 11), ("$.*", "{\"a\":12x,\"b\":1}", .invalidNumber, 7),
    ("$[*]", "[1,2,\"a\u{7F}\",\"\\x\",{]", .invalidEscape, 12), ("$[*]", "[1,-,2]", .invalidNumber, 4),
    ("$[*]", "[1 ,x]", .unexpectedByte, 4),
    ("$[*].a", "[{},,]", .unexpectedByte, 4),
  ])
  func `damage to structure or to a result is reported at its offset`(
    _ path: String, _ text: String, _ code: JSONError.Code, _ offset: Int
  ) throws {
    let bytes = Array(text.utf8)
    for size in 1...max(bytes.count, 1) {
      let error = try Self.run([JSONPath(path)], bytes, size).error
      #expect(error?.code == code && error?.byteOffset == offset, "in windows of \(size): \(String(describing: error))")
    }
  }

  @Test func `a key of a location that is not UTF-8 is reported at its first invalid byte`() throws {
    for (bytes, offset) in [([0x61, 0xFF, 0x62], 3), ([0xC3, 0x28], 2), ([0xED, 0xA0, 0x80], 2)] as [([UInt8], Int)] {
      let text = Array("{\"".utf8) + bytes + Array("\":{\"x\":1}}".utf8)
      for path in ["$.*", "$.*.x", "$..x"] as [JSONPath] {
        for size in 1...text.count {
          let error = try Self.run([path], text, size).error
          #expect(error == JSONError(.invalidUTF8, at: offset), "\(path) in windows of \(size) of \(bytes)")
        }
      }
    }
  }

  @Test func `an error after a truncated number or literal names the byte that follows`() throws {
    for (path, text) in [
      ("$.a", "{\"a\":tru}"), ("$.a", "{\"b\":1,\"a\":1e,\"c\":2}"), ("$.*", "{\"b\":-}"), ("$[*]", "[fals]"),
      ("$[*]", "[1,2.]"),
    ] {
      let bytes = Array(text.utf8)
      let expected = try Self.run([JSONPath(path)], bytes, bytes.count, whole: true).error
      for size in [1, bytes.count] {
        let found = try Self.run([JSONPath(path)], bytes, size).error
        #expect(found?.message == expected?.message && found != nil, "\(text)")
      }
    }
  }

  @Test func `a definite path stops reading after its match`() throws {
    let bytes = Array("{\"x\":{\"y\":[1]},\"a\":{\"b\":7},!".utf8)
    let found = try Self.run([JSONPath("$.a.b")], bytes, 3)
    #expect(found.lines == ["0 24..<25 $['a']['b'] 7"] && found.error == nil)
  }

  @Test func `a withdrawn match is not counted`() throws {
    for text in ["{\"a\":1,\"b\":truX}", "{\"a\":1,\"b\":\"\\x\",\"c\":2}"] {
      let found = try Self.run([JSONPath("$.*")], Array(text.utf8), text.utf8.count)
      #expect(found.lines == ["0 5..<6 $['a'] 1"] && found.error != nil)
      #expect(found.summaries.map { $0.count } == [1], "\(text): \(found)")
    }
  }

  @Test func `a definite path without possible matches stops at the end of the innermost container`() throws {
    let bytes = Array("{\"c\":[{\"a\":1},[2]], damage ]}".utf8)
    for size in 1...bytes.count {
      let found = try Self.run([JSONPath("$.c.c.a")], bytes, size)
      #expect(found.lines.isEmpty && found.error == nil, "in windows of \(size)")
    }
  }

  @Test func `keys that are not requested may be long and be cut at any offset`() throws {
    let paths = [JSONPath("$.b.c"), JSONPath("$.w[*]"), JSONPath("$.a")]
    for (name, limits) in [("k", JSONLimits()), ("\\u006b", JSONLimits()), ("k", JSONLimits.unlimited)] {
      let key = String(repeating: name, count: limits == .unlimited ? 100_000 : 10_000)
      let bytes = Array("{\"\(key)\":1,\"b\":{\"c\":0},\"a\":2,\"\(key)\":3}".utf8)
      let offset = bytes.count - key.utf8.count - 7
      for size in [997, 1 << 16, bytes.count] {
        let found = try Self.run(paths, bytes, size, limits: limits)
        #expect(found.error == nil && found.lines.last == "2 \(offset)..<\(offset + 1) $['a'] 2", "\(found)")
      }
    }
  }

  @Test func `limits hold for all values`() throws {
    var limits = JSONLimits()
    limits.depth = 3
    func code(_ path: String, _ text: String) throws -> JSONError.Code? {
      try Self.run([JSONPath(path)], Array(text.utf8), 4, limits: limits).error?.code
    }
    #expect(try code("$.a", "{\"a\":[[1]]}") == nil && code("$.a", "{\"a\":[[[1]]]}") == .depthLimit)
    #expect(try code("$.a.b[0].c", "{\"a\":{\"b\":[{}]}}") == .depthLimit)
    limits = JSONLimits()
    limits.keyBytes = 3
    #expect(try code("$.*", "{\"abcd\":1}") == .keyLimit && code("$.a", "{\"abcd\":1,\"a\":2}") == .keyLimit)
    #expect(try code("$.abcd", "{\"abcd\":1}") == .keyLimit)
    limits.recordBytes = 6
    #expect(try code("$.a", "{\"a\":[1,2,3]}") == .recordLimit && code("$.a", "{\"b\":[1,2,3],\"a\":[1,2]}") == nil)
  }
}
