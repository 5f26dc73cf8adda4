/// The shape of lines that were proven together.
extension JSONRecordReader {
  /// From now on the records of lines that are proven are counted many at a time. One null is handed out for all that came
  /// with one read.
  mutating func countProvenLines() {
    // What stands before a record is judged line by line.
    guard cutsLines, shape != nil, !skipsPrefix, proof != nil else { return }
    passProven()
  }
}

extension ShapeStorage {
  /// The words of so much text are made at once: enough that a call costs nothing, and few enough for the processor's cache.
  private static let pieceBytes = 1 << 16

  /// Counts the records of whole lines that are proven to be JSON.
  func add(lines: UnsafeRawBufferPointer) {
    var tape = RawMemory(capacity: 0)
    swap(&tape, &self.tape)
    defer { swap(&tape, &self.tape) }
    var start = 0
    while start < lines.count, !isFull {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: lines[start...])
      let piece = unsafe start..<(start + Self.piece(of: rest))
      start = piece.upperBound
      let header = YajlContext.headerWords
      // A record that was proven is bounded, so its words are too: see `RecordProof`.
      guard
        let count = unsafe WordScan.write(lines, piece, into: &tape, behind: header, most: JSONLimits.largestTape)
      else { continue }
      // SAFETY: that many words have been written, with those of the header.
      unsafe add(
        UnsafeBufferPointer(start: tape.base.assumingMemoryBound(to: UInt64.self) + header, count: count - header),
        lines, behind: header)
    }
  }

  /// How many of the first bytes are whole lines: as many as make a piece, or the first line.
  private static func piece(of lines: UnsafeRawBufferPointer) -> Int {
    if let piece = unsafe lines.firstLines(within: pieceBytes) { return piece.count }
    return unsafe ByteScan.lineFeed(lines).map { $0 + 1 } ?? lines.count
  }

  /// Counts records whose words stand one behind another.
  ///
  /// - Parameter header: How many words the links count that stand before these.
  private func add(_ words: UnsafeBufferPointer<UInt64>, _ bytes: UnsafeRawBufferPointer, behind header: Int) {
    var start = 0
    while start < words.count, !isFull {
      var end = start + 1
      if unsafe TapeWord(bits: words[start]).kind.isStart {
        // SAFETY: of text that was not what was proven a link may be any; it must lead on, and not out of the words.
        let link = unsafe end < words.count ? Int(words[end] & 0xFFFF_FFFF) - header : 0
        guard link > end, link <= words.count else { return }
        end = link
      }
      unsafe add(UnsafeBufferPointer(rebasing: words[start..<end]), bytes)
      start = end
    }
  }
}
