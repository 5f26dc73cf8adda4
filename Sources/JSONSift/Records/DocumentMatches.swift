/// The matches of some queries in one document.
struct DocumentMatches: ~Copyable {
  private var window: ReadWindow
  private var parser: ChunkedParser
  private var matcher: PathMatcher
  private var isFinished = false
  /// So many bytes of the window are parsed; they are left when the next ones are read. Until then a candidate that has
  /// waited for its turn can fail in them.
  private var parsed = 0
  private var failure: JSONError?

  // Where the window begins, for the position of an error: lines before it, the offset after the last line feed, and
  // some bytes.
  private var linesBefore = 0
  private var lineStart = 0
  private var bytesBefore: [UInt8] = []
  /// The position of a match that is open at the end of a window.
  private var openMatch: SourcePosition?

  init(_ matcher: consuming PathMatcher, _ window: consuming ReadWindow, _ options: JSONOptions) {
    self.window = window
    parser = ChunkedParser(options: options)
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
        matcher.queue.removeAll(from: error.byteOffset)
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
      failure = error
    }
    return true
  }

  private mutating func advance() throws(JSONError) {
    if parsed > 0 { leaveParsed() }
    var hasBytes = window.count > 0
    if !hasBytes { hasBytes = try window.fill() }
    guard hasBytes else {
      isFinished = true
      return try matcher.finish(&parser)
    }
    // After a guess there can be more in the window than is read at once.
    let piece = unsafe UnsafeRawBufferPointer(rebasing: window.bytes.prefix(ReadWindow.readBytes))
    try unsafe matcher.feed(piece, through: &parser)
    isFinished = parser.isStopped
    parsed = piece.count
  }

  /// Goes past bytes that are parsed, and remembers what tells the position of an error.
  private mutating func leaveParsed() {
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: window.bytes.prefix(parsed))
    parsed = 0
    if let start = matcher.openMatchStart {
      if start >= window.offset { openMatch = position(at: start) }
    } else {
      openMatch = nil
    }
    linesBefore += unsafe ByteScan.countLineFeeds(bytes)
    if let last = unsafe ByteScan.lastLineFeed(bytes) { lineStart = window.offset + last + 1 }
    let kept = max(Self.excerptBytes - bytes.count, 0)
    bytesBefore = unsafe Array(bytesBefore.suffix(kept)) + Array(bytes.suffix(Self.excerptBytes))
    window.use(bytes.count)
  }

  private static let excerptBytes = 128

  /// The position of an offset in the window, or in the token that was open at its start: no token holds a line feed.
  private func position(at offset: Int) -> SourcePosition {
    let before = unsafe UnsafeRawBufferPointer(
      rebasing: window.bytes.prefix(max(offset - window.offset, 0)))
    let lines = unsafe ByteScan.countLineFeeds(before)
    let start = unsafe ByteScan.lastLineFeed(before).map { window.offset + $0 + 1 } ?? lineStart
    return SourcePosition(byteOffset: offset, line: 1 + linesBefore + lines, column: offset - start + 1)
  }

  func position(of error: JSONError) -> SourcePosition {
    if let openMatch, openMatch.byteOffset == error.byteOffset { return openMatch }
    return position(at: error.byteOffset)
  }

  func excerpt(of error: JSONError) -> SourceExcerpt? {
    let start = window.offset - bytesBefore.count
    guard error.byteOffset >= start else { return nil }
    let place = error.byteOffset - start
    let bytes = unsafe bytesBefore + window.bytes.prefix(max(place - bytesBefore.count, 0) + Self.excerptBytes)
    return SourceExcerpt(around: place, in: bytes)
  }
}
