extension TapeWord {
  /// The event that a scalar is, going by its first byte and its length.
  ///
  /// It judges nothing, and whoever looks for the end decides what cannot be one: a number stands for all that is none, and
  /// that is seen when the text is parsed, as in a ``ScalarBatch``.
  @inline(__always)
  init(scalarIn window: UnsafeRawBufferPointer, _ range: Range<Int>) {
    let count = range.upperBound &- range.lowerBound
    switch unsafe window[range.lowerBound] {
    case ASCII.quote:
      let start = range.lowerBound &+ 1
      let text = unsafe UnsafeRawBufferPointer(rebasing: window[start..<max(start, range.upperBound &- 1)])
      let isEscaped = unsafe text.place(of: ASCII.backslash) != nil
      self.init(isEscaped ? .escapedString : .string, at: range.lowerBound, length: min(text.count, Self.longLength))
    case ASCII.lowerT where count == 4: self.init(.true, at: range.lowerBound)
    case ASCII.lowerF where count == 5: self.init(.false, at: range.lowerBound)
    case ASCII.lowerN where count == 4: self.init(.null, at: range.lowerBound)
    default: self.init(.number, at: range.lowerBound, length: min(count, Self.longLength))
    }
  }
}
