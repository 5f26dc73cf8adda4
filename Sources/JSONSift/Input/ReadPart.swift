/// What is new in a file, and was not read by the last run.
package struct ReadPart {
  /// The index of its name among those given.
  package let index: Int
  /// The number of the file in the state.
  var number: Int
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

  /// Returns the mark after the part.
  ///
  /// - Throws: ``JSONError/Code/unreadable`` if it was not read to its end.
  func markAfterReading() throws(JSONError) -> ReadMark {
    let counts = tally.counts
    var mark = mark
    if let end, counts.bytes != end - mark.position {
      throw ReadingState.failure(
        "expected \(end - mark.position) new bytes, found \(counts.bytes): the file was truncated meanwhile; run again"
      ).naming(String(decoding: mark.path, as: UTF8.self))
    }
    mark.position += counts.bytes
    mark.line += counts.lineFeeds
    (mark.head, mark.tail) = ends.hashes
    return mark
  }
}
