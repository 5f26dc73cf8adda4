import TestSupport
import Testing

@testable import JSONSift

@Suite struct IRegexpWorkTests {
  static let hostile = [
    "(a*)*b", "(a|a)*b", "(a+)+b", "(a|aa)+b", "(a?){50}a{50}b", "(a*)*(a*)*(a*)*b", "((a*)*)*b", "(.*)*b", "(.*.*)*b",
    "(a|b|ab)*c", "(x+x+)+y", ".*.*.*.*.*b", "(a{0,30}){30}b", "[ab]*a[ab]{60}b", "(a|a|a|a|a|a)*b", "(.|[ab]|a)*c",
    "(|a)*b", "((|a)+)+b", "(a*|b*)*c", "(\\p{L}|\\p{Ll}|.)*b",
  ]

  @Test(arguments: hostile)
  func `the work for a text is bounded by its length times the program size`(text: String) throws {
    let pattern = try IRegexp(text)
    let size = pattern.program.instructions.count
    for whole in [true, false] {
      #expect(IRegexpTables(pattern.program, whole: whole).work < IRegexpTables.maxWork + 5 * size)
    }
    for input in [
      String(repeating: "a", count: 400), String(repeating: "ab", count: 200), String(repeating: "é", count: 200),
    ] {
      for whole in [true, false] {
        var simulation = IRegexpSimulation(pattern.program)
        let answer = simulation.matches(bytes: Array(input.utf8), whole: whole)
        // Each instruction is tested once per index, reached from at most two others, and entered again at each index.
        #expect(simulation.work <= (input.unicodeScalars.count + 2) * (4 * size + 1))
        #expect(pattern.matches(bytes: Array(input.utf8), whole: whole) == answer)
      }
    }
  }

  @Test func `a pattern with exponential backtracking is matched`() throws {
    let text = String(repeating: "a", count: 50)
    let pattern = try IRegexp("(a?){50}a{50}")
    #expect(pattern.matches(whole: text))
    #expect(pattern.matches(whole: text + text))
    #expect(!pattern.matches(whole: text + text + "a"))
    #expect(!pattern.matches(whole: String(text.dropLast())))
    #expect(try !IRegexp("(a*)*b").matches(partOf: String(repeating: "a", count: 20_000)))
  }

  @Test func `table construction is abandoned after a fixed amount of work`() throws {
    let pattern = try IRegexp("(a|b)*a(a|b){14}")
    #expect(IRegexpTables(pattern.program, whole: true).isEmpty)
    let text = String(repeating: "b", count: 2_000) + "a" + String(repeating: "b", count: 14)
    #expect(pattern.matches(whole: text))
    #expect(!pattern.matches(whole: text + "b"))
    // A program that takes more work for one state than the limit for tables.
    let large = try IRegexp("(a?){400}")
    #expect(IRegexpTables(large.program, whole: false).isEmpty == false)
    #expect(IRegexpTables(large.program, whole: true).isEmpty)
    #expect(large.matches(whole: String(repeating: "a", count: 400)))
    #expect(!large.matches(whole: String(repeating: "a", count: 401)))
  }

  @Test func `a program has fewer than 10,000 steps with repetitions expanded`() throws {
    #expect(try IRegexp("a{9999}").program.instructions.count == 10_000)
    #expect(try IRegexp("(a{99}){101}").program.instructions.count == 10_000)
    let rejected = [
      ("a{10000}", 1), ("((a{1000}){1000}){1000}", 10), ("a{5000}b{5000}", 7), ("a{99999999999999999999}", 1),
      ("a{9223372036854775807}", 1), ("(a{9000}){9223372036854775807,}", 9), ("a{0,99999}", 1), ("(a?){5000}", 4),
      ("(((((((((a{9}){9}){9}){9}){9}){9}){9}){9}){9}){9}", 26), ("(ab){5000,}", 4), ("a{1,5001}", 1),
    ]
    for (pattern, offset) in rejected {
      #expect(jsonError { _ = try IRegexp(pattern) }?.byteOffset == offset, "\(pattern)")
    }
    #expect((try? IRegexp(String(repeating: "a", count: 9_999))) != nil)
    #expect((try? IRegexp(String(repeating: "a", count: 10_000))) == nil)
    #expect((try? IRegexp(String(repeating: "|", count: 5_000))) == nil)
    #expect((try? IRegexp(String(repeating: "a{0}", count: 50_000)))?.program.instructions.count == 1)
  }

  @Test func `the counted size equals the built size`() throws {
    var patterns = RandomPattern(random: .announced())
    for _ in 0..<400 {
      let text = patterns.node(depth: 4).text
      for minCount in [0, 1, 3] {
        for maxCount in [nil, minCount, minCount + 1, minCount + 4] as [Int?] {
          let bounds = "{\(minCount),\(maxCount.map(String.init) ?? "")}"
          let one = try IRegexp("(\(text))").program.instructions.count - 1
          let all = try IRegexp("(\(text))\(bounds)").program.instructions.count - 1
          let isPlain = minCount == 1 && maxCount == 1
          let expected =
            maxCount == 0 ? 0 : isPlain ? one : IRegexpProgram.size(of: one, minCount: minCount, maxCount: maxCount)
          #expect(all == expected, "(\(text))\(bounds)")
        }
      }
    }
  }

  @Test func `groups nest at most 100 deep and classes have at most 10,000 items`() {
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "a" + String(repeating: ")*", count: depth)
    }
    #expect((try? IRegexp(nested(100)))?.matches(whole: "aaa") == true)
    #expect(jsonError { _ = try IRegexp(nested(101)) }?.byteOffset == 100)
    #expect(jsonError { _ = try IRegexp(String(repeating: "(", count: 1_000_000)) }?.byteOffset == 100)
    let items = (0..<10_000).compactMap { Unicode.Scalar(0x4E00 + UInt32($0)) }.reduce(into: "") {
      $0.unicodeScalars.append($1)
    }
    #expect((try? IRegexp("[\(items)]"))?.matches(partOf: "x\u{4E01}") == true)
    #expect(jsonError { _ = try IRegexp("[\(items)]a[b]") }?.byteOffset == items.utf8.count + 4)
  }

  @Test func `many threads share a pattern`() async throws {
    let pattern = try IRegexp("(a|b)+c[0-9]{2}")
    await withTaskGroup(of: Bool.self) { group in
      for number in 0..<64 {
        group.addTask {
          let text = String(repeating: "ab", count: number) + "c4" + (number.isMultiple(of: 2) ? "2" : "x")
          let expected = number.isMultiple(of: 2) && number > 0
          return (0..<50).allSatisfy { _ in
            pattern.matches(whole: text) == expected && pattern.matches(partOf: "-\(text)-") == expected
          }
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }
}
