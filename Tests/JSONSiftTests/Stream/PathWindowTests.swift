import TestSupport
import Testing

@testable import JSONSift

/// Paths over one document that arrives in windows. The reader parses only the values that the paths request.
@Suite struct PathWindowTests {
  static let rounds = isDebug ? 300 : 4_000

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
    _ document: [UInt8], _ paths: [JSONPath], _ random: inout SeededGenerator, comparesAccepted: Bool
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

  private static func randomPath(_ random: inout SeededGenerator) throws -> JSONPath? {
    let (text, query) = random.query()
    return query.refersToRoot ? nil : try JSONPath(text)
  }

  @Test func `random paths select the same in random documents for any windows`() throws {
    var random = SeededGenerator.announced()
    var matched = 0
    for _ in 0..<Self.rounds {
      let bytes = Array(random.document().utf8)
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

  @Test(arguments: [
    ("$.a", "{\"a\":[1,2", JSONError.Code.unexpectedEnd, 9), ("$.b", "{\"a\":1", .unexpectedEnd, 6),
    ("$.a.b", "{\"a\":{\"b\":[1 2]}}", .unexpectedByte, 13), ("$.a[*]", "{\"a\":[1,]}", .unexpectedByte, 8),
    ("$.a[*]", "{\"a\":[1}]", .unexpectedByte, 7), ("$.a[*]", "{\"a\":[tru]}", .invalidLiteral, 9),
    ("$.a[*]", "{\"a\":[01]}", .invalidNumber, 7), ("$.*", "{\"a\\q\":1}", .invalidEscape, 4),
    ("$.*", "{\"\u{1}\":1}", .controlCharacter, 2), ("$.*", "{\"a\u{B}\":1}", .controlCharacter, 3),
    ("$.*", "{\"a\u{C}\":1}", .controlCharacter, 3), ("$.*", "{\"a\\ud800\":1}", .loneSurrogate, 3),
    ("$[*]", "[\"\\ud800\"]", .loneSurrogate, 2), ("$.b[*]", "{\"a\":[1}},\"b\":[]}", .unexpectedByte, 7),
    ("$.b[*]", "{\"a\":\"x", .unexpectedEnd, 7), ("$.b[*]", "{\"a\":1}}", .trailingContent, 7),
    ("$.b[*]", "", .unexpectedEnd, 0), ("$.b[*]", "{\"a\":[1},\"b\":[]}", .unexpectedByte, 7),
    ("$.b[*]", "{\"a\":1,\"b\" [2]}", .unexpectedByte, 11), ("$.b[*]", "{\"a\":1,\"b\":x}", .unexpectedByte, 11),
    ("$.*", "{\"a\":12x,\"b\":1}", .invalidNumber, 7), ("$[*]", "[1,2,\"a\u{7F}\",\"\\x\",{]", .invalidEscape, 12),
    ("$[*]", "[1,-,2]", .invalidNumber, 4), ("$[*]", "[1 ,x]", .unexpectedByte, 4),
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
}
