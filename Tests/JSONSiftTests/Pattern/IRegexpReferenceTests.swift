import TestSupport
import Testing

@testable import JSONSift

/// A pattern whose meaning is known without a parser.
indirect enum ReferenceNode: Sendable {
  case character(text: String, takes: @Sendable (Unicode.Scalar) -> Bool)
  case sequence([ReferenceNode])
  case choice([ReferenceNode])
  case repeated(ReferenceNode, quantifier: String, minCount: Int, maxCount: Int?)

  var text: String {
    switch self {
    case .character(let text, _): text
    case .sequence(let nodes):
      nodes.map { node in
        if case .choice = node { "(\(node.text))" } else { node.text }
      }.joined()
    case .choice(let nodes): nodes.map(\.text).joined(separator: "|")
    case .repeated(let node, let quantifier, _, _):
      if case .character(let text, _) = node { text + quantifier } else { "(\(node.text))" + quantifier }
    }
  }

  /// Returns the end indices of the matches that begin at one of `starts`.
  func ends(_ starts: Set<Int>, in text: [Unicode.Scalar]) -> Set<Int> {
    switch self {
    case .character(_, let takes): return Set(starts.filter { $0 < text.count && takes(text[$0]) }.map { $0 + 1 })
    case .sequence(let nodes): return nodes.reduce(starts) { $1.ends($0, in: text) }
    case .choice(let nodes): return nodes.reduce(into: []) { $0.formUnion($1.ends(starts, in: text)) }
    case .repeated(let node, _, let minCount, let maxCount):
      var reached = starts
      for _ in 0..<minCount { reached = node.ends(reached, in: text) }
      var all = reached
      // More rounds than characters reach no new index.
      for _ in 0..<min(maxCount.map { $0 - minCount } ?? .max, text.count + 1) {
        reached = node.ends(reached, in: text)
        all.formUnion(reached)
      }
      return all
    }
  }
}

/// Generates patterns with every construct of the grammar.
struct RandomPattern {
  var random: SeededGenerator

  static let characters: [ReferenceNode] = [
    .character(text: "a") { $0 == "a" }, .character(text: "b") { $0 == "b" }, .character(text: "é") { $0 == "é" },
    .character(text: "😀") { $0 == "😀" }, .character(text: ".") { $0 != "\n" && $0 != "\r" },
    .character(text: "\\n") { $0 == "\n" }, .character(text: "\\^") { $0 == "^" }, .character(text: "^") { $0 == "^" },
    .character(text: "[ab]") { $0 == "a" || $0 == "b" }, .character(text: "[^ab]") { $0 != "a" && $0 != "b" },
    .character(text: "[-a]") { $0 == "-" || $0 == "a" }, .character(text: "[a-é]") { $0 >= "a" && $0 <= "é" },
    .character(text: "[^a-é]") { $0 < "a" || $0 > "é" },
    .character(text: "\\p{L}") { "abéЖ".unicodeScalars.contains($0) },
    .character(text: "\\P{L}") { !"abéЖ".unicodeScalars.contains($0) },
    .character(text: "[\\p{Lu}-]") { $0 == "Ж" || $0 == "-" },
    .character(text: "[^\\P{Ll}b]") { $0 == "a" || $0 == "é" },
    .character(text: "[\\p{So}a]") { $0 == "😀" || $0 == "a" },
  ]

  static let texts = ["a", "a", "b", "b", "é", "Ж", "😀", "\n", "^", "-"]

  mutating func node(depth: Int) -> ReferenceNode {
    guard depth > 0, random.below(5) > 0 else { return random.pick(Self.characters) }
    switch random.below(4) {
    case 0: return .choice((0..<random.below(4) + 1).map { _ in branch(depth: depth - 1) })
    case 1: return branch(depth: depth)
    default:
      let node = node(depth: depth - 1)
      let minCount = random.below(3)
      let maxCount = minCount + random.below(3)
      return random.pick([
        .repeated(node, quantifier: "*", minCount: 0, maxCount: nil),
        .repeated(node, quantifier: "+", minCount: 1, maxCount: nil),
        .repeated(node, quantifier: "?", minCount: 0, maxCount: 1),
        .repeated(node, quantifier: "{\(minCount)}", minCount: minCount, maxCount: minCount),
        .repeated(node, quantifier: "{\(minCount),}", minCount: minCount, maxCount: nil),
        .repeated(node, quantifier: "{\(minCount),\(maxCount)}", minCount: minCount, maxCount: maxCount),
      ])
    }
  }

  /// May be empty.
  private mutating func branch(depth: Int) -> ReferenceNode {
    .sequence((0..<random.below(4)).map { _ in node(depth: depth - 1) })
  }

  mutating func input() -> String {
    var text = ""
    for _ in 0..<random.below(9) { text += random.pick(Self.texts) }
    return text
  }
}

@Suite struct IRegexpReferenceTests {
  @Test func `any pattern matches what its parts match`() throws {
    var patterns = RandomPattern(random: .announced())
    var counts = [0, 0, 0]
    for round in 0..<2_500 {
      let node = patterns.node(depth: 1 + round % 4)
      let pattern = try IRegexp(node.text)
      let tables = (IRegexpTables(pattern.program, whole: true), IRegexpTables(pattern.program, whole: false))
      for _ in 0..<6 {
        let text = patterns.input()
        let bytes = Array(text.utf8)
        let scalars = Array(text.unicodeScalars)
        let whole = node.ends([0], in: scalars).contains(scalars.count)
        let part = !node.ends(Set(0...scalars.count), in: scalars).isEmpty
        counts[whole ? 0 : part ? 1 : 2] += 1
        var simulation = IRegexpSimulation(pattern.program)
        let answers = [
          simulation.matches(bytes: bytes, whole: true) == whole,
          simulation.matches(bytes: bytes, whole: false) == part,
          tables.0.matches(bytes: bytes) ?? whole == whole, tables.1.matches(bytes: bytes) ?? part == part,
          pattern.matches(whole: text) == whole, pattern.matches(partOf: text) == part,
        ]
        guard answers.allSatisfy({ $0 }) else {
          Issue.record("\(node.text) over \(text.debugDescription): expected \(whole), \(part); right were \(answers)")
          return
        }
      }
    }
    #expect(counts.allSatisfy { $0 > 500 }, "\(counts)")
  }
}
