extension PathMatcher {
  /// Feeds the next bytes through a parser.
  mutating func feed(_ bytes: UnsafeRawBufferPointer, through parser: inout ChunkedParser) throws(JSONError) {
    try unsafe parser.feed(bytes, into: &self)
  }

  /// Says that the text is complete.
  mutating func finish(_ parser: inout ChunkedParser) throws(JSONError) { try parser.finish(into: &self) }
}
