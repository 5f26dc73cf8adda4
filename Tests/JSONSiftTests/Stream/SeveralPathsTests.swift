import TestSupport
import Testing

@testable import JSONSift

/// Several paths in one pass over one stream.
@Suite struct SeveralPathsTests {
  static let document = """
    {"meta":{"id":7,"tags":["x","y"]},"items":[{"id":1,"price":5},{"id":2,"price":15,"tags":[]},{"id":3}],\
    "empty":{},"list":[],"last":{"id":9}}
    """

  private func run(
    _ paths: [String], in text: String, size: Int = 7
  ) throws -> (found: [[String]], summaries: [JSONMatches.Summary]) {
    let chunks = chunks(of: Array(text.utf8), size: size)
    var matches = try JSONMatches(of: paths.map { ("<\($0)>", try JSONPath($0)) }, in: .chunks(chunks))
    var found: [[String]] = paths.map { _ in [] }
    while let match = try matches.next() {
      found[match.pathIndex].append("\(match.location) \(match.byteRange) \(match.value.rawText)")
    }
    return (found, matches.summaries)
  }

  @Test(arguments: [1, 7, 65_536])
  func `each path has its matches in the same order as alone`(size: Int) throws {
    let paths = [
      "$.meta.id", "$..id", "$.items[*].id", "$.items[?@.price > 4].id", "$.items[-1]", "$.items[:-1].id", "$..tags[*]",
      "$..*", "$", "$.items[1,0].id", "$..[?@.id]", "$.none", "$.items[::-1].id", "$..id",
    ]
    let (found, summaries) = try run(paths, in: Self.document, size: size)
    for (index, path) in paths.enumerated() {
      #expect(try run([path], in: Self.document, size: size).found == [found[index]], "\(path)")
      let alone = try JSON(parsing: Self.document).matches(of: JSONPath(path))
      #expect(
        found[index] == alone.map { "\($0.location) \($0.value.byteRange ?? 0..<0) \($0.value.rawText)" }, "\(path)")
      #expect(summaries[index].name == "<\(path)>" && summaries[index].count == found[index].count)
    }
  }

  @Test(arguments: [1000, 70_000])
  func `large matches that wait for earlier ones stay right while many others are taken`(size: Int) throws {
    let large =
      #"{"on":1,"u":{"b":"\#(String(repeating: "b", count: 3000))"},"v":["\#(String(repeating: "c", count: 2000))"]}"#
    let others = (0..<3000).map { "\"m\($0)\":{\"n\":\"\(String(repeating: "n", count: $0 % 90))\"}" }
    let first = "{\"k\":\(large),\"l\":\(large)," + others.joined(separator: ",") + "}"
    let text = "{\"x\":\(first),\"y\":\(large)}"
    let paths = ["$..[?@.on]['u','v']", "$.x[*].n"]
    let json = try JSON(parsing: text)
    let expected = try paths.map { path in
      try json.matches(of: JSONPath(path)).map { "\($0.location) \($0.value.byteRange ?? 0..<0) \($0.value.rawText)" }
    }
    #expect(expected.map(\.count) == [6, 3000])
    let found = try run(paths, in: text, size: size).found
    #expect(found == expected)
  }

  @Test func `an empty list of paths reads and checks the document and has no matches`() throws {
    let (found, summaries) = try run([], in: Self.document)
    #expect(found.isEmpty && summaries.isEmpty)
    #expect(jsonError { _ = try run([], in: "[1,]") }?.byteOffset == 3)
  }

  static let outcomes: [(String, JSONMatches.Summary.Outcome)] = [
    ("$", .matched), ("$.meta.id", .matched), ("$.meta.none", .empty), ("$.none.id", .absent), ("$.empty.*", .empty),
    ("$.list[*]", .empty), ("$.list[0]", .empty), ("$.list[-1]", .empty), ("$.none[*]", .absent),
    ("$.items[9]", .empty), ("$.items[9].id", .absent), ("$.items[?@.id == 9]", .empty),
    ("$.items[?@.id == 9].price", .absent), ("$.items[?@.id == 2]", .matched),
    ("$.meta.id.*", .absent), ("$.meta[0]", .absent), ("$.items.id", .absent), ("$..none", .empty), ("$..id", .matched),
    ("$.none..id", .absent), ("$.items[1].tags[*]", .empty), ("$.items[2].tags[*]", .absent),
  ]

  @Test func `a summary reports matched, empty and absent paths`() throws {
    for size in [1, 1_000] {
      let (_, summaries) = try run(Self.outcomes.map(\.0), in: Self.document, size: size)
      for ((path, outcome), summary) in zip(Self.outcomes, summaries) {
        #expect(summary.outcome == outcome, "\(path)")
        #expect((summary.count > 0) == (outcome == .matched), "\(path)")
      }
    }
  }

  @Test(arguments: outcomes)
  func `a summary of a record reports the same as one of a document`(
    path: String, outcome: JSONMatches.Summary.Outcome
  ) throws {
    var matches = try JSONMatches(of: JSONPath(path), in: .bytes(Array(Self.document.utf8)), framing: .lines)
    while try matches.next() != nil {}
    let found = matches.summaries[0].outcome
    #expect(found == outcome)
  }

  static let stopping: [(paths: [String], answeredAt: String?)] = [
    (["$.meta.id"], "7"), (["$.meta.id", "$.meta.tags[0]"], #""x""#), (["$.meta.tags[0]", "$.meta.id"], #""x""#),
    (["$.meta.id", "$.items[1].id"], #"{"id":2"#), (["$.items[0]", "$.items[0].price"], #""price":5}"#),
    (["$.meta.none"], nil), (["$.meta.none", "$.meta.id.x"], nil),
    (["$.items[9]", "$.meta.id"], #"{"id":3}]"#), (["$.none"], nil),
    (["$.meta.id", "$..id"], nil), (["$.meta.id", "$.items[*]"], nil), (["$.meta.id", "$.meta.tags[-1]"], nil),
    (["$.meta.id", "$"], nil), (["$.meta.id", "$.items[?@.id == 1]"], nil), (["$.meta.id", "$.items[0:1]"], nil),
  ]

  @Test(arguments: stopping)
  func `reading stops within 64 KiB after all paths are definite and one has matched`(
    paths: [String], answeredAt: String?
  ) throws {
    // The text after the document would be rejected.
    let pad = #","pad":""# + String(repeating: "x", count: 100_000) + #""}"#
    let bytes = Array((Self.document.dropLast() + pad + " !").utf8)
    let named = try paths.map { ("", try JSONPath($0)) }
    let chunks = CountedChunks(chunks(of: bytes, size: 1))
    var matches = try JSONMatches(of: named, in: .chunks(chunks))
    var error: JSONError?
    do { while try matches.next() != nil {} } catch let failure { error = failure }
    guard let answeredAt else {
      // The end of the document is after the last byte of the root.
      #expect(error?.code == .trailingContent && error?.byteOffset == bytes.count - 1)
      return
    }
    #expect(error == nil)
    let text = Self.document
    let matchEnd = try #require(text.range(of: answeredAt)).upperBound
    let end = text.utf8.distance(from: text.startIndex, to: matchEnd)
    // The first token behind the value is looked for.
    #expect((end...end + 65_537).contains(chunks.bytesRead), "\(chunks.bytesRead), answered at \(end)")
  }

  @Test func `an unneeded chunk is not requested before the match is taken`() throws {
    let chunks = CountedChunks(chunks(of: Array("[1,2,3,4,5]".utf8), size: 2))
    var matches = try JSONMatches(of: "$[*]", in: .chunks(chunks))
    #expect(chunks.bytesRead == 0)
    _ = try matches.next()
    #expect(chunks.bytesRead == 4)
  }

  @Test func `a bad path among several is thrown before any byte is read`() throws {
    let bad: JSONPath = "$.items.[0]"
    let chunks = CountedChunks(chunks(of: Array("[]".utf8), size: 1))
    let source = JSONSource.chunks(chunks)
    let failure = try #require(bad.error)
    #expect(throws: failure) { _ = try JSONMatches(of: [("good", "$.a"), ("bad", bad)], in: source) }
    let error = jsonError { _ = try JSONMatches(of: [("good", "$.a"), ("root", "$[?@ == $.a]")], in: source) }
    #expect(error?.code == .invalidPath)
    #expect(chunks.bytesRead == 0)
  }
}
