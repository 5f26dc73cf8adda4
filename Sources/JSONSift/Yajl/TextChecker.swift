/// Validates one text that arrives in chunks. It reports no events, only the error.
///
/// The *validation* (``ValidationScan``) skips text that is valid JSON. An *undecided place* is a position at which the
/// validation cannot decide whether the text is valid; libyajl decides it then, in a *fallback parser*. That parser begins at
/// the token with the undecided byte, inside the containers that are open there. So an error has the same code, offset and
/// description as if libyajl had read the whole text, and is thrown with the same byte.
///
/// Text that the fallback parser accepts is skipped like validated text. The parser reads at least as many bytes as the *lead*,
/// the text that brings it into the state of its start. If the validation did not get far after the last fallback parser, the
/// next one reads twice as many bytes as the last one, up to 1 MiB. So the total cost stays linear.
struct TextChecker: ~Copyable {
  private let options: JSONOptions
  private var scan: ValidationScan
  /// The start of a token that the last chunk has cut.
  private var open: [UInt8] = []
  /// The fallback parser, while it reads.
  private var fallback: ChunkedParser?
  /// The number of bytes that the fallback parser reads.
  private var fallbackBytes = Self.minFallbackBytes
  /// The number of ``fallbackBytes`` that are left.
  private var bytesLeft = 0
  /// The offset up to which the last fallback parser has read.
  private var fallbackEnd = 0
  private(set) var undecided = UndecidedText()

  private static let minFallbackBytes = Sizes.of(1 << 10, fuzzing: 8)
  private static let maxFallbackBytes = Sizes.of(1 << 20, fuzzing: 64)

  init(options: JSONOptions) {
    self.options = options
    scan = ValidationScan(isLines: false, limits: options.limits)
  }

  /// Creates a checker for the text from a state on. Offsets count from the start of the whole text.
  init(options: JSONOptions, from state: GrammarState) {
    self.init(options: options)
    scan.resume(at: state)
  }

  /// Validates the next bytes.
  ///
  /// - Throws: The errors of a ``ChunkedParser``.
  mutating func feed(_ chunk: UnsafeRawBufferPointer) throws(JSONError) {
    var rest = unsafe chunk
    while unsafe !rest.isEmpty {
      if bytesLeft == 0 {
        let start = scan.offset
        let validated = unsafe scan.run(rest)
        // The index of the open token in this chunk; negative if it began in an earlier one.
        let token = scan.tokenStart - start
        if scan.undecided == nil {
          // Releases the memory of a long token.
          if token >= 0 { open.removeAll(keepingCapacity: open.count <= Self.minFallbackBytes) }
          unsafe open.append(contentsOf: rest[max(token, 0)..<validated])
          return
        }
        // The fallback parser gets the token in the same chunks as a parser of the whole text, because they determine when
        // an error is thrown.
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[(token < 0 ? 0 : token)...])
        try beginFallback(after: scan.offset - start - max(token, 0), isOpen: token < 0)
      }
      let next = unsafe UnsafeRawBufferPointer(rebasing: rest.prefix(bytesLeft))
      let used = try unsafe feedFallback(next)
      unsafe rest = UnsafeRawBufferPointer(rebasing: rest[used...])
    }
  }

  /// The state before the open token, or after the last byte fed if no token is open. `nil` after an error.
  var grammarState: GrammarState? {
    if bytesLeft == 0 { return scan.grammarState }
    return fallback.borrow { $0.state } ?? nil
  }

  /// Ends the text.
  mutating func finish() throws(JSONError) {
    if bytesLeft == 0 {
      if scan.finish() { return }
      try beginFallback(after: 0, isOpen: true)
    }
    var sink = NoSink()
    try fallback?.finish(into: &sink)
  }

  /// Creates a fallback parser at the token with the undecided byte, and feeds it the part of that token in earlier chunks.
  ///
  /// - Parameter validated: The number of bytes before the undecided byte that the parser reads next.
  private mutating func beginFallback(after validated: Int, isOpen: Bool) throws(JSONError) {
    undecided.add(scan.undecided)
    let state = scan.grammarState
    fallbackBytes =
      state.offset - fallbackEnd < fallbackBytes ? min(fallbackBytes * 2, Self.maxFallbackBytes) : Self.minFallbackBytes
    bytesLeft = validated + max(fallbackBytes, YajlParser.leadBytes(to: state))
    fallback = ChunkedParser(options: options, from: state)
    var token: [UInt8] = []
    swap(&token, &open)
    if !isOpen { token = [] }
    undecided.add(bytes: token.count)
    try unsafe token.span.withUnsafeBytes { (token) throws(JSONError) in
      var sink = NoSink()
      try unsafe fallback?.feed(token, into: &sink)
    }
  }

  /// Feeds the fallback parser. Returns the number of bytes that need no further validation.
  private mutating func feedFallback(_ bytes: UnsafeRawBufferPointer) throws(JSONError) -> Int {
    var sink = NoSink()
    undecided.add(bytes: bytes.count)
    try unsafe fallback?.feed(bytes, into: &sink)
    bytesLeft -= bytes.count
    return bytesLeft > 0 ? bytes.count : endFallback(bytes.count)
  }

  /// Resumes the validation after the bytes that the fallback parser has accepted, unless the validation is undecided about
  /// the open token.
  private mutating func endFallback(_ count: Int) -> Int {
    guard let state = fallback?.state, let token = fallback?.openBytes else { return count }
    scan.resume(at: state)
    let validated = unsafe token.withUnsafeBytes { unsafe scan.run($0) }
    guard validated == token.count else {
      fallbackBytes = min(fallbackBytes * 2, max(Self.maxFallbackBytes, token.count))
      bytesLeft = fallbackBytes
      return count
    }
    fallback = nil
    fallbackEnd = scan.offset
    if token.count <= count {
      // The token began in this chunk: the validation resumes at its start.
      scan.resume(at: state)
      return count - token.count
    }
    open = token
    return count
  }
}

/// Ignores all events.
private struct NoSink: TapeWordSink {
  func take(_ batch: TapeWordBatch) -> Bool { true }
}
