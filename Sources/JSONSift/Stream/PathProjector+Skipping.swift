/// Projection of a text that is parsed only in part.
extension PathProjector: TraversalSink {
  // The result is known only after all of the text.
  var canStop: Bool { false }
  var isAnswered: Bool { false }

  mutating func beginWindow() {}

  mutating func take(key: TapeWord, name: Int, in window: UnsafeRawBufferPointer) {
    let raw = unsafe UnsafeRawBufferPointer(rebasing: window[key.textRange(in: window)])
    unsafe text.setKey(raw, isEscaped: key.kind.isEscaped)
  }

  mutating func skipValue(_ state: Int, isStart: Bool) throws(JSONError) { _ = try cursor.nextState() }

  mutating func enterContainer(
    _ state: Int, isObject: Bool, at start: Int, key: TapeWord?, in window: UnsafeRawBufferPointer
  ) throws(JSONError) {
    if let key { unsafe take(key: key, name: -1, in: window) }
    _ = try cursor.nextState()
    cursor.enter(state, cursor.summary(at: state), isObject: isObject, at: start)
    text.begin(isObject: isObject)
    if isObject { try cursor.learnOtherMember() }
  }

  mutating func onlyPlan(at state: Int) -> Int? {
    let plan = cursor.summary(at: state).onlyMatch
    return plan >= 0 ? plan : nil
  }

  mutating func matchScalar(
    _ word: TapeWord, _ plan: Int, _ window: UnsafeRawBufferPointer, at origin: Int
  ) throws(JSONError) {
    _ = try cursor.nextState()
    try unsafe keep(word, window, at: origin)
  }

  /// Keeps a scalar.
  private mutating func keep(_ word: TapeWord, _ window: UnsafeRawBufferPointer, at origin: Int) throws(JSONError) {
    text.append(word, shiftedBy: text.keep() &- word.offset)
    unsafe text.append(UnsafeRawBufferPointer(rebasing: window[word.offset..<word.end]))
    try checkTape(origin &+ word.offset)
  }

  /// Returns `nil`: a value that is kept needs a tape.
  func textPlan(at state: Int, bytes count: Int) -> Int? { nil }

  func matchText(
    _ plan: Int, _ kind: EventKind, _ range: Range<Int>, _ window: UnsafeRawBufferPointer, at origin: Int
  ) throws(JSONError) {}

  func acceptsElementScalars(_ plan: Int) -> Bool { true }

  mutating func match(
    _ plan: Int, _ range: Range<Int>, ofElement element: Int, along steps: UnsafeRawBufferPointer,
    _ window: UnsafeRawBufferPointer, at origin: Int
  ) throws(JSONError) {
    unsafe self.element.lead(to: steps, ofElement: element, in: &text)
    try unsafe keep(TapeWord(scalarIn: window, range), window, at: origin)
  }

  mutating func skipElements(_ number: Int) {
    element.end(in: &text)
    cursor.skipElements(number)
  }
}

/// The objects of an element that are open on the way to its last scalar.
struct ElementPath {
  private var element = -1
  /// The packed steps that led there, and the end of each step that leads to an open object.
  private var steps: [UInt8] = []
  private var ends: [Int] = []

  /// Opens the objects that lead to a scalar of an element, and closes the others.
  mutating func lead(to steps: UnsafeRawBufferPointer, ofElement number: Int, in text: inout ProjectedText) {
    if number != element {
      end(in: &text)
      element = number
      text.begin(isObject: true)
    }
    // The common prefix of the last steps and these stays open.
    var start = 0
    var level = 0
    while level < ends.count, case let end = ends[level], end < steps.count,
      unsafe self.steps[start..<end].elementsEqual(steps[start..<end])
    {
      start = end
      level += 1
    }
    while ends.count > level {
      ends.removeLast()
      text.end()
    }
    unsafe self.steps.replaceSubrange(start..., with: steps[start...])
    while true {
      let name = unsafe MatchLocation.firstName(of: steps, from: start)
      unsafe text.setKey(UnsafeRawBufferPointer(rebasing: steps[name]), isEscaped: false)
      start = name.upperBound
      if start >= steps.count { return }
      text.begin(isObject: true)
      ends.append(start)
    }
  }

  /// Ends the element.
  mutating func end(in text: inout ProjectedText) {
    guard element >= 0 else { return }
    for _ in ends { text.end() }
    text.end()
    element = -1
    ends.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
  }
}
