/// The text that a step makes, chunk by chunk, with the places in the input of what it is made of.
struct StepText: ~Copyable {
  var bytes = ByteBuffer(capacity: 0)
  private var pieces = PlainVector<OriginChunk.Piece>()
  /// The offset of the first byte.
  private var start = 0
  /// The number of bytes that were read.
  private var used = 0

  /// Whether all bytes were read.
  var isUsed: Bool { used == bytes.count }

  /// Begins a chunk at an offset.
  mutating func begin(at offset: Int) {
    bytes.removeAll()
    (start, used) = (offset, 0)
  }

  /// Reads the next bytes, and returns their number.
  mutating func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, bytes.count - used)
    unsafe bytes.withBytes(in: used..<(used + count)) { unsafe buffer.copyMemory(from: $0) }
    used += count
    return count
  }

  /// Notes where the next bytes lie.
  ///
  /// - Parameters:
  ///   - origin: The offset in the input of the step.
  ///   - index: The offset in the bytes of the block that the chunk keeps.
  ///   - input: The number of the input, if there are several.
  mutating func note(_ origin: Int, index: Int, line: Int, _ kind: OriginChunk.Piece.Kind, of input: UInt16 = 0) {
    pieces.append(
      OriginChunk.Piece(
        start: start + bytes.count, origin: origin, index: index, line: Int32(truncatingIfNeeded: line), kind: kind,
        input: input))
  }

  /// The end of the text, to which ``forget(after:)`` returns.
  var end: (bytes: Int, pieces: Int) { (bytes.count, pieces.count) }

  /// Forgets what was written after an earlier end.
  mutating func forget(after end: (bytes: Int, pieces: Int)) {
    bytes.truncate(to: end.bytes)
    while pieces.count > end.pieces { pieces.removeLast() }
  }

  /// Returns the chunk, with the block that it was made of; `nil` if it is empty.
  mutating func chunk(of block: LineBlock, holdsLines: Bool, isValidated: Bool = false) -> OriginChunk? {
    guard bytes.count > 0 else { return nil }
    var taken = PlainVector<OriginChunk.Piece>()
    swap(&taken, &pieces)
    return OriginChunk(
      start..<(start + bytes.count), of: block, holdsLines: holdsLines, isValidated: isValidated, taken)
  }
}
