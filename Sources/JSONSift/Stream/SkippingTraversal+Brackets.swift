/// Over text that is known to be JSON, below a descendant step: from bracket to bracket and to the names that are asked
/// for. Every container is entered there, so there is nothing to pass over but scalars, and these are not looked at.
///
/// What goes on behind the window is left to the cursor, and so is what is wanted and no short scalar.
extension SkippingTraversal {
  /// Goes over what the window has of the innermost container, and of those around it below the descendant step.
  ///
  /// - Returns: `false` if a value goes on behind the window.
  @inline(never)
  mutating func walkBrackets(
    _ window: UnsafeRawBufferPointer, isLast: Bool, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Bool {
    guard let names = stateNames.all(sink.cursor) else { return true }
    while sink.cursor.summary.isDescending {
      let goesOn: Bool
      if let start = marksStart, let index = indexBehindCursor(from: start) {
        // The cursor stands behind an opening bracket.
        let commas = brackets[index &- 1].commas &- 1
        goesOn = try unsafe followMarks(window, from: start, index, commas, isLast: isLast, &sink)
      } else {
        let start = cursor.position
        unsafe brackets.read(UnsafeRawBufferPointer(rebasing: window[start...]), lookingFor: names)
        marksStart = nil
        if brackets.end == 0 { return true }
        goesOn = try unsafe followMarks(
          window, from: start, 0, cursor.isBehindElement ? 0 : -1, isLast: isLast, &sink)
      }
      if !goesOn { return false }
    }
    return true
  }

  /// The index of the mark behind the one that the cursor has just entered; `nil` if that is none. So what comes behind a
  /// container in which the walk has ended is not gone over again for the next one.
  private mutating func indexBehindCursor(from start: Int) -> Int? {
    guard cursor.hasJustEntered else { return nil }
    nextMark = passMarks(from: nextMark, to: cursor.position &- 1 &- start)
    guard nextMark > 0, brackets[nextMark &- 1].offset == cursor.position &- 1 &- start else { return nil }
    return nextMark
  }

  /// - Parameters:
  ///   - start: Where the marks count from.
  ///   - first: The first mark that the cursor has not come to.
  ///   - counted: Of an array: the commas before its last element that was counted. Its first element counts as one behind a
  ///     comma.
  private mutating func followMarks(
    _ window: UnsafeRawBufferPointer, from start: Int, _ first: Int, _ counted: Int, isLast: Bool,
    _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Bool {
    var commas = counted
    // The cursor has to stand here, if that is behind all marks.
    var behind = (position: 0, state: Grammar.State.end)
    var index = first
    marksStart = nil
    while index < brackets.count {
      let mark = brackets[index]
      index += 1
      let place = start &+ mark.offset
      let byte = unsafe window[place]
      if byte == ASCII.closeBrace || byte == ASCII.closeBracket {
        try sink.skipEnd()
        cursor.closeContainer()
        commas = mark.commas
        guard sink.cursor.summary.isDescending else {
          cursor.stand(at: place &+ 1, cursor.stateBehindValue)
          cursor.passRest(ofLevels: sink.levelsOver())
          // The next container may be the next that is walked through.
          (marksStart, nextMark) = (start, index)
          return true
        }
        continue
      }
      let value: Int
      var key: TapeWord?
      if byte == ASCII.quote {
        guard sink.cursor.level.isObject, unsafe Self.isKey(place, in: window, from: start) else { continue }
        guard let member = unsafe Self.member(at: place, in: window) else { break }
        let batch = unsafe WordBatch(words: UnsafeBufferPointer(start: nil, count: 0), window: window, origin: 0)
        let name = sink.cursor.name(of: member.key, batch)
        if name < 0 { continue }
        _ = try sink.cursor.select(name)
        unsafe sink.take(key: member.key, name: name, in: window)
        value = member.value
      } else if sink.cursor.level.isObject {
        key = unsafe Self.key(before: place, in: window, from: start)
        _ = try sink.cursor.select(-1)
        value = place
      } else {
        sink.cursor.passElements(mark.commas &- commas &- 1)
        value = place
      }
      let first = unsafe window[value]
      let isObject = first == ASCII.openBrace
      let isStart = isObject || first == ASCII.openBracket
      let (turn, state) = try sink.turn(isStart: isStart, isObject: isObject, entersDescendants: true)
      switch turn {
      case .pass where !isStart: try sink.skipPast(state, isStart: false)
      case .enter:
        try unsafe sink.skipEnter(state, isObject: isObject, at: cursor.origin &+ value, key: key, in: window)
        cursor.openContainer(isObject: isObject)
        if value > place { index = passMarks(from: index, to: value &- start) }
        commas = mark.commas &- 1
        behind = (value &+ 1, isObject ? .firstKey : .firstElement)
      case .pass, .parse:
        if !isStart, let plan = sink.onlyPlan(at: state), let (word, end) = unsafe scalar(window, value, first) {
          try unsafe sink.skipScalar(word, plan, window, at: cursor.origin)
          behind = (end, .afterMember)
          continue
        }
        if let key { unsafe sink.take(key: key, name: -1, in: window) }
        cursor.stand(at: value, sink.cursor.level.isObject ? .memberValue : .element)
        guard try unsafe self.value(window, isLast: isLast, &sink) else { return false }
        guard cursor.isAmongChildren else { return true }
        behind = (cursor.position, cursor.stateBehindValue)
        let next = passMarks(from: index, to: behind.position &- 1 &- start)
        if next > index { commas = brackets[next &- 1].commas }
        index = next
      }
    }
    unsafe leaveMarks(window, from: start, behind, commas, &sink)
    return true
  }

  /// Has the cursor stand behind all that was gone over.
  private mutating func leaveMarks(
    _ window: UnsafeRawBufferPointer, from start: Int, _ behind: (position: Int, state: Grammar.State), _ commas: Int,
    _ sink: inout some TraversalSink & ~Copyable
  ) {
    let end = start &+ brackets.end
    guard behind.position <= end else { return cursor.stand(at: behind.position, behind.state) }
    let isInObject = sink.cursor.level.isObject
    switch unsafe window[end &- 1] {
    case ASCII.comma:
      if !isInObject { sink.cursor.passElements(brackets.commas &- commas &- 1) }
      cursor.stand(at: end, isInObject ? .key : .element)
    case ASCII.openBrace: cursor.stand(at: end, .firstKey)
    case ASCII.openBracket: cursor.stand(at: end, .firstElement)
    default: cursor.stand(at: end, cursor.stateBehindValue)
    }
  }

  /// The index of the first mark behind an offset.
  private func passMarks(from index: Int, to offset: Int) -> Int {
    var index = index
    while index < brackets.count, brackets[index].offset <= offset { index &+= 1 }
    return index
  }

  // MARK: Members

  /// Whether a string of an object is a key.
  ///
  /// - Parameter start: No value begins before it that goes on there.
  private static func isKey(_ quote: Int, in window: UnsafeRawBufferPointer, from start: Int) -> Bool {
    let place = unsafe lastBefore(quote, in: window, from: start)
    return unsafe place < start || window[place] != ASCII.colon
  }

  /// The last byte that is no white space, or the one before `start`.
  @inline(__always)
  private static func lastBefore(_ place: Int, in window: UnsafeRawBufferPointer, from start: Int) -> Int {
    var place = place &- 1
    while place >= start, unsafe window[place].isJSONWhitespace { place &-= 1 }
    return place
  }

  /// The key whose opening quote is given, and where its value begins; `nil` if the window does not hold both.
  private static func member(
    at quote: Int, in window: UnsafeRawBufferPointer
  ) -> (key: TapeWord, value: Int)? {
    var escaped = false
    let text = unsafe UnsafeRawBufferPointer(rebasing: window[(quote &+ 1)...])
    guard let count = unsafe ByteScan.stringEnd(text, escaped: &escaped) else { return nil }
    var place = quote &+ count &+ 2
    while place < window.count, unsafe window[place] == ASCII.colon || window[place].isJSONWhitespace { place &+= 1 }
    guard place < window.count else { return nil }
    let isEscaped = unsafe UnsafeRawBufferPointer(rebasing: text[..<count]).place(of: ASCII.backslash) != nil
    return (key(at: quote, count, isEscaped: isEscaped), place)
  }

  /// The key of the value at `place`.
  private static func key(
    before place: Int, in window: UnsafeRawBufferPointer, from start: Int
  ) -> TapeWord {
    let colon = unsafe lastBefore(place, in: window, from: start)
    let end = unsafe lastBefore(colon, in: window, from: start)
    var quote = end &- 1
    var isEscaped = false
    // No backslash stands before the opening quote, and an odd number before every other one.
    while quote > start {
      let byte = unsafe window[quote]
      let isBehindBackslash = unsafe window[quote &- 1] == ASCII.backslash
      if byte == ASCII.quote, !isBehindBackslash { break }
      isEscaped = isEscaped || byte == ASCII.backslash
      quote &-= 1
    }
    return key(at: quote, max(end &- quote &- 1, 0), isEscaped: isEscaped)
  }

  private static func key(at quote: Int, _ count: Int, isEscaped: Bool) -> TapeWord {
    TapeWord(isEscaped ? .escapedKey : .key, at: quote, length: min(count, TapeWord.longLength))
  }
}
