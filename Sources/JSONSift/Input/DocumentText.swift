/// The bytes of one document, piece by piece, and where in its lines an offset stands.
struct DocumentText: ~Copyable {
  private var window: ReadWindow
  /// So many bytes of the window are handed out. They are left when the next ones are asked for.
  private var handedOut = 0
  private var hasBegun = false

  // Where the window begins, for the position of an error: lines before it, and the offset after the last line feed.
  private var linesBefore = 0
  private var lineStart = 0

  init(_ window: consuming ReadWindow) { self.window = window }

  /// Has what is read ahead inspected by the thread that reads it.
  mutating func inspectAhead(by inspector: SharedChecker) { window.inspector = inspector }

  /// What was handed out last was inspected so, and all that comes will be.
  var isInspectedAhead: Bool { window.isInspectedAhead }

  /// The offset of the first byte in memory.
  var offset: Int { window.offset }

  /// The bytes that were handed out last.
  var piece: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: window.bytes.prefix(handedOut)) }

  /// Goes to the next bytes. `false` at the end. Those before must have been left.
  mutating func next() throws(JSONError) -> Bool {
    var hasBytes = window.count > 0
    if !hasBytes { hasBytes = try window.fill() }
    // After a guess there can be more in the window than is read at once.
    handedOut = min(window.count, ReadWindow.readBytes)
    return hasBytes
  }

  /// Goes to the next bytes, behind those that were not used. `false` if none follow.
  mutating func nextBehindRest() throws(JSONError) -> Bool {
    // What a guess has read comes first.
    var hasMore = !hasBegun && window.count > 0
    hasBegun = true
    if !hasMore { hasMore = try window.fill() }
    handedOut = window.count
    return hasMore
  }

  /// Says that only the first of the bytes that were handed out are done with.
  mutating func use(_ count: Int) { handedOut = min(count, handedOut) }

  /// Goes past the bytes that were handed out, and remembers what tells the position of an error.
  mutating func leave() {
    let bytes = unsafe piece
    let lines = unsafe ByteScan.countLineFeeds(bytes)
    if lines > 0, let last = unsafe ByteScan.lastLineFeed(bytes) { lineStart = window.offset + last + 1 }
    linesBefore += lines
    window.use(bytes.count)
    handedOut = 0
  }

  /// The position of an offset in the window, or in the token that was open at its start: no token holds a line feed.
  func position(at offset: Int) -> SourcePosition {
    let before = unsafe UnsafeRawBufferPointer(
      rebasing: window.bytes.prefix(max(offset - window.offset, 0)))
    let lines = unsafe ByteScan.countLineFeeds(before)
    let start = unsafe ByteScan.lastLineFeed(before).map { window.offset + $0 + 1 } ?? lineStart
    return SourcePosition(byteOffset: offset, line: 1 + linesBefore + lines, column: offset - start + 1)
  }

  /// The text around an offset, if it is still in memory.
  func excerpt(at offset: Int) -> SourceExcerpt? {
    window.excerpt(at: offset, lineStart: offset - position(at: offset).column + 1)
  }

  /// There is an error, and nothing is read any more but the rest of its line.
  mutating func end(at error: JSONError) { window.completeLine(of: error.byteOffset) }
}
