/// What a reader has not validated, what it had to parse, and where it is in a document.
package struct ReadingTally: Sendable {
  /// Whether lines that cannot match are ruled out without validation, so that bad ones may be unreported.
  package var isRulingOut = false
  /// The number of lines that were ruled out. If they are validated first, they are JSON.
  package var ruledOut = 0
  package var undecided = UndecidedText()
  /// The lines of the text of a document, or of a block of its children.
  package var documentLines = LineCount()

  package init(undecided: UndecidedText = UndecidedText()) { self.undecided = undecided }

  /// Returns the difference to `earlier`, an earlier value of the same reader.
  package func since(_ earlier: ReadingTally) -> ReadingTally {
    var rest = self
    rest.ruledOut -= earlier.ruledOut
    rest.undecided = undecided.since(earlier.undecided)
    return rest
  }
}

extension JSONRecordReader {
  var tally: ReadingTally {
    var tally = ReadingTally(undecided: undecided)
    tally.isRulingOut = cutsLines && rulesOutUnvalidated
    tally.ruledOut = ruledOutLines
    return tally
  }
}

extension DocumentText {
  /// Returns what the checker left undecided, with the lines so far. It is not in `DocumentMatches`, since reading two properties of
  /// that takes the compiler seconds.
  func tally(checkedBy checker: SharedChecker?) -> ReadingTally {
    var tally = ReadingTally(undecided: checker?.undecided ?? UndecidedText())
    tally.documentLines = lines
    return tally
  }
}
