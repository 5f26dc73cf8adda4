/// Starts libyajl in the middle of a text: it is fed the shortest text that leads to a given state (the *lead*).
extension YajlParser {
  /// Returns the maximum number of bytes that lead to a state.
  static func leadBytes(to state: GrammarState) -> Int { 4 * state.depth + 5 }

  mutating func lead(to state: GrammarState) throws(JSONError) {
    var bytes: [UInt8] = []
    for level in 0..<state.depth {
      let isInnermost = level == state.depth - 1
      bytes += state.isObject(atLevel: level) ? isInnermost ? "{".utf8 : #"{"":"#.utf8 : "[".utf8
      guard bytes.count >= Self.leadChunk else { continue }
      try leadOn(bytes)
      bytes.removeAll(keepingCapacity: true)
    }
    let isInObject = state.isObject(atLevel: state.depth - 1)
    switch state.phase {
    case .start, .elementOrClose, .keyOrClose: break
    case .element: bytes += #""","#.utf8
    case .key: bytes += #""":"","#.utf8
    case .colon: bytes += #""""#.utf8
    case .member: bytes += #""":"#.utf8
    case .end: bytes += #""""#.utf8
    case .commaOrClose: bytes += (isInObject ? #""":"""# : #""""#).utf8
    }
    try leadOn(bytes)
  }

  private static let leadChunk = Sizes.of(1 << 12, fuzzing: 5)

  /// Feeds bytes that are not part of the input.
  private mutating func leadOn(_ bytes: [UInt8]) throws(JSONError) {
    try unsafe bytes.span.withUnsafeBytes { (bytes) throws(JSONError) in _ = try unsafe parse(bytes, at: 0) }
    flush()
  }

  /// Returns the state after the parsed bytes, before the open token.
  ///
  /// - Parameter offset: The offset of that state in the input.
  func state(at offset: Int) -> GrammarState {
    let phase: ValidationScan.Phase =
      switch grammar.state {
      case .value: .start
      case .firstElement: .elementOrClose
      case .element: .element
      case .firstKey: .keyOrClose
      case .key: .key
      case .colon: .colon
      case .memberValue: .member
      case .afterElement, .afterMember: .commaOrClose
      case .end: .end
      }
    return GrammarState(offset: offset, phase: phase, depth: depth, kinds: kinds)
  }
}
