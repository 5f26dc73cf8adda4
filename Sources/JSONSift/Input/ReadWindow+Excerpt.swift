extension ReadWindow {
  /// Returns the text around an offset, as far as it is in memory; `nil` if the offset is not.
  ///
  /// - Parameters:
  ///   - target: The offset.
  ///   - lineStart: The offset at which its line begins.
  ///   - limit: The maximum number of unused bytes in the text.
  func excerpt(at target: Int, lineStart: Int, limit: Int = .max) -> JSONError.Excerpt? {
    let before = unsafe usedBytes.suffix(Self.keptBytes)
    let begin = unsafe offset - before.count
    guard target >= begin else { return nil }
    let shown = min(max(target - offset, 0) + Self.keptBytes, limit)
    let text = unsafe Array(before) + bytes.prefix(shown)
    return JSONError.Excerpt(around: target - begin, in: text, beginsInLine: begin > lineStart)
  }

  /// Reads the rest of the line of an error, as far as an excerpt shows it and as far as reading does not wait.
  mutating func completeLine(of target: Int) {
    while true {
      let following = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst(max(target - offset, 0)))
      if following.count >= Self.keptBytes { return }
      if unsafe ByteScan.lineFeed(following) != nil { return }
      guard source?.canReadAtOnce == true, (try? fill()) == true else { return }
    }
  }
}
