/// The matches of some queries in one document.
struct DocumentMatches: ~Copyable {
  /// Bytes are left when the next ones are read: until then a candidate that has waited for its turn can fail in them.
  private var text: DocumentText
  private var parser: ChunkedParser
  private var matcher: PathMatcher
  /// Where what cannot match is passed over, instead of `parser`.
  private var traversal: SkippingTraversal?
  /// Checks the text before the forwarder goes over it; alone where nothing is asked for.
  private let checker: SharedChecker?
  /// Up to this offset the text is checked.
  private var checkedEnd = 0
  private var isFinished = false
  private var failure: JSONError?
  /// The position of a match that is open at the end of a window.
  private var openMatch: SourcePosition?

  init(_ matcher: consuming PathMatcher, _ window: consuming ReadWindow, _ options: JSONOptions) {
    var matcher = matcher
    text = DocumentText(window)
    parser = ChunkedParser(options: options)
    traversal = nil
    let checks = ProofScan.isOn && (!options.fastForward || matcher.asksNothing)
    let needsWholeText = matcher.needsWholeText(entersDescendants: checks)
    let isChecked = checks && !needsWholeText
    let checker = isChecked ? SharedChecker(TextChecker(options: options)) : nil
    self.checker = checker
    if !needsWholeText, !matcher.asksNothing, isChecked || options.fastForward {
      traversal = SkippingTraversal(options: options, isChecked: isChecked)
      // Else this thread has nothing else to do.
      if let checker { text.inspectAhead(by: checker) }
    }
    self.matcher = matcher
  }

  func matchCount(of path: Int) -> Int { matcher.matchCounts[path] }

  func reachedEnd(_ path: Int) -> Bool { matcher.reachedEnd(path) }

  /// The bytes of matches that are in memory.
  var queuedBytes: Int { matcher.queue.byteCount }

  @inline(__always)
  mutating func next() throws(JSONError) -> JSONMatch? {
    try next { (matcher) throws(JSONError) in try matcher.next() }
  }

  /// Lends path, text and packed place of the next match. `false` at the end.
  @inline(__always)
  mutating func lendNext(_ body: LentMatch) throws(JSONError) -> Bool {
    matcher.lendsOnly = true
    return try next { (matcher) throws(JSONError) in try unsafe matcher.lendNext(body) ? true : nil } ?? false
  }

  @inline(__always)
  private mutating func next<Result>(
    _ take: (inout PathMatcher) throws(JSONError) -> Result?
  ) throws(JSONError) -> Result? {
    while true {
      do throws(JSONError) {
        if let result = try take(&matcher) { return result }
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
    if traversal != nil { return try forward() }
    if checker != nil { return try check() }
    guard try text.next() else {
      isFinished = true
      return try parser.finish(into: &matcher)
    }
    try unsafe parser.feed(text.piece, into: &matcher)
    isFinished = parser.isStopped
  }

  /// Goes over the next window, of which only what is wanted is parsed. What is left of one is the start of a token.
  private mutating func forward() throws(JSONError) {
    let hasMore = try text.nextBehindRest()
    var piece = unsafe text.piece
    let seen = checkedEnd
    var isLast = !hasMore
    var wrong: JSONError?
    do throws(JSONError) {
      try unsafe check(piece, isLast: isLast)
    } catch {
      // All before a token that an earlier window has cut is gone over.
      guard error.byteOffset >= seen else { throw error }
      let end = error.byteOffset - text.offset
      // A number or word before it may be complete, and its value has come then.
      if end < piece.count { isLast = unsafe SkippingTraversal.endsValue(piece[end]) }
      unsafe piece = UnsafeRawBufferPointer(rebasing: piece.prefix(end))
      wrong = error
    }
    do throws(JSONError) {
      let used = try unsafe traversal?.read(
        piece, at: text.offset, isLast: isLast, isProven: checker != nil && wrong == nil, into: &matcher)
      text.use(used ?? 0)
    } catch {
      // What a match exceeds comes before what is wrong behind it.
      if let wrong, !error.code.isOfMatches { throw wrong }
      throw error
    }
    isFinished = !hasMore || matcher.isAnswered
    if let wrong, !matcher.isAnswered { throw wrong }
  }

  /// Checks what is new in a window.
  private mutating func check(_ piece: UnsafeRawBufferPointer, isLast: Bool) throws(JSONError) {
    guard let checker else { return }
    let new = unsafe UnsafeRawBufferPointer(rebasing: piece[max(checkedEnd - text.offset, 0)...])
    checkedEnd = text.offset + piece.count
    if !text.isInspectedAhead {
      if unsafe !new.isEmpty { unsafe checker.take(new) }
      if isLast { checker.finish() }
    }
    if let error = checker.failure(before: isLast ? .max : checkedEnd) { throw error }
  }

  private mutating func check() throws(JSONError) {
    guard let checker else { return }
    if try text.next() {
      unsafe checker.take(text.piece)
    } else {
      isFinished = true
      checker.finish()
    }
    if let error = checker.failure(before: .max) { throw error }
  }

  private mutating func leavePiece() {
    if let start = matcher.openMatchStart {
      if start >= text.offset { openMatch = text.position(at: start) }
    } else {
      openMatch = nil
    }
    text.leave()
  }

  var doubts: ProofDoubts { checker?.doubts ?? ProofDoubts() }

  func position(of error: JSONError) -> SourcePosition {
    if let openMatch, openMatch.byteOffset == error.byteOffset { return openMatch }
    return text.position(at: error.byteOffset)
  }

  func excerpt(of error: JSONError) -> SourceExcerpt? { text.excerpt(at: error.byteOffset) }
}
