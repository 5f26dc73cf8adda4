private import CJSONScan

/// Writes the words of a proven text: what the parser would tell of it, several times as fast.
enum WordScan {
  /// Writes the words of a value, or of values with blanks between them, behind a header that the caller writes. Offsets count
  /// from `bytes`.
  ///
  /// Of a text that is not what was proven the words may be anything. So the bytes must be such that nobody writes to them.
  ///
  /// - Parameters:
  ///   - range: The values and blanks around them.
  ///   - tape: Gets the words, and grows when it is full.
  ///   - header: How many words are before the first.
  ///   - most: How many bytes the tape may have.
  /// - Returns: How many words there are, with the header. `nil` if they are not certain to fit, and for what was not proven.
  static func write(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, into tape: inout RawMemory, behind header: Int, most: Int
  ) -> Int? {
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
    guard let base = text.baseAddress else { return nil }
    // The kernel subtracts the words that are there from those that there is room for.
    tape.grow(to: (header + Int(JSON_WORDS_OF_A_BLOCK)) * 8, keeping: header * 8)
    var state = json_scan_words()
    state.words = header
    while true {
      // SAFETY: the kernel reads `text` and writes as many words as it is told there is room for.
      let isDone = unsafe json_scan_words(
        base.assumingMemoryBound(to: UInt8.self), text.count, UInt64(range.lowerBound), &state,
        tape.base.assumingMemoryBound(to: UInt64.self), tape.capacity / 8)
      if isDone { return state.words }
      guard state.used < text.count, tape.capacity < most else { return nil }
      tape.grow(to: min(tape.capacity * 2, most), keeping: state.words * 8)
    }
  }
}
