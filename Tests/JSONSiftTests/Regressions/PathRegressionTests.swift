import TestSupport
import Testing

@testable import JSONSift

/// One test for each externally reported fault of paths over streams.
@Suite struct PathRegressionTests {
  private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  private struct Run {
    var found: [[String]]
    var summaries: [JSONMatches.Summary] = []
    var error: JSONError?
    var maxQueued = 0
  }

  private func run(
    _ paths: [String], _ text: String, size: Int? = nil, limits: JSONLimits = JSONLimits(),
    framing: JSONFraming = .document
  ) throws -> Run {
    let bytes = Array(text.utf8)
    let source = size.map { JSONSource.chunks(chunks(of: bytes, size: $0)) } ?? .bytes(bytes)
    var matches = try JSONMatches(
      of: paths.map { ($0, try JSONPath($0)) }, in: source, framing: framing, options: JSONOptions(limits: limits))
    var run = Run(found: paths.map { _ in [] })
    do throws(JSONError) {
      while let match = try matches.next() {
        run.found[match.pathIndex].append("\(match.location) \(match.byteRange) \(match.value.rawText)")
      }
    } catch {
      run.error = error
    }
    run.summaries = matches.summaries
    return run
  }

  private func inMemory(_ path: String, _ text: String) throws -> [String] {
    try JSON(parsing: text).matches(of: JSONPath(path)).map {
      "\($0.location) \($0.value.byteRange ?? 0..<0) \($0.value.rawText)"
    }
  }

  /// Returns the maximum memory of queued matches, and the number of matches.
  private func queued(_ paths: [String], _ text: String) throws -> (peak: Int, counts: [Int]) {
    var queries: [PathQuery] = []
    for path in paths { queries.append(try JSONPath(path).query) }
    var matches = DocumentMatches(
      try PathMatcher(queries, limits: JSONLimits()), try ReadWindow(.bytes(Array(text.utf8))), JSONOptions(),
      readingOn: false)
    var peak = 0
    var counts = paths.map { _ in 0 }
    while let match = try matches.next() {
      counts[match.pathIndex] += 1
      peak = max(peak, matches.matcher.queue.byteCount)
    }
    return (peak, counts)
  }

  // MARK: Work

  @Test(.timeLimit(.minutes(10)), arguments: isDebug ? [7] : [7, 1_000, 1 << 20])
  func `nested candidates share the work limit of the outermost`(size: Int) throws {
    let limits = with(JSONLimits()) { $0.querySteps = 100_000 }
    let text = repeated(#"{"a":"#, 400) + "1" + repeated("}", 400)
    for path in ["$..a[?count(@..*..*..*)>=0]", "$..a..*..*", "$..[?count(@..*..*)>=0]", "$..*[-1:]..*..*"] {
      let text = path.contains("-1") ? repeated("[", 400) + repeated("]", 400) : text
      #expect(try run([path], text, size: size, limits: limits).error?.code == .queryLimit, "\(path)")
    }
  }

  @Test func `adjacent candidates have separate work limits`() throws {
    let limits = with(JSONLimits()) { $0.querySteps = 2_000 }
    let text = "{\"r\":[" + (0..<500).map { "{\"u\":{\"a\":\($0),\"b\":2},\"v\":0}" }.joined(separator: ",") + "]}"
    for size in [7, 1 << 20] {
      let result = try run(["$..u['a','b']"], text, size: size, limits: limits)
      #expect(result.error == nil && result.found[0].count == 1_000)
      let windows = try run(["$.r[*]..[-1:]..*", "$..u[?@ >= 0]"], text, size: size, limits: limits)
      #expect(windows.error == nil && windows.found[1].count == 1_000)
    }
  }

  @Test func `another path does not increase the work limit of a path`() throws {
    let limits = with(JSONLimits()) { $0.querySteps = 30_000 }
    let nested = repeated(#"{"u":{"a":[1],"v":"#, 120) + "1" + repeated("}}", 120)
    let text = "{\"r\":[" + nested + "]}"
    for size in isDebug ? [7] : [7, 1 << 20] {
      let alone = try run(["$..u..*"], text, size: size, limits: limits)
      let both = try run(["$..u..*", "$.r[*]['u','v']", "$..v['a','u']"], text, size: size, limits: limits)
      #expect(alone.error?.code == .queryLimit && both.error == alone.error)
    }
  }

  @Test func `each path of a record has a separate work limit, and so has its summary`() throws {
    let limits = with(JSONLimits()) { $0.querySteps = 6_000 }
    let text = "[" + (0..<1_000).map(String.init).joined(separator: ",") + "]"
    let paths = ["$[?@ < 0]", "$[*]", "$[?@ == 7].x", "$[*].*"]
    let result = try run(paths, text, limits: limits, framing: .lines)
    #expect(result.error == nil)
    #expect(result.summaries.map(\.outcome) == [.empty, .matched, .absent, .absent])
  }

  // MARK: Memory

  @Test func `delivered matches are freed while other matches are buffered`() throws {
    let records = (0..<40_000).map { "{\"n\":\"\($0) and some text behind it\"}" }.joined(separator: ",")
    let text = "{\"a\":{\"b\":{\"x\":1}},\"r\":[\(records),{\"x\":[2]}]}"
    let (peak, counts) = try queued(["$..x", "$.r[*]"], text)
    #expect(counts == [2, 40_001] && peak < 6 * ReadWindow.readBytes)
    let result = try run(["$..x", "$.r[*]"], text)
    #expect(result.found[0] == (try inMemory("$..x", text)))
  }

  @Test func `matches buffered for their order have a limit`() throws {
    var limits = with(JSONLimits()) { $0.recordBytes = 1_000 }
    let more = String(repeating: "a", count: 34)
    let text = "{\"r\":[" + (0..<300).map { "{\"x\":\"\($0 + 1_000)\(more)\"}" }.joined(separator: ",") + "]}"
    for size in [1, 7, text.utf8.count] {
      let result = try run(["$..x"], text, size: size, limits: limits)
      #expect(result.error?.code == .recordLimit)
      // Forty bytes each: the 26th exceeds the limit, and those before it are delivered.
      let expected = try inMemory("$..x", text)
      #expect(result.found[0] == Array(expected.prefix(25)))
      let start = try #require(text.range(of: "\"1025")).lowerBound.utf16Offset(in: text)
      #expect(result.error?.byteOffset == start)
    }
    limits.recordBytes = .max
    limits.tapeBytes = 8_192
    let result = try run(["$..x"], text, limits: limits)
    #expect(result.error?.code == .recordLimit && result.found[0].count > 50 && result.found[0].count < 200)
    // Matches that are not buffered have no limit.
    limits.recordBytes = 1_000
    #expect(try run(["$.r[*].x"], text, limits: limits).found[0].count == 300)
  }

  @Test func `nested matches keep references to their documents and not copies`() throws {
    // 400 levels: 79,800 matches, each with some hundred bytes of text and many more of a tape.
    let text = String(repeating: "[", count: 400) + "1" + String(repeating: "]", count: 400)
    let (peak, counts) = try queued(["$..*..*"], text)
    #expect(counts == [79_800] && peak < 1 << 20)
    let deep = String(repeating: "[", count: 40) + "{\"a\":[1,{\"b\":2}]}" + String(repeating: "]", count: 40)
    #expect(try run(["$..*..*"], deep).found[0] == (try inMemory("$..*..*", deep)))
    let wide = "{\"a\":" + "[\(String(repeating: "{\"b\":[1,2,3]},", count: 300))0]" + "}"
    let nested = "[\(wide),{\"c\":\(wide)}]"
    #expect(try run(["$..*..*"], nested).found[0] == (try inMemory("$..*..*", nested)))
  }

  @Test func `elements buffered for the end of an array are limited by their cost besides text`() throws {
    let limits = with(JSONLimits()) { $0.tapeBytes = 16_384 }
    let text = "[" + repeated("1,", 2_000) + "1]"
    for path in ["$[::-1]", "$[-1500:]", "$[:-1500]"] {
      for size in [7, text.utf8.count] {
        #expect(try run([path], text, size: size, limits: limits).error?.code == .tapeLimit, "\(path)")
      }
    }
    #expect(try run(["$[-900:]"], text, size: 7, limits: limits).found[0] == Array(try inMemory("$[-900:]", text)))
    #expect(try run(["$[::-1]"], text).found[0] == (try inMemory("$[::-1]", text)))
  }

  @Test func `scalars that pass a filter are copied to the queue`() throws {
    let text = "[" + repeated("1,", 200_000) + "1]"
    let (peak, counts) = try queued(["$[?@ > 0]"], text)
    // One window of them, and a few bytes of location for each.
    #expect(counts == [200_001] && peak < 4 * ReadWindow.readBytes)
  }

  /// The number of selectors, which is also the number of children of each element.
  static let width = isDebug ? 100 : 300
  static let wide = "$.a[*][" + Array(repeating: "*", count: width).joined(separator: ",") + "]"

  @Test func `a candidate with very many matches is evaluated as they are taken`() throws {
    let row = "[" + (0..<Self.width).map(String.init).joined(separator: ",") + "]"
    let text = "{\"a\":[" + Array(repeating: row, count: 6).joined(separator: ",") + "],\"b\":1}"
    let (peak, counts) = try queued([Self.wide, "$.b"], text)
    #expect(counts == [6 * Self.width * Self.width, 1])
    #expect(peak < (isDebug ? 1 << 19 : 2 << 20))
    let expected = try inMemory(Self.wide, text)
    for size in isDebug ? [1_000] : [1_000, 1 << 20] {
      let result = try run([Self.wide, "$.b"], text, size: size)
      #expect(result.found[0] == expected)
      #expect(result.summaries.map(\.count) == counts)
    }
  }

  @Test func `a candidate that waited for its turn fails at the same location`() throws {
    let row = "[" + (0..<Self.width).map(String.init).joined(separator: ",") + "]"
    let long = "[" + (0..<900).map(String.init).joined(separator: ",") + "]"
    let text = "{\"a\":[\n" + [row, row, row, long, row].joined(separator: ",\n") + "],\"b\":1 !"
    var limits = JSONLimits()
    // More steps than a row needs, and fewer than the long row needs.
    limits.querySteps = isDebug ? 50_000 : 200_000
    let path = try JSONPath(Self.wide)
    for size in isDebug ? [1 << 20] : [1_000, 1 << 20] {
      var matches = try JSONMatches(
        of: [("wide", path), ("b", "$.b")], in: .chunks(chunks(of: Array(text.utf8), size: size)),
        options: JSONOptions(limits: limits))
      var counts = [0, 0]
      let error = #expect(throws: JSONError.self) {
        while let match = try matches.next() { counts[match.pathIndex] += 1 }
      }
      let start = try #require(text.range(of: long)).lowerBound.utf16Offset(in: text)
      #expect(error?.code == .queryLimit && error?.byteOffset == start)
      #expect(counts[0] >= 3 * Self.width * Self.width && counts[1] == 0)
      if let error { #expect(matches.position(of: error).line == 5 && matches.position(of: error).column == 1) }
      #expect(throws: JSONError.self) { _ = try matches.next() }
    }
  }

  @Test(arguments: ["$.r[-3:]", "$.r[:-1]", "$.r[::-2]"])
  func `elements with very many matches are evaluated as they are taken`(window: String) throws {
    let width = isDebug ? 50 : 100
    let path = window + "[" + Array(repeating: "*", count: width).joined(separator: ",") + "]"
    let row = "[" + (0..<width).map(String.init).joined(separator: ",") + "]"
    let text = "{\"r\":[" + Array(repeating: row, count: 20).joined(separator: ",") + "]}"
    let (peak, counts) = try queued([path], text)
    let expected = try inMemory(path, text)
    #expect(counts == [expected.count] && peak < 2 << 20)
    #expect(try run([path], text, size: 500).found[0] == expected)
  }

  // MARK: Projection

  private func build(_ paths: [String], _ text: String, size: Int, _ limits: JSONLimits) throws -> JSON {
    var builder = try JSONBuilder(.keeping(paths.map { try JSONPath($0) }), options: JSONOptions(limits: limits))
    for chunk in chunks(of: Array(text.utf8), size: size) { try builder.feed(chunk) }
    return try builder.finish()
  }

  @Test func `a projected array is never in memory as a whole`() throws {
    var limits = JSONLimits()
    limits.recordBytes = 2_000
    limits.tapeBytes = 4_096
    let rows = (0..<2_000).map { "{\"id\":\($0),\"t\":\"\(repeated("x", 40))\"}" }
    let text = "{\"r\":[" + rows.joined(separator: ",") + "],\"o\":{\"k\":{\"z\":[1,2]}}}"
    for size in [7, 1 << 20] {
      #expect(try build(["$.r[-1]"], text, size: size, limits).rawText == "{\"r\":[\(rows[1_999])]}")
      #expect(
        try build(["$.r[-3:-1].id", "$.r[1].id", "$.r[-1].id"], text, size: size, limits).rawText
          == "{\"r\":[{\"id\":1},{\"id\":1997},{\"id\":1998},{\"id\":1999}]}")
      #expect(try build(["$.o[-1]", "$.o.k[::-1]"], text, size: size, limits) == .null)
      #expect(try build(["$.*[-1].id"], text, size: size, limits).rawText == "{\"r\":[{\"id\":1999}]}")
      #expect(jsonError { _ = try build(["$.r[::-1]"], text, size: size, limits) }?.code == .tapeLimit)
    }
  }

  @Test func `an element that leaves a slice's window is removed for all paths`() throws {
    let text = "[" + (0..<50).map { "{\"a\":\($0),\"b\":[\($0),[\($0)]]}" }.joined(separator: ",") + "]"
    let expected = (0..<50).map { row in
      let a = row < 48 ? "\"a\":\(row)" : ""
      let b = row >= 46 ? "\"b\":[[\(row)]]" : row == 30 ? "\"b\":[30,[30]]" : row == 7 ? "\"b\":[7]" : ""
      return "{" + [a, b].filter { !$0.isEmpty }.joined(separator: ",") + "}"
    }
    for size in [3, 100, text.utf8.count] {
      let kept = try build(
        ["$[:-2].a", "$[-4:].b[-1]", "$[?@.a == 30].b", "$[7].b[0]"], text, size: size, JSONLimits())
      #expect(kept.rawText == "[" + expected.joined(separator: ",") + "]")
    }
  }

  @Test func `a scalar that a filter reads has the limit of a record`() throws {
    let limits = with(JSONLimits()) { $0.recordBytes = 100 }
    let text = "[1,\"\(repeated("x", 200))\"]"
    for size in [7, 1_000] {
      let error = jsonError { _ = try build(["$[?@ == 1]"], text, size: size, limits) }
      #expect(error?.code == .recordLimit && error?.byteOffset == 3)
    }
  }

  // MARK: Summaries and errors

  @Test func `a name among the descendants of an array without objects is absent`() throws {
    let cases: [(String, String, JSONMatches.Summary.Outcome)] = [
      ("$..a", "[1]", .absent), ("$..a", "[[1,[2]]]", .absent), ("$..a", "[1,[{}]]", .empty),
      ("$..[0]", "{\"b\":{}}", .absent),
      ("$..[0]", "{\"b\":[]}", .empty), ("$.b..a..c", "{\"b\":{\"a\":[1]}}", .absent),
      ("$.b..a..c", "{\"b\":{\"a\":[{}]}}", .empty), ("$..*", "1", .absent), ("$..*", "[]", .empty),
    ]
    for (path, text, outcome) in cases {
      for framing in [JSONFraming.document, .lines] {
        #expect(try run([path], text, framing: framing).summaries[0].outcome == outcome, "\(path) of \(text)")
      }
    }
  }

  @Test func `a document and a record have the same summary`() throws {
    var random = SeededGenerator.announced()
    var outcomes: Set<JSONMatches.Summary.Outcome> = []
    for _ in 0..<3_000 {
      let text = random.document()
      let path = random.query().text
      guard try JSONPath(path).streaming.form != .rejected else { continue }
      let document = try run([path], text, size: 1 + random.below(40)).summaries
      let record = try run([path], text, framing: .values).summaries
      outcomes.insert(document[0].outcome)
      guard document == record else {
        Issue.record("\(path) of \(text): \(document) in a document, \(record) in a record")
        return
      }
    }
    #expect(outcomes.count == 3)
  }

  @Test func `buffered matches are returned before the error that ends the document`() throws {
    let whole = #"{"a":{"x":1,"b":{"x":2,"x":{"x":3}},"x":4},"x":5}"#
    let text = #"{"a":{"x":1,"b":{"x":2,"x":{"x":3}},"x":4},!"#
    let expected = try inMemory("$..x", whole).filter { !$0.hasSuffix("5") }
    for size in [1, 7, text.utf8.count] {
      let result = try run(["$..x"], text, size: size)
      #expect(result.error?.code != nil && result.error?.byteOffset == text.utf8.count - 1)
      #expect(result.found[0] == expected)
    }
  }

  @Test(arguments: ["((a{1,30}){1,30}){1,30}", "(a{0,1000}){0,1000}", "a{20000}"])
  func `a pattern that is too large is an error and not a pattern without matches`(pattern: String) throws {
    let text = #"["aaa"]"#
    for function in ["match", "search"] {
      let path = "$[?\(function)(@, '\(pattern)')]"
      #expect(throws: JSONError.self) { try JSON(parsing: text).query(JSONPath(path)) }
      #expect(try run([path], text).error?.code == .queryLimit)
      #expect(try run([path], text, framing: .lines).error?.code == .queryLimit)
    }
    #expect(try inMemory("$[?match(@, '((a{1,30}){1,30})')]", text).count == 1)
    // An invalid pattern matches nothing.
    #expect(try inMemory("$[?match(@, '(a{2,1})')]", text).isEmpty)
  }

  /// Matches inside one another refer to one text. Their texts together are twelve times the limit.
  @Test(arguments: ["$..*", "$..a"])
  func `issue 48, cost: matches inside one another take memory for the outermost`(_ path: String) throws {
    var limits = JSONLimits()
    limits.depth = 2001
    limits.recordBytes = 1 << 20
    let text = repeated(#"{"a":"#, 2000) + "1" + repeated("}", 2000)
    let run = try run([path], text, limits: limits)
    #expect(run.error == nil)
    let options = with(JSONOptions()) { $0.limits = limits }
    let json = try JSON(parsing: Array(text.utf8), options: options)
    let expected = try json.matches(of: JSONPath(path)).map {
      "\($0.location) \($0.value.byteRange ?? 0..<0) \($0.value.rawText)"
    }
    #expect(run.found == [expected])
  }

  /// Small matches are copied, large ones are not; small ones are between large ones of the same parent.
  @Test(arguments: ["$..*", "$..b", "$..*.b", "$..b[*]", "$..[1]", "$..b[-1]"])
  func `issue 48, cost: large and small matches are in the order of the document`(_ path: String) throws {
    let long = repeated("x", 1100)
    let inner = #"{"b":["\#(long)"],"d":{"b":[3,["\#(long)"]]}}"#
    let part = #"{"a":1,"b":["\#(long)",{"b":2}],"c":\#(inner),"e":[[4],["\#(long)"]]}"#
    let text = #"{"b":\#(part),"f":[\#(part),{"b":5},\#(part)],"g":{"b":6}}"#
    for size in [nil, 700, 5000] {
      let run = try run([path, "$..a", path], text, size: size)
      #expect(try run.found == [inMemory(path, text), inMemory("$..a", text), inMemory(path, text)])
    }
  }
}
