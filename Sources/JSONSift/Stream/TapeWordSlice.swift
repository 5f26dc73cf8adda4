/// The tape words of one value inside a longer sequence of tape words.
@safe struct TapeWordSlice {
  /// The tape words of the value, from the first to the last.
  let words: UnsafeBufferPointer<UInt64>
  /// The index of the first tape word in the sequence. Links count from the start of the sequence.
  let index: Int
  /// The offset of the value's first byte, as the tape words of the sequence count it.
  let offset: Int

  /// The first event of the value.
  var first: TapeWord { unsafe TapeWord(bits: words.isEmpty ? 0 : words[0]) }

  /// The size of the value's own tape in bytes, including the header.
  var tapeBytes: Int { unsafe (words.count &+ YajlContext.headerWords) &* 8 }

  /// Fills a document with the value.
  ///
  /// - Parameters:
  ///   - source: The bytes of the value.
  ///   - start: The offset of the first byte in the input.
  func fill(_ document: Document, _ source: UnsafeRawBufferPointer, at start: Int) {
    unsafe document.setSource(copying: source, origin: start)
    document.setTape(byteCount: tapeBytes) { write(to: &$0) }
  }

  /// Writes the tape words as a tape of their own, including the header.
  ///
  /// - Parameter tape: Has room for ``tapeBytes``.
  func write(to tape: inout MutableRawSpan) {
    for word in 0..<YajlContext.headerWords { tape.storeBytes(of: 0, toByteOffset: word &* 8, as: UInt64.self) }
    let shift = UInt64(truncatingIfNeeded: index - YajlContext.headerWords)
    let back = UInt64(truncatingIfNeeded: offset) &<< TapeWord.offsetShift
    let body = YajlContext.headerWords &* 8
    var position = 0
    while unsafe position < words.count {
      let word = unsafe TapeWord(bits: words[position])
      tape.storeBytes(of: word.bits &- back, toByteOffset: body &+ position &* 8, as: UInt64.self)
      position &+= 1
      guard word.kind.isStart, unsafe position < words.count else { continue }
      unsafe tape.storeBytes(of: words[position] &- shift, toByteOffset: body &+ position &* 8, as: UInt64.self)
      position &+= 1
    }
  }
}
