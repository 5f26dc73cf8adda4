/// The start of a line, in a stream whose records are lines.
package struct LinePosition: Sendable {
  package var offset: Int
  package var line: Int

  package init(offset: Int, line: Int) { (self.offset, self.line) = (offset, line) }

  var checkpoint: JSONCheckpoint { JSONCheckpoint(byteOffset: offset, line: line, lineOffset: offset, framing: .lines) }
}

/// The unit of work of one worker: complete lines of a stream, or complete children of one container of a document, each
/// with the comma after it, in memory of their own. With several inputs it can also represent a whole input, which the
/// worker opens itself, or the error that ended an input.
///
/// Unchecked Sendable: `ParallelEngine` passes it from task to task under its lock, and only the task that holds it uses it.
@safe package final class LineBlock: @unchecked Sendable {
  var memory = RawMemory(capacity: 0)
  /// The range of the lines in the memory.
  var range = 0..<0
  /// The offset in the input of the first byte, and its line. The lines of a document are not counted.
  package internal(set) var offset = 0
  package var line = 1
  /// The numbers of elements before the block and in it, if it has elements of an array and they are counted.
  package internal(set) var elementsBefore = 0
  package internal(set) var elements = 0
  /// The number of bytes that were not kept, if the block is a line that is too long.
  package var skippedBytes = 0

  /// The place of the lines in the memory, for ``beginAgain(at:)``.
  package var place: Range<Int> { range }

  /// Lets another reader read the lines again, after the first one has returned the memory.
  package func beginAgain(at place: Range<Int>) { range = place.clamped(to: 0..<memory.capacity) }

  /// Where the lines lie in the input, if a step has made them.
  var origins: TextOrigins?

  package enum Content: Sendable {
    case lines
    /// A part of a document that begins and ends after a comma of one container. The first one begins with the document.
    case children(DocumentHead)
    case wholeInput
    case failure(any Error)
  }

  /// What the block represents.
  package internal(set) var content = Content.lines
  /// The number of its input.
  package internal(set) var input = 0

  /// The position in the input after the block, and after the line feed of its last line.
  package var end = LinePosition(offset: 0, line: 1)

  package init() {}

  /// The number of input bytes that the block represents.
  package var byteCount: Int { range.count + skippedBytes }

  /// Whether it had a line of many megabytes. Its memory, and the memory that a worker has allocated for it, is not
  /// reused for other blocks.
  var isLong: Bool { memory.capacity >= Self.longBytes }

  static let longBytes = Sizes.of(1 << 23, fuzzing: 64)

  /// Empties the block, so that it represents `content` instead of lines.
  func set(_ content: Content, of input: Int) {
    self.content = content
    self.input = input
    range = 0..<0
    skippedBytes = 0
  }
}

extension ReadWindow {
  /// Moves the first bytes into a block, together with the memory that holds them. Copies the bytes after them.
  ///
  /// - Parameters:
  ///   - count: The number of bytes to move.
  ///   - block: The block; the window takes its memory.
  ///   - room: The minimum capacity of the window afterwards.
  mutating func cut(_ count: Int, into block: LineBlock, room: Int) {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[count...])
    block.memory.fit(max(rest.count, room))
    if let base = rest.baseAddress { unsafe block.memory.base.copyMemory(from: base, byteCount: rest.count) }
    block.offset = offset
    block.skippedBytes = 0
    block.origins = origins.map { TextOrigins($0.chunks(in: offset..<(offset + count))) }
    let own = exchange(&block.memory, holding: 0..<rest.count, at: offset + count)
    block.range = own.lowerBound..<(own.lowerBound + count)
  }
}

/// Cuts a stream into blocks of complete lines.
///
/// Its window must not be read ahead: a block ends when the window is full, which rarely happens with reading ahead.
package struct LineCutter: ~Copyable {
  private var window: ReadWindow
  private let options: JSONRecordOptions
  private let readBytes: Int
  /// The number of blocks that were cut.
  private var blocks = 0
  private var line: Int
  /// The number of bytes of the window that were searched for line feeds.
  private var searched = 0
  /// The length of the complete lines, with their line feeds.
  private var wholeLines = 0
  /// Whether a line that is too long is being skipped. The block holds its first bytes.
  private var isSkipping = false
  /// Whether only the NUL bytes before a line are skipped, which are too many for a record.
  private var skipsGap = false
  /// Whether the window begins inside a line that was read before the checkpoint.
  private var dropsLine: Bool
  /// The error of the input, thrown after the lines that were read before it.
  private var failure: JSONError?
  /// Whether a block ends before a read that may wait.
  private let isEager: Bool

  /// - Parameter checkpoint: The position of the window, if it is not the start of the input.
  package init(
    _ window: consuming ReadWindow, _ options: JSONRecordOptions, at checkpoint: JSONCheckpoint? = nil,
    isEager: Bool = false
  ) {
    self.isEager = isEager
    self.window = window
    self.window.beginTally(.lines)
    line = checkpoint?.line ?? options.start.line
    dropsLine = checkpoint?.isInsideRecord ?? false
    self.options = options
    readBytes = self.window.capacity
  }

  /// Whether a read does not wait.
  var canReadAtOnce: Bool { window.canReadAtOnce }

  package enum Answer { case block, end, wouldBlock }

  /// Fills a block with the next lines: as many as a window holds, or as have arrived if the input would block. After
  /// `wouldBlock` the caller waits and passes the same block again.
  package mutating func next(into block: LineBlock) throws(JSONError) -> Answer {
    let answer = try fill(block)
    if case .block = answer { block.end = LinePosition(offset: window.offset, line: line) }
    return answer
  }

  private mutating func fill(_ block: LineBlock) throws(JSONError) -> Answer {
    while true {
      if let failure { throw failure }
      if dropsLine, try !dropLine() { return window.isAtEnd ? .end : .wouldBlock }
      if isSkipping, skipLine(of: block) { return .block }
      findLines()
      if wholeLines > 0, window.isFull || isEager && !window.canReadAtOnce {
        cut(wholeLines, into: block)
        return .block
      }
      // The first bytes of a line that is too long are kept: as many as a single reader keeps or shows.
      let kept = options.rawByteLimit
      let longest = max(options.reading.limits.recordBytes, kept, ReadWindow.keptBytes)
      if wholeLines == 0, window.count > longest {
        let gap = unsafe JSONRecordReader.gapCount(window.bytes)
        cut(gap > 0 ? gap : window.count, into: block)
        isSkipping = true
        skipsGap = gap > 0
        continue
      }
      do throws(JSONError) {
        if try window.fill() { continue }
      } catch {
        guard wholeLines > 0 || isSkipping else { throw error }
        failure = error
        if !isSkipping { cut(wholeLines, into: block) }
        return .block
      }
      guard window.isAtEnd else {
        guard wholeLines > 0 else { return .wouldBlock }
        cut(wholeLines, into: block)
        return .block
      }
      // The last line need not end with a line feed.
      if isSkipping {
        isSkipping = false
        return .block
      }
      guard window.count > 0 else { return .end }
      cut(window.count, into: block)
      return .block
    }
  }

  /// Drops the rest of the first line. Returns whether its end was found.
  private mutating func dropLine() throws(JSONError) -> Bool {
    while true {
      if let found = unsafe ByteScan.lineFeed(window.bytes) {
        window.use(found + 1)
        line += 1
        dropsLine = false
        return true
      }
      window.use(window.count)
      guard try window.fill() else { return false }
    }
  }

  private mutating func findLines() {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[searched...])
    if let last = unsafe ByteScan.lastLineFeed(rest) { wholeLines = searched + last + 1 }
    searched = window.count
  }

  private mutating func cut(_ count: Int, into block: LineBlock) {
    block.line = line
    line += unsafe ByteScan.countLineFeeds(UnsafeRawBufferPointer(rebasing: window.bytes[..<count]))
    blocks += 1
    // What the text of a step was made of is kept with its blocks.
    let isSmall = isEager || window.origins != nil || blocks < Self.smallBlocks
    window.cut(count, into: block, room: isSmall ? readBytes : readBytes * Self.growth)
    searched = window.count
    wholeLines = 0
  }

  /// The number of small blocks at the start of a file, so that all workers share a short file. Later blocks are larger:
  /// passing one on, waking a worker and gathering its results cost the same for a block of any size.
  private static let smallBlocks = Sizes.of(16, fuzzing: 2)
  private static let growth = Sizes.of(4, fuzzing: 2)

  /// Drops the bytes of the window that belong to a line that is too long. Returns whether its end was found.
  private mutating func skipLine(of block: LineBlock) -> Bool {
    if skipsGap {
      let gap = unsafe JSONRecordReader.gapCount(window.bytes)
      block.skippedBytes += gap
      window.use(gap)
      searched = 0
      guard window.count > 0 else { return false }
      (isSkipping, skipsGap) = (false, false)
      return true
    }
    let found = unsafe ByteScan.lineFeed(window.bytes)
    block.skippedBytes += found ?? window.count
    window.use(found.map { $0 + 1 } ?? window.count)
    searched = 0
    guard found != nil else { return false }
    line += 1
    isSkipping = false
    return true
  }
}
