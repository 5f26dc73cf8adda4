/// Finds lines of a file by their numbers. Line feeds are counted from the start of the file, or from a line whose start an
/// index knows.
package struct LineSearch: ~Copyable {
  private var file: SearchedFile
  /// An offset, and the number of the line that contains it. No line before is searched for.
  private var known: LinePosition
  /// Whether the byte before is a line feed.
  private var isLineStart = true

  private static let readBytes = Sizes.of(1 << 18, fuzzing: 16)

  /// Opens a file.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - framing: The framing that was requested.
  ///   - known: A line whose start is known. No line before it can be found.
  /// - Throws: ``JSONError/Code/unreadable``, also if it is not a regular file; ``JSONError/Code/compressedInput``.
  package init(
    _ path: [UInt8], _ framing: JSONFraming, from known: (offset: Int, line: Int) = (0, 1)
  ) throws(JSONError) {
    file = try SearchedFile(path, framing)
    self.known = LinePosition(offset: known.offset, line: known.line)
  }

  /// What was found.
  package enum Outcome {
    /// The bytes in which the lines begin. The range has the number of the first line.
    case found(JSONInputRange)
    /// The file has only this number of lines.
    case tooFew(lines: Int)
    /// The records are not lines.
    case framing(JSONFraming)
  }

  /// Finds lines.
  ///
  /// - Parameters:
  ///   - first: The number of the first line, from 1.
  ///   - last: The number of the last line, not before the first; `nil` for all lines up to the end. The file may have fewer.
  /// - Throws: ``JSONError/Code/unreadable``.
  package mutating func find(_ first: Int, through last: Int?) throws(JSONError) -> Outcome {
    // In another framing a record can begin in the middle of a line.
    guard file.framing == .lines else { return .framing(file.framing) }
    guard let start = try start(of: first) else { return .tooFew(lines: isLineStart ? known.line - 1 : known.line) }
    var range = JSONInputRange(start...)
    if let last, let end = try last < .max ? self.start(of: last + 1) : nil { range = JSONInputRange(start..<end) }
    range.firstLine = first
    return .found(range)
  }

  /// Returns the offset at which a line begins; `nil` if the file ends before. The end of the file after a line feed begins no
  /// line, unless the file is empty.
  private mutating func start(of line: Int) throws(JSONError) -> Int? {
    while known.line < line {
      let bytes = try unsafe file.bytes(at: known.offset, count: Self.readBytes)
      guard let last = unsafe bytes.last else { return nil }
      let found = unsafe ByteScan.countLineFeeds(bytes)
      guard known.line + found >= line else {
        known = LinePosition(offset: known.offset + bytes.count, line: known.line + found)
        isLineStart = last == ASCII.lineFeed
        continue
      }
      var rest = unsafe bytes
      while known.line < line, let feed = unsafe ByteScan.lineFeed(rest) {
        known = LinePosition(offset: known.offset + feed + 1, line: known.line + 1)
        unsafe rest = UnsafeRawBufferPointer(rebasing: rest[(feed + 1)...])
      }
      isLineStart = true
    }
    return known.offset < file.size || file.size == 0 ? known.offset : nil
  }
}
