/// The reader of a parallel worker: it reads blocks of complete lines, one after another, with one parser.
extension JSONRecordReader {
  /// Creates a reader without its own input.
  package init(blocks options: JSONRecordOptions) throws(JSONError) {
    try self.init(ReadWindow(pushedFrom: 0), framing: .lines, options: options)
  }

  /// Continues with the lines of a block. `end(_:)` returns the memory to the block.
  package mutating func begin(_ block: LineBlock) {
    window.begin(block)
    nextLine = block.line
    nextLineStart = block.offset
    pendingUse = 0
    lineCuts.searched = 0
    isSkipping = false
    held = nil
    failure = nil
    lineCuts.end = 0
    validation?.begin()
    prefilter?.begin()
    projection?.scanner.reset()
    leaveOutLongLine()
  }

  package mutating func end(_ block: LineBlock) {
    pendingUse = 0
    lineCuts.searched = 0
    window.end(block)
    guard block.isLong else { return }
    builder = DocumentBuilder(options: options.reading)
    projection?.scanner.releaseMemory()
  }

  /// The position of the line after the last record, good or bad. At the end of a block without a final line feed it is the
  /// end of the input.
  var linePosition: LinePosition { LinePosition(offset: window.offset + min(pendingUse, window.count), line: nextLine) }

  /// The position of the last record's line.
  var recordPosition: LinePosition { LinePosition(offset: lineStart, line: textLine) }
}

extension JSONMatches {
  /// Evaluates the paths for the records or children of a block; the matches were created for an empty input. `end(_:)`
  /// returns the memory to the block. All blocks of children belong to the same document.
  package mutating func begin(_ block: LineBlock) {
    if case .children(let head) = block.content {
      content.document?.begin(block, of: head)
    } else {
      content.records?.begin(block)
    }
  }

  package mutating func end(_ block: LineBlock) {
    content.document?.end(block)
    content.records?.end(block)
  }

  /// Whether all lines of a block that was read to its end are known to be JSON.
  package var hasValidatedAll: Bool { content.records.borrow { $0.reader.hasValidatedAll } ?? false }

  /// Advances in one document to a position after some blocks of children. Nothing has been read before.
  package mutating func resume(_ rest: DocumentRest) throws(JSONError) { try content.document?.resume(rest) }
}

extension RecordMatches {
  mutating func begin(_ block: LineBlock) {
    releaseRecord()
    reader.begin(block)
  }

  mutating func end(_ block: LineBlock) {
    releaseRecord()
    reader.end(block)
  }
}
