/// The words of one value in a larger run of words.
@safe struct WordSlice {
  /// The first word of the value, and those behind it up to its end.
  let words: UnsafeBufferPointer<UInt64>
  /// The index of the first word in the run that links count in.
  let index: Int
  /// What the offset of the value's first byte is there.
  let offset: Int

  /// The value's first event.
  @inline(__always)
  var first: TapeWord { unsafe TapeWord(bits: words.isEmpty ? 0 : words[0]) }

  /// How many bytes the words take as a tape of their own, header and all.
  var tapeBytes: Int { unsafe (words.count &+ YajlContext.headerWords) &* 8 }

  /// Fills a document with the value: `source` are its bytes, which begin at an offset in the input.
  func fill(_ document: Document, _ source: UnsafeRawBufferPointer, at start: Int) {
    unsafe document.setSource(copying: source, origin: start)
    unsafe document.setTape(byteCount: tapeBytes) { unsafe write(to: $0) }
  }

  /// Writes the words as a tape of their own, header and all.
  ///
  /// SAFETY: the caller has room for ``tapeBytes``.
  func write(to tape: UnsafeMutableRawPointer) {
    for word in 0..<YajlContext.headerWords { unsafe tape.storeBytes(of: 0, toByteOffset: word &* 8, as: UInt64.self) }
    let shift = UInt64(truncatingIfNeeded: index - YajlContext.headerWords)
    let back = UInt64(truncatingIfNeeded: offset) &<< TapeWord.offsetShift
    let body = unsafe tape + YajlContext.headerWords &* 8
    var position = 0
    while unsafe position < words.count {
      let word = unsafe TapeWord(bits: words[position])
      unsafe body.storeBytes(of: word.bits &- back, toByteOffset: position &* 8, as: UInt64.self)
      position &+= 1
      guard word.kind.isStart, unsafe position < words.count else { continue }
      unsafe body.storeBytes(of: words[position] &- shift, toByteOffset: position &* 8, as: UInt64.self)
      position &+= 1
    }
  }
}
