import TestSupport
import Testing

@testable import JSONSift

@Suite struct IRegexpSearchTests {
  /// The first match that begins first, and of these the longest, by trying all parts of the text.
  private static func reference(_ expression: IRegexp, _ text: String) -> [Range<Int>] {
    let scalars = Array(text.unicodeScalars)
    var found: [Range<Int>] = []
    var start = 0
    func part(_ range: Range<Int>) -> String {
      var view = String.UnicodeScalarView()
      view.append(contentsOf: scalars[range])
      return String(view)
    }
    while start < scalars.count {
      if let end = (start + 1...scalars.count).last(where: { expression.matches(whole: part(start..<$0)) }) {
        let lower = part(0..<start).utf8.count
        found.append(lower..<lower + part(start..<end).utf8.count)
        start = end
      } else {
        start += 1
      }
    }
    return found
  }

  private static func isCandidate(_ needs: IRegexpNeeds, _ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard zip([0] + bytes, bytes).contains(where: { needs.mayMatch($0, $1) }) else { return false }
    return unsafe bytes.withUnsafeBytes { unsafe needs.areMet(by: $0) }
  }

  @Test(arguments: [
    "a", "ab|a", "a+b?", "(ab){2,3}", "a{2}", "a{0,2}b", "[ab]{3}c", "b.*a", "(a|b)*c", "é+", "[^a]b", "\\p{Lu}{2}",
    "c{0}a", "x*",
    "k-[a-c]{4}", "(a|ab)(c|bcd)", "[0-9]{1,3}(\\.[0-9]{1,3}){3}", "(a-){1,2}(-b){1,2}", "(ab|cb)a{2,5}",
    "(a|b-|)c", "(ab)*(ca)+", "(-a){2}-", "é{2}a", "((a|b)-){2,}c?",
  ])
  func `parts are the longest of the first matches`(pattern: String) throws {
    var random = SeededGenerator()
    let seed = random.description
    let expression = try IRegexp(pattern)
    let search = IRegexpSearch(expression)
    for _ in 0..<(isDebug ? 200 : 2000) {
      let text = (0..<random.below(12)).map { _ in random.pick(["a", "b", "c", "d", "é", "A", "k-", "1", ".", "-"]) }
        .joined()
      let bytes = Array(text.utf8)
      let expected = Self.reference(expression, text)
      #expect(search.ranges(in: bytes.span) == expected, "\(pattern) in \(text), \(seed)")
      #expect(Self.isCandidate(search.needs, text) || expected.isEmpty, "\(pattern) in \(text), \(seed)")
    }
  }

  @Test(arguments: [
    ("([0-9a-f]{1,4}:){1,6}(:[0-9a-f]{1,4}){1,6}", "2025-03-01T00:00:00Z", "fe80::1"),
    ("([0-9]{1,3}\\.){3}[0-9]{1,3}", "version 1.2.3", "10.1.2.3"),
    ("[Bb]earer [a-z]{8,}", "clear text, no", "Bearer abcdefgh"),
    ("[0-9]{4}", "no digit", "2024"), ("(sk|rk)_(live|test)_x", "a_b_c", "rk_test_x"),
  ])
  func `a text without what each match has is rejected without a search`(
    pattern: String, without: String, match: String
  ) throws {
    let needs = IRegexpSearch(try IRegexp(pattern)).needs
    #expect(!Self.isCandidate(needs, without))
    #expect(Self.isCandidate(needs, match))
  }
}
