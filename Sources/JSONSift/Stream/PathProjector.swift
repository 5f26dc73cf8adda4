/// Keeps what some queries select of a document that is read in windows, with the containers that lead there.
///
/// It follows the steps as ``PathMatcher`` does. Order and duplicates do not matter here: a value is kept or not. Where a
/// query goes on with what cannot be followed while reading, the value is copied and the rest of all queries that are at
/// work there is asked in memory. Where a selector counts from the end of an array, so many of its last elements are held,
/// each as a whole; an element is asked when it drops out, or when the array ends.
struct PathProjector: WordSink, ~Copyable {
  /// A value that is taken as a whole, over more than one window.
  private struct Taking {
    let state: Int
    let mark: MatchRecorder.Mark
  }

  var cursor: PathCursor
  private let queries: [PathQuery]
  let limits: JSONLimits
  private let context: PathContext
  private var passing = 0
  private var text = ProjectedText()
  /// A value that is kept and not complete: how many containers are open in it, and what its offsets are shifted by.
  private var keeping: (depth: Int, shift: Int)?
  private var keptTo = 0
  private var recorder = MatchRecorder()
  private var taking: Taking?
  /// Elements that are held, of arrays inside one another.
  private var elementWindows: [HeldElements] = []
  private var element = ElementPath()

  init(_ queries: [PathQuery], limits: JSONLimits) throws(JSONError) {
    var plans: [StreamPlan] = []
    for query in queries { plans.append(try StreamPlan(query)) }
    cursor = PathCursor(try PathAutomaton(plans))
    self.queries = queries
    self.limits = limits
    context = PathContext(root: .null, limits: limits)
  }

  /// What was kept, or null.
  consuming func value() -> JSON {
    text.document().map { JSON($0, Document.root) } ?? .null
  }

  mutating func take(_ batch: WordBatch) throws(JSONError) -> Bool {
    let words = unsafe batch.words
    var index = YajlContext.headerWords
    while index < words.count {
      let word = unsafe TapeWord(bits: words[index])
      let kind = word.kind
      let next = index + (kind.isStart ? 2 : 1)
      if let open = keeping {
        text.append(word, shiftedBy: batch.origin &+ open.shift)
        keeping?.depth += kind.isStart ? 1 : (kind.isEnd ? -1 : 0)
        if keeping?.depth == 0 {
          keepBytes(batch, to: batch.end(of: word))
          keeping = nil
        }
        try checkTape(batch.origin &+ word.offset)
        index = next
      } else if let open = taking {
        recorder.append(word, origin: batch.origin)
        try checkLength(from: open.mark.start, to: batch.end(of: word))
        if recorder.isComplete(open.mark) { try finish(open, at: batch.end(of: word), batch) }
        index = next
      } else if passing > 0 {
        passing += kind.isStart ? 1 : (kind.isEnd ? -1 : 0)
        index = kind.isStart ? passOver(index, batch) ?? next : next
      } else if kind.isKey {
        try select(word, batch)
        index = next
      } else if kind.isEnd {
        try skipEnd()
        index = next
      } else {
        index = try value(word, index, batch)
      }
    }
    if keeping != nil { unsafe keepBytes(batch, to: batch.origin &+ batch.window.count) }
    if taking != nil { unsafe recorder.keep(batch, to: batch.origin &+ batch.window.count) }
    return true
  }

  /// The index behind a container that is passed, if it is closed in this window.
  private mutating func passOver(_ index: Int, _ batch: WordBatch) -> Int? {
    let link = unsafe TapeWord(bits: batch.words[index + 1])
    guard link.bits != 0 else { return nil }
    passing -= 1
    return link.linkedIndex
  }

  private func checkTape(_ offset: Int) throws(JSONError) {
    guard text.tapeBytes > max(limits.tapeBytes, 4096) else { return }
    throw JSONError(.tapeLimit, at: offset, limit: limits.tapeBytes)
  }

  private func checkLength(from start: Int, to end: Int) throws(JSONError) {
    guard end - start > limits.recordBytes else { return }
    throw JSONError(.recordLimit, at: start, limit: limits.recordBytes)
  }

  private mutating func keepBytes(_ batch: WordBatch, to offset: Int) {
    guard offset > keptTo else { return }
    let range = (keptTo - batch.origin)..<(offset - batch.origin)
    unsafe text.append(UnsafeRawBufferPointer(rebasing: batch.window[range]))
    keptTo = offset
  }

  private mutating func select(_ word: TapeWord, _ batch: WordBatch) throws(JSONError) {
    let name = cursor.name(of: word, batch)
    guard try cursor.select(name) != PathAutomaton.dead else { return }
    unsafe take(key: word, name: name, in: batch.window)
  }

  mutating func skipEnd() throws(JSONError) {
    if let ring = elementWindows.last, ring.depth == cursor.depth {
      elementWindows.removeLast()
      let count = ring.row.total
      for position in ring.row.position..<count {
        try project(ring.row[position], of: ring, at: position) { $0.selects(position, of: count) }
      }
    }
    cursor.leave()
    text.end()
  }

  private mutating func value(_ word: TapeWord, _ index: Int, _ batch: WordBatch) throws(JSONError) -> Int {
    let isStart = word.kind.isStart
    let next = index + (isStart ? 2 : 1)
    let state = try cursor.nextState()
    let start = batch.origin &+ word.offset
    let accepts = cursor.automaton.states[state].accepts
    let isHeld = cursor.depth > 0 && !cursor.level.isObject && cursor.summary.holdsElements
    if !isHeld, accepts.contains(where: { cursor.automaton.plans[$0].action == .match }) {
      let shift = text.keep() - start
      keptTo = start
      text.append(word, shiftedBy: batch.origin &+ shift)
      if isStart { keeping = (1, shift) } else { keepBytes(batch, to: batch.end(of: word)) }
      try checkTape(start)
      return next
    }
    if isHeld || !accepts.isEmpty {
      let mark = recorder.begin(at: start)
      recorder.append(word, origin: batch.origin)
      let open = Taking(state: state, mark: mark)
      if isStart {
        taking = open
      } else {
        try checkLength(from: start, to: batch.end(of: word))
        try finish(open, at: batch.end(of: word), batch)
      }
      return next
    }
    let summary = cursor.summary(at: state)
    if isStart, summary.hasItems {
      cursor.enter(state, summary, isObject: word.kind == .objectStart, at: start)
      text.begin(isObject: word.kind == .objectStart)
      return next
    }
    guard isStart else { return next }
    passing = 1
    return passOver(index, batch) ?? next
  }

  /// A value is there as a whole: it is held, or the queries go on in memory.
  private mutating func finish(_ open: Taking, at end: Int, _ batch: WordBatch) throws(JSONError) {
    taking = nil
    recorder.keep(batch, to: end)
    guard cursor.depth > 0, !cursor.level.isObject, cursor.summary.holdsElements else {
      let document = Document()
      unsafe recorder.withValue(open.mark, to: end) { slice, source in
        unsafe slice.fill(document, source, at: open.mark.start)
      }
      recorder.finish()
      return try project(document, open.state) { _ in true }
    }
    let ring = ring()
    unsafe recorder.withValue(open.mark, to: end) { slice, source in
      unsafe ring.row.append(slice, source, at: open.mark.start)
    }
    recorder.finish()
    if let size = ring.size, ring.row.count > size {
      let position = ring.row.position
      let dropped = ring.row.removeFirst()
      try project(dropped, of: ring, at: position) { $0.selectsDropped(position) }
    }
    if ring.row.textBytes > limits.recordBytes {
      throw JSONError(.recordLimit, at: open.mark.start, limit: limits.recordBytes)
    }
    if ring.row.restBytes > max(limits.tapeBytes, 4096) {
      throw JSONError(.tapeLimit, at: open.mark.start, limit: limits.tapeBytes)
    }
  }

  /// The elements that are held of the innermost array.
  private mutating func ring() -> HeldElements {
    if let ring = elementWindows.last, ring.depth == cursor.depth { return ring }
    var size: Int? = 0
    for item in cursor.automaton.states[cursor.level.state].items {
      let plan = cursor.automaton.plans[item.plan]
      guard plan.steps[item.step] == .elements, case .window(let window) = plan.action else { continue }
      if let known = size, let wanted = window.size { size = max(known, wanted) } else { size = Optional.none }
    }
    let ring = HeldElements(depth: cursor.depth, size: size)
    elementWindows.append(ring)
    return ring
  }

  /// An element that was held is asked.
  private mutating func project(
    _ value: PackedValue, of ring: HeldElements, at position: Int, _ selects: (StreamPlan.Window) -> Bool
  ) throws(JSONError) {
    let document = Document()
    _ = ring.row.store.fill(document, value)
    try project(document, cursor.state(ofElement: position), selects)
  }

  /// Keeps what the queries select in a value, whose state is known.
  private mutating func project(
    _ document: Document, _ state: Int, _ selects: (StreamPlan.Window) -> Bool
  ) throws(JSONError) {
    let root = JSON(document, Document.root)
    var selected: Set<UInt32> = []
    context.setRoot(.null)
    for number in cursor.automaton.states[state].accepts {
      let plan = cursor.automaton.plans[number]
      context.refill(for: document.origin)
      switch plan.action {
      case .filter(let filter): if try !context.test(filter, root) { continue }
      case .window(let window): if !selects(window) { continue }
      case .match, .evaluate: break
      }
      try add(PathEvaluator(plan.tail, from: root, context), to: &selected)
    }
    for item in cursor.automaton.states[state].items {
      context.refill(for: document.origin)
      try add(PathEvaluator(queries[item.plan].segments[item.step...], from: root, context), to: &selected)
    }
    text.keep(selected.sorted(), of: document)
    try checkTape(document.origin)
  }

  private func add(_ evaluator: PathEvaluator, to selected: inout Set<UInt32>) throws(JSONError) {
    var evaluator = evaluator
    while let value = try evaluator.nextValue() {
      if case .node(_, let index) = value.storage { selected.insert(index) }
    }
  }
}

// MARK: Text of which only a part is parsed

extension PathProjector: TraversalSink {
  // What is kept is known when all is read.
  var canStop: Bool { false }
  var isAnswered: Bool { false }

  mutating func beginWindow() {}

  @inline(__always)
  mutating func take(key: TapeWord, name: Int, in window: UnsafeRawBufferPointer) {
    let raw = unsafe UnsafeRawBufferPointer(rebasing: window[key.textRange(in: window)])
    unsafe text.setKey(raw, isEscaped: key.kind.isEscaped)
  }

  @inline(__always)
  mutating func skipName(_ number: Int) throws(JSONError) {
    let name = cursor.summary.firstName &+ number
    try cursor.select(name: number)
    guard !nextIsDead else { return }
    // The key is the name, byte for byte.
    unsafe cursor.withText(ofName: name) { unsafe text.setKey($0, isEscaped: false) }
  }

  @inline(__always)
  mutating func skipPast(_ state: Int, isStart: Bool) throws(JSONError) { _ = try cursor.nextState() }

  mutating func skipEnter(
    _ state: Int, isObject: Bool, at start: Int, key: TapeWord?, in window: UnsafeRawBufferPointer
  ) throws(JSONError) {
    if let key { unsafe take(key: key, name: -1, in: window) }
    _ = try cursor.nextState()
    cursor.enter(state, cursor.summary(at: state), isObject: isObject, at: start)
    text.begin(isObject: isObject)
    if isObject { try cursor.learnOtherMember() }
  }

  @inline(__always)
  mutating func onlyPlan(at state: Int) -> Int? {
    let plan = cursor.summary(at: state).onlyMatch
    return plan >= 0 ? plan : nil
  }

  @inline(__always)
  mutating func skipScalar(
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

  /// What is kept has a tape.
  func textPlan(at state: Int, bytes count: Int) -> Int? { nil }

  func skipText(
    _ plan: Int, _ kind: EventKind, _ range: Range<Int>, _ window: UnsafeRawBufferPointer, at origin: Int
  ) throws(JSONError) {}

  /// Whoever is told of an error gets nothing of what was kept.
  mutating func takeBack(from offset: Int) {}

  func takesFromElements(_ plan: Int) -> Bool { true }

  @inline(__always)
  mutating func skipScalar(
    _ word: TapeWord, _ plan: Int, ofElement element: Int, along steps: UnsafeRawBufferPointer,
    _ window: UnsafeRawBufferPointer, at origin: Int
  ) throws(JSONError) {
    unsafe self.element.lead(to: steps, ofElement: element, in: &text)
    try unsafe keep(word, window, at: origin)
  }

  @inline(__always)
  mutating func passElements(_ number: Int) {
    element.end(in: &text)
    cursor.passElements(number)
  }
}

/// Which objects are open in an element on the way to its last scalar.
private struct ElementPath {
  private var element = -1
  /// The packed steps that led there, and where each of them ends that leads to an open object.
  private var steps: [UInt8] = []
  private var ends: [Int] = []

  /// Opens the objects that lead to a scalar of an element, and closes others.
  mutating func lead(to steps: UnsafeRawBufferPointer, ofElement number: Int, in text: inout ProjectedText) {
    if number != element {
      end(in: &text)
      element = number
      text.begin(isObject: true)
    }
    // What the last steps and these have in common stays open.
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

  /// The element has ended.
  mutating func end(in text: inout ProjectedText) {
    guard element >= 0 else { return }
    for _ in ends { text.end() }
    text.end()
    element = -1
    ends.removeAll(keepingCapacity: true)
    steps.removeAll(keepingCapacity: true)
  }
}

/// The last elements of one array.
private final class HeldElements {
  let depth: Int
  /// How many are enough; `nil` if all are needed.
  let size: Int?
  var row = PackedElements()

  init(depth: Int, size: Int?) {
    self.depth = depth
    self.size = size
  }
}

extension StreamPlan.Window {
  /// Whether an element is selected that has dropped out of the last ones.
  fileprivate func selectsDropped(_ position: Int) -> Bool {
    let first = start ?? 0
    return emitsDropped && position >= first && (position - first) % step == 0
  }
}
