/// The bytes of a stream in memory: the unused ones, and room to read more. The window grows only for a record that is
/// longer than the window.
package struct ReadWindow: ~Copyable {
  /// The number of bytes of one read: small enough for the processor's cache, large enough to make the cost of the calls
  /// negligible.
  static let readBytes = Sizes.of(1 << 18, fuzzing: 96)
  /// The number of used bytes that stay in memory after further reads, for the text around an error.
  static let keptBytes = 128

  /// `nil` if bytes are pushed.
  var source: ByteSource?
  /// The name of the file, for errors.
  let file: String?
  private var memory: RawMemory
  /// The start of the input's bytes in memory; bytes before it are not part of the input.
  var first = 0
  var start = 0
  var end = 0
  /// The offset in the input of the first unused byte.
  var offset: Int
  var isAtEnd = false
  /// The number of reads before reading ahead starts; `nil` if it has been tried or is not requested.
  private var readsBeforeAhead: Int?
  /// Inspects each block that is read ahead, on the reading thread and before the window takes it.
  var inspector: SharedChecker?
  /// Whether the inspector receives all bytes from here on.
  private(set) var isInspectedAhead = false
  /// The state of a guess of the framing that waits for more bytes.
  var guess = FramingGuess()
  /// Called if the checkpoint is in the middle of a line, unless only white space follows it there. Receives the offset of
  /// the checkpoint, and the offset of the next line.
  private let skippedLine: ((Int, Int) -> Void)?
  /// Called for a part of a compressed input that cannot be divided.
  private(set) var indivisiblePart: ((CompressedFormat) -> Void)?
  /// The end of the range that is read; `nil` for the end of the input.
  var rangeEnd: RangeEnd?
  /// While the rest of a line is skipped: whether it has contained only white space so far.
  private var lineRest: LineRest?

  private enum LineRest { case blank, text }

  /// Counts what the reader owns; `nil` if that is not requested, and before the start is reached.
  private var tally: InputTally?
  private(set) var requestedTally: InputTally?
  /// Where the bytes lie in the input, if a step has made them.
  private(set) var origins: TextOrigins?

  /// Opens a source.
  ///
  /// - Parameters:
  ///   - source: The input.
  ///   - offset: The number of bytes to skip.
  ///   - readBytes: The number of bytes of one read.
  ///   - readsAhead: Whether a thread reads a long file ahead.
  package init(
    _ source: JSONSource, startingAt offset: Int = 0, readBytes: Int = Self.readBytes, readsAhead: Bool = false
  ) throws(JSONError) {
    self.source = try Self.open(source, at: offset)
    origins = self.source.borrow { $0.reader?.origins } ?? nil
    file = source.file
    skippedLine = source.callbacks.skippedLine
    indivisiblePart = source.callbacks.indivisiblePart
    requestedTally = source.tally
    self.offset = offset
    memory = RawMemory(capacity: Self.keptBytes + readBytes)
    (first, start, end) = (Self.keptBytes, Self.keptBytes, Self.keptBytes)
    readsBeforeAhead = readsAhead ? Self.readsBeforeAhead : nil
  }

  private static func open(_ source: JSONSource, at offset: Int) throws(JSONError) -> ByteSource {
    do throws(JSONError) {
      var bytes = try ByteSource(source)
      _ = try bytes.skip(offset, of: offset)
      return bytes
    } catch {
      throw error.naming(source.file)
    }
  }

  /// The number of reads before reading ahead starts, so that a reader that stops early reads no more than it would without
  /// a thread.
  private static let readsBeforeAhead = 4

  /// Creates a window into which bytes are pushed, or that takes blocks.
  package init(pushedFrom offset: Int = 0) {
    source = nil
    file = nil
    skippedLine = nil
    self.offset = offset
    memory = RawMemory(capacity: 0)
    readsBeforeAhead = nil
  }

  /// Returns the source, and ends the window.
  consuming func takeSource() -> ByteSource? { source }

  mutating func push(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, !isAtEnd else { return }
    makeRoom(for: bytes.count)
    unsafe (memory.base + end).copyMemory(from: base, byteCount: bytes.count)
    end += bytes.count
  }

  /// Marks the end of the pushed bytes.
  package mutating func close() { isAtEnd = true }

  /// The number of bytes that fit without growing.
  var capacity: Int { memory.capacity }

  /// Whether no room is left after the bytes in memory.
  var isFull: Bool { end == memory.capacity }

  /// For a block with a line that is too long: the number of its bytes that were not kept.
  private(set) var skippedBytes = 0

  /// Swaps the window's memory with another one whose bytes begin at `newOffset` of the input. Returns the range of the
  /// unused bytes in the old memory.
  mutating func exchange(_ other: inout RawMemory, holding range: Range<Int>, at newOffset: Int) -> Range<Int> {
    let own = start..<end
    swap(&memory, &other)
    first = range.lowerBound
    start = range.lowerBound
    end = range.upperBound
    offset = newOffset
    return own
  }

  /// Takes the memory of a block of lines, which is then the whole input.
  mutating func begin(_ block: LineBlock) {
    block.range = exchange(&block.memory, holding: block.range, at: block.offset)
    skippedBytes = block.skippedBytes
    isAtEnd = true
    origins = block.origins
  }

  mutating func end(_ block: LineBlock) {
    block.range = exchange(&block.memory, holding: 0..<0, at: 0)
    origins = nil
  }

  /// The unused bytes. Valid until the next call of ``fill()``.
  package var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: memory.base + start, count: end - start)
  }

  var count: Int { end - start }

  /// Returns the framing, and advances to the checkpoint or to the start of the range, if there is one.
  ///
  /// A guess reads the start of the input even with a checkpoint: the rest of the input can look like another framing.
  package mutating func framing(
    _ options: JSONRecordOptions, name: String?, resumingAt checkpoint: JSONCheckpoint?
  ) throws(JSONError) -> JSONFraming {
    // A thread that reads ahead must not read what is skipped.
    let ahead = readsBeforeAhead
    if options.range != nil { readsBeforeAhead = nil }
    let framing: JSONFraming
    if let known = try options.knownFraming(resumingAt: checkpoint) {
      framing = known
    } else {
      framing = try guessFraming(name: name)
    }
    _ = try skipToStart(options, framing, resumingAt: checkpoint)
    readsBeforeAhead = ahead
    beginTally(framing)
    return framing
  }

  /// Begins to count what the reader owns: the unused bytes, and all that are read later.
  mutating func beginTally(_ framing: JSONFraming) {
    guard let requestedTally else { return }
    tally = requestedTally
    requestedTally.begin(framing, at: offset)
    unsafe requestedTally.add(bytes)
  }

  /// Counts the bytes that were read last, unless they are beyond the range.
  private func countBytes(after known: Int) {
    guard let tally, known < count else { return }
    unsafe tally.add(UnsafeRawBufferPointer(rebasing: bytes[known...]))
  }

  /// Counts a record that is not a line.
  func countRecord() { tally?.addRecord() }

  /// Counts a document behind which records follow.
  func countDocument() { tally?.endDocument() }

  /// Advances to a checkpoint. In a stream of lines, a checkpoint that a program made from an offset may be in the middle of
  /// a line: then the rest of that line is skipped, because it is not a record.
  ///
  /// - Parameters:
  ///   - checkpoint: The checkpoint.
  ///   - framing: How the stream is cut.
  /// - Returns: Whether the checkpoint is reached. If it is not, the source has no bytes yet, and the caller waits and calls
  ///   again.
  /// - Throws: ``JSONError/Code/unreadable`` if the input ends before it.
  mutating func skip(to checkpoint: JSONCheckpoint, _ framing: JSONFraming) throws(JSONError) -> Bool {
    let target = checkpoint.byteOffset
    guard framing == .lines, checkpoint.framing == nil, target > 0 else { return try skip(to: target) }
    // Skipped bytes do not appear in excerpts.
    defer { first = start }
    if offset < target {
      // The byte before the checkpoint decides whether a line begins there.
      guard try skip(to: target - 1, wanting: target) else { return false }
      if count == 0, try !fill() {
        guard wouldBlock else { throw ByteSource.tooShort(offset, target).naming(file) }
        return false
      }
      unsafe lineRest = bytes[0] == ASCII.lineFeed ? nil : .blank
      use(1)
    }
    while let passed = lineRest {
      let feed = unsafe ByteScan.lineFeed(bytes)
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<(feed.map { $0 + 1 } ?? count)])
      let isBlank = unsafe ByteScan.whitespacePrefix(rest) == rest.count
      lineRest = passed == .blank && isBlank ? .blank : .text
      use(rest.count)
      if feed == nil {
        if try fill() { continue }
        if wouldBlock { return false }
      }
      if lineRest == .text { skippedLine?(target, offset) }
      lineRest = nil
    }
    return true
  }

  /// Calls ``skip(to:)`` for an input that must have at least `end` bytes.
  mutating func skip(to target: Int, wanting end: Int) throws(JSONError) -> Bool {
    do throws(JSONError) {
      return try skip(to: target)
    } catch {
      guard case .shortInput = error.payload else { throw error }
      throw ByteSource.tooShort(error.byteOffset, end).naming(file)
    }
  }

  /// Advances to an offset; does nothing if the window is already there or beyond it.
  ///
  /// - Parameter target: The offset.
  /// - Returns: Whether the offset is reached. It is not if a nonblocking source has no bytes yet.
  /// - Throws: ``JSONError/Code/unreadable`` if the input ends before it.
  mutating func skip(to target: Int) throws(JSONError) -> Bool {
    try JSONError.converting(try skipBytes(to: target)) { $0.naming(file) }
  }

  private mutating func skipBytes(to target: Int) throws(JSONError) -> Bool {
    guard target > offset else { return true }
    // Skipped bytes do not appear in excerpts.
    defer { first = start }
    use(min(target - offset, count))
    let left = target - offset
    guard left > 0 else { return true }
    if source?.isReadAhead == true {
      while offset < target {
        guard try fill() else { throw ByteSource.tooShort(offset, target) }
        use(min(target - offset, count))
      }
      return true
    }
    offset = target - (try source?.skip(left, of: target) ?? 0)
    return offset == target
  }

  /// The size of the input, if it can be read from any offset.
  var knownSize: Int? { source.borrow { $0.rest.map { offset + count + $0 } } ?? nil }

  /// Whether the source decompresses its input.
  var isCompressed: Bool { source.borrow { $0.isCompressed } ?? false }

  /// Whether the source is known not to be compressed, or has found out.
  var isHeadKnown: Bool { source.borrow { $0.isHeadKnown } ?? false }

  /// Ends the input after the first `kept` unused bytes, and closes the source.
  mutating func endInput(keeping kept: Int) {
    countCompressedBytes()
    end = start + kept
    isAtEnd = true
    source = nil
  }

  /// Drops the used bytes: skipped bytes do not appear in excerpts.
  mutating func dropUsed() { first = start }

  /// The used bytes that are still in memory, before ``bytes``.
  var usedBytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: memory.base + first, count: start - first)
  }

  /// Receives all bytes that are used; `nil` if no caller needs them.
  var usedText: UsedText?

  /// Marks `count` bytes as used.
  mutating func use(_ count: Int) {
    if let usedText { unsafe usedText.take(UnsafeRawBufferPointer(rebasing: bytes[..<count])) }
    start += count
    offset += count
  }

  private mutating func makeRoom(for more: Int) {
    guard memory.capacity - end < more else { return }
    let kept = keptCount
    var range = (start - kept)..<end
    memory.moveToFront(&range, makingRoomFor: more)
    first = 0
    start = kept
    end = range.upperBound
  }

  /// The number of used bytes to keep.
  private var keptCount: Int { min(start - first, Self.keptBytes) }

  /// Whether the source is a file that may grow.
  var mayGrow: Bool { source.borrow { $0.mayGrow } ?? false }

  /// Whether a read does not wait.
  var canReadAtOnce: Bool { source.borrow { $0.canReadAtOnce } ?? true }

  /// Whether the source has no bytes yet, and its owner can wait for more.
  var wouldBlock: Bool { source.borrow { $0.wouldBlock } ?? false }

  /// Reads once more after the bytes in memory. Returns false at the end of the input or of its range, if bytes are pushed,
  /// and if the source would block: then the call can be repeated later.
  package mutating func fill() throws(JSONError) -> Bool {
    try JSONError.converting(try readBytes()) { $0.naming(file) }
  }

  private mutating func readBytes() throws(JSONError) -> Bool {
    guard !isAtEnd, source != nil else { return false }
    origins?.forget(before: offset - Self.keptBytes)
    if let left = readsBeforeAhead {
      readsBeforeAhead = left > 0 ? left - 1 : nil
      if left == 0 {
        let next = offset + count
        let limit = rangeEnd.map { $0.offset - next }
        isInspectedAhead = source?.readAhead(from: next, atMost: limit, inspectedBy: inspector) ?? false
      }
    }
    if source?.isReadAhead == true { return try takeBlock() }
    if start == end {
      // The kept bytes are moved to the front, so each read has the same room, and a file is read in steps of one size.
      let kept = keptCount
      let front = min(Self.keptBytes, memory.capacity - 1)
      if kept <= front {
        // SAFETY: both ranges lie before `start` or in the first `keptBytes` bytes, which the memory always has.
        unsafe (memory.base + (front - kept)).copyMemory(from: memory.base + (start - kept), byteCount: kept)
        (first, start, end) = (front - kept, front, front)
      }
    }
    makeRoom(for: 1)
    let room = unsafe UnsafeMutableRawBufferPointer(start: memory.base + end, count: memory.capacity - end)
    let readOffset = offset + self.count
    let count = try unsafe source?.read(into: room, at: readOffset) ?? 0
    guard count > 0 else {
      isAtEnd = !wouldBlock
      if isAtEnd { try reachEnd() }
      return false
    }
    end += count
    let known = self.count - count
    cutAtEnd(searched: known)
    countBytes(after: known)
    // All bytes that were read may be after the range.
    return self.count > known
  }

  /// Throws an error if the input ends before the end of the range: it has become shorter since it was opened.
  private func reachEnd() throws(JSONError) {
    countCompressedBytes()
    let size = offset + count
    if let rangeEnd, size < rangeEnd.offset { throw ByteSource.tooShort(size, rangeEnd.offset) }
  }

  /// Takes a block that was read ahead.
  private mutating func takeBlock() throws(JSONError) -> Bool {
    let kept = keptCount
    var range = (start - kept)..<end
    let blockOffset = offset + count
    let searched = count
    guard try source?.nextBlock(into: &memory, after: &range, at: blockOffset) ?? 0 > 0 else {
      isAtEnd = true
      try reachEnd()
      return false
    }
    first = range.lowerBound
    start = first + kept
    end = range.upperBound
    cutAtEnd(searched: searched)
    countBytes(after: searched)
    return count > searched
  }
}
