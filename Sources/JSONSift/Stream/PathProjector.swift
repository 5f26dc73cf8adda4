/// Keeps the values that some queries select in a document that is read in windows, and the containers that lead to them.
///
/// It follows the steps as ``PathMatcher`` does. Order and duplicates do not matter: a value is kept or not. Where a
/// query continues with a segment that cannot be followed while reading, the value is copied, and the remaining
/// segments of all queries that are active there are evaluated on the copy. Where a selector counts from the end of an
/// array, the last elements that it needs are held, each as a whole; an element is evaluated when it is dropped, or
/// when the array ends.
struct PathProjector: TapeWordSink, ~Copyable {
  /// A value that is copied as a whole, over more than one window.
  private struct Capture {
    let state: Int
    let mark: MatchRecorder.Mark
  }

  var cursor: PathCursor
  private let queries: [PathQuery]
  let limits: JSONLimits
  private let context: PathContext
  private var skippedLevels = 0
  var text = ProjectedText()
  /// The value that is kept and not complete: the number of containers that are open in it, and the shift of its offsets.
  private var keeping: (depth: Int, shift: Int)?
  private var keptTo = 0
  private var recorder = MatchRecorder()
  private var capture: Capture?
  /// The held elements of nested arrays, outermost first.
  private var heldArrays: [HeldElements] = []
  /// The element whose scalars a trie finds.
  var element = ElementPath()

  init(_ queries: [PathQuery], limits: JSONLimits) throws(JSONError) {
    var plans: [StreamPlan] = []
    for query in queries { plans.append(try StreamPlan(query)) }
    cursor = PathCursor(try PathAutomaton(plans))
    self.queries = queries
    self.limits = limits
    context = PathContext(root: .null, limits: limits)
  }

  /// Returns the value that was kept, or null.
  consuming func value() -> JSON { text.document().map { JSON($0, Document.root) } ?? .null }

  mutating func take(_ batch: TapeWordBatch) throws(JSONError) -> Bool {
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
      } else if let open = capture {
        recorder.append(word, origin: batch.origin)
        try limits.check(textBytes: batch.end(of: word) - open.mark.start, at: open.mark.start)
        if recorder.isComplete(open.mark) { try finish(open, at: batch.end(of: word), batch) }
        index = next
      } else if skippedLevels > 0 {
        skippedLevels += kind.isStart ? 1 : (kind.isEnd ? -1 : 0)
        index = kind.isStart ? skipContainer(index, batch) ?? next : next
      } else if kind.isKey {
        try select(word, batch)
        index = next
      } else if kind.isEnd {
        try leaveContainer()
        index = next
      } else {
        index = try value(word, index, batch)
      }
    }
    if keeping != nil { unsafe keepBytes(batch, to: batch.origin &+ batch.window.count) }
    if capture != nil { unsafe recorder.keep(batch, to: batch.origin &+ batch.window.count) }
    return true
  }

  /// Returns the index after a container that is skipped, if it is closed in this window.
  private mutating func skipContainer(_ index: Int, _ batch: TapeWordBatch) -> Int? {
    let link = unsafe TapeWord(bits: batch.words[index + 1])
    guard link.bits != 0 else { return nil }
    skippedLevels -= 1
    return link.linkedIndex
  }

  func checkTape(_ offset: Int) throws(JSONError) { try limits.check(tapeBytes: text.tapeBytes, at: offset) }

  private mutating func keepBytes(_ batch: TapeWordBatch, to offset: Int) {
    guard offset > keptTo else { return }
    let range = (keptTo - batch.origin)..<(offset - batch.origin)
    unsafe text.append(UnsafeRawBufferPointer(rebasing: batch.window[range]))
    keptTo = offset
  }

  private mutating func select(_ word: TapeWord, _ batch: TapeWordBatch) throws(JSONError) {
    let name = cursor.name(of: word, batch)
    guard try cursor.select(name) != PathAutomaton.dead else { return }
    unsafe take(key: word, name: name, in: batch.window)
  }

  mutating func leaveContainer() throws(JSONError) {
    if let held = heldArrays.last, held.depth == cursor.depth {
      heldArrays.removeLast()
      let count = held.elements.total
      for position in held.elements.position..<count {
        try project(held.elements[position], of: held, at: position) { $0.selects(position, of: count) }
      }
    }
    cursor.leave()
    text.end()
  }

  private mutating func value(_ word: TapeWord, _ index: Int, _ batch: TapeWordBatch) throws(JSONError) -> Int {
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
      let open = Capture(state: state, mark: mark)
      if isStart {
        capture = open
      } else {
        try limits.check(textBytes: batch.end(of: word) - start, at: start)
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
    skippedLevels = 1
    return skipContainer(index, batch) ?? next
  }

  /// Processes a value that is complete: holds it, or continues the queries in memory.
  private mutating func finish(_ open: Capture, at end: Int, _ batch: TapeWordBatch) throws(JSONError) {
    capture = nil
    recorder.keep(batch, to: end)
    guard cursor.depth > 0, !cursor.level.isObject, cursor.summary.holdsElements else {
      let document = Document()
      unsafe recorder.withValue(open.mark, to: end) { slice, source in
        unsafe slice.fill(document, source, at: open.mark.start)
      }
      recorder.finish()
      return try project(document, open.state) { _ in true }
    }
    let held = heldElements()
    unsafe recorder.withValue(open.mark, to: end) { slice, source in
      unsafe held.elements.append(slice, source, at: open.mark.start)
    }
    recorder.finish()
    if let size = held.size, held.elements.count > size {
      let position = held.elements.position
      let dropped = held.elements.removeFirst()
      try project(dropped, of: held, at: position) { $0.selectsDropped(position) }
    }
    try limits.check(textBytes: held.elements.textBytes, tapeBytes: held.elements.restBytes, at: open.mark.start)
  }

  /// Returns the held elements of the innermost array.
  private mutating func heldElements() -> HeldElements {
    if let held = heldArrays.last, held.depth == cursor.depth { return held }
    var size: Int? = 0
    for item in cursor.automaton.states[cursor.level.state].items {
      let plan = cursor.automaton.plans[item.plan]
      guard plan.steps[item.step] == .elements, case .hold(let selection) = plan.action else { continue }
      if let known = size, let wanted = selection.size { size = max(known, wanted) } else { size = Optional.none }
    }
    let held = HeldElements(depth: cursor.depth, size: size)
    heldArrays.append(held)
    return held
  }

  /// Evaluates the queries on an element that was held.
  private mutating func project(
    _ value: PackedValue, of held: HeldElements, at position: Int, _ selects: (StreamPlan.HeldSelection) -> Bool
  ) throws(JSONError) {
    let document = Document()
    _ = held.elements.store.fill(document, value)
    try project(document, cursor.state(ofElement: position), selects)
  }

  /// Keeps the values that the queries select in a value with a known state.
  private mutating func project(
    _ document: Document, _ state: Int, _ selects: (StreamPlan.HeldSelection) -> Bool
  ) throws(JSONError) {
    let root = JSON(document, Document.root)
    var selected: Set<UInt32> = []
    context.setRoot(.null)
    for number in cursor.automaton.states[state].accepts {
      let plan = cursor.automaton.plans[number]
      context.refill(for: document.origin)
      switch plan.action {
      case .filter(let filter): if try !context.test(filter, root) { continue }
      case .hold(let selection): if !selects(selection) { continue }
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

extension PathProjector {
  /// The last elements of one array.
  fileprivate final class HeldElements {
    let depth: Int
    /// The number of elements that are sufficient; `nil` if all are needed.
    let size: Int?
    var elements = PackedElements()

    init(depth: Int, size: Int?) {
      self.depth = depth
      self.size = size
    }
  }
}
