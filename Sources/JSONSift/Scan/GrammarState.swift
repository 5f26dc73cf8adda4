/// The state of the grammar between two tokens: all that a parser needs to know of the preceding text to continue there.
struct GrammarState: Equatable, Sendable {
  /// The number of bytes of the text before this state.
  var offset: Int
  /// The tokens that may occur next.
  var phase: ValidationScan.Phase
  /// The number of open containers.
  var depth: Int
  /// The kinds of the open containers, one bit each, the outermost in bit 0 of the first element: 1 for an object. Bits from
  /// `depth` on are unspecified.
  var kinds: [UInt64]

  /// The state before a text.
  static let start = GrammarState(offset: 0, phase: .start, depth: 0, kinds: [])

  /// Returns whether the same tokens may follow both states, at the same offset.
  static func == (left: GrammarState, right: GrammarState) -> Bool {
    left.offset == right.offset && left.phase == right.phase && left.depth == right.depth
      && (0..<left.depth).allSatisfy { left.isObject(atLevel: $0) == right.isObject(atLevel: $0) }
  }

  /// Returns whether the open container at a level is an object. The outermost container has level 0.
  func isObject(atLevel level: Int) -> Bool {
    guard level >= 0, level < depth, level / 64 < kinds.count else { return false }
    return kinds[level / 64] >> UInt64(level % 64) & 1 == 1
  }
}
