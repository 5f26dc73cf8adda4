/// The matches of several queries in one document.
struct DocumentMatches: ~Copyable {
  /// The text. A chunk of it stays in memory until the next one is read, because the evaluation of a deferred candidate can
  /// fail at an offset in that chunk.
  private var text: DocumentText
  private var parser: ChunkedParser
  private(set) var matcher: PathMatcher
  /// Skips the values that cannot match. Used instead of `parser`.
  private var traversal: SkippingTraversal?
  /// Validates the text before the traversal scans it, or by itself if there are no queries.
  private var checker: SharedChecker?
  /// The text up to this offset has been passed to the checker.
  private var checkedEnd = 0
  private var progress = DocumentProgress.reading
  /// An error before which all matches have not been returned yet.
  private var foundError: JSONError?
  private let options: JSONOptions
  /// The head of the document, if its blocks are read.
  private var head: DocumentHead?
  /// The state of the grammar in which a block must end.
  private var blockEnd: GrammarState?
  /// Whether values behind the first one are read, too: nobody has said that the input is one document.
  private let readsOn: Bool
  /// Where the next value begins, if values behind the first one are read and there is one.
  private(set) var nextValue: JSONError.Position?
  /// After an early answer: the offset before which the first token behind the value is looked for.
  private var lookEnd: Int?

  /// How far behind an early answer the first token behind the value is looked for.
  private static let lookBytes = 64 << 10

  init(_ matcher: consuming PathMatcher, _ window: consuming ReadWindow, _ options: JSONOptions, readingOn: Bool) {
    var matcher = matcher
    readsOn = readingOn
    self.options = options
    text = DocumentText(window)
    parser = ChunkedParser(options: options)
    traversal = nil
    let checker = ValidationScan.isOn && !matcher.needsWholeText() ? SharedChecker(TextChecker(options: options)) : nil
    self.checker = checker
    if let checker, !matcher.hasNoQueries {
      traversal = SkippingTraversal(options: options)
      // Without a traversal this thread has nothing else to do, and validates the text itself.
      text.inspectAhead(by: checker)
    } else {
      // The parser cannot go on after it has stopped.
      matcher.isLooking = !text.mayGrow
    }
    self.matcher = matcher
  }

  func matchCount(of path: Int) -> Int { matcher.plans[path].matchCount }

  func reachedEnd(_ path: Int) -> Bool { matcher.reachedEnd(path) }

  // Forced inlining in this file saves 1.6 % of `fields` (Scripts/measure instructions).
  @inline(__always)
  mutating func next() throws(JSONError) -> JSONMatch? {
    try next { (matcher) throws(JSONError) in try matcher.next() }
  }

  /// Passes the path, the text and, if it is needed, the packed location of the next match. Returns `false` at the end.
  mutating func borrowNext(locating locates: Bool = false, _ body: BorrowedMatch) throws(JSONError) -> Bool {
    matcher.onlyBorrowsMatches = true
    matcher.queue.keepsLocations = locates
    return try next { (matcher) throws(JSONError) in
      try unsafe matcher.borrowNext(locating: locates, body) ? true : nil
    } ?? false
  }

  /// Returns the line of an offset; see ``DocumentText/line(at:)``.
  mutating func line(at offset: Int) -> Int { text.line(at: offset) }

  /// Passes the matches in memory; see ``JSONMatches/borrowMatches(_:)``.
  mutating func borrowMatches(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Bool) -> Int {
    unsafe matcher.borrowMatches(body)
  }

  @inline(__always)
  private mutating func next<Result>(
    _ take: (inout PathMatcher) throws(JSONError) -> Result?
  ) throws(JSONError) -> Result? {
    while true {
      do throws(JSONError) {
        if let result = try take(&matcher) { return result }
      } catch {
        // Matches found after the error are discarded.
        matcher.rollBack(from: error.byteOffset)
        fail(with: error)
      }
      if try !readMore() { return nil }
    }
  }

  /// Reads more text. Returns `false` at the end.
  @inline(never)
  private mutating func readMore() throws(JSONError) -> Bool {
    if let error = foundError {
      foundError = nil
      if try !endsValue(at: error) { fail(with: error) }
      return true
    }
    guard try progress.isReading() else { return false }
    do throws(JSONError) {
      try advance()
    } catch {
      // Matches before the error are returned first, including those held back for their order. What the error means may
      // depend on text that was not read yet.
      matcher.queue.releaseAll()
      foundError = error
    }
    return true
  }

  private mutating func fail(with error: JSONError) {
    foundError = nil
    text.end(at: error)
    progress = .failed(error)
  }

  private mutating func advance() throws(JSONError) {
    if unsafe !text.chunk.isEmpty { text.dropChunk(openAt: matcher.openMatchStart) }
    if traversal != nil, let lookEnd { return try look(to: lookEnd) }
    if traversal != nil { return try traverse() }
    if checker != nil { return try checkText() }
    guard try text.next() else {
      progress = .finished
      return try parser.finish(into: &matcher)
    }
    try unsafe parser.feed(text.chunk, into: &matcher)
    let end = unsafe text.offset + text.chunk.count
    if matcher.hasAnswers { lookBehind(from: lookEnd == nil ? matcher.answerOffset ?? end : nil, at: end) }
  }

  /// Scans the next window, and parses only the values that can match. The unused rest of a window is the start of a token.
  private mutating func traverse() throws(JSONError) {
    let hasMore = try text.nextAfterRest()
    if !hasMore, let blockEnd { return try endBlock(blockEnd) }
    var chunk = unsafe text.chunk
    let seen = checkedEnd
    var isLast = !hasMore
    var checkError: JSONError?
    do throws(JSONError) {
      try unsafe checkWindow(chunk, isLast: isLast)
    } catch {
      // All text before a token that an earlier window cut has been scanned.
      guard error.byteOffset >= seen else { throw error }
      let end = error.byteOffset - text.offset
      if end < chunk.count { isLast = unsafe chunk[end].mayFollowValue }
      unsafe chunk = UnsafeRawBufferPointer(rebasing: chunk.prefix(end))
      isLast = unsafe isLast && chunk.endsWithValue(options)
      checkError = error
    }
    do throws(JSONError) {
      let used = try unsafe traversal?.read(chunk, at: text.offset, isLast: isLast, into: &matcher)
      text.use(used ?? 0)
    } catch {
      // A limit that a match exceeds is reported before the error in the text after it.
      if let checkError, !error.code.isOfMatches { throw checkError }
      throw error
    }
    if !hasMore { progress = .finished }
    if matcher.isAnswered { return hasMore ? lookBehind(from: traversal?.cursor.offset ?? 0, at: text.offset) : () }
    if let checkError { throw checkError }
  }

  // MARK: Behind the value

  /// Looks for the first token behind the value after an early answer, or ends reading. A followed file has none yet.
  ///
  /// - Parameters:
  ///   - answer: Where all queries were answered; `nil` if the search has begun.
  ///   - offset: The end of the text that was read.
  private mutating func lookBehind(from answer: Int?, at offset: Int) {
    if let answer {
      matcher.isLooking = true
      lookEnd = end(ofLookFrom: answer)
    }
    progress = text.mayGrow || offset >= lookEnd ?? 0 ? .finished : .reading
  }

  /// Skips the rest of the value. Reading ends before `end`, at the first error, and at the end of the text.
  private mutating func look(to end: Int) throws(JSONError) {
    let hasMore = try text.nextAfterRest()
    try unsafe checkWindow(text.chunk, isLast: !hasMore)
    let chunk = unsafe UnsafeRawBufferPointer(rebasing: text.chunk.prefix(end - text.offset))
    let used = try unsafe traversal?.read(chunk, at: text.offset, isLast: !hasMore, into: &matcher)
    text.use(used ?? 0)
    if hasMore { lookBehind(from: nil, at: text.offset + chunk.count) } else { progress = .finished }
  }

  /// Called for an error. Returns whether reading goes on without it: another value begins at its byte and is read, or all
  /// queries were answered before it.
  private mutating func endsValue(at error: JSONError) throws(JSONError) -> Bool {
    let mayEnd = readsOn || isLookingBehind
    let isTrailing = mayEnd && error.code == .trailingContent && !matcher.hasNoQueries && blockEnd == nil
    let byte = isTrailing ? try text.firstByte(ofValueAt: error.byteOffset) : nil
    // What an answer promises to look at does not depend on how much was read.
    if isTrailing, error.byteOffset >= lookLimit { return endReading() }
    if byte != nil, readsOn {
      nextValue = text.position(at: error.byteOffset)
    } else if !isLookingBehind || isTrailing && (hasNoMatch || byte != nil || error.found?.byte.isSeparator == true) {
      // Without a match nothing justifies to ignore what follows the value.
      return false
    }
    return endReading()
  }

  private mutating func endReading() -> Bool {
    progress = .finished
    return true
  }

  private var lookLimit: Int {
    guard isLookingBehind else { return .max }
    return lookEnd ?? end(ofLookFrom: matcher.answerOffset ?? 0)
  }

  /// Without a match nothing justifies to stop.
  private func end(ofLookFrom answer: Int) -> Int { hasNoMatch ? .max : answer + Self.lookBytes }

  private var hasNoMatch: Bool { (0..<matcher.plans.count).allSatisfy { matchCount(of: $0) == 0 } }

  /// Whether all queries were answered before the text that is read now.
  private var isLookingBehind: Bool { lookEnd != nil || traversal == nil && matcher.hasAnswers }

  /// Returns the rest of the input, from an offset in memory on.
  consuming func takeRest(from offset: Int) -> ReadWindow { text.takeWindow(from: offset) }

  /// Validates the new bytes of a window.
  private mutating func checkWindow(_ chunk: UnsafeRawBufferPointer, isLast: Bool) throws(JSONError) {
    guard let checker else { return }
    let new = unsafe UnsafeRawBufferPointer(rebasing: chunk[max(checkedEnd - text.offset, 0)...])
    checkedEnd = text.offset + chunk.count
    if !text.isInspectedAhead {
      if unsafe !new.isEmpty { unsafe checker.take(new) }
      if isLast { checker.finish() }
    }
    if let error = checker.failure(before: isLast ? .max : checkedEnd) { throw error }
  }

  /// Validates the next chunk of the text, which nothing else reads.
  private mutating func checkText() throws(JSONError) {
    guard let checker else { return }
    if try text.next() {
      unsafe checker.take(text.chunk)
    } else if let blockEnd {
      return try endBlock(blockEnd)
    } else {
      progress = .finished
      checker.finish()
    }
    if let error = checker.failure(before: .max) { throw error }
  }

  // MARK: Blocks

  /// Begins to read a block of a document; the reader was created for an empty input. An error means that the block is not
  /// valid, or was not cut between two children. The caller then discards the matches of the block, and another reader
  /// resumes at its start.
  mutating func begin(_ block: LineBlock, of head: DocumentHead) {
    progress = .reading
    if block.offset > 0 { skip(head, elements: block.elementsBefore) }
    self.head = head
    blockEnd = head.state(at: block.offset + block.byteCount)
    text.begin(block)
    beginCheck(at: head.state(at: block.offset), notingStates: true)
  }

  mutating func end(_ block: LineBlock) { text.end(block) }

  /// Advances to a position after some blocks. Nothing has been read before.
  mutating func resume(_ rest: DocumentRest) throws(JSONError) {
    skip(rest.head, elements: rest.elements)
    _ = try progress.isReading()
    try text.skip(to: rest.offset, after: rest.lines)
    beginCheck(at: rest.head.state(at: rest.offset), notingStates: false)
    if traversal != nil, let checker { text.inspectAhead(by: checker) }
  }

  /// Replaces the checker by one that begins in a state of the grammar.
  private mutating func beginCheck(at state: GrammarState, notingStates notesStates: Bool) {
    checker = SharedChecker(TextChecker(options: options, from: state), at: state.offset, notesStates: notesStates)
    checkedEnd = state.offset
  }

  /// Brings the traversal into the state after the head. Reads the head for that, and discards its matches, unless the
  /// traversal has read it before, alone or in the first block.
  ///
  /// - Parameter elements: The number of elements of the array before the next one, if it is known.
  private mutating func skip(_ head: DocumentHead, elements: Int) {
    guard traversal != nil else { return }
    if self.head == nil {
      do throws(JSONError) {
        try read(head)
      } catch {
        progress = .failed(error)
      }
    }
    if head.isArray { matcher.cursor.skipElements(elements - matcher.cursor.level.position) }
  }

  private mutating func read(_ head: DocumentHead) throws(JSONError) {
    let bytes = head.bytes
    let used = try unsafe bytes.span.withUnsafeBytes { (text) throws(JSONError) in
      try unsafe traversal?.read(text, at: 0, isLast: false, into: &matcher)
    }
    while try unsafe matcher.borrowNext(locating: false, { _, _, _, _ in }) {}
    guard used == bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
  }

  /// Verifies that a block ends in the state in which the next one begins.
  private mutating func endBlock(_ state: GrammarState) throws(JSONError) {
    progress = .finished
    let end = checker?.grammarState(at: state.offset)
    guard unsafe text.chunk.isEmpty, end == state, isTraversed(to: state) else {
      throw JSONError(.unexpectedEnd, at: text.offset)
    }
  }

  /// Returns whether the traversal, if there is one, is between children of the same container.
  private func isTraversed(to state: GrammarState) -> Bool {
    traversal.borrow {
      $0.cursor.isAmongChildren && $0.cursor.depth == state.depth
        && matcher.cursor.depth == state.depth && matcher.cursor.level.start == head?.start
    } ?? true
  }

  var tally: ReadingTally { text.tally(checkedBy: checker) }

  func position(of error: JSONError) -> JSONError.Position { text.position(at: error.byteOffset) }

  func excerpt(of error: JSONError) -> JSONError.Excerpt? { text.excerpt(at: error.byteOffset) }
}

extension UInt8 {
  /// Whether programs write the byte between records: a comma, NUL (GELF over TCP), the record separator of RFC 7464, or the
  /// first byte of a line such as `---`.
  fileprivate var isSeparator: Bool { self == 0 || self == 0x1E || ",;-#=*|".utf8.contains(self) }
}

extension UnsafeRawBufferPointer {
  /// Whether the number or literal at the end of the bytes, if there is one, is complete, and so a value. Before an error it
  /// may not be.
  fileprivate func endsWithValue(_ options: JSONOptions) -> Bool {
    let start = unsafe lastIndex { $0.endsNumberOrLiteral }.map { $0 + 1 } ?? 0
    return unsafe start == count || (try? JSON(parsing: self[start...], options: options)) != nil
  }
}
