extension Document {
  /// Returns a new document with the value at `index` and its part of the source. Offsets in the input stay the same.
  func detached(_ index: UInt32) -> Document {
    let range = range(of: index)
    let document = Document()
    unsafe withSource { source in
      unsafe document.setSource(
        copying: UnsafeRawBufferPointer(rebasing: source[range.clamped(to: 0..<source.count)]),
        origin: origin &+ range.lowerBound, isVolatile: isVolatile)
    }
    // The tape words before the value are dropped, and offsets and links are rebased to its start.
    let shift = index &- Document.root
    var words = [UInt64](repeating: 0, count: Int(Document.root))
    var position = index
    let end = after(index)
    words.reserveCapacity(Int(end &- shift))
    while position < end {
      let word = word(position)
      words.append(word.bits &- UInt64(truncatingIfNeeded: range.lowerBound) &<< TapeWord.offsetShift)
      position &+= 1
      guard word.kind.isStart else { continue }
      words.append(self.word(position).bits &- UInt64(shift))
      position &+= 1
    }
    unsafe words.withUnsafeBytes { unsafe document.setTape(copying: $0) }
    return document
  }
}
