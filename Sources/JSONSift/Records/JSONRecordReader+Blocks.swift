/// What a worker of a parallel reader does: it reads blocks of whole lines, one after another, with one parser.
extension JSONRecordReader {
  /// A reader without an input of its own.
  init(blocks options: JSONRecordOptions) throws(JSONError) {
    try self.init(ReadWindow(pushedFrom: 0), framing: .lines, options: options)
  }

  /// Goes on with the lines of a block. `end(_:)` gives it its memory back.
  package mutating func begin(_ block: LineBlock) {
    window.begin(block)
    nextLine = block.line
    nextLineStart = block.offset
    pendingUse = 0
    searched = 0
    validOffset = block.offset
    isPassing = false
    held = nil
    failure = nil
    linesEnd = 0
    proof?.begin()
    prefilter?.begin()
    projection?.reset()
    validateWholeLines()
  }

  package mutating func end(_ block: LineBlock) {
    pendingUse = 0
    searched = 0
    window.end(block)
  }

  /// Where the lines go on behind the last record, or the last bad one. At the end of a block without a last line feed it
  /// is the end of the input.
  var linePosition: LinePosition {
    LinePosition(offset: window.offset + min(pendingUse, window.count), line: nextLine)
  }

  /// The line of the last record.
  var recordPosition: LinePosition { LinePosition(offset: lineStart, line: line) }
}

extension JSONMatches {
  /// Asks the records of a block; of matches that were made for an empty input. `end(_:)` gives it its memory back.
  package mutating func begin(_ block: LineBlock) { content.records?.begin(block) }

  package mutating func end(_ block: LineBlock) { content.records?.end(block) }
}

extension RecordMatches {
  mutating func begin(_ block: LineBlock) {
    forget()
    reset()
    reader.begin(block)
  }

  mutating func end(_ block: LineBlock) {
    forget()
    reset()
    reader.end(block)
  }
}
