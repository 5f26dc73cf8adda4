/// Where a proof was in doubt, and how much the parser has read for that.
package struct ProofDoubts: Sendable, Equatable {
  package private(set) var count = 0
  /// Bytes that were parsed.
  package private(set) var bytes = 0
  /// Why there was a doubt for the first time, in words.
  package private(set) var first: String?

  package init() {}

  mutating func add(_ doubt: ProofScan.Doubt?) {
    count += 1
    if first == nil { first = doubt?.reason.words }
  }

  mutating func add(bytes: Int) { self.bytes += bytes }

  /// Adds those of what was read behind this.
  package mutating func add(_ others: ProofDoubts) {
    count += others.count
    bytes += others.bytes
    first = first ?? others.first
  }

  /// These without earlier ones, which are among them.
  package func since(_ earlier: ProofDoubts) -> ProofDoubts {
    var rest = self
    rest.count -= earlier.count
    rest.bytes -= earlier.bytes
    if rest.count == 0 { rest.first = nil }
    return rest
  }
}

extension ProofScan.Reason {
  fileprivate var words: String {
    switch self {
    case .unexpected: "an unexpected token"
    case .bracket: "a bracket"
    case .number: "a number"
    case .literal: "a word"
    case .control: "a control character"
    case .escape: "an escape"
    case .surrogate: "half a surrogate pair"
    case .utf8: "UTF-8"
    case .unfinished: "the end"
    case .depth: "the depth"
    case .stringLength: "a long string"
    case .keyLength: "a long key"
    case .numberLength: "a long number"
    case .lineLength: "a long line"
    }
  }
}
