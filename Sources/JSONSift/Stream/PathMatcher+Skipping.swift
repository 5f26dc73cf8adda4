/// Matching in a text that is parsed only in part.
extension PathMatcher: TraversalSink {
  /// Whether reading stops here.
  var isAnswered: Bool { hasAnswers && !isLooking }
  /// Whether the results of all queries are known.
  var hasAnswers: Bool { canStop && unanswered == 0 }

  mutating func beginWindow() { queue.compact() }

  mutating func take(key: TapeWord, name: Int, in window: UnsafeRawBufferPointer) {
    if name < 0 { unsafe keepName(key, in: window) }
  }

  /// Stores the name of the member whose value follows. The automaton does not know the name.
  @inline(never)
  private mutating func keepName(_ key: TapeWord, in window: UnsafeRawBufferPointer) {
    let batch = unsafe TapeWordBatch(window: window, origin: 0)
    unsafe batch.withName(key) { unsafe keyBytes = Array($0) }
  }

  mutating func skipValue(_ state: Int, isStart: Bool) throws(JSONError) {
    _ = try cursor.nextState()
    if canStop, !isStart { answer(cursor.automaton.states[state].items) }
  }

  mutating func enterContainer(
    _ state: Int, isObject: Bool, at start: Int, key: TapeWord?, in window: UnsafeRawBufferPointer
  ) throws(JSONError) {
    _ = try cursor.nextState()
    let mark = location.count
    keyWord = key
    let batch = unsafe TapeWordBatch(window: window, origin: start)
    appendStep(batch)
    keyWord = nil
    enter(
      state, cursor.summary(at: state), TapeWord(isObject ? .objectStart : .arrayStart, at: 0),
      outerLocationLength: mark, batch)
    if isObject { try cursor.learnOtherMember() }
  }

  mutating func leaveContainer() throws(JSONError) { try leave() }

  // MARK: Scalars

  mutating func onlyPlan(at state: Int) -> Int? {
    let plan = cursor.summary(at: state).onlyMatch
    return plan >= 0 && !canStop ? plan : nil
  }

  mutating func matchScalar(
    _ word: TapeWord, _ plan: Int, _ window: UnsafeRawBufferPointer, at origin: Int
  ) throws(JSONError) {
    _ = try cursor.nextState()
    let mark = location.count
    keyWord = nil
    let batch = unsafe TapeWordBatch(window: window, origin: origin)
    appendStep(batch)
    try match(plan, word, batch)
    location.removeLast(to: mark)
  }

  // MARK: Texts

  mutating func textPlan(at state: Int, bytes count: Int) -> Int? {
    let summary = cursor.summary(at: state)
    // A text whose tape could exceed its limit is parsed, because that is an error. A byte has at most two tape words.
    guard onlyBorrowsMatches, !canStop, summary.onlyMatch >= 0, !summary.hasItems,
      plans[summary.onlyMatch].levelsUp == 0,
      count <= limits.recordBytes, count < limits.tapeBytes / 16
    else { return nil }
    return summary.onlyMatch
  }

  mutating func matchText(
    _ plan: Int, _ kind: EventKind, _ range: Range<Int>, _ window: UnsafeRawBufferPointer, at origin: Int
  ) throws(JSONError) {
    _ = try cursor.nextState()
    let mark = location.count
    keyWord = nil
    let batch = unsafe TapeWordBatch(window: window, origin: origin)
    appendStep(batch)
    try unsafe match(plan, kind, range, window, at: origin)
    location.removeLast(to: mark)
  }

  private mutating func match(
    _ plan: Int, _ kind: EventKind, _ range: Range<Int>, _ window: UnsafeRawBufferPointer, at origin: Int
  ) throws(JSONError) {
    try unsafe queue.append(
      plan, text: UnsafeRawBufferPointer(rebasing: window[range]), kind, at: origin &+ range.lowerBound, location)
    settle(plan)
  }

  // MARK: Elements

  func acceptsElementScalars(_ plan: Int) -> Bool { plans[plan].levelsUp == 0 }

  mutating func match(
    _ plan: Int, _ range: Range<Int>, ofElement element: Int, along steps: UnsafeRawBufferPointer,
    _ window: UnsafeRawBufferPointer, at origin: Int
  ) throws(JSONError) {
    let isLocated = queue.keepsLocations
    if isLocated { unsafe locate(element, steps) }
    let first = unsafe window[range.lowerBound]
    if first.opensContainer {
      try unsafe match(plan, first == ASCII.openBrace ? .objectStart : .arrayStart, range, window, at: origin)
    } else {
      let batch = unsafe TapeWordBatch(window: window, origin: origin)
      try match(plan, unsafe TapeWord(scalarIn: window, range), batch)
    }
    if isLocated { location.removeLast(to: openElement.ownLocationLength) }
  }

  /// Appends the steps from the array to a value in one of its elements.
  private mutating func locate(_ element: Int, _ steps: UnsafeRawBufferPointer) {
    if element != openElement.number {
      if openElement.number >= 0 {
        location.removeLast(to: openElement.outerLocationLength)
      } else {
        openElement.outerLocationLength = location.count
      }
      location.append(index: cursor.level.position &+ element)
      (openElement.number, openElement.ownLocationLength) = (element, location.count)
    }
    unsafe location.append(packed: steps)
  }

  mutating func skipElements(_ number: Int) {
    if openElement.number >= 0 { location.removeLast(to: openElement.outerLocationLength) }
    openElement.number = -1
    cursor.skipElements(number)
  }
}
