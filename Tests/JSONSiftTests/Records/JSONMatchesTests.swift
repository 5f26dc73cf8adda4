import TestSupport
import Testing

@testable import JSONSift

@Suite struct JSONMatchesTests {
  private func run(_ path: String, _ source: JSONSource, _ framing: JSONFraming = .document) throws -> [String] {
    var matches = try JSONMatches(of: path, in: source, framing: framing)
    var lines: [String] = []
    while lines.count < 1_000 {
      do {
        guard let match = try matches.next() else { return lines }
        lines.append("\(match.byteRange) \(match.value.rawText)")
      } catch {
        let position = matches.position(of: error)
        lines.append("\(error.code)@\(error.byteOffset) at \(position.line):\(position.column)")
        guard framing == .lines else { return lines }
      }
    }
    return lines
  }

  @Test func `a definite path stops reading after its match`() throws {
    // Behind a match the first token after the value is looked for within 64 KiB, and no further. Errors before it are not
    // those of the match. Without a match the input is read to its end.
    let far = String(repeating: " ", count: 64 << 10)
    let cases: [(String, [String], Int, Int)] = [
      ("$[0]", ["[1,", far, "not json"], 2, 1), ("$[0]", ["[1,", "2,", "not json"], 3, 1),
      ("$.a", ["{\"a\":\"x\"", far, "!"], 2, 1), ("$.b", ["{\"a\":1,", "\"b\":[1", ",2]", far, "!"], 4, 1),
      ("$.a.x", ["{\"a\":1", far, "!"], 3, 0), ("$.a[1]", ["{\"a\":[1", "],", far, "}"], 4, 0),
    ]
    for (path, chunks, taken, count) in cases {
      let counted = CountedChunks(chunks.map { Array($0.utf8) })
      let found = try run(path, .chunks(counted))
      #expect(found.count == count && !found.contains { $0.contains("@") }, "\(path): \(found)")
      #expect(counted.bytesRead == chunks.prefix(taken).joined().utf8.count, "\(path)")
    }
    #expect(try run("$[3]", .bytes(Array("[0] !".utf8))) == ["trailingContent@4 at 1:5"])
  }

  @Test func `after the error every call throws it again`() throws {
    var matches = try JSONMatches(of: "$[*]", in: .bytes(Array("[1,]".utf8)))
    _ = try matches.next()
    for _ in 0..<3 {
      let found = jsonError { _ = try matches.next() }
      #expect(found?.byteOffset == 3)
    }
  }

  @Test func `in lines a bad record is thrown and the next ones are read`() throws {
    let text = "{\"a\":1}\n{\"a\":\n{\"b\":2}\n\n{\"a\":[3,4]}\n5"
    let expected = ["5..<6 1", "unexpectedEnd@13 at 2:6", "28..<33 [3,4]"]
    for size in [1, 2, 7, 100] {
      #expect(try run("$.a", .chunks(chunks(of: Array(text.utf8), size: size)), .lines) == expected)
    }
    #expect(
      try run("$.a[*]", .bytes(Array(text.utf8)), .lines) == ["unexpectedEnd@13 at 2:6", "29..<30 3", "31..<32 4"])
  }

  @Test func `the position of an error after several windows is right`() throws {
    let line = "  {\"id\": 1, \"text\": \"värde\"},\n"
    let good = "[\n" + String(repeating: line, count: 25_000)
    for tail in ["  {\"id\" 1}\n]", "  x]", "  1", "  \"open", "  [1, 2}\n]"] {
      let bytes = Array((good + tail).utf8)
      let expected = try #require(jsonError { _ = try JSON(parsing: bytes) })
      var matches = try JSONMatches(of: "$[*].none", in: .bytes(bytes))
      let found = jsonError { while try matches.next() != nil {} }
      #expect(found == expected)
      let position = matches.position(of: expected)
      #expect(position == expected.position(in: bytes), "\(tail)")
      let excerpt = matches.excerpt(of: expected)?.text ?? ""
      #expect(excerpt == tail.split(separator: "\n")[0], "\(tail)")
    }
  }

  @Test func `the position of an error on one line of several windows is right`() throws {
    let bytes = Array(("[" + String(repeating: "\"é\",", count: 150_000) + "x]").utf8)
    for size in [bytes.count, 4_096, 1 << 18] {
      var matches = try JSONMatches(of: "$[*].none", in: .chunks(chunks(of: bytes, size: size)))
      let found = jsonError { while try matches.next() != nil {} }
      let error = try #require(found)
      let position = matches.position(of: error)
      #expect(position == JSONError.Position(byteOffset: 750_001, line: 1, column: 750_002))
      let excerpt = matches.excerpt(of: error)
      #expect(excerpt?.text.hasPrefix("…") == true && excerpt?.text.hasSuffix("x]") == true)
    }
  }

  @Test func `a match that is too long has its position although it begins several windows earlier`() throws {
    let limits = with(JSONLimits()) { $0.recordBytes = 400_000 }
    let text = "[\n1,\n  [\n" + String(repeating: "\"abc\",\n", count: 100_000) + "2]]"
    var matches = try JSONMatches(of: "$[*]", in: .bytes(Array(text.utf8)), options: JSONOptions(limits: limits))
    let first = try matches.next()
    #expect(first?.value.int == 1)
    let found = jsonError { _ = try matches.next() }
    let error = try #require(found)
    #expect(error.code == .recordLimit && error.byteOffset == 7)
    let position = matches.position(of: error)
    #expect(position == JSONError.Position(byteOffset: 7, line: 3, column: 3))
  }

  @Test(arguments: [1, 63, 64, 65, 66, 700])
  func `a match in a record has the location that the query engine gives it, for containers of every size`(
    count: Int
  ) throws {
    let elements = (0..<count).map { $0 % 7 == 3 ? "[\($0),[]]" : $0 % 5 == 1 ? "{\"x\":\($0)}" : "\($0)" }
    // Every tenth key occurs before.
    let members = (0..<count).map { "\"k\($0 % 10 == 9 ? $0 - 9 : $0)\":[\($0)]" }
    let record =
      "{\"a\":[" + elements.joined(separator: ",") + "],\"o\":{" + members.joined(separator: ",") + "},\"last\":[0]}\n"
    let expected = try JSON(parsing: record).matches(of: "$..*").map { "\($0.location) \($0.value.rawText)" }
    var matches = try JSONMatches(
      of: "$..*", in: .chunks(chunks(of: Array((record + record).utf8), size: 997)), framing: .lines)
    let found = try drain { try matches.next().map { "\($0.location) \($0.value.rawText)" } }
    #expect(found == expected + expected)
  }
}
