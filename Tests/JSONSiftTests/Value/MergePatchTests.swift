import JSONSift
import TestSupport
import Testing

/// RFC 7396.
@Suite struct MergePatchTests {
  @Test func `the 15 examples of the standard have their results, parsed and created in Swift`() throws {
    let tests = try JSON(parsing: try PackageFiles.bytes(of: "Fixtures/rfc/rfc7396-appendix-a.json"))["tests"]
    #expect(tests.count == 15)
    for (number, test) in tests {
      for isBuilt in [false, true] {
        var json = isBuilt ? test["doc"].rebuilt : test["doc"]
        json.applyMergePatch(isBuilt ? test["patch"].rebuilt : test["patch"])
        #expect(json == test["expected"], "\(number)")
        #expect(try JSON(parsing: json.bytes()) == test["expected"], "\(number)")
      }
    }
  }

  /// The algorithm of the standard, section 2.
  private func merged(_ target: JSON, _ patch: JSON) -> JSON {
    guard patch.type == .dictionary else { return patch }
    var result: [String: JSON] = target.dictionary ?? [:]
    for (name, value) in patch {
      result[name] = value.type == .null ? nil : merged(result[name] ?? .null, value)
    }
    return JSON(result)
  }

  @Test func `random patches have the results of the algorithm in the standard`() throws {
    var generator = SeededGenerator()
    func value(_ depth: Int) -> String {
      switch generator.next() % (depth > 0 ? 6 : 3) {
      case 0: "null"
      case 1: "\(generator.next() % 4)"
      case 2: "\"x\""
      case 3: "[\(value(depth - 1))]"
      default:
        "{"
          + ["a", "b", "c", "d"].filter { _ in generator.next() % 2 == 0 }
          .map { "\"\($0)\":\(value(depth - 1))" }.joined(separator: ",") + "}"
      }
    }
    for _ in 0..<2000 {
      let (target, patch) = (value(4), value(4))
      let expected = merged(try JSON(parsing: Array(target.utf8)), try JSON(parsing: Array(patch.utf8)))
      var json = try JSON(parsing: Array(target.utf8))
      let copy = json
      json.applyMergePatch(try JSON(parsing: Array(patch.utf8)))
      #expect(json == expected, "\(generator): \(target) \(patch)")
      #expect(try copy == JSON(parsing: Array(target.utf8)), "\(generator): \(target) \(patch)")
    }
  }

  @Test func `removing many members takes one pass, and the others keep their order`() throws {
    let names = (0..<50_000).map { "k\($0)" }
    var json = try JSON(parsing: Array(("{" + names.map { "\"\($0)\":1" }.joined(separator: ",") + "}").utf8))
    let patch = "{" + names.filter { !$0.hasSuffix("7") }.map { "\"\($0)\":null" }.joined(separator: ",") + "}"
    json.applyMergePatch(try JSON(parsing: Array(patch.utf8)))
    #expect(json.map(\.0) == names.filter { $0.hasSuffix("7") })
  }

  @Test func `of duplicate names in a patch the last counts, and all of the value are removed`() throws {
    var json = try JSON(parsing: Array(#"{"a":1,"b":2,"a":3}"#.utf8))
    json.applyMergePatch(try JSON(parsing: Array(#"{"a":7,"b":null,"b":8,"a":null}"#.utf8)))
    #expect(json == ["b": 8])
  }

  @Test func `a deep patch uses no recursion`() throws {
    let options = with(JSONOptions()) { $0.limits.depth = 200_000 }
    let text = String(repeating: #"{"a":"#, count: 100_000) + "1" + String(repeating: "}", count: 100_000)
    var json = JSON.null
    json.applyMergePatch(try JSON(parsing: Array(text.utf8), options: options))
    #expect(try json.bytes() == Array(text.utf8))
  }
}
