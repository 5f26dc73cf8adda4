import TestSupport
import Testing

@testable import JSONSift

@Suite struct JSONConditionTests {
  static let record = #"{"level":"error","latency":120,"tags":["a","b"],"user":{"id":7},"none":null,"n":[1,2,3]}"#

  static let conditions: [(String, Bool)] = [
    ("@.level == 'error'", true), ("@.level=='warn'", false), (" @.level == 'error' && @.latency > 100 ", true),
    ("@.level == 'error' && @.latency > 200", false), ("@.level == 'warn' || @.latency >= 120", true), ("@", true),
    ("@.user", true), ("!@.user", false), ("@.missing", false), ("!@.missing", true), ("@.none", true),
    ("@.none == null", true), ("@.missing == null", false), ("@.tags[?@ == 'b']", true), ("@.tags[?@ == 'c']", false),
    ("@..id", true), ("count(@.tags[*]) == 2", true), ("length(@.n) > 3", false), ("match(@.level, 'e.*r')", true),
    ("search(@.level, 'rr')", true), ("value(@..id) == 7", true), ("@.n[-1] == 3", true), ("@['user','n']", true),
    ("$.user.id == @.user.id", true), ("@.n[?@ > $.user.id]", false), ("(@.level == 'x' || @.user) && @.n", true),
    ("1 == 1", true), ("1 == 2", false), ("@.level == ']'", false), (#"@.level != "]""#, true),
  ]

  @Test(arguments: conditions)
  func `a condition holds as a filter does`(text: String, holds: Bool) throws {
    let condition = try JSONCondition(text)
    let value = try JSON(parsing: Self.record)
    #expect(try condition.holds(for: value) == holds)
    #expect(try condition.holds(for: JSON([value])[0]) == holds)
    #expect(condition.description == text)
    #expect(try JSONCondition(text) == condition)
  }

  static let scalars: [(String, String, Bool)] = [
    ("@ > 3", "4", true), ("@ > 3", "3", false), ("@ == 'a'", #""a""#, true), ("@", "null", true), ("@", "false", true),
    ("@.a", "4", false), ("@[0]", "[null]", true), ("@[0]", "[]", false), ("length(@) == 0", "{}", true),
  ]

  @Test(arguments: scalars)
  func `a condition can be evaluated for any value`(text: String, value: String, holds: Bool) throws {
    #expect(try JSONCondition(text).holds(for: JSON(parsing: value)) == holds)
  }

  static let rejected: [(String, Int)] = [
    ("", 0), (" ", 1), ("1", 1), ("'a'", 3), ("true", 4), ("@.a ==", 6), ("== 1", 0), ("@.a = 1", 4), ("@.a]", 3),
    ("@.a], ?@.b", 3), ("@.a, ?@.b", 3), ("@.a,1", 3), ("@.a].x[?@", 3), ("@.a][0", 3), ("(@.a", 4), ("@.a)", 3),
    ("@.a &&", 6), ("@.a & @.b", 4), ("count(@.a)", 10), ("length(@.a)", 11), ("match(@.a)", 9), ("nothing(@)", 0),
    ("@..a == 1", 1), ("?@.a", 0), ("a", 0), ("$[?@.a]]", 7),
  ]

  @Test(arguments: rejected)
  func `an invalid condition is rejected at a position in its text`(text: String, offset: Int) {
    let error = jsonError { _ = try JSONCondition(text) }
    #expect(error?.code == .invalidPath)
    #expect(error.map { (0...text.utf8.count).contains($0.byteOffset) } == true)
    #expect(error?.byteOffset == offset, "\(String(describing: error))")
  }

  @Test func `every error position is within the text, and messages mention no bracket outside it`() {
    #expect(jsonError { _ = try JSONCondition("@.a == 'x") }?.byteOffset == 9)
    #expect(jsonError { _ = try JSONCondition("1") }?.message.contains("]") == false)
  }

  @Test func `a condition that exceeds its work limit throws an error`() throws {
    let limits = with(JSONLimits()) { $0.querySteps = 100 }
    let value = JSON((0..<1_000).map { JSON($0) })
    let condition = try JSONCondition("@[?@ == 2000]")
    #expect(jsonError { _ = try condition.holds(for: value, limits: limits) }?.code == .queryLimit)
    #expect(try !condition.holds(for: value))
  }

  @Test func `a missing value satisfies only conditions that need no value`() throws {
    let missing = try JSON(parsing: "{}")["a"]
    #expect(try !JSONCondition("@").holds(for: missing))
    #expect(try JSONCondition("!@").holds(for: missing))
    #expect(try JSONCondition("@.a == @.b").holds(for: missing))
  }
}

@Suite struct JSONPathStreamingTests {
  struct Form: Sendable, CustomTestStringConvertible {
    let path: String
    let form: JSONPath.Streaming.Form
    let buffers: [JSONPath.Streaming.Buffer]
    let stopsEarly: Bool
    let description: String
    var testDescription: String { path }

    init(_ path: String, stopsEarly: Bool = false) {
      (self.path, form, buffers, self.stopsEarly) = (path, .streams, [], stopsEarly)
      description = stopsEarly ? "streams, and stops when its result is known" : "streams"
    }

    init(_ path: String, buffers: [JSONPath.Streaming.Buffer], _ words: String) {
      (self.path, form, self.buffers, stopsEarly) = (path, .buffers, buffers, false)
      description = "streams; buffers \(words)"
    }

    init(_ path: String, isRejected reason: String) {
      (self.path, form, buffers, stopsEarly) = (path, .rejected, [], false)
      description = "cannot be streamed: \(reason)"
    }
  }

  static let forms: [Form] = [
    Form("$.a", stopsEarly: true), Form("$['a'][3].b", stopsEarly: true), Form("$"), Form("$.a[*]"), Form("$[1:9:2].a"),
    Form("$[:3]"),
    Form("$.items[?@.id == 7]", buffers: [.candidates], "each value that the filter looks at, one at a time"),
    Form("$.items[?@.id == 7].name", buffers: [.candidates], "each value that the filter looks at, one at a time"),
    Form("$.items[-1]", buffers: [.lastElements(1)], "the last element of an array"),
    Form("$.items[-3:]", buffers: [.lastElements(3)], "the last 3 elements of an array"),
    Form("$.items[:-2]", buffers: [.lastElements(2)], "the last 2 elements of an array"),
    Form("$.items[::-1]", buffers: [.elements], "the elements of an array until it ends"),
    Form("$..a", buffers: [.matches], "matches until the outermost container that holds them ends"),
    Form(
      "$..a[?@.b]", buffers: [.candidates, .matches],
      "each value that the filter looks at, one at a time, and matches until the outermost container that holds them ends"
    ),
    Form("$.a['b','c']", buffers: [.values(at: "$['a']")], "each value at $['a'], as a whole"),
    Form("$..[?@.a]", buffers: [.values(at: "$")], "each value at $, as a whole"),
    Form(
      "$[*]..a..b", buffers: [.values(at: "$[*]..['a']"), .matches],
      "each value at $[*]..['a'], as a whole, and matches until the outermost container that holds them ends"),
    Form(
      "$[?@.a == $.b]",
      isRejected: "expected '@' instead of '$' inside a filter: '$' is the whole text, which a stream does not keep"),
    Form(
      "$.a[?@.b[?@ == $]]",
      isRejected: "expected '@' instead of '$' inside a filter: '$' is the whole text, which a stream does not keep"),
  ]

  @Test(arguments: forms)
  func `a path reports what a stream keeps for it`(form: Form) throws {
    let streaming = try JSONPath(form.path).streaming
    #expect(streaming.form == form.form)
    #expect(streaming.buffers == form.buffers)
    #expect(streaming.stopsEarly == form.stopsEarly)
    #expect(streaming.description.hasPrefix(form.description))
    #expect(streaming.description == form.description)
  }

  @Test(arguments: ["$.a.b", "$[2]", "$.a", "$", "$.*", "$..a", "$[-1]", "$[0:1]", "$[?@]", "$[0,1]"])
  func `a path stops early exactly if it reports so`(path: String) throws {
    let path = try JSONPath(path)
    // After an answer the next 64 KiB are looked at.
    let pad = String(repeating: "x", count: 70_000)
    let text = #"{"a":{"b":1},"c":2,"d":"\#(pad)"}"#
    let other = #"[1,2,3,4,"\#(pad)"]"#
    for text in [text, other] {
      let chunks = CountedChunks(chunks(of: Array(text.utf8), size: 1))
      var matches = try JSONMatches(of: path, in: .chunks(chunks))
      var count = 0
      while try matches.next() != nil { count += 1 }
      guard count > 0 else { continue }
      #expect((chunks.bytesRead < text.utf8.count) == path.streaming.stopsEarly, "\(path) in \(text.prefix(12))")
    }
  }

  @Test func `an invalid literal cannot be streamed`() throws {
    let bad: JSONPath = "$.items.[0]"
    #expect(bad.streaming.form == .rejected)
    let failure = try #require(bad.error)
    #expect(throws: failure) { _ = try JSONMatches(of: bad, in: .bytes([])) }
  }
}
