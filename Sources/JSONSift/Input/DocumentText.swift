/// The number of line feeds in a text, and the offset after the last of them; 0 if there is none.
package struct LineCount: Sendable, Equatable {
  package var feeds = 0
  package var lastStart = 0

  package init() {}

  package init(feeds: Int, lastStart: Int) {
    self.feeds = feeds
    self.lastStart = lastStart
  }

  /// Counts the lines of a text that begins at an offset.
  init(of bytes: UnsafeRawBufferPointer, at offset: Int) {
    feeds = unsafe ByteScan.countLineFeeds(bytes)
    if feeds > 0, let last = unsafe ByteScan.lastLineFeed(bytes) { lastStart = offset + last + 1 }
  }

  /// Adds the lines of the text after this one.
  package mutating func add(_ next: LineCount) {
    feeds += next.feeds
    if next.feeds > 0 { lastStart = next.lastStart }
  }

  /// Returns the position of an offset after these lines, if the first of them has the number 0.
  func position(of offset: Int) -> JSONError.Position {
    JSONError.Position(byteOffset: offset, line: feeds, column: offset - lastStart + 1)
  }
}

/// The bytes of one document, chunk by chunk, and the line and column of an offset in it.
struct DocumentText: ~Copyable {
  private var window: ReadWindow
  /// The number of bytes of the window in the current chunk. ``dropChunk()`` drops them.
  private var chunkLength = 0
  private var hasBegun = false
  /// Whether the text is a block, which is passed on in several chunks; and the number of bytes at the end of the last chunk
  /// that were not used.
  private var isBlock = false
  private var unusedBytes = 0

  /// The lines of the dropped chunks.
  private(set) var lines = LineCount()
  /// The offset up to which ``line(at:)`` has counted, and the line feeds before it.
  private var counted = (offset: 0, feeds: 0)
  /// The position of a value that is open at the end of the dropped chunks.
  private var openValue: JSONError.Position?

  init(_ window: consuming ReadWindow) { self.window = window }

  /// Sets the inspector that the reading thread calls for each block that it reads ahead.
  mutating func inspectAhead(by inspector: SharedChecker) { window.inspector = inspector }

  /// Whether the inspector has received the current chunk and will receive all further ones.
  var isInspectedAhead: Bool { window.isInspectedAhead }

  /// Takes the memory of a block, which is then the whole text. Its lines are counted from 0.
  mutating func begin(_ block: LineBlock) {
    chunkLength = 0
    hasBegun = false
    lines = LineCount()
    openValue = nil
    (isBlock, unusedBytes) = (true, 0)
    window.begin(block)
  }

  /// Returns the memory to a block.
  mutating func end(_ block: LineBlock) {
    chunkLength = 0
    window.end(block)
  }

  /// Advances to an offset, before which the text has the given lines. The bytes before it stay in memory as far as an
  /// excerpt shows them.
  ///
  /// - Throws: ``JSONError/Code/unreadable`` if the input ends before the offset.
  mutating func skip(to offset: Int, after lines: LineCount) throws(JSONError) {
    // The first bytes decide whether the input is compressed.
    if window.count == 0 { _ = try window.fill() }
    _ = try window.skip(to: offset - ReadWindow.keptBytes, wanting: offset)
    while window.offset + window.count < offset, try window.fill() {}
    guard window.offset + window.count >= offset else {
      throw ByteSource.tooShort(window.offset + window.count, offset)
    }
    window.use(offset - window.offset)
    self.lines = lines
  }

  /// The offset of the first byte in memory.
  var offset: Int { window.offset }

  /// The current chunk.
  var chunk: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(rebasing: window.bytes.prefix(chunkLength)) }

  /// Advances to the next chunk; the previous one must have been dropped. Returns `false` at the end.
  mutating func next() throws(JSONError) -> Bool {
    var hasBytes = window.count > 0
    if !hasBytes { hasBytes = try window.fill() }
    // After the framing was guessed, the window can hold more than one read returns.
    chunkLength = min(window.count, ReadWindow.readBytes)
    return hasBytes
  }

  /// Reads more bytes after the unused ones. The chunk then contains both. Returns `false` at the end.
  mutating func nextAfterRest() throws(JSONError) -> Bool {
    if isBlock {
      // Several passes over a chunk find it in the processor's cache.
      let known = unusedBytes
      chunkLength = min(window.count, known + ReadWindow.readBytes)
      unusedBytes = 0
      return chunkLength > known
    }
    // Bytes read for the guess of the framing are returned first.
    var hasMore = !hasBegun && window.count > 0
    hasBegun = true
    if !hasMore { hasMore = try window.fill() }
    chunkLength = window.count
    return hasMore
  }

  /// Shortens the current chunk to the bytes that were used.
  mutating func use(_ count: Int) {
    unusedBytes = chunkLength - min(count, chunkLength)
    chunkLength = min(count, chunkLength)
  }

  /// Drops the current chunk, and updates the data for positions.
  ///
  /// - Parameter start: The offset of a value that has begun and not ended, whose position is asked for later.
  mutating func dropChunk(openAt start: Int? = nil) {
    if let start {
      if start >= offset { openValue = position(at: start) }
    } else {
      openValue = nil
    }
    unsafe lines.add(LineCount(of: chunk, at: window.offset))
    window.use(chunkLength)
    chunkLength = 0
  }

  /// Returns the position of an offset in the window, or in the token that was open at its start, which contains no line feed, or
  /// of the start of the open value.
  func position(at offset: Int) -> JSONError.Position {
    if let openValue, openValue.byteOffset == offset { return openValue }
    let before = unsafe UnsafeRawBufferPointer(rebasing: window.bytes.prefix(max(offset - window.offset, 0)))
    var lines = LineCount(feeds: 1 + lines.feeds, lastStart: lines.lastStart)
    unsafe lines.add(LineCount(of: before, at: window.offset))
    return lines.position(of: offset)
  }

  /// Returns the line of an offset in memory. The offsets of the calls must not decrease: each counts from the last one.
  mutating func line(at offset: Int) -> Int {
    if counted.offset < window.offset { counted = (window.offset, lines.feeds) }
    let known = unsafe UnsafeRawBufferPointer(
      rebasing: window.bytes.prefix(max(offset - window.offset, 0)).dropFirst(counted.offset - window.offset))
    counted = unsafe (max(offset, counted.offset), counted.feeds + ByteScan.countLineFeeds(known))
    return counted.feeds + 1
  }

  /// Returns the text around an offset, if it is still in memory.
  func excerpt(at offset: Int) -> JSONError.Excerpt? {
    window.excerpt(at: offset, lineStart: offset - position(at: offset).column + 1)
  }

  /// Whether the text is a file that may grow.
  var mayGrow: Bool { window.mayGrow }

  /// Returns the byte at an offset if a value begins there; `nil` too if the byte is no longer in memory.
  mutating func firstByte(ofValueAt offset: Int) throws(JSONError) -> UInt8? {
    let index = offset - window.offset
    guard index >= 0 else { return nil }
    while window.count - index < JSONFraming.beginningBytes, try window.fill() {}
    let bytes = unsafe Array(window.bytes.dropFirst(index).prefix(JSONFraming.beginningBytes))
    return JSONFraming.beginsValue(bytes[...]) ? bytes.first : nil
  }

  /// Returns the window, from an offset in memory on.
  consuming func takeWindow(from offset: Int) -> ReadWindow {
    var window = window
    window.use(max(offset - window.offset, 0))
    window.countDocument()
    return window
  }

  /// Reads the rest of the line of an error, for its excerpt. Nothing else is read afterwards.
  mutating func end(at error: JSONError) { window.completeLine(of: error.byteOffset) }
}
