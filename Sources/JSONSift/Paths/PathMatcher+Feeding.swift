/// Lends a matcher, which cannot be copied, to a parser.
///
/// SAFETY: it lives only while ``PathMatcher/feed(_:_:)`` or ``PathMatcher/finish(_:)`` has the matcher to itself.
@safe private struct LentMatcher: WordSink {
  let matcher: UnsafeMutablePointer<PathMatcher>

  mutating func take(_ batch: WordBatch) throws(JSONError) -> Bool { try unsafe matcher.pointee.take(batch) }
}

extension PathMatcher {
  /// Feeds the next bytes through a parser.
  mutating func feed(_ bytes: UnsafeRawBufferPointer, through parser: inout ChunkedParser) throws(JSONError) {
    try unsafe withUnsafeMutablePointer(to: &self) { (matcher) throws(JSONError) in
      var lent = unsafe LentMatcher(matcher: matcher)
      try unsafe parser.feed(bytes, into: &lent)
    }
  }

  /// Says that the text is complete.
  mutating func finish(_ parser: inout ChunkedParser) throws(JSONError) {
    try unsafe withUnsafeMutablePointer(to: &self) { (matcher) throws(JSONError) in
      var lent = unsafe LentMatcher(matcher: matcher)
      try parser.finish(into: &lent)
    }
  }
}
