import TestSupport
import Testing

@testable import JSONSift
@testable import JSONSiftAnalysis

@Suite struct ValueSketchTests {
  /// Spellings of values that are equal, nearly equal, or at the edge of a type.
  private static let values = [
    "0", "-0", "0.0", "1", "1.0", "1e0", "10e-1", "1.0000000000000001", "2", "-1", "17", "1e17", "100000000000000000",
    "100000000000000001", "9007199254740993", "9007199254740992.0", "1e400", "-1e400", "1e-400", "1e99999999999", "0.1",
    "0.10", "1E-1", "null", "true", "false", "[]", "{}", "[1]", #""""#, #""a""#, #""\u0061""#, #""b""#, #""é""#,
    #""e\u0301""#, #""\u00e9""#, #""😀""#, #""\ud83d\ude00""#, #""\ud800""#, #""\ud800\udc""#, #""\uFFFD""#, #""0""#,
    #""1""#, #""null""#, #""2026-11-25T00:00:00Z""#, #""2026-11-25T00:00:01Z""#,
    "\"\(String(repeating: "long", count: 8))\"", "\"\(String(repeating: "long", count: 8))a\"",
    "\"\(String(repeating: "long", count: 8))b\"", "\"\(String(repeating: "x", count: 2000))\"",
    "\"\(String(repeating: "x", count: 2000))y\"",
  ]

  private static let literals = [
    "0", "-0.0", "1", "1.00", "1.0000000000000001", "1e17", "100000000000000001", "9007199254740993", "1e400", "1e-400",
    "0.1", "17", "16", "18", "-2", "null", "true", "false", "''", "'a'", "'b'", "'é'", "'e\u{301}'", "'😀'", "'0'",
    "'\u{FFFD}'", "'2026-11-25T00:00:00Z'", "'2026'", "'z'", "'\(String(repeating: "long", count: 8))a'",
    "'\(String(repeating: "x", count: 2000))'", #"'\ud83d\ude00'"#,
  ]

  @Test func `a sketch never denies a comparison that holds for one of its values`() throws {
    var random = SeededGenerator()
    let conditions =
      try Self.literals.flatMap { literal in
        try ["==", "!=", "<", "<=", ">", ">="].flatMap {
          [try JSONCondition("@.v \($0) \(literal)"), try JSONCondition("\(literal) \($0) $.v")]
        }
      } + [try JSONCondition("@.v")]
    let tests = conditions.map { ConditionParts($0, ["$.v"]) }
    var denied = 0
    for _ in 0..<300 {
      let texts = (0..<Int.random(in: 0...3, using: &random)).map { _ in
        Self.values.randomElement(using: &random) ?? "0"
      }
      var sketcher = ValueSketcher()
      for text in texts { unsafe Array(text.utf8).withUnsafeBytes { unsafe sketcher.add($0) } }
      let sketch = sketcher.finish()
      let records = texts.map { (try? JSON(parsing: Array("{\"v\":\($0)}".utf8))) ?? .null }
      for (condition, test) in zip(conditions, tests) {
        let holds = try records.contains { try condition.holds(for: $0) }
        let mayHold = test.mayHold { _ in sketch }
        #expect(mayHold || !holds, "\(condition) for \(texts); \(random)")
        if !mayHold { denied += 1 }
      }
    }
    // A sketch that denies nothing would pass, and be useless.
    #expect(denied > 10_000)
  }

  @Test func `a sketch denies values that are outside of its bounds, of other types, or not among its hashes`() throws {
    var sketcher = ValueSketcher()
    for number in stride(from: 10, through: 990, by: 10) {
      unsafe Array("\(number)".utf8).withUnsafeBytes { unsafe sketcher.add($0) }
      unsafe Array("\"k\(number)\"".utf8).withUnsafeBytes { unsafe sketcher.add($0) }
    }
    let sketch = sketcher.finish()
    func mayHold(_ condition: String) throws -> Bool {
      ConditionParts(try JSONCondition(condition), ["$.v"]).mayHold { _ in sketch }
    }
    for condition in [
      "@.v == 5", "@.v < 9", "@.v > 991", "@.v >= 991", "@.v == 'j'", "@.v > 'l'", "@.v < 'k1'", "@.v == null",
      "@.v == true",
      "@.v == 1000 || @.v == 'x'", "@.v == 10 && @.v == 'x'", "@.v <= null",
    ] {
      #expect(try !mayHold(condition), "\(condition)")
    }
    for condition in [
      "@.v == 10", "@.v != 10", "@.v <= 10", "@.v >= 990", "@.v == 'k10'", "@.v > 'k98'", "@.w == 1", "!(@.v == 10)",
      "@.v == @.w", "match(@.v, 'x')", "length(@.v) == 3", "@.v == 1000 || @.v == 10", "@.v == 5 || @.w == 5",
    ] {
      #expect(try mayHold(condition), "\(condition)")
    }
    let found = try (0..<1000).filter { try mayHold("@.v == \($0)") }.count
    // 99 values are there; a Bloom filter is wrong for about one of three hundred others.
    #expect((99...140).contains(found))
  }
}
