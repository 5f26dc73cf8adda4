/// What is new in a file, and was not read by the last run.
package struct ReadPart {
  /// The index of its name among those given.
  package let index: Int
  /// The number of the file in the state.
  var number: Int
  /// The name of the file.
  var path: [UInt8] { mark.path }
  /// Where reading begins.
  private let mark: ReadMark
  private let file: OpenFile
  /// Where reading ends; `nil` for the end of a compressed text.
  private let end: Int?
  private let ends: TextEnds
  /// Counts what is read. The reader of the part must be counted by it.
  package let tally: InputTally

  init(_ index: Int, _ number: Int, _ mark: ReadMark, _ file: OpenFile, _ ends: TextEnds.Ends, end: Int?) {
    (self.index, self.number, self.mark, self.file, self.end) = (index, number, mark, file, end)
    self.ends = TextEnds(ends)
    tally = InputTally(for: self.ends)
  }

  package var source: JSONSource { end == nil ? file.source : file.source.knownToBePlain }

  /// The lines to read; `nil` for a compressed text.
  package var range: JSONInputRange? {
    end.map {
      var range = JSONInputRange(mark.position..<$0)
      range.firstLine = mark.line
      return range
    }
  }

  /// Where reading begins in a compressed text; `nil` at its start.
  package var checkpoint: JSONCheckpoint? {
    end == nil && mark.position > 0 ? JSONCheckpoint(byteOffset: mark.position, line: mark.line) : nil
  }

  /// The line at which reading begins, and its offset.
  var start: LinePosition { LinePosition(offset: mark.position, line: mark.line) }

  /// Returns the mark behind a line that was read; `nil` in a compressed text, which is read to its end.
  ///
  /// - Parameter position: The start of an earlier line. Becomes the end of the line; the lines between are read again.
  func mark(after line: Int, from position: inout LinePosition) throws(JSONError) -> ReadMark? {
    guard let end else { return nil }
    while position.line <= line, position.offset < end {
      let bytes = try file.bytes(position.offset..<min(position.offset + Self.searchBytes, end))
      guard !bytes.isEmpty else { throw isTruncated(position.offset) }
      for byte in bytes where position.line <= line {
        position.offset += 1
        position.line += byte == ASCII.lineFeed ? 1 : 0
      }
    }
    var mark = mark
    (mark.position, mark.line) = (position.offset, position.line)
    // The first bytes as they were read: if the file is another one by now, it does not begin with them.
    let tail = try file.bytes((mark.position - mark.knownBytes)..<mark.position)
    guard tail.count == mark.knownBytes else { throw isTruncated(mark.position) }
    (mark.head, mark.tail) = (ends.hashOfHead(mark.knownBytes), SHA256.text(of: tail))
    return mark
  }

  private static let searchBytes = 1 << 16

  private func isTruncated(_ found: Int) -> JSONError {
    ReadingState.failure(
      "expected \((end ?? found) - mark.position) new bytes, found \(found - mark.position): the file was truncated meanwhile; "
        + "run again"
    ).naming(String(decoding: mark.path, as: UTF8.self))
  }

  /// Returns the mark after the part.
  ///
  /// - Throws: ``JSONError/Code/unreadable`` if it was not read to its end.
  func markAfterReading() throws(JSONError) -> ReadMark {
    let counts = tally.counts
    var mark = mark
    if let end, counts.bytes != end - mark.position {
      throw isTruncated(mark.position + counts.bytes)
    }
    mark.position += counts.bytes
    mark.line += counts.lineFeeds
    (mark.head, mark.tail) = ends.hashes
    return mark
  }
}
