/// Where a text stands between two tokens: what whoever goes on there has to know of the text before.
struct GrammarState {
  /// How many bytes of the text are gone over.
  var offset: Int
  /// What may stand next.
  var phase: ProofScan.Phase
  /// How many containers are open.
  var depth: Int
  /// Their kinds, a bit each, the outermost in bit 0 of the first word: 1 for an object. Bits from `depth` on are anything.
  var kinds: [UInt64]

  /// Before a text.
  static let start = GrammarState(offset: 0, phase: .start, depth: 0, kinds: [])

  /// Whether the open container at a level, the outermost being 0, is an object.
  func isObject(atLevel level: Int) -> Bool {
    guard level >= 0, level < depth, level / 64 < kinds.count else { return false }
    return kinds[level / 64] >> UInt64(level % 64) & 1 == 1
  }
}
