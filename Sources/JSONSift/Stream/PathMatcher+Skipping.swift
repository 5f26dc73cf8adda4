/// The events of a text of which only a part is parsed.
extension PathMatcher: TraversalSink {
  @inline(__always)
  var isAnswered: Bool { canStop && unanswered == 0 }

  mutating func beginWindow() { queue.compact() }

  @inline(__always)
  mutating func take(key: TapeWord, name: Int, in window: UnsafeRawBufferPointer) {
    if name < 0 { unsafe keepName(key, in: window) }
  }

  /// Keeps the name of the member whose value comes next, which is none that the automaton knows.
  @inline(never)
  private mutating func keepName(_ key: TapeWord, in window: UnsafeRawBufferPointer) {
    let batch = unsafe WordBatch(
      words: UnsafeBufferPointer(start: nil, count: 0), window: window, origin: 0)
    unsafe batch.withName(key) { unsafe keyBytes = Array($0) }
  }

  @inline(__always)
  mutating func skipName(_ number: Int) throws(JSONError) { try cursor.select(name: number) }

  @inline(__always)
  mutating func skipPast(_ state: Int, isStart: Bool) throws(JSONError) {
    _ = try cursor.nextState()
    if canStop, !isStart { answer(cursor.automaton.states[state].items) }
  }

  @inline(__always)
  mutating func skipEnter(
    _ state: Int, isObject: Bool, at start: Int, key: TapeWord?, in window: UnsafeRawBufferPointer
  ) throws(JSONError) {
    _ = try cursor.nextState()
    let mark = place.count
    keyWord = key
    let batch = unsafe WordBatch(
      words: UnsafeBufferPointer(start: nil, count: 0), window: window, origin: start)
    appendStep(batch)
    keyWord = nil
    enter(
      state, cursor.summary(at: state), TapeWord(isObject ? .objectStart : .arrayStart, at: 0),
      outerLocationLength: mark, batch)
    if isObject { try cursor.learnOtherMember() }
  }

  mutating func skipEnd() throws(JSONError) { try leave() }

  // MARK: Scalars

  @inline(__always)
  mutating func onlyPlan(at state: Int) -> Int? {
    let plan = cursor.summary(at: state).onlyMatch
    return plan >= 0 && !canStop ? plan : nil
  }

  @inline(__always)
  mutating func skipScalar(
    _ word: TapeWord, _ plan: Int, _ window: UnsafeRawBufferPointer, at origin: Int
  ) throws(JSONError) {
    _ = try cursor.nextState()
    let mark = place.count
    keyWord = nil
    let batch = unsafe WordBatch(
      words: UnsafeBufferPointer(start: nil, count: 0), window: window, origin: origin)
    appendStep(batch)
    try match(plan, word, batch)
    place.removeLast(to: mark)
  }

  // MARK: Texts

  @inline(__always)
  mutating func textPlan(at state: Int, bytes count: Int) -> Int? {
    let summary = cursor.summary(at: state)
    // A byte makes at most two words, and a tape that is too long is an error.
    guard lendsOnly, !canStop, summary.onlyMatch >= 0, !summary.hasItems, plans[summary.onlyMatch].levelsUp == 0,
      count <= limits.recordBytes, count < limits.tapeBytes / 16
    else { return nil }
    return summary.onlyMatch
  }

  mutating func skipText(
    _ plan: Int, _ kind: EventKind, _ range: Range<Int>, _ window: UnsafeRawBufferPointer, at origin: Int
  ) throws(JSONError) {
    _ = try cursor.nextState()
    let mark = place.count
    keyWord = nil
    let batch = unsafe WordBatch(
      words: UnsafeBufferPointer(start: nil, count: 0), window: window, origin: origin)
    appendStep(batch)
    try unsafe queue.append(
      plan, text: UnsafeRawBufferPointer(rebasing: window[range]), kind, at: origin &+ range.lowerBound, place)
    settle(plan)
    place.removeLast(to: mark)
  }

  // MARK: Elements

  func takesFromElements(_ plan: Int) -> Bool { plans[plan].levelsUp == 0 }

  @inline(__always)
  mutating func skipScalar(
    _ word: TapeWord, _ plan: Int, ofElement element: Int, along steps: UnsafeRawBufferPointer,
    _ window: UnsafeRawBufferPointer, at origin: Int
  ) throws(JSONError) {
    if element != openElement.number {
      if openElement.number >= 0 {
        place.removeLast(to: openElement.outerLocationLength)
      } else {
        openElement.outerLocationLength = place.count
      }
      place.append(index: cursor.level.position &+ element)
      (openElement.number, openElement.ownLocationLength) = (element, place.count)
    }
    unsafe place.append(packed: steps)
    let batch = unsafe WordBatch(
      words: UnsafeBufferPointer(start: nil, count: 0), window: window, origin: origin)
    try match(plan, word, batch)
    place.removeLast(to: openElement.ownLocationLength)
  }

  @inline(__always)
  mutating func passElements(_ number: Int) {
    if openElement.number >= 0 { place.removeLast(to: openElement.outerLocationLength) }
    openElement.number = -1
    cursor.passElements(number)
  }
}
