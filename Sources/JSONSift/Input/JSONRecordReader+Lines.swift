extension JSONRecordReader {
  /// Returns the complete lines after the last record that are known to be JSON, and their offset in the input; `nil` if there
  /// are none, or if the next line needs other handling.
  mutating func wholeLines() -> (UnsafeRawBufferPointer, offset: Int)? {
    guard cutsLines, !isSkipping, !skipsPrefix, lineCuts.searched == 0, failure == nil, held == nil, tapeWords == nil
    else { return nil }
    usePending()
    // The prefilter is off where it rules out too few lines to pay off.
    guard prefilter?.isOn(at: window.offset) != true else { return nil }
    validateLines()
    let end = validation?.validatedEnd ?? 0
    let bytes = unsafe window.bytes
    guard window.offset < end else { return nil }
    let lines = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<min(end - window.offset, bytes.count)])
    return unsafe (lines, window.offset)
  }

  /// Passes the text of each validated record in memory, as long as `body` returns true. Returns the number of records; if it
  /// is 0, the caller requests the next one.
  mutating func borrowLines(_ body: (UnsafeRawBufferPointer) -> Bool) -> Int {
    guard projection == nil, validationUse == .lines, let (lines, offset) = unsafe wholeLines() else { return 0 }
    var (count, start, number) = (0, 0, nextLine)
    var last: (start: Int, number: Int, byteCount: Int)?
    while start < lines.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: lines[start...])
      guard let feed = unsafe ByteScan.lineFeed(rest) else { break }
      let line = unsafe UnsafeRawBufferPointer(rebasing: rest[..<feed])
      if unsafe ByteScan.whitespacePrefix(line) < feed {
        count += 1
        last = (start, number, feed + 1)
        guard unsafe body(UnsafeRawBufferPointer(rebasing: line[line.rangeWithoutBlanks(from: 0)])) else { break }
      }
      start += feed + 1
      number += 1
    }
    if let last { setRecord(at: offset + last.start, line: last.number, byteCount: last.byteCount) }
    return count
  }

  /// Makes the complete line at an offset the last record.
  mutating func setRecord(at offset: Int, line number: Int, byteCount: Int) {
    window.use(offset - window.offset)
    pendingUse = byteCount
    textLine = number
    nextLine = number + 1
    recordOffset = offset
    lineStart = offset
  }

  /// Skips complete lines.
  mutating func skip(to offset: Int, line number: Int) {
    pendingUse = 0
    window.use(offset - window.offset)
    textLine = number - 1
    nextLine = number
  }
}
