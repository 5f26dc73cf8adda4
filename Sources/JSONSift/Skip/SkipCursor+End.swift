/// The end of the text.
extension SkipCursor {
  /// Ends the text. The window is the last, and `next` has scanned all of it.
  ///
  /// - Throws: ``JSONError/Code/unexpectedEnd`` if the text is not complete.
  func finish(_ window: UnsafeRawBufferPointer) throws(JSONError) {
    let end = origin &+ window.count
    if let scan {
      if scan.form == .numberOrLiteral, grammar.state == .end { return }
      throw JSONError(
        .unexpectedEnd, at: end, expected: scan.form == .numberOrLiteral ? grammar.expectation : scan.missing)
    }
    if isInMembers, position == window.count {
      let missing: Expectation =
        members.isInString
        ? .closingQuote
        : members.depth > 1 ? .endOfContainer : Self.expectation(expected)
      throw JSONError(.unexpectedEnd, at: end, expected: missing)
    }
    if position < window.count {
      throw JSONError(.unexpectedEnd, at: end, expected: .closingQuote)
    }
    guard grammar.state == .end else { throw JSONError(.unexpectedEnd, at: end, expected: grammar.expectation) }
  }

  /// The grammar state between members that were skipped.
  private var expected: Grammar.State {
    switch members.byteBefore {
    case ASCII.comma: grammar.state == .firstKey ? .firstKey : .key
    case ASCII.colon: .memberValue
    default: .afterMember
    }
  }

  private static func expectation(_ state: Grammar.State) -> Expectation {
    var grammar = Grammar()
    grammar.state = state
    return grammar.expectation
  }
}
