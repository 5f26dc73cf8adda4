/// A walk along the index of a window, in text that is known to be JSON and below a descendant step. Every container is entered
/// there, so only scalars can be skipped, and the walk does not read them.
///
/// The cursor reads a value that continues after the window, and a needed value that is not a short scalar.
extension SkippingTraversal {
  /// Reads the part of the innermost container that the window contains, and of the containers around it below the
  /// descendant step.
  ///
  /// - Returns: `false` if a value continues after the window.
  @inline(never)
  mutating func walkTokens(
    _ window: UnsafeRawBufferPointer, isLast: Bool, _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Bool {
    guard let names = stateNames.all(sink.cursor) else { return true }
    while sink.cursor.summary.isDescending {
      let start = cursor.position
      let rest = unsafe UnsafeRawBufferPointer(rebasing: window[start...])
      unsafe tokens.walk(rest, at: cursor.offset)
      guard try unsafe walkChunk(window, names, isLast: isLast, &sink) else { return false }
      if !cursor.isAmongChildren || !sink.cursor.summary.isDescending { return true }
      // The next token is not complete in the chunk.
      tokens.forget()
      if cursor.position == start { return true }
    }
    return true
  }

  /// Reads what is complete in the chunk, up to the end of the walk.
  private mutating func walkChunk(
    _ window: UnsafeRawBufferPointer, _ names: KeyPatternLists.Reference, isLast: Bool,
    _ sink: inout some TraversalSink & ~Copyable
  ) throws(JSONError) -> Bool {
    var skipped = 0
    while true {
      let isInObject = sink.cursor.level.isObject
      let token = unsafe tokens.next(
        in: window, at: cursor.origin, lookingFor: names, inObject: isInObject, skipsContainers: false,
        skipped: &skipped)
      if !isInObject { sink.cursor.skipElements(skipped) }
      guard let offset = tokens.offset() else { return true }
      let position = offset &- cursor.origin
      if token == .none {
        cursor.move(to: position, isInObject ? .key : .element)
        return true
      }
      var value = position
      var key: TapeWord?
      if token == .bracket {
        let byte = unsafe window[position]
        if byte == ASCII.closeBrace || byte == ASCII.closeBracket {
          tokens.skip(1)
          try sink.leaveContainer()
          cursor.closeContainer()
          cursor.move(to: position &+ 1, cursor.stateAfterValue)
          guard sink.cursor.summary.isDescending else {
            cursor.skipRest(ofLevels: sink.finishedLevels())
            return true
          }
          continue
        }
      } else {
        guard let next = tokens.offset(after: 1) else { return true }
        value = next &- cursor.origin
        let word = unsafe SkipCursor.key(at: position, before: value, in: window)
        let name = token == .name ? unsafe sink.cursor.name(of: word, TapeWordBatch(window: window, origin: 0)) : -1
        _ = try sink.cursor.select(name)
        if name < 0 { key = word } else { unsafe sink.take(key: word, name: name, in: window) }
        tokens.skip(1)
      }
      tokens.skip(1)
      let first = unsafe window[value]
      let isObject = first == ASCII.openBrace
      let isStart = isObject || first == ASCII.openBracket
      let (decision, state) = try sink.decision(isStart: isStart, isObject: isObject)
      switch decision {
      case .skip where !isStart:
        try sink.skipValue(state, isStart: false)
        continue
      case .enter:
        try unsafe sink.enterContainer(state, isObject: isObject, at: cursor.origin &+ value, key: key, in: window)
        cursor.openContainer(isObject: isObject)
        cursor.move(to: value &+ 1, isObject ? .firstKey : .firstElement)
        continue
      case .parse where !isStart:
        if let plan = sink.onlyPlan(at: state), let (word, end) = unsafe scalar(window, value, first) {
          try unsafe sink.matchScalar(word, plan, window, at: cursor.origin)
          cursor.move(to: end, .afterMember)
          continue
        }
      default: break
      }
      if let key { unsafe sink.take(key: key, name: -1, in: window) }
      cursor.move(to: value, isInObject ? .memberValue : .element)
      guard try unsafe self.value(window, isLast: isLast, &sink) else { return false }
      guard cursor.isAmongChildren else { return true }
      tokens.seek(to: cursor.offset)
    }
  }
}
