import TestSupport
import Testing

@testable import JSONSift
@testable import JSONSiftArrow

/// The cost of eight times as much. It is the processor's time of the thread, which other programs hardly change; the limit
/// of 24 lies between the 8 of a linear cost and the 64 of a quadratic one. `Scripts/measure growth` counts instructions of the tool.
@Suite struct GrowthTests {
  private func seconds(_ body: () throws -> Void) rethrows -> Double {
    let start = threadSeconds()
    try body()
    return threadSeconds() - start
  }

  /// Returns how many times the cost of `count` the cost of `8 * count` is.
  ///
  /// - Parameter prepare: Returns the work on a size. What it does itself is not measured.
  private func growth(from count: Int, _ prepare: (Int) throws -> () throws -> Void) throws -> Double {
    let (small, large) = (try prepare(count), try prepare(8 * count))
    var (least, most) = (Double.infinity, Double.infinity)
    for _ in 0..<3 {
      least = min(least, try seconds(small))
      most = min(most, try seconds(large))
    }
    return most / max(least, 1e-6)
  }

  private static func object(_ names: some Sequence<Int>, _ value: String = "1") -> String {
    "{" + names.map { "\"name\($0)\":\(value)" }.joined(separator: ",") + "}"
  }

  // MARK: Types

  private func tree(_ texts: [String]) -> ArrowTypeTree {
    var tree = ArrowTypeTree(maxKeys: .max, maxPaths: .max)
    for text in texts { unsafe Array(text.utf8).withUnsafeBytes { unsafe tree.add($0) } }
    return tree
  }

  @Test func `issue 48, cost: types of many names of one object cost as much as names`() throws {
    let growth = try growth(from: 500) { count in
      let texts = [Self.object(0..<count), Self.object((0..<count).reversed())]
      return { #expect(tree(texts).columns.count == count) }
    }
    #expect(growth < 24)
  }

  @Test func `issue 48, cost: merged types of many names cost as much as names`() throws {
    let growth = try growth(from: 500) { count in
      let (left, right) = (tree([Self.object(0..<count)]), tree([Self.object((0..<2 * count).reversed())]))
      return {
        var merged = left
        merged.merge(right)
        #expect(merged.columns.count == 2 * count)
      }
    }
    #expect(growth < 24)
  }

  @Test func `types of many names are found again, in the order of the first values`() {
    let names = [0, 20, 1, 19, 2, 18, 3, 17, 4, 16, 5, 15, 6, 14, 7, 13, 8, 12, 9, 11, 10, 21, 22, 23]
    let found = tree([Self.object(names), Self.object(names.reversed(), "\"a\""), Self.object(0..<40)]).columns
    #expect(found.map(\.name) == (names + Array(24..<40)).map { "name\($0)" })
    #expect(found.map(\.count) == names.map { _ in 3 } + (24..<40).map { _ in 1 })
    #expect(found.map { "\($0.type)" } == names.map { _ in "json" } + (24..<40).map { _ in "int64" })
  }

  @Test func `columns of equal names are numbered, and skip the numbers that are names`() {
    let found = tree([#"{"a.b":1,"a":{"b":2,"b_3":1},"a.b_2":3,"a.b_3":4,"a.b_2_2":5}"#]).columns
    #expect(found.map(\.name) == ["a.b", "a.b_2", "a.b_3", "a.b_2_2", "a.b_3_2", "a.b_2_2_2"])
  }

  // MARK: Paths

  @Test(arguments: [JSONFraming.document, .lines])
  func `issue 48, cost: many paths cost as much as paths`(_ framing: JSONFraming) throws {
    let growth = try growth(from: 250) { count in
      let paths = try (0..<count).map { ("\($0)", try JSONPath("$.name\($0).b")) }
      let text = Array((Self.object(0..<count, #"{"b":1}"#) + "\n").utf8)
      return {
        var matches = try JSONMatches(of: paths, in: .bytes(text), framing: framing)
        var found = 0
        while try matches.next() != nil { found += 1 }
        #expect(found == count)
        #expect(matches.summaries.allSatisfy { $0.outcome == .matched })
      }
    }
    #expect(growth < 24)
  }

  @Test func `issue 48, cost: many paths without matches cost as much as paths`() throws {
    let growth = try growth(from: 250) { count in
      let paths = try (0..<count).map { ("\($0)", try JSONPath("$.x.name\($0)")) }
      return {
        var matches = try JSONMatches(of: paths, in: .bytes(Array(#"{"x":{}}"#.utf8)), framing: .document)
        #expect(try matches.next() == nil)
        #expect(matches.summaries.allSatisfy { $0.outcome == .empty })
      }
    }
    #expect(growth < 24)
  }

  /// Twice the depth has four times the matches; a location for each costs eight times as much.
  @Test(arguments: ["$..a..a", "$..*..a", "$..[0]..[0]", "$..[-1]..[-1]"])
  func `issue 48, cost: matches that are only counted need no locations`(_ path: String) throws {
    let growth = try growth(from: 25) { count in
      let (open, close) = path.contains("[") ? ("[", "]") : (#"{"a":"#, "}")
      let text = Array((String(repeating: open, count: count) + "1" + String(repeating: close, count: count)).utf8)
      let parsed = try JSONPath(path)
      return {
        var matches = try JSONMatches(of: parsed, in: .bytes(text), framing: .document)
        var found = 0
        while try unsafe matches.borrowNext({ _, _ in found += 1 }) {}
        #expect(found == count * (count - 1) / 2)
      }
    }
    #expect(growth < 160)
  }

  // MARK: Values

  @Test func `changes of an object, its equality and its hash cost as much as its members`() throws {
    let growth = try growth(from: 250) { count in
      let (left, right) = (Self.object(0..<count), Self.object((0..<count).reversed(), "2"))
      return {
        var json = try JSON(parsing: left)
        try json.merge(with: JSON(parsing: right))
        for number in 0..<count { json["more\(number)"] = 1 }
        let other = json
        #expect(json == other && json.hashValue == other.hashValue)
        let patch = try JSON(parsing: "{" + (0..<count).map { "\"name\($0)\":null" }.joined(separator: ",") + "}")
        json.applyMergePatch(patch)
        #expect(json.count == count)
      }
    }
    #expect(growth < 24)
  }

  @Test func `duplicate keys cost as much as members`() throws {
    let growth = try growth(from: 250) { count in
      let text = "{" + (0..<count).map { "\"name\($0 / 2)\":1" }.joined(separator: ",") + "}"
      return {
        let (left, right) = (try JSON(parsing: text), try JSON(parsing: text))
        #expect(left == right && left.hashValue == right.hashValue)
        #expect(left.dictionaryValue.count == count / 2)
      }
    }
    #expect(growth < 24)
  }
}
