/// The part of a compressed input that a range selects: the frames that begin in it.
///
/// A *frame* is a unit of a compressed format that can be decompressed by itself: a frame of zstd, a member of BGZF.
/// The reader that has begun a part returns the text of its frames, and after it the rest of the record that the last
/// frame cuts. Its consumer drops the text before the first record that begins in the part.
package struct CompressedPart {
  /// The offset of the first frame's text in the text of the whole input; `nil` if no header says how long the text of each
  /// earlier frame is.
  package var textOffset: Int?
  /// Whether the text of the part begins with a record: it is the beginning of the input.
  package var isFirst: Bool
  /// Whether no frame begins in the range.
  package var isEmpty: Bool
  /// The format of an input that cannot be divided, if the range selects only a part of it.
  package var indivisible: CompressedFormat?

  package init(textOffset: Int?, isFirst: Bool, isEmpty: Bool, indivisible: CompressedFormat?) {
    self.textOffset = textOffset
    self.isFirst = isFirst
    self.isEmpty = isEmpty
    self.indivisible = indivisible
  }
}

extension ReadWindow {
  /// Advances to the first record of a part of a compressed input, which its source has begun.
  mutating func skip(
    to part: CompressedPart, of range: JSONInputRange, _ framing: JSONFraming, _ separator: RecordSeparator,
    resumingAt checkpoint: JSONCheckpoint?
  ) throws(JSONError) {
    if let format = part.indivisible { indivisiblePart?(format) }
    restart(at: part.textOffset ?? 0)
    guard !part.isEmpty else { return endInput(keeping: 0) }
    if !part.isFirst {
      guard try skipToRecord(separator) else { return endInput(keeping: 0) }
      // Offset 0 would mean the first record of the input, before which a byte order mark is skipped.
      if part.textOffset == nil, let offset = range.firstOffset { restart(at: max(offset, 1), keepingBytes: true) }
    }
    // Before the first record the checkpoint is the start of the range, which is an offset in the compressed bytes.
    guard let checkpoint, checkpoint != range.start else { return }
    _ = try skip(to: checkpoint, framing)
  }

  /// Begins a part of the input, if it is compressed and has parts; see ``ByteReader/begin(_:_:)``.
  mutating func beginPart(_ range: JSONInputRange, _ separator: RecordSeparator) throws(JSONError) -> CompressedPart? {
    try source?.begin(range, separator)
  }

  /// Reports to the source that a record begins in the part.
  mutating func foundRecordOfPart() { source?.foundRecordOfPart() }

  /// Continues at another offset of the input, where the source has moved.
  ///
  /// - Parameter keepsBytes: Whether the unused bytes are those at the new offset.
  mutating func restart(at newOffset: Int, keepingBytes keepsBytes: Bool = false) {
    if !keepsBytes { start = end }
    first = start
    offset = newOffset
    if !keepsBytes { isAtEnd = false }
  }

  /// Stores the number of compressed bytes in the tally, at the end of the input.
  func countCompressedBytes() {
    if let requestedTally { source?.countCompressedBytes(requestedTally) }
  }

  /// Advances to the first record that begins in the part. Returns `false` if none does.
  private mutating func skipToRecord(_ separator: RecordSeparator) throws(JSONError) -> Bool {
    defer { dropUsed() }
    while true {
      if count == 0, try !fill() { return false }
      if let start = unsafe separator.nextStart(in: bytes) {
        use(start)
        foundRecordOfPart()
        return true
      }
      use(count)
    }
  }
}
