import Foundation
import TestSupport
import Testing

@testable import JSONSift

/// Queries and documents designed to be expensive, over streams.
@Suite struct StreamLimitTests {
  private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

  private func found(
    _ path: String, _ text: String, size: Int? = nil, limits: JSONLimits = JSONLimits()
  ) throws -> [JSONMatch] {
    let bytes = Array(text.utf8)
    let source = size.map { JSONSource.chunks(chunks(of: bytes, size: $0)) } ?? .bytes(bytes)
    var matches = try JSONMatches(of: path, in: source, options: JSONOptions(limits: limits))
    return try drain { try matches.next() }
  }

  @Test(arguments: ["[?@", "[?(", "[?!(", "[?(@.a||"])
  func `ten thousand nested filters or parentheses are rejected at once`(opening: String) {
    for text in ["$" + repeated(opening, 10_000), "$[?" + repeated(String(opening.dropFirst(2)), 10_000)] {
      let start = ContinuousClock.now
      let error = jsonError { _ = try JSONPath(text) }
      #expect(error?.code == .invalidPath)
      #expect((error?.byteOffset ?? .max) <= 65_536, "\(String(describing: error))")
      #expect(ContinuousClock.now - start < .seconds(5))
      let condition = jsonError { _ = try JSONCondition(String(text.dropFirst(3))) }
      #expect(condition?.code == .invalidPath)
    }
  }

  @Test func `a query that exceeds its work limit for one value throws an error`() throws {
    let limits = with(JSONLimits()) { $0.querySteps = 50_000 }
    let text = repeated("[", 100) + repeated("]", 100)
    let json = try JSON(parsing: text)
    for path in ["$..*..*..*", "$[0]..[?count(@..*..*) > 100000]..*"] {
      let path = try JSONPath(path)
      let inMemory = jsonError { _ = try json.query(path, limits: limits) }
      #expect(inMemory?.code == .queryLimit)
      let inRecord = jsonError {
        let options = JSONOptions(limits: limits)
        var matches = try JSONMatches(of: path, in: .bytes(Array(text.utf8)), framing: .lines, options: options)
        while try matches.next() != nil {}
      }
      #expect(inRecord?.code == .queryLimit)
    }
    let streamed = jsonError { _ = try found("$[0]..[?count(@..*..*) > 100000]..*", text, limits: limits) }
    #expect(streamed?.code == .queryLimit)
  }

  static let patterns = ["(a*)*b", "(a|aa)+b", "((a+)+)+b", "(a?){50}a{50}b", "(.*.*)*b", "([ab]*a){20}c"]

  @Test(arguments: patterns)
  func `a pattern with exponential backtracking is matched in a stream`(pattern: String) throws {
    let text = "[\"" + repeated("a", 5_000) + "\",\"ab\",\"b\"]"
    let start = ContinuousClock.now
    for function in ["match", "search"] {
      let path = "$[?\(function)(@, '\(pattern)')]"
      let expected = try JSON(parsing: text).query(JSONPath(path)).map(\.byteRange)
      #expect(try found(path, text, size: 100).map(\.byteRange) == expected)
    }
    #expect(ContinuousClock.now - start < .seconds(60))
  }

  @Test func `the size of a pattern counts as work`() throws {
    let limits = with(JSONLimits()) { $0.querySteps = 10_000 }
    let json = try JSON(parsing: "[\"" + repeated("a", 400) + "\"]")
    // Two million instructions.
    #expect(jsonError { _ = try json.query("$[?search(@, '(a?){4990}b')]", limits: limits) }?.code == .queryLimit)
  }

  @Test func `a buffered value is rejected as soon as it exceeds the record limit`() throws {
    let limits = with(JSONLimits()) { $0.recordBytes = 1_000 }
    let long = "{\"id\":1,\"text\":\"" + repeated("x", 1_000) + "\"}"
    let text = "{\"items\":[{\"id\":1},\(long),{\"id\":2}]}"
    let start = try #require(text.range(of: long)).lowerBound.utf16Offset(in: text)
    for path in [
      "$.items[?@.id == 1]", "$.items[-1]", "$.items[-3:]", "$.items[:-1]", "$.items[*]", "$.items[::-1]",
      "$..items[1]", "$.items[*]['id','text']", "$.items[?@.id == 9]",
    ] {
      for size in [1, 7, 1_001, text.utf8.count] {
        let error = jsonError { _ = try found(path, text, size: size, limits: limits) }
        #expect(error?.code == .recordLimit, "\(path) in chunks of \(size)")
        #expect(error?.byteOffset == start, "\(path) in chunks of \(size)")
      }
    }
    // Values that are not buffered may have any length.
    for path in ["$.items[*].id", "$.items[2]", "$.items[0]", "$.items[1]..id", "$..id"] {
      for size in [1, 7, text.utf8.count] {
        #expect(try !found(path, text, size: size, limits: limits).isEmpty, "\(path)")
      }
    }
  }

  @Test func `elements buffered for the end of an array count together`() throws {
    let limits = with(JSONLimits()) { $0.recordBytes = 1_000 }
    let text = "[" + (0..<200).map { "\"\($0 + 1_000)\"" }.joined(separator: ",") + "]"
    for path in ["$[::-1]", "$[-190:]", "$[:-190]"] {
      for size in [1, 7, text.utf8.count] {
        #expect(jsonError { _ = try found(path, text, size: size, limits: limits) }?.code == .recordLimit, "\(path)")
      }
    }
    #expect(try found("$[-100:]", text, size: 7, limits: limits).count == 100)
    #expect(try found("$[:-100]", text, size: 7, limits: limits).count == 100)
  }

  @Test func `queries whose combinations of steps exceed the maximum of states are rejected`() throws {
    // Each of the last levels has its own state for each set of "a" among the fourteen keys above it.
    let path = "$..a" + repeated(".*", 14)
    var text = "0"
    for _ in 0..<15 { text = "{\"a\":\(text),\"b\":\(text)}" }
    for size in [nil, 1_000] {
      let error = jsonError { _ = try found(path, text, size: size) }
      #expect(error?.code == .queryLimit && error?.byteOffset == 0)
      #expect(
        error?.message == "expected queries that together have at most 16384 states during evaluation, found more")
    }
  }

  @Test func `a document of a million levels is streamed on a small stack`() throws {
    // A million would take a debug build too long. The stack has less than seven bytes per level even so.
    let depth = isDebug ? 80_000 : 1_000_000
    let bytes = Array((repeated("[", depth) + #"{"x":1}"# + repeated("]", depth)).utf8)
    try onSmallStack { () throws in
      for size in [4_096, bytes.count] {
        for (path, count) in [("$..x", 1), ("$..y", 0), ("$[0]", 1), ("$[0][?@.x]", 0), ("$[1]", 0), ("$..x[?@]", 0)] {
          let source = JSONSource.chunks(chunks(of: bytes, size: size))
          var matches = try JSONMatches(of: path, in: source, options: JSONOptions(limits: .unlimited))
          var found = 0
          while let match = try matches.next() {
            if path == "$..x" {
              #expect(match.value == 1)
              #expect(match.location.steps.count == depth + 1)
              #expect(match.byteRange == depth + 5..<depth + 6)
            }
            found += 1
          }
          #expect(found == count, "\(path) in chunks of \(size)")
        }
      }
    }
  }

  @Test(arguments: [1, 7, 64, 65_536])
  func `a hundred nested matches are all kept, from the outside in`(size: Int) throws {
    let depth = 100
    var text = "0"
    for level in (0..<depth).reversed() {
      text = "{\"b\":\(level),\"a\":\(text),\"c\":[\(level),{\"a\":\"c\(level)\"}]}"
    }
    let expected = try JSON(parsing: text).matches(of: "$..a")
    #expect(expected.count == 2 * depth)
    let found = try found("$..a", text, size: size)
    #expect(found.map(\.location) == expected.map(\.location))
    #expect(found.map(\.byteRange) == expected.map { $0.value.byteRange })
    #expect(zip(found, expected).allSatisfy { $0.value.rawText == $1.value.rawText })
    #expect(zip(found, expected).allSatisfy { $0.value == $1.value })
  }

  /// Returns the chunks of `{"items":[{"id":0,"text":"…"},…]}` with about this many bytes, generated during reading.
  private static func generated(bytes: Int) -> JSONSource {
    let text = String(repeating: "text ", count: 18)
    return .chunks(
      sequence(state: (item: 0, written: 0)) { (state: inout (item: Int, written: Int)) -> [UInt8]? in
        guard state.written >= 0 else { return nil }
        var chunk: [UInt8] = state.item == 0 ? Array("{\"items\":[".utf8) : []
        while chunk.count < 60_000 {
          chunk += Array("\(state.item == 0 ? "" : ",")\n{\"id\":\(state.item),\"text\":\"\(text)\"}".utf8)
          state.item += 1
        }
        state.written += chunk.count
        if state.written >= bytes {
          chunk += Array("],\"end\":true}".utf8)
          state.written = -1
        }
        return chunk
      })
  }

  @Test(arguments: [
    ("$.items[?@.id == 7]", 1), ("$.items[-3:]", 3), ("$.items[:-1]", nil), ("$.items[-1].id", 1),
    ("$.items[?@.id < 3].text", 3), ("$.end", 1),
  ])
  func `a large document leaves only the requested values in memory`(path: String, count: Int?) throws {
    let size = isDebug ? 2 << 20 : 50 << 20
    // Buffered elements count against this limit, so only few can be buffered at a time.
    let limits = with(JSONLimits()) { $0.recordBytes = 1_000 }
    var matches = DocumentMatches(
      try PathMatcher([JSONPath(path).query], limits: limits), try ReadWindow(Self.generated(bytes: size)),
      JSONOptions(limits: limits), readingOn: false)
    var found = 0
    var peak = 0
    var last = -1
    while let match = try matches.next() {
      found += 1
      peak = max(peak, matches.matcher.queue.byteCount)
      if path == "$.items[:-1]" {
        #expect(match.value["id"].int == last + 1)
        last += 1
      }
    }
    #expect(peak < 4 * ReadWindow.readBytes)
    if let count { #expect(found == count) } else { #expect(found > size / 200) }
  }
}
