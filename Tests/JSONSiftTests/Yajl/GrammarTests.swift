import Testing

@testable import JSONSift

@Suite struct GrammarTests {
  private func grammar(_ state: Grammar.State) -> Grammar {
    var grammar = Grammar()
    grammar.state = state
    return grammar
  }

  private func gap(_ grammar: inout Grammar, _ text: String, from index: Int = 0) -> String {
    let gap = unsafe Array(text.utf8).withUnsafeBytes { unsafe grammar.advance(in: $0, from: index) }
    switch gap {
    case .exhausted: return "exhausted"
    case .token(let offset): return "token \(offset)"
    case .misplaced(let offset): return "misplaced \(offset)"
    }
  }

  /// For each state the first bytes of the tokens that are allowed.
  static let allowed: [(Grammar.State, String)] = [
    (.value, "\"{[-0123456789tfn"), (.firstElement, "\"{[-0123456789tfn]"), (.element, "\"{[-0123456789tfn"),
    (.afterElement, "]"), (.firstKey, "\"}"), (.key, "\""), (.colon, ""), (.memberValue, "\"{[-0123456789tfn"),
    (.afterMember, "}"), (.end, ""),
  ]

  @Test(arguments: allowed)
  func `only the tokens of RFC 8259 are allowed in a state`(state: Grammar.State, bytes: String) {
    let allowed = Set(bytes.utf8)
    for byte in UInt8.min...UInt8.max {
      #expect(grammar(state).allows(byte) == allowed.contains(byte), "\(state), byte \(byte)")
    }
  }

  static let gaps: [(Grammar.State, String, String, Grammar.State)] = [
    (.value, " \t\r\n", "exhausted", .value), (.value, "  1", "token 2", .value), (.value, " ,", "misplaced 1", .value),
    (.afterElement, " , 1", "token 3", .element), (.afterElement, ",,", "misplaced 1", .element),
    (.afterElement, ",", "exhausted", .element), (.afterElement, ", ]", "misplaced 2", .element),
    (.afterMember, " , \"", "token 3", .key), (.afterMember, ",}", "misplaced 1", .key),
    (.colon, " : 1", "token 3", .memberValue), (.colon, "::", "misplaced 1", .memberValue),
    (.colon, " 1", "misplaced 1", .colon), (.end, "  ", "exhausted", .end), (.end, " \"", "misplaced 1", .end),
    (.firstElement, " ]", "token 1", .firstElement), (.firstKey, " 1", "misplaced 1", .firstKey),
    (.memberValue, ":", "misplaced 0", .memberValue), (.value, "", "exhausted", .value),
  ]

  @Test(arguments: gaps)
  func `white space and punctuation lead to the next token`(
    state: Grammar.State, text: String, gap expected: String, after: Grammar.State
  ) {
    var grammar = grammar(state)
    #expect(gap(&grammar, text) == expected)
    #expect(grammar.state == after)
  }

  @Test func `a byte adjacent to a number is part of an invalid number`() {
    var grammar = grammar(.end)
    grammar.lastIsNumber = true
    grammar.lastEnd = 5
    for byte in Array("0aZ.+-_".utf8) { #expect(grammar.misplaced(byte, at: 5).code == .invalidNumber) }
    for byte in Array("\"{[,: ".utf8) { #expect(grammar.misplaced(byte, at: 5).code == .trailingContent) }
    #expect(grammar.misplaced(0x61, at: 6).code == .trailingContent)
    grammar.state = .afterElement
    #expect(grammar.misplaced(0x61, at: 5).code == .invalidNumber)
    #expect(grammar.misplaced(0x7D, at: 5).code == .unexpectedByte)
  }
}
