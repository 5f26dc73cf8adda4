/// Whole lines of a stream, in memory of their own: what one worker reads at a time.
///
/// Sendable without the compiler's proof: it is handed from task to task under the lock of `ParallelEngine`, and only the
/// one who has it touches it.
@safe final class LineBlock: @unchecked Sendable {
  var memory = RawMemory(capacity: ReadWindow.readBytes)
  /// Where in the memory the lines stand.
  var range = 0..<0
  /// The offset in the input of the first byte, and its line.
  var offset = 0
  var line = 1
  /// Instead of lines: one that is too long to be kept.
  var overlong: JSONBadRecord?
}

extension ReadWindow {
  /// Moves the first bytes into a block, with the memory in which they stand. What follows them is copied.
  mutating func cut(_ count: Int, into block: LineBlock) {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[count...])
    block.memory.fit(max(rest.count, Self.readBytes))
    if let base = rest.baseAddress { unsafe block.memory.base.copyMemory(from: base, byteCount: rest.count) }
    block.offset = offset
    block.range = exchange(&block.memory, holding: 0..<rest.count, at: offset + count)
    block.range = block.range.lowerBound..<(block.range.lowerBound + count)
  }
}

/// Cuts a stream into blocks of whole lines.
struct LineCutter: ~Copyable {
  private var window: ReadWindow
  private let options: JSONRecordOptions
  private var line: Int
  /// How many bytes of the window hold no line feed that is not known.
  private var searched = 0
  /// The length of the lines that are whole, with their line feeds.
  private var wholeLines = 0
  /// A line that is too long is being passed over: its first bytes, and how long it is so far.
  private var overlong: (bytes: [UInt8], count: Int, offset: Int)?

  init(_ window: consuming ReadWindow, line: Int, _ options: JSONRecordOptions) {
    self.window = window
    self.line = line
    self.options = options
  }

  /// Fills a block with the next lines: as many as a window holds, or as are there when the input is starved. Returns false
  /// at the end.
  ///
  /// - Throws: ``JSONError/Code/starved`` if there is no whole line yet.
  mutating func next(into block: LineBlock) throws(JSONError) -> Bool {
    while true {
      if overlong != nil, passLine(into: block) { return true }
      findLines()
      if wholeLines > 0, window.isFull { return cut(wholeLines, into: block) }
      if wholeLines == 0, window.count > options.reading.limits.recordBytes {
        beginOverlong()
        continue
      }
      do throws(JSONError) {
        if try window.fill() { continue }
      } catch {
        guard error.code == .starved, wholeLines > 0 else { throw error }
        return cut(wholeLines, into: block)
      }
      return atEnd(block)
    }
  }

  /// The last line need not have a line feed.
  private mutating func atEnd(_ block: LineBlock) -> Bool {
    if overlong != nil {
      finishOverlong(into: block)
      return true
    }
    return window.count > 0 && cut(window.count, into: block)
  }

  private mutating func findLines() {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[searched...])
    if let last = unsafe rest.lastIndex(of: ASCII.lineFeed) { wholeLines = searched + last + 1 }
    searched = window.count
  }

  private mutating func cut(_ count: Int, into block: LineBlock) -> Bool {
    block.overlong = nil
    block.line = line
    line += unsafe ByteScan.countLineFeeds(UnsafeRawBufferPointer(rebasing: window.bytes[..<count]))
    window.cut(count, into: block)
    searched -= count
    wholeLines = 0
    return true
  }

  // MARK: A line that is too long

  private mutating func beginOverlong() {
    let kept = unsafe Array(window.bytes.prefix(max(options.rawByteLimit, 0)))
    overlong = (kept, 0, window.offset)
    searched = 0
  }

  /// Goes past what the window holds of the line. Returns whether its end was there.
  private mutating func passLine(into block: LineBlock) -> Bool {
    let found = unsafe ByteScan.lineFeed(window.bytes)
    overlong?.count += found ?? window.count
    guard let found else {
      window.use(window.count)
      searched = 0
      return false
    }
    window.use(found + 1)
    finishOverlong(into: block)
    line += 1
    return true
  }

  private mutating func finishOverlong(into block: LineBlock) {
    guard let (bytes, count, offset) = overlong else { return }
    overlong = nil
    searched = 0
    wholeLines = 0
    block.range = 0..<0
    block.offset = offset
    block.line = line
    block.overlong = JSONBadRecord(
      error: JSONError(.recordLimit, at: offset, number: options.reading.limits.recordBytes),
      position: SourcePosition(byteOffset: offset, line: line, column: 1), line: line,
      byteRange: offset..<(offset + count), rawBytes: bytes)
  }
}
