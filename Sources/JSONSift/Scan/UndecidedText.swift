/// Statistics about the undecided places of a validation. An *undecided place* is an offset at which ``ValidationScan``
/// cannot decide whether the text is valid, so the parser must decide it.
package struct UndecidedText: Sendable, Equatable {
  /// The number of undecided places.
  package private(set) var count = 0
  /// The number of bytes that were parsed because of undecided places.
  package private(set) var bytes = 0
  /// The reason for the first undecided place, as text.
  package private(set) var first: String?

  package init() {}

  /// Counts an undecided place.
  mutating func add(_ undecided: ValidationScan.Undecided?) {
    count += 1
    if first == nil { first = undecided?.reason.label }
  }

  /// Adds to the number of parsed bytes.
  mutating func add(bytes: Int) { self.bytes += bytes }

  /// Adds the statistics of text that follows.
  package mutating func add(_ others: UndecidedText) {
    count += others.count
    bytes += others.bytes
    first = first ?? others.first
  }

  /// Returns the difference to `earlier`, an earlier value of the same statistics.
  package func since(_ earlier: UndecidedText) -> UndecidedText {
    var rest = self
    rest.count -= earlier.count
    rest.bytes -= earlier.bytes
    if rest.count == 0 { rest.first = nil }
    return rest
  }
}

extension ValidationScan.Reason {
  fileprivate var label: String {
    switch self {
    case .unexpected: "an unexpected token"
    case .bracket: "a bracket"
    case .number: "a number"
    case .literal: "a literal"
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
