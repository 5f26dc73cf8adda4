extension TapeWord {
  // Forced inlining here and in ChildTable, JSONRecordReader and TapeWord+Scalar saves 2 % of `walk`, all together
  // (Scripts/measure instructions).
  /// Returns the range in `source` of a number, or of the text between the quotes of a string or key. The range never
  /// exceeds `source`, even if its bytes have changed since they were parsed.
  @inline(__always)
  package func textRange(in source: UnsafeRawBufferPointer) -> Range<Int> {
    let start = min(kind == .number ? offset : offset &+ 1, source.count)
    return isLong ? unsafe longTextRange(in: source, from: start) : start..<min(start &+ length, source.count)
  }

  @inline(never)
  private func longTextRange(in source: UnsafeRawBufferPointer, from start: Int) -> Range<Int> {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: source[start...])
    let count: Int?
    if kind == .number {
      count = unsafe rest.firstIndex { !$0.isNumberByte }
    } else {
      var escaped = false
      count = unsafe ByteScan.stringEnd(rest, escaped: &escaped)
    }
    return start..<(start + (count ?? rest.count))
  }
}

extension TapeWordBatch {
  func textRange(of word: TapeWord) -> Range<Int> { unsafe word.textRange(in: window) }
}

extension UInt8 {
  fileprivate var isNumberByte: Bool {
    isDigit || self == ASCII.dot || self | 0x20 == ASCII.lowerE || self == ASCII.plus || self == ASCII.minus
  }
}
