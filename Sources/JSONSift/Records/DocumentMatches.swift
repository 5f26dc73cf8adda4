/// The matches of some queries in one document.
struct DocumentMatches: ~Copyable {
  /// Bytes are left when the next ones are read: until then a candidate that has waited for its turn can fail in them.
  private var text: DocumentText
  private var parser: ChunkedParser
  private var matcher: PathMatcher
  /// Where what cannot match is passed over, instead of `parser`.
  private var forwarder: PathForwarder?
  /// Where nothing is asked for, instead of `parser`.
  private var checker: TextChecker?
  private var isFinished = false
  private var failure: JSONError?
  /// The position of a match that is open at the end of a window.
  private var openMatch: SourcePosition?

  init(_ matcher: consuming PathMatcher, _ window: consuming ReadWindow, _ options: JSONOptions) {
    text = DocumentText(window)
    parser = ChunkedParser(options: options)
    if options.fastForward, !matcher.needsWholeText {
      forwarder = PathForwarder(options: options)
    } else {
      forwarder = nil
    }
    checker = matcher.asksNothing && ProofScan.isOn ? TextChecker(options: options) : nil
    self.matcher = matcher
  }

  func matchCount(of path: Int) -> Int { matcher.matchCounts[path] }

  func reachedEnd(_ path: Int) -> Bool { matcher.reachedEnd(path) }

  /// The bytes of matches that are in memory.
  var queuedBytes: Int { matcher.queue.byteCount }

  @inline(__always)
  mutating func next() throws(JSONError) -> JSONMatch? {
    while true {
      do throws(JSONError) {
        if let match = try matcher.next() { return match }
      } catch {
        // What has been found behind it does not count.
        matcher.takeBack(from: error.byteOffset)
        text.end(at: error)
        failure = error
      }
      if try !goOn() { return nil }
    }
  }

  /// Reads on. `false` at the end.
  @inline(never)
  private mutating func goOn() throws(JSONError) -> Bool {
    if let failure { throw failure }
    if isFinished { return false }
    do throws(JSONError) {
      try advance()
    } catch {
      // Matches before the error come first, those too that were held for their order.
      matcher.queue.releaseAll()
      text.end(at: error)
      failure = error
    }
    return true
  }

  private mutating func advance() throws(JSONError) {
    if unsafe !text.piece.isEmpty { leavePiece() }
    if forwarder != nil { return try forward() }
    if checker != nil { return try check() }
    guard try text.next() else {
      isFinished = true
      return try matcher.finish(&parser)
    }
    try unsafe matcher.feed(text.piece, through: &parser)
    isFinished = parser.isStopped
  }

  /// Goes over the next window, of which only what is wanted is parsed. What is left of one is the start of a token.
  private mutating func forward() throws(JSONError) {
    let hasMore = try text.nextBehindRest()
    let used = try unsafe forwarder?.read(text.piece, at: text.offset, isLast: !hasMore, into: &matcher)
    text.use(used ?? 0)
    isFinished = !hasMore || matcher.isAnswered
  }

  private mutating func check() throws(JSONError) {
    if try text.next() {
      try unsafe checker?.feed(text.piece)
    } else {
      isFinished = true
      try checker?.finish()
    }
  }

  private mutating func leavePiece() {
    if let start = matcher.openMatchStart {
      if start >= text.offset { openMatch = text.position(at: start) }
    } else {
      openMatch = nil
    }
    text.leave()
  }

  var doubts: ProofDoubts {
    switch checker {
    case .some(let checker): checker.doubts
    case .none: ProofDoubts()
    }
  }

  func position(of error: JSONError) -> SourcePosition {
    if let openMatch, openMatch.byteOffset == error.byteOffset { return openMatch }
    return text.position(at: error.byteOffset)
  }

  func excerpt(of error: JSONError) -> SourceExcerpt? { text.excerpt(at: error.byteOffset) }
}
