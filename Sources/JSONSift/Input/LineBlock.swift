/// The start of a line: a place between two records of lines.
struct LinePosition: Sendable {
  var offset: Int
  var line: Int

  var checkpoint: JSONCheckpoint {
    JSONCheckpoint(byteOffset: offset, line: line, lineOffset: offset, framing: .lines)
  }
}

/// Whole lines of a stream, in memory of their own: what one worker reads at a time. Of several inputs it can also be a
/// whole one, which the worker opens itself, or the error that has ended one.
///
/// Sendable without the compiler's proof: it is handed from task to task under the lock of `ParallelEngine`, and only the
/// one who has it touches it.
@safe package final class LineBlock: @unchecked Sendable {
  var memory = RawMemory(capacity: 0)
  /// Where in the memory the lines stand.
  var range = 0..<0
  /// The offset in the input of the first byte, and its line.
  var offset = 0
  var line = 1
  /// The block is a line that is too long, and these bytes of it were not kept.
  var passedBytes = 0

  package enum Content: Sendable {
    case lines
    case wholeInput
    case failure(any Error)
  }

  /// What it stands for.
  package internal(set) var content = Content.lines
  /// The number of its input.
  package internal(set) var input = 0

  /// Where the input goes on behind the block, and behind the line feed of its last line.
  var end = LinePosition(offset: 0, line: 1)

  /// How many bytes of the input it stands for.
  package var byteCount: Int { range.count + passedBytes }

  /// Makes it one that has no lines.
  func set(_ content: Content, of input: Int) {
    self.content = content
    self.input = input
    range = 0..<0
    passedBytes = 0
  }
}

extension ReadWindow {
  /// Moves the first bytes into a block, with the memory in which they stand. What follows them is copied.
  ///
  /// - Parameter room: How much room the window has afterwards.
  mutating func cut(_ count: Int, into block: LineBlock, room: Int) {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[count...])
    block.memory.fit(max(rest.count, room))
    if let base = rest.baseAddress { unsafe block.memory.base.copyMemory(from: base, byteCount: rest.count) }
    block.offset = offset
    block.passedBytes = 0
    let own = exchange(&block.memory, holding: 0..<rest.count, at: offset + count)
    block.range = own.lowerBound..<(own.lowerBound + count)
  }
}

/// Cuts a stream into blocks of whole lines.
///
/// Its window must not be one that is read ahead: blocks end where a window is full, and such a window seldom is.
struct LineCutter: ~Copyable {
  private var window: ReadWindow
  private let options: JSONRecordOptions
  private let readBytes: Int
  /// How many blocks were cut.
  private var blocks = 0
  private var line: Int
  /// How many bytes of the window hold no line feed that is not known.
  private var searched = 0
  /// The length of the lines that are whole, with their line feeds.
  private var wholeLines = 0
  /// A line that is too long is being passed over; the block has its first bytes.
  private var isPassing = false
  /// The window stands inside a line that belongs to what was read before the checkpoint.
  private var dropsLine: Bool
  /// The input has failed: what is thrown behind the lines that are there.
  private var failure: JSONError?

  /// - Parameter checkpoint: Where the window stands, if not at the start of the input.
  init(_ window: consuming ReadWindow, _ options: JSONRecordOptions, at checkpoint: JSONCheckpoint? = nil) {
    self.window = window
    line = checkpoint?.line ?? 1
    dropsLine = checkpoint?.isInsideRecord ?? false
    self.options = options
    readBytes = self.window.capacity
  }

  enum Answer { case block, end, starved }

  /// Fills a block with the next lines: as many as a window holds, or as are there when the input is starved. After
  /// `starved` the same block is to be given again.
  mutating func next(into block: LineBlock) throws(JSONError) -> Answer {
    let answer = try fill(block)
    if case .block = answer { block.end = LinePosition(offset: window.offset, line: line) }
    return answer
  }

  private mutating func fill(_ block: LineBlock) throws(JSONError) -> Answer {
    while true {
      if let failure { throw failure }
      if dropsLine, try !dropLine() { return window.isAtEnd ? .end : .starved }
      if isPassing, passLine(of: block) { return .block }
      findLines()
      if wholeLines > 0, window.isFull {
        cut(wholeLines, into: block)
        return .block
      }
      // The first bytes of a line that is too long are kept, as many as one reader keeps or shows.
      let kept = min(options.rawByteLimit, 1 << 20)
      let longest = max(options.reading.limits.recordBytes, kept, ReadWindow.keptBytes)
      if wholeLines == 0, window.count > longest {
        cut(window.count, into: block)
        isPassing = true
        continue
      }
      do throws(JSONError) {
        if try window.fill() { continue }
      } catch {
        guard wholeLines > 0 || isPassing else { throw error }
        failure = error
        if !isPassing { cut(wholeLines, into: block) }
        return .block
      }
      guard window.isAtEnd else {
        guard wholeLines > 0 else { return .starved }
        cut(wholeLines, into: block)
        return .block
      }
      // The last line need not have a line feed.
      if isPassing {
        isPassing = false
        return .block
      }
      guard window.count > 0 else { return .end }
      cut(window.count, into: block)
      return .block
    }
  }

  /// Goes past the rest of the first line. Returns whether its end was there.
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
    window.cut(count, into: block, room: blocks < Self.smallBlocks ? readBytes : readBytes * Self.growth)
    searched = window.count
    wholeLines = 0
  }

  /// The number of small blocks at the start of a file, so that all workers share a short file. Later blocks are larger: handing
  /// one over, waking a worker and gathering its results cost the same for a block of any size.
  private static let smallBlocks = 16
  private static let growth = 4

  /// Goes past what the window holds of a line that is too long. Returns whether its end was there.
  private mutating func passLine(of block: LineBlock) -> Bool {
    let found = unsafe ByteScan.lineFeed(window.bytes)
    block.passedBytes += found ?? window.count
    window.use(found.map { $0 + 1 } ?? window.count)
    searched = 0
    guard found != nil else { return false }
    line += 1
    isPassing = false
    return true
  }
}
