/// Keeps what some queries select of a document that is read in windows, with the containers that lead there.
///
/// It follows the steps as ``PathMatcher`` does. Order and duplicates do not matter here: a value is kept or not. Where a
/// query goes on with what cannot be followed while reading, the value is copied and the rest of all queries that are at
/// work there is asked in memory.
struct PathPruner: WordSink {
  private struct Level {
    let state: Int
    let isObject: Bool
    var position = 0
    var target = PathAutomaton.dead
    var answered: Set<Int> = []
  }

  /// A value that is taken as a whole, over more than one window.
  private struct Taking {
    let state: Int
    let mark: MatchRecorder.Mark
  }

  private var automaton: PathAutomaton
  private let queries: [PathQuery]
  private let limits: JSONLimits
  private let context: PathContext
  private var levels: [Level] = []
  private var passing = 0
  private var text = PrunedText()
  /// A value that is kept and not complete: how many containers are open in it, and what its offsets are shifted by.
  private var keeping: (depth: Int, shift: Int)?
  private var keptTo = 0
  private var recorder = MatchRecorder()
  private var taking: Taking?
  /// By state: the value must be there as a whole before it is known what of it is kept.
  private var needsWhole: [Bool?] = []

  init(_ queries: [PathQuery], limits: JSONLimits) throws(JSONError) {
    var plans: [StreamPlan] = []
    for query in queries { plans.append(try StreamPlan(query)) }
    automaton = try PathAutomaton(plans)
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
      let word = unsafe EventWord(bits: words[index])
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
        if batch.end(of: word) - open.mark.start > limits.recordBytes {
          throw JSONError(.recordLimit, at: open.mark.start, number: limits.recordBytes)
        }
        if recorder.isComplete(open.mark) { try finish(open, at: batch.end(of: word), batch) }
        index = next
      } else if passing > 0 {
        passing += kind.isStart ? 1 : (kind.isEnd ? -1 : 0)
        index = kind.isStart ? passOver(index, batch) ?? next : next
      } else if kind.isKey {
        try select(word, batch)
        index = next
      } else if kind.isEnd {
        levels.removeLast()
        text.end()
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
    let link = unsafe EventWord(bits: batch.words[index + 1])
    guard link.bits != 0 else { return nil }
    passing -= 1
    return link.linkedIndex
  }

  private mutating func checkTape(_ offset: Int) throws(JSONError) {
    guard text.tapeBytes > max(limits.tapeBytes, 4096) else { return }
    throw JSONError(.tapeLimit, at: offset, number: limits.tapeBytes)
  }

  private mutating func keepBytes(_ batch: WordBatch, to offset: Int) {
    guard offset > keptTo else { return }
    let range = (keptTo - batch.origin)..<(offset - batch.origin)
    unsafe text.append(UnsafeRawBufferPointer(rebasing: batch.window[range]))
    keptTo = offset
  }

  private mutating func select(_ word: EventWord, _ batch: WordBatch) throws(JSONError) {
    let place = levels.count - 1
    let state = levels[place].state
    var target: Int?
    let glance = automaton.glances[state]
    for name in glance.firstName..<(glance.firstName + glance.nameCount) where target == nil {
      let bytes = automaton.names[name].bytes
      let isSame = unsafe automaton.nameBytes.withUnsafeBytes { names in
        unsafe batch.text(of: word, equals: UnsafeRawBufferPointer(rebasing: names[bytes]))
      }
      if isSame, levels[place].answered.insert(name).inserted { target = try automaton.member(name, of: state) }
    }
    if target == nil { target = try automaton.otherMember(of: state) }
    levels[place].target = target ?? PathAutomaton.dead
    guard levels[place].target != PathAutomaton.dead else { return }
    let raw = unsafe UnsafeRawBufferPointer(rebasing: batch.window[word.textRange(in: batch.window)])
    unsafe text.setKey(raw, isEscaped: word.kind.isEscaped)
  }

  private mutating func nextState() throws(JSONError) -> Int {
    guard let last = levels.indices.last else { return automaton.root }
    if levels[last].isObject { return levels[last].target }
    defer { levels[last].position += 1 }
    return try automaton.element(levels[last].position, of: levels[last].state)
  }

  private mutating func value(_ word: EventWord, _ index: Int, _ batch: WordBatch) throws(JSONError) -> Int {
    let isStart = word.kind.isStart
    let next = index + (isStart ? 2 : 1)
    let state = try nextState()
    let start = batch.origin &+ word.offset
    let accepts = automaton.states[state].accepts
    if accepts.contains(where: { automaton.plans[$0].action == .match }) {
      let shift = text.keep() - start
      keptTo = start
      text.append(word, shiftedBy: batch.origin &+ shift)
      if isStart { keeping = (1, shift) } else { keepBytes(batch, to: batch.end(of: word)) }
      try checkTape(start)
      return next
    }
    if takesWhole(state) {
      let mark = recorder.begin(at: start)
      recorder.append(word, origin: batch.origin)
      let open = Taking(state: state, mark: mark)
      if isStart { taking = open } else { try finish(open, at: batch.end(of: word), batch) }
      return next
    }
    if isStart, automaton.glances[state].hasItems {
      levels.append(Level(state: state, isObject: word.kind == .objectStart))
      text.begin(isObject: word.kind == .objectStart)
      return next
    }
    guard isStart else { return next }
    passing = 1
    return passOver(index, batch) ?? next
  }

  /// Whether something other than the steps decides what of a value is kept.
  private mutating func takesWhole(_ state: Int) -> Bool {
    while needsWhole.count <= state { needsWhole.append(nil) }
    if let known = needsWhole[state] { return known }
    let found = automaton.states[state]
    let answer =
      !found.accepts.isEmpty
      || found.items.contains {
        // The elements of an array among which a selector chooses at its end.
        automaton.plans[$0.plan].steps[$0.step] == .elements
      }
    needsWhole[state] = answer
    return answer
  }

  /// A value is there as a whole: the queries go on in memory.
  private mutating func finish(_ open: Taking, at end: Int, _ batch: WordBatch) throws(JSONError) {
    taking = nil
    recorder.keep(batch, to: end)
    let document = Document()
    unsafe recorder.withValue(open.mark, to: end) { slice, source in
      unsafe slice.fill(document, source, at: open.mark.start)
    }
    recorder.finish()
    let root = JSON(document, Document.root)
    var selected: Set<UInt32> = []
    for plan in automaton.states[open.state].accepts {
      context.restart(root: .null)
      if case .filter(let filter) = automaton.plans[plan].action, try !context.test(filter, root) { continue }
      try add(PathEvaluator(automaton.plans[plan].tail, from: root, context), to: &selected)
    }
    for item in automaton.states[open.state].items {
      context.restart(root: .null)
      try add(PathEvaluator(queries[item.plan].segments[item.step...], from: root, context), to: &selected)
    }
    text.keep(selected.sorted(), of: document)
    try checkTape(open.mark.start)
  }

  private func add(_ evaluator: PathEvaluator, to selected: inout Set<UInt32>) throws(JSONError) {
    var evaluator = evaluator
    while let value = try evaluator.nextValue() {
      if case .node(_, let index) = value.storage { selected.insert(index) }
    }
  }
}
