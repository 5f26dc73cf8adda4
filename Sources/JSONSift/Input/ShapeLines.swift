/// Counts the shape of lines that were validated together.
extension JSONRecordReader {
  /// Switches to counting the records of validated lines many at a time. One null is returned for all lines of one read.
  mutating func countValidatedLines() {
    // Text before a value is checked line by line.
    guard cutsLines, shape != nil, !skipsPrefix, validation != nil else { return }
    skipValidated()
  }
}

extension ShapeStorage {
  /// The number of text bytes whose tape words are built at once: enough to make the cost of a call negligible, few enough
  /// for the processor's cache.
  private static let chunkBytes = Sizes.of(1 << 16, fuzzing: 64)

  /// Counts the records of complete lines that are validated.
  func add(lines: UnsafeRawBufferPointer) {
    var tape = RawMemory(capacity: 0)
    swap(&tape, &self.tape)
    defer { swap(&tape, &self.tape) }
    var start = 0
    while start < lines.count, !isFull {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: lines[start...])
      let chunk = unsafe start..<(start + Self.chunk(of: rest))
      start = chunk.upperBound
      let header = YajlContext.headerWords
      // A validated record has a bounded length, so its tape is bounded too: see `RecordValidation`.
      guard
        let count = unsafe TapeWordScan.write(lines, chunk, into: &tape, after: header, limit: JSONLimits.maxTapeBytes)
      else { continue }
      // SAFETY: `TapeWordScan.write` has written `count` words, header included.
      unsafe add(
        UnsafeBufferPointer(start: tape.base.assumingMemoryBound(to: UInt64.self) + header, count: count - header),
        lines, after: header)
    }
  }

  /// Returns the number of bytes of the first complete lines: as many as fit into a chunk, or the first line.
  private static func chunk(of lines: UnsafeRawBufferPointer) -> Int {
    if let chunk = unsafe lines.firstLines(within: chunkBytes) { return chunk.count }
    return unsafe ByteScan.lineFeed(lines).map { $0 + 1 } ?? lines.count
  }

  /// Counts records whose tape words follow each other.
  ///
  /// - Parameters:
  ///   - words: The tape words.
  ///   - bytes: The text.
  ///   - header: The number of words before `words` that the links count.
  private func add(_ words: UnsafeBufferPointer<UInt64>, _ bytes: UnsafeRawBufferPointer, after header: Int) {
    var start = 0
    while start < words.count, !isFull {
      var end = start + 1
      if unsafe TapeWord(bits: words[start]).kind.isStart {
        // SAFETY: if the text is not the one that was validated, a link may have any value; so it must lead forward and stay
        // inside the words. Worth it: a `Span` of words takes 0.8 % more instructions (Scripts/instructions, shape).
        let link = unsafe end < words.count ? Int(words[end] & 0xFFFF_FFFF) - header : 0
        guard link > end, link <= words.count else { return }
        end = link
      }
      unsafe add(UnsafeBufferPointer(rebasing: words[start..<end]), bytes)
      start = end
    }
  }
}
