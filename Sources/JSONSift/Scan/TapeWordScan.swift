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
    var state = json_scan_tape_words()
    state.words = header
    return unsafe run(&state, bytes, range, into: &tape, limit: limit) == true ? state.words : nil
  }

  /// Writes the tape words of complete tokens of a document, which may begin and end inside containers.
  ///
  /// - Parameters:
  ///   - text: The source.
  ///   - start: The state of the grammar before it.
  ///   - tape: Receives the words, after two for each container that is open in this state, and one more.
  ///   - limit: The maximum size of the tape in bytes.
  /// - Returns: The range of the words, by their indices. `nil` if they may not fit, or if the text is not validated.
  static func write(
    tokens text: UnsafeRawBufferPointer, from start: GrammarState, into tape: inout RawMemory, limit: Int
  ) -> Range<Int>? {
    let header = 1 + start.depth * 2
    tape.grow(to: (header + Int(JSON_TAPE_MAX_BLOCK_WORDS)) * 8, keeping: 0)
    var state = json_scan_tape_words()
    state.words = header
    for level in 0..<start.depth {
      let kind = start.isObject(atLevel: level) ? JSON_TAPE_OBJECT_START : JSON_TAPE_ARRAY_START
      let index = 1 + level * 2
      // While a container is open, its link refers to the enclosing one.
      unsafe tape.base.storeBytes(of: UInt64(kind.rawValue), toByteOffset: index * 8, as: UInt64.self)
      unsafe tape.base.storeBytes(of: UInt64(state.open), toByteOffset: index * 8 + 8, as: UInt64.self)
      state.open = index
    }
    state.object = start.depth > 0 && start.isObject(atLevel: start.depth - 1) ? 2 : 0
    state.key = start.phase == .colon || start.phase == .member ? 0 : state.object
    let isDone = unsafe run(&state, text, 0..<text.count, into: &tape, limit: limit)
    return isDone == nil ? nil : header..<state.words
  }

  /// Returns whether no container is open at the end; `nil` if the words may not fit.
  private static func run(
    _ state: inout json_scan_tape_words, _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>,
    into tape: inout RawMemory,
    limit: Int
  ) -> Bool? {
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[range])
    guard let base = text.baseAddress else { return nil }
    // The kernel subtracts the number of words from the capacity, which must not be less.
    tape.grow(to: (state.words + Int(JSON_TAPE_MAX_BLOCK_WORDS)) * 8, keeping: state.words * 8)
    while true {
      // SAFETY: the kernel reads `text`, and writes no more words than the capacity that it receives.
      let isDone = unsafe json_scan_tape_words(
        base.assumingMemoryBound(to: UInt8.self), text.count, UInt64(range.lowerBound), &state,
        tape.base.assumingMemoryBound(to: UInt64.self), tape.capacity / 8)
      if isDone { return true }
      guard state.used < text.count else { return false }
      guard tape.capacity < limit else { return nil }
      tape.grow(to: min(tape.capacity * 2, limit), keeping: state.words * 8)
    }
  }
}
