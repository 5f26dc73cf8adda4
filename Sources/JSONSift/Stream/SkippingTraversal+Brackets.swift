/// A walk from bracket to bracket and to the searched names, in text that is known to be JSON and below a descendant step.
/// Every container is entered there, so only scalars can be skipped, and the walk does not read them.
///
/// The cursor reads a value that continues after the window, and a needed value that is not a short scalar.
extension SkippingTraversal {
  /// Reads the part of the innermost container that the window contains, and of the containers around it below the
  /// descendant step.
  ///
  /// - Returns: `false` if a value continues after the window.
  @inline(never)
  mutating func walkBrackets(
    _ window: UnsafeRawBufferPointer, isLast: Bool, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Bool {
    guard let names = stateNames.all(sink.cursor) else { return true }
    while sink.cursor.summary.isDescending {
      let continues: Bool
      if let start = marksStart, let index = indexAfterCursor(from: start) {
        // The cursor is directly after an opening bracket.
        let commas = brackets[index &- 1].commas &- 1
        continues = try unsafe followMarks(window, from: start, index, commas, isLast: isLast, &sink)
      } else {
        let start = cursor.position
        unsafe brackets.read(UnsafeRawBufferPointer(rebasing: window[start...]), lookingFor: names)
        marksStart = nil
        if brackets.end == 0 { return true }
        continues = try unsafe followMarks(
          window, from: start, 0, cursor.isAfterElement ? 0 : -1, isLast: isLast, &sink)
      }
      if !continues { return false }
    }
    return true
  }

  /// Returns the index of the mark after the bracket that the cursor has just entered; `nil` if it has not just entered a
  /// container, or if there is no such mark. This reuses the marks after a container in which a walk ended, instead of
  /// searching them again for the next container.
  private mutating func indexAfterCursor(from start: Int) -> Int? {
    guard cursor.hasJustEntered else { return nil }
    nextMark = skipMarks(from: nextMark, to: cursor.position &- 1 &- start)
    guard nextMark > 0, brackets[nextMark &- 1].offset == cursor.position &- 1 &- start else { return nil }
    return nextMark
  }

  /// Follows the marks, up to the last one or to the end of the walk.
  ///
  /// - Parameters:
  ///   - start: The index in the window from which the marks count.
  ///   - first: The index of the first mark after the cursor.
  ///   - counted: In an array, the number of commas before its last counted element. Its first element counts as if it
  ///     followed a comma.
  private mutating func followMarks(
    _ window: UnsafeRawBufferPointer, from start: Int, _ first: Int, _ counted: Int, isLast: Bool,
    _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Bool {
    var commas = counted
    // The position and state at which the cursor continues, if the position is after all marks.
    var resume = (position: 0, state: Grammar.State.end)
    var index = first
    marksStart = nil
    while index < brackets.count {
      let mark = brackets[index]
      index += 1
      let position = start &+ mark.offset
      let byte = unsafe window[position]
      if byte == ASCII.closeBrace || byte == ASCII.closeBracket {
        try sink.leaveContainer()
        cursor.closeContainer()
        commas = mark.commas
        guard sink.cursor.summary.isDescending else {
          cursor.move(to: position &+ 1, cursor.stateAfterValue)
          cursor.skipRest(ofLevels: sink.finishedLevels())
          // The walk may continue with these marks in the next container.
          (marksStart, nextMark) = (start, index)
          return true
        }
        continue
      }
      let value: Int
      var key: TapeWord?
      if byte == ASCII.quote {
        guard sink.cursor.level.isObject, unsafe Self.isKey(position, in: window, from: start) else { continue }
        guard let member = unsafe Self.member(at: position, in: window) else { break }
        let batch = unsafe TapeWordBatch(window: window, origin: 0)
        let name = sink.cursor.name(of: member.key, batch)
        if name < 0 { continue }
        _ = try sink.cursor.select(name)
        unsafe sink.take(key: member.key, name: name, in: window)
        value = member.value
      } else if sink.cursor.level.isObject {
        key = unsafe Self.key(before: position, in: window, from: start)
        _ = try sink.cursor.select(-1)
        value = position
      } else {
        sink.cursor.skipElements(mark.commas &- commas &- 1)
        value = position
      }
      let first = unsafe window[value]
      let isObject = first == ASCII.openBrace
      let isStart = isObject || first == ASCII.openBracket
      let (decision, state) = try sink.decision(isStart: isStart, isObject: isObject)
      switch decision {
      case .skip where !isStart: try sink.skipValue(state, isStart: false)
      case .enter:
        try unsafe sink.enterContainer(state, isObject: isObject, at: cursor.origin &+ value, key: key, in: window)
        cursor.openContainer(isObject: isObject)
        if value > position { index = skipMarks(from: index, to: value &- start) }
        commas = mark.commas &- 1
        resume = (value &+ 1, isObject ? .firstKey : .firstElement)
      case .skip, .parse:
        if !isStart, let plan = sink.onlyPlan(at: state), let (word, end) = unsafe scalar(window, value, first) {
          try unsafe sink.matchScalar(word, plan, window, at: cursor.origin)
          resume = (end, .afterMember)
          continue
        }
        if let key { unsafe sink.take(key: key, name: -1, in: window) }
        cursor.move(to: value, sink.cursor.level.isObject ? .memberValue : .element)
        guard try unsafe self.value(window, isLast: isLast, &sink) else { return false }
        guard cursor.isAmongChildren else { return true }
        resume = (cursor.position, cursor.stateAfterValue)
        let next = skipMarks(from: index, to: resume.position &- 1 &- start)
        if next > index { commas = brackets[next &- 1].commas }
        index = next
      }
    }
    unsafe leaveMarks(window, from: start, resume, commas, &sink)
    return true
  }

  /// Moves the cursor after everything that the walk has read.
  private mutating func leaveMarks(
    _ window: UnsafeRawBufferPointer, from start: Int, _ resume: (position: Int, state: Grammar.State), _ commas: Int,
    _ sink: inout some TraversalSink & ~Copyable
  ) {
    let end = start &+ brackets.end
    guard resume.position <= end else { return cursor.move(to: resume.position, resume.state) }
    let isInObject = sink.cursor.level.isObject
    switch unsafe window[end &- 1] {
    case ASCII.comma:
      if !isInObject { sink.cursor.skipElements(brackets.commas &- commas &- 1) }
      cursor.move(to: end, isInObject ? .key : .element)
    case ASCII.openBrace: cursor.move(to: end, .firstKey)
    case ASCII.openBracket: cursor.move(to: end, .firstElement)
    default: cursor.move(to: end, cursor.stateAfterValue)
    }
  }

  /// Returns the index of the first mark after an offset.
  private func skipMarks(from index: Int, to offset: Int) -> Int {
    var index = index
    while index < brackets.count, brackets[index].offset <= offset { index &+= 1 }
    return index
  }

  // MARK: Members

  /// Returns whether a string in an object is a key.
  ///
  /// - Parameter start: An index in the window before which no value begins that continues after it.
  private static func isKey(_ quote: Int, in window: UnsafeRawBufferPointer, from start: Int) -> Bool {
    let index = unsafe lastBefore(quote, in: window, from: start)
    return unsafe index < start || window[index] != ASCII.colon
  }

  /// Returns the index of the last byte before `index` that is not white space; `start - 1` if there is no such byte from
  /// `start` on.
  private static func lastBefore(_ index: Int, in window: UnsafeRawBufferPointer, from start: Int) -> Int {
    var index = index &- 1
    while index >= start, unsafe window[index].isJSONWhitespace { index &-= 1 }
    return index
  }

  /// Returns the key with the given opening quote and the index of its value; `nil` if the window does not contain both.
  private static func member(
    at quote: Int, in window: UnsafeRawBufferPointer
  ) -> (key: TapeWord, value: Int)? {
    var escaped = false
    let text = unsafe UnsafeRawBufferPointer(rebasing: window[(quote &+ 1)...])
    guard let count = unsafe ByteScan.stringEnd(text, escaped: &escaped) else { return nil }
    var index = quote &+ count &+ 2
    while index < window.count, unsafe window[index] == ASCII.colon || window[index].isJSONWhitespace { index &+= 1 }
    guard index < window.count else { return nil }
    let isEscaped = unsafe UnsafeRawBufferPointer(rebasing: text[..<count]).firstOffset(of: ASCII.backslash) != nil
    return (key(at: quote, count, isEscaped: isEscaped), index)
  }

  /// Returns the key of the value at `index`.
  private static func key(
    before index: Int, in window: UnsafeRawBufferPointer, from start: Int
  ) -> TapeWord {
    let colon = unsafe lastBefore(index, in: window, from: start)
    let end = unsafe lastBefore(colon, in: window, from: start)
    var quote = end &- 1
    var isEscaped = false
    // No backslash precedes the opening quote, and an odd number of them precedes every other quote.
    while quote > start {
      let byte = unsafe window[quote]
      let followsBackslash = unsafe window[quote &- 1] == ASCII.backslash
      if byte == ASCII.quote, !followsBackslash { break }
      isEscaped = isEscaped || byte == ASCII.backslash
      quote &-= 1
    }
    return key(at: quote, max(end &- quote &- 1, 0), isEscaped: isEscaped)
  }

  private static func key(at quote: Int, _ count: Int, isEscaped: Bool) -> TapeWord {
    TapeWord(isEscaped ? .escapedKey : .key, at: quote, length: min(count, TapeWord.longLength))
  }
}
