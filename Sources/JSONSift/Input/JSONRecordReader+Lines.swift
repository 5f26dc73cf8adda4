extension JSONRecordReader {
  /// Returns the complete lines after the last record that are known to be JSON, and their offset in the input; `nil` if there
  /// are none, or if the next line needs other handling.
  mutating func wholeLines() -> (UnsafeRawBufferPointer, offset: Int)? {
    guard cutsLines, !isSkipping, !skipsPrefix, searched == 0, failure == nil, held == nil, shape == nil
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

  /// Makes the complete line at an offset the last record.
  mutating func setRecord(at offset: Int, line number: Int, byteCount: Int) {
    window.use(offset - window.offset)
    pendingUse = byteCount
    line = number
    nextLine = number + 1
    recordOffset = offset
    lineStart = offset
  }

  /// Skips complete lines.
  mutating func skip(to offset: Int, line number: Int) {
    pendingUse = 0
    window.use(offset - window.offset)
    line = number - 1
    nextLine = number
  }
}
