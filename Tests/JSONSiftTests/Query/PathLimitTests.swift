import Foundation
import TestSupport
import Testing

@testable import JSONSift

@Suite struct PathLimitTests {
  private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  @Test func `parentheses, filters and functions nest 64 deep and no deeper`() throws {
    func parentheses(_ count: Int) -> String { "$[?" + repeated("(", count) + "@" + repeated(")", count) + "]" }
    func filters(_ count: Int) -> String { "$" + repeated("[?@", count) + repeated("]", count) }
    func negations(_ count: Int) -> String { "$[?" + repeated("!(", count) + "@" + repeated(")", count) + "]" }
    func functions(_ count: Int) -> String { "$[?" + repeated("length(", count) + "@" + repeated(")", count) + "==1]" }
    for make in [parentheses, negations, functions] {
      _ = try JSONPath(make(63))
      #expect(jsonError { _ = try JSONPath(make(64)) }?.message == Self.tooDeep)
      #expect(jsonError { _ = try JSONPath(make(20_000 / 8)) }?.message == Self.tooDeep)
    }
    _ = try JSONPath(filters(64))
    #expect(jsonError { _ = try JSONPath(filters(65)) }?.message == Self.tooDeep)
    #expect(jsonError { _ = try JSONPath(filters(10_000)) }?.message == Self.tooDeep)
  }

  private static let tooDeep = "expected at most 64 nested parentheses, filters and functions, found more"

  @Test func `segments, selectors and bytes are counted`() throws {
    _ = try JSONPath("$" + repeated(".a", 1024))
    let steps = jsonError { _ = try JSONPath("$" + repeated(".a", 1025)) }
    #expect(steps?.description == "byte 2049: expected at most 1024 segments, found more")
    _ = try JSONPath("$[0" + repeated(",0", 1023) + "]")
    let selectors = jsonError { _ = try JSONPath("$[0" + repeated(",0", 1024) + "]") }
    #expect(selectors?.description == "byte 2050: expected at most 1024 selectors in a segment, found more")
    _ = try JSONPath("$['" + repeated("x", 65_536 - 5) + "']")
    let bytes = jsonError { _ = try JSONPath("$['" + repeated("x", 65_536 - 4) + "']") }
    #expect(bytes?.description == "byte 65536: expected a path of at most 65536 bytes, found more")
    #expect(JSONPath.Diagnosis("$['" + repeated("x", 65_536 - 4) + "']")?.suggestion == nil)
  }

  @Test func `the deepest path is read, written, compared and evaluated on a small stack`() throws {
    let opening = repeated("[?!(@.a == 1) && count(@", 21)
    let nested = "$" + opening + ".a" + repeated(") > 0 || @.b == 2]", 21)
    try onSmallStack { () throws in
      for text in [nested, "$" + repeated("[?@", 64) + repeated("]", 64)] {
        let path = try JSONPath(text)
        #expect(try JSONPath(path.description) == path)
        #expect(path.hashValue == (try JSONPath(path.description)).hashValue)
        var value: JSON = 1
        for _ in 0..<70 { value = [value] }
        _ = try value.query(path)
        _ = JSONPath.Diagnosis(text + "x")?.description
      }
    }
  }

  @Test func `a value of a million levels is searched on a small stack`() throws {
    // A million would take a debug build too long. The stack has less than three bytes per level even so.
    let depth = isDebug ? 200_000 : 1_000_000
    let text = repeated("[", depth) + #"{"x":1}"# + repeated("]", depth)
    let json = try JSON(parsing: text, options: JSONOptions(limits: .unlimited))
    try onSmallStack { () throws in
      let matches = try json.matches(of: "$..x")
      #expect(matches.map(\.value) == [1])
      #expect(matches.first?.location.steps.count == depth + 1)
    }
  }

  @Test func `a deep value is filtered, compared and counted on a small stack`() throws {
    let depth = 50_000
    let text = repeated("[", depth) + #"{"x":1}"# + repeated("]", depth)
    var built: JSON = ["x": 1]
    for _ in 0..<depth { built = [built] }
    let values = [try JSON(parsing: text, options: JSONOptions(limits: .unlimited)), built]
    try onSmallStack { () throws in
      for value in values {
        #expect(try value.query("$..[?@.x == 1].x") == [1])
        #expect(try value.query("$[?@ == $[0]]").count == 1)
        #expect(try value.query("$[?count(@..*) == 50000]").count == 1)
        #expect(try value.query("$[?@..x]").count == 1)
      }
    }
  }

  @Test(arguments: [
    "$..*..*..*..*", "$..*..*..*", "$..[?@..*..*.nothing]", "$..[?count(@..*..*) > 100000]", "$..[*, *, *]..[*, *]..*",
  ])
  func `a query that exceeds its work limit throws an error`(text: String) throws {
    let depth = 600
    let json = try JSON(
      parsing: repeated(#"{"a":[1,"#, depth) + "2" + repeated("]}", depth), options: JSONOptions(limits: .unlimited))
    let limits = with(JSONLimits()) { $0.querySteps = 100_000 }
    let path = try JSONPath(text)
    let error = jsonError { _ = try json.query(path, limits: limits) }
    #expect(error?.code == .queryLimit)
    #expect(error?.message == "expected a query that takes at most 100000 steps, found one that takes more")
  }

  @Test func `locations count as work`() throws {
    let json = try JSON(parsing: repeated("{\"a\":", 400) + "{\"x\":1}" + repeated("}", 400))
    var limits = JSONLimits()
    func needed(_ query: () throws -> Void) -> Int {
      (1...).first { steps in
        limits.querySteps = steps
        let error = jsonError(query)
        #expect(error == nil || error == JSONError(.queryLimit, at: 0, limit: steps))
        return error == nil
      } ?? 0
    }
    let values = needed { _ = try json.query("$..x", limits: limits) }
    let matches = needed { _ = try json.matches(of: "$..x", limits: limits) }
    // The location has 401 steps.
    #expect(matches == values + 401)
  }

  @Test func `a subquery that depends only on the root is evaluated once`() throws {
    let items = (0..<2_000).map { "{\"n\":\($0)}" }.joined(separator: ",")
    let json = try JSON(parsing: "{\"items\":[\(items)],\"only\":{\"n\":7}}")
    let limits = with(JSONLimits()) { $0.querySteps = 100_000 }
    #expect(try json.query("$.items[?@.n == count($..n)]", limits: limits).isEmpty)
    #expect(try json.query("$.items[?$..nothing]", limits: limits).isEmpty)
    #expect(try json.query("$.items[?@.n == value($.only.*)].n", limits: limits) == [7])
    #expect(try json.query("$.items[?@.n == $.only.n].n", limits: limits) == [7])
  }

  @Test func `large comparisons count as work`() throws {
    let long = "\"" + repeated("x", 200_000) + "\""
    let json = try JSON(
      parsing: "{\"a\":\(long),\"b\":\(long),\"c\":[\((0..<3_000).map(String.init).joined(separator: ","))]}")
    let limits = with(JSONLimits()) { $0.querySteps = 100_000 }
    #expect(throws: JSONError.self) { try json.query("$.c[?$.a == $.b]", limits: limits) }
    #expect(throws: JSONError.self) { try json.query("$.c[?$.a <= $.b]", limits: limits) }
    #expect(throws: JSONError.self) { try json.query("$.c[?length($.a) == 1]", limits: limits) }
    #expect(throws: JSONError.self) { try json.query("$.c[?$.c == $.c]", limits: limits) }
  }

  /// Nested arrays: each step of a wildcard enters one.
  @Test func `issue 16: entering a container counts as several steps`() throws {
    let json = try JSON(parsing: repeated("[", 200) + repeated("]", 200), options: JSONOptions(limits: .unlimited))
    var limits = JSONLimits()
    // 200 arrays, each entered once: four steps to enter it, twice one to find its child, and one to reach its end.
    limits.querySteps = 200 * 8
    #expect(try json.query("$..*", limits: limits).count == 199)
    limits.querySteps = 200 * 7
    #expect(jsonError { _ = try json.query("$..*", limits: limits) }?.code == .queryLimit)
  }

  @Test(arguments: [64, 1 << 10, 1 << 20])
  func `issue 16: nested open values are limited by the memory of their locations`(chunk: Int) throws {
    var options = JSONOptions(limits: .unlimited)
    options.limits.recordBytes = 1 << 16
    options.limits.depth = 100_000
    let text = Array((repeated("[", 20_000) + "1" + repeated("]", 20_000)).utf8)
    var matches = try JSONMatches(of: "$..[0]", in: .chunks(chunks(of: text, size: chunk)), options: options)
    let error = jsonError { while try matches.next() != nil {} }
    #expect(error?.code == .recordLimit)
    #expect(
      error?.message == "expected pending matches with at most 65536 bytes of text and 262144 bytes of overhead, found "
        + "more")
  }

  @Test func `queries with too many states are reported as such, and no step limit is suggested`() {
    let error = JSONError(.queryLimit, at: 0, limit: 3, .pathStates)
    #expect(error.message.hasPrefix("expected queries that together"))
    #expect(!error.exceedsQuerySteps && JSONError(.queryLimit, at: 0, limit: 3).exceedsQuerySteps)
    #expect(!error.shifted(by: 7).exceedsQuerySteps)
  }

  @Test func `the suggested option depends on the subject of an error and not on its limit`() {
    for limit in [0, 3, Int.max] {
      #expect(JSONError(.queryLimit, at: 0, limit: limit).exceedsQuerySteps)
      #expect(JSONError(.recordLimit, at: 0, limit: limit).exceedsRecordBytes)
      let waiting = JSONError(.recordLimit, at: 0, limit: limit, .waitingMatches(heldBytes: 7))
      #expect(!waiting.exceedsRecordBytes && !waiting.shifted(by: 1).exceedsRecordBytes)
      let pattern = JSONError(.invalidPath, at: 0, limit: limit, .pattern(.groups))
      #expect(IRegexp.isLimit(pattern) && !IRegexp.isLimit(JSONError(.invalidPath, at: 0, limit: limit)))
    }
    #expect(!JSONError(code: .recordLimit, byteOffset: 0, reason: "").exceedsRecordBytes)
    #expect(!JSONError(code: .queryLimit, byteOffset: 0, reason: "").exceedsQuerySteps)
  }
}
