import TestSupport
import Testing

@testable import JSONSift

/// Errors in the middle of a stream, for paths of every kind.
@Suite struct MatchErrorTests {
  private struct Answer: Equatable {
    var found: [[String]]
    var error: JSONError?
    var position: JSONError.Position?
  }

  private func run(_ paths: [String], _ bytes: [UInt8], size: Int) throws -> (answer: Answer, excerpt: String?) {
    var matches = try JSONMatches(of: paths.map { ($0, try JSONPath($0)) }, in: source(of: bytes, inPiecesOf: size))
    var answer = Answer(found: paths.map { _ in [] })
    do {
      while let match = try matches.next() {
        answer.found[match.pathIndex].append("\(match.location) \(match.byteRange) \(match.value.rawText)")
      }
    } catch {
      answer.error = error
      answer.position = matches.position(of: error)
      return (answer, matches.excerpt(of: error)?.text)
    }
    return (answer, nil)
  }

  static let paths = [
    "$[*].id", "$[?@.id > 1].id", "$[0:9]", "$[:-1].id", "$[-1]", "$..id", "$[*]..id", "$[*]['id','x']", "$[1].id", "$",
    "$[::-1]", "$..[?@.id]",
  ]

  static let broken: [String] = [
    "[{\"id\":1},\n{\"id\":2},\n{\"id\":3}x,{\"id\":4}]", "[{\"id\":1},\n{\"id\":2},\n {\"id\":3},\n{\"id\" 4}]",
    "[{\"id\":1},{\"id\":2}\n", "[{\"id\":1},{\"id\":2}", "[{\"id\":1},\n{\"id\":2},\n{\"id\":\"\u{1}\"}]",
    "[{\"id\":1},\n{\"id\":2}]\n\n]", "[{\"id\":1},\n{\"id\":2},\n{\"x\":[{\"id\":3},tru]}]",
    "[{\"id\":1},{\"id\":2},{\"id\":-}]", "[{\"id\":1},\n\n{\"id\":2},{\"é\":\"\\ud800\"}]",
  ]

  @Test(arguments: broken)
  func `an error has the position that parsing gives it for every path and under every chunking`(
    text: String
  ) throws {
    let bytes = Array(text.utf8)
    let expected = try #require(jsonError { _ = try JSON(parsing: bytes) })
    for path in Self.paths where path != "$[1].id" {
      for size in [1, 2, 7, 64, bytes.count] {
        let (answer, excerpt) = try run([path], bytes, size: size)
        #expect(answer.error == expected, "\(path) in chunks of \(size)")
        #expect(answer.position == expected.position(in: bytes), "\(path) in chunks of \(size)")
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        let position = expected.position(in: bytes)
        if position.line <= lines.count {
          // A control character is shown as a dot.
          let line = String(lines[position.line - 1].map { $0 == "\u{1}" ? "·" : $0 })
          #expect(excerpt == line, "\(path) in chunks of \(size)")
        }
      }
    }
  }

  @Test(arguments: broken)
  func `complete matches are returned before an error, as for each path alone`(text: String) throws {
    let bytes = Array(text.utf8)
    let error = try #require(jsonError { _ = try JSON(parsing: bytes) })
    let (whole, _) = try run(Self.paths, bytes, size: bytes.count)
    for size in [1, 2, 7, 64] {
      #expect(try run(Self.paths, bytes, size: size).answer == whole, "chunks of \(size)")
    }
    for (index, path) in Self.paths.enumerated() {
      #expect(try run([path], bytes, size: 7).answer.found == [whole.found[index]], "\(path)")
    }
    // Values that contain or follow the error are not reported.
    for line in whole.found.joined() { #expect(!line.contains("\(error.byteOffset)..<")) }
    let ids = whole.found[0].map { $0.split(separator: " ").last.map(String.init) ?? "" }
    #expect(ids.starts(with: ["1", "2"]))
    #expect(whole.found[1].first?.hasSuffix(" 2") == true)
    #expect(whole.found[2].count >= 2)
    #expect(whole.found[3].first?.hasSuffix(" 1") == true)
    // Matches of descendants wait for others that may precede them; at the error they are reported too.
    #expect(whole.found[6].count == whole.found[0].count + (text.contains("[{\"id\":3},tru") ? 1 : 0))
    #expect(whole.found[8].count == 1)
    // Matches that are known only at the end of the array are missing if the array has no end.
    let isComplete = text.contains("]\n\n]")
    #expect(whole.found[4].isEmpty != isComplete)
    #expect(whole.found[9].isEmpty != isComplete)
    #expect(whole.found[10].isEmpty != isComplete)
    #expect(whole.found[11].isEmpty != isComplete)
  }

  @Test func `an error of a query is thrown after the matches before it, with its position`() throws {
    let limits = with(JSONLimits()) { $0.querySteps = 200 }
    let few = "{\"v\":[1]}"
    let many = "{\"v\":[" + (0..<500).map(String.init).joined(separator: ",") + "]}"
    let text = "[\n\(few),\n\(few),\n  \(many)]"
    let start = text.utf8.count - many.utf8.count - 1
    for size in [1, 7, 100, text.utf8.count] {
      var matches = try JSONMatches(
        of: "$[?@.v[?@ >= 0]].v[?@ > 600 || @ == 1]", in: .chunks(chunks(of: Array(text.utf8), size: size)),
        options: JSONOptions(limits: limits))
      #expect(try matches.next()?.byteRange == 8..<9)
      #expect(try matches.next()?.byteRange == 19..<20)
      let found = jsonError { while try matches.next() != nil {} }
      let error = try #require(found)
      #expect(error.code == .queryLimit)
      let position = matches.position(of: error)
      #expect(error.byteOffset == start)
      #expect(position == JSONError.Position(byteOffset: start, line: 4, column: 3))
    }
  }

  @Test func `in lines a query that exceeds its limit is an error of its record, and the next records are queried`()
    throws
  {
    let limits = with(JSONLimits()) { $0.querySteps = 50 }
    let many = "[" + (0..<500).map(String.init).joined(separator: ",") + "]"
    let text = "[1]\n\(many)\n[2]\n"
    for size in [1, 7, text.utf8.count] {
      var matches = try JSONMatches(
        of: "$[?@ >= 0]", in: .chunks(chunks(of: Array(text.utf8), size: size)), framing: .lines,
        options: JSONOptions(limits: limits))
      var lines: [String] = []
      var position: JSONError.Position?
      while lines.count < 100 {
        do {
          guard let match = try matches.next() else { break }
          if match.byteRange.lowerBound < 4 || match.byteRange.lowerBound > many.utf8.count {
            lines.append("\(match.byteRange) \(match.value.rawText)")
          }
        } catch {
          lines.append("\(error.code)@\(error.byteOffset)")
          position = matches.position(of: error)
        }
      }
      let last = text.utf8.count - 3
      #expect(lines == ["1..<2 1", "queryLimit@4", "\(last)..<\(last + 1) 2"])
      #expect(position == JSONError.Position(byteOffset: 4, line: 2, column: 1))
    }
  }
}
