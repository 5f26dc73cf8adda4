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
  /// Counts the records of whole lines that are proven to be JSON.
  func add(lines: UnsafeRawBufferPointer) {
    var tape = RawMemory(capacity: 0)
    swap(&tape, &self.tape)
    defer { swap(&tape, &self.tape) }
    var start = 0
    while start < lines.count, !isFull {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: lines[start...])
      let count = unsafe ByteScan.lineFeed(rest) ?? rest.count
      var record = start..<(start + count)
      start += count + 1
      while unsafe !record.isEmpty && lines[record.upperBound - 1].isJSONWhitespace { record.removeLast() }
      while unsafe !record.isEmpty && lines[record.lowerBound].isJSONWhitespace { record.removeFirst() }
      guard !record.isEmpty else { continue }
      unsafe add(record: record, in: lines, &tape)
    }
  }

  private func add(record: Range<Int>, in lines: UnsafeRawBufferPointer, _ tape: inout RawMemory) {
    guard unsafe lines[record.lowerBound].opensContainer else {
      let word = unsafe EventWord(scalarIn: lines, record).bits
      return unsafe withUnsafeBytes(of: word) { word in unsafe add(word.bindMemory(to: UInt64.self), lines) }
    }
    let header = YajlContext.headerWords
    // A record that was proven is bounded, so its words are too: see `RecordProof`.
    guard
      let count = unsafe WordScan.write(
        lines, record, into: &tape, behind: header, most: JSONLimits.largestTape)
    else { return }
    // SAFETY: that many words have been written, with those of the header.
    unsafe add(
      UnsafeBufferPointer(start: tape.base.assumingMemoryBound(to: UInt64.self) + header, count: count - header), lines)
  }
}
