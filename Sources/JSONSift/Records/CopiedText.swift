/// The chunks of a text that is copied from the lines of several inputs. The bytes of a chunk are kept with the places of its lines
/// while it is in use, and their memory is used again.
struct CopiedText: ~Copyable {
  /// The text of the next chunk.
  var text = StepText()
  /// Whether each line of the next chunk is known to be JSON.
  var isValidated = true
  /// The chunk that is read, and the number of its bytes that were read.
  private var chunk = LineBlock()
  private var used = 0
  private var count = 0
  /// Some chunks, most of them in use.
  private var chunks: [LineBlock] = []

  private static let keptChunks = 8

  /// Whether all bytes of the chunk were read.
  var isUsed: Bool { used == count }

  /// Begins a chunk at an offset in the text.
  mutating func begin(at offset: Int) {
    (used, count) = (0, 0)
    text.begin(at: offset)
  }

  /// Reads the next bytes of the chunk, and returns their number.
  ///
  /// SAFETY: the memory of the chunk has its text.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let read = min(buffer.count, count - used)
    unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(start: chunk.memory.base + used, count: read))
    used += read
    return read
  }

  /// The number of bytes of a chunk: several fit into the cache.
  static let chunkBytes = Sizes.of(1 << 17, fuzzing: 64)

  /// Appends the lines of a block to the text. Returns the number of bytes of its last line that were not kept if the chunk is full.
  mutating func take(_ block: inout LineBlock, of number: UInt16) -> Int? {
    // SAFETY: the range of a block lies in its memory, which does not change here.
    let bytes = unsafe UnsafeRawBufferPointer(
      start: block.memory.base + block.range.lowerBound, count: block.range.count)
    var start = 0
    var line = block.line
    while start < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
      let count = unsafe ByteScan.lineFeed(rest).map { $0 + 1 } ?? rest.count
      text.note(block.offset + start, index: text.bytes.count, line: line, .copied, of: number)
      unsafe text.bytes.append(UnsafeRawBufferPointer(rebasing: rest[..<count]))
      start += count
      line += 1
    }
    if text.bytes.last != ASCII.lineFeed { text.bytes.append(ASCII.lineFeed) }
    isValidated = false
    let skipped = block.skippedBytes
    block.range = 0..<0
    if block.isLong { block = LineBlock() }
    return skipped > 0 || text.bytes.count >= Self.chunkBytes ? skipped : nil
  }

  /// Makes a chunk of the text. Returns where it lies in the inputs; `nil` if it is empty.
  ///
  /// - Parameter skipped: The number of bytes of its last line that were not kept.
  mutating func finishChunk(skipping skipped: Int) -> OriginChunk? {
    count = text.bytes.count
    beginChunk()
    // The rest of a line that is too long stands behind its known part.
    chunk.range = 0..<(count - (skipped > 0 ? 1 : 0))
    chunk.skippedBytes = skipped
    let origin = text.chunk(of: chunk, holdsLines: true, isValidated: isValidated)
    text.bytes.exchange(&chunk.memory)
    isValidated = true
    return origin
  }

  /// Takes a chunk whose text is no longer in use, so that its memory is used again; or a new one.
  private mutating func beginChunk() {
    for index in chunks.indices where isKnownUniquelyReferenced(&chunks[index]) {
      chunk = chunks[index]
      return
    }
    chunk = LineBlock()
    if chunks.count < Self.keptChunks { chunks.append(chunk) }
  }

  /// Forgets the chunk, which was read.
  mutating func end() { chunk = LineBlock() }
}
