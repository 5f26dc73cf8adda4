private import CJSONScan

/// Writes the tape words of a validated text: the same words as the parser, several times as fast. A tape word is a `TapeWord`
/// as an integer.
enum TapeWordScan {
  /// Writes the tape words of a value, or of values with white space between them, after a header that the caller writes.
  /// Offsets in the words count from the start of `bytes`.
  ///
  /// If the text differs from the validated text, the words are unspecified. So no other code may write to the bytes.
  ///
  /// - Parameters:
  ///   - bytes: The source.
  ///   - range: The range of the values and the white space around them.
  ///   - tape: Receives the words, and grows when it is full.
  ///   - header: The number of words before the first.
  ///   - limit: The maximum size of the tape in bytes.
  /// - Returns: The number of words, including the header. `nil` if the words may not fit, or if the text is not validated.
  static func write(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, into tape: inout RawMemory, after header: Int, limit: Int
  ) -> Int? {
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
    guard let base = text.baseAddress else { return nil }
    // The kernel subtracts the number of words from the capacity, which must not be less.
    tape.grow(to: (header + Int(JSON_TAPE_MAX_BLOCK_WORDS)) * 8, keeping: header * 8)
    var state = json_scan_tape_words()
    state.words = header
    while true {
      // SAFETY: the kernel reads `text`, and writes no more words than the capacity that it receives.
      let isDone = unsafe json_scan_tape_words(
        base.assumingMemoryBound(to: UInt8.self), text.count, UInt64(range.lowerBound), &state,
        tape.base.assumingMemoryBound(to: UInt64.self), tape.capacity / 8)
      if isDone { return state.words }
      guard state.used < text.count, tape.capacity < limit else { return nil }
      tape.grow(to: min(tape.capacity * 2, limit), keeping: state.words * 8)
    }
  }
}
