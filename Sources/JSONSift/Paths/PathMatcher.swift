/// Finds the matches of some queries in the events of one document. Nothing is built but what they ask for.
///
/// Each open container that can hold a match has a ``Level`` with its state of the automaton. A container in the dead state
/// is passed by its link, or by counting where it is not closed in the same window. A value at the end of the steps of a
/// query is copied, if it is closed in this window at once, else by the recorder.
///
/// # Order
///
/// Matches come in the order of RFC 9535. For a query without descendants that is the order of the text. With descendants
/// the children of a node come before its grandchildren: so matches below the outermost container that may still select
/// among its own children are held until it ends, and come in the order of the nodes that selected them.
struct PathMatcher: WordSink {
  /// An open container that can hold a match.
  private struct Level {
    let state: Int
    let isObject: Bool
    let start: Int
    /// How many bytes of `place` lead to the container around this one, and to this one.
    let outerPlace: Int
    let ownPlace: Int
    /// The position of the next element.
    var position = 0
    /// The state of the value that comes next, in an object.
    var target = PathAutomaton.dead
    /// Names of the state that have come: only the first member of a name is selected by it.
    var answered: UInt64 = 0
    var answeredMore: [Int] = []
  }

  private struct Capture {
    let plans: [Int]
    let mark: MatchRecorder.Mark
    let place: MatchPlace
  }

  /// The elements of an array among which a plan selects when it ends.
  private struct Ring {
    let plan: Int
    let levels: Int
    var elements: [JSON] = []
    var first = 0
    /// The position of `elements[first]`.
    var position = 0
    var bytes = 0
  }

  private var automaton: PathAutomaton
  private let limits: JSONLimits
  private let context: PathContext
  private var level = Level(state: PathAutomaton.dead, isObject: false, start: 0, outerPlace: 0, ownPlace: 0)
  private var outer: [Level] = []
  private var depth = 0
  /// Open containers that are passed over.
  private var passing = 0
  private var recorder = MatchRecorder()
  private var captures: [Capture] = []
  private var rings: [Ring] = []
  /// The steps to the innermost level.
  private var place = MatchPlace()
  /// The key before a value that is not dead: its word in this window, or its bytes.
  private var keyWord: EventWord?
  private var keyBytes: [UInt8] = []
  private var spare: Document?

  // Per plan.
  private var openCandidates: [Int]
  private var outermost: [Int]
  private(set) var matchCounts: [Int]
  /// What the last segment of a tail selects in was there.
  private var reachedInTail: [Bool]
  private var isAnswered: [Bool]
  private var unanswered: Int
  /// The reading can stop when all are answered.
  private let canStop: Bool

  /// Matches that nobody has taken yet.
  var queue: MatchQueue

  init(_ queries: [PathQuery], limits: JSONLimits) throws(JSONError) {
    var plans: [StreamPlan] = []
    for query in queries { plans.append(try StreamPlan(query)) }
    automaton = try PathAutomaton(plans)
    self.limits = limits
    context = PathContext(root: .null, limits: limits)
    openCandidates = plans.map { _ in 0 }
    outermost = openCandidates
    matchCounts = openCandidates
    reachedInTail = plans.map { _ in false }
    isAnswered = plans.map { !$0.isDefinite }
    unanswered = plans.count
    canStop = !plans.isEmpty && plans.allSatisfy { $0.isDefinite }
    queue = MatchQueue(planCount: plans.count)
  }

  /// Whether the steps of a plan led to a container in which the last of them could select.
  func reachedEnd(_ plan: Int) -> Bool {
    automaton.plans[plan].tail.isEmpty ? automaton.reachedEnd(plan) : reachedInTail[plan]
  }

  /// Where a match begins that is not complete.
  var openMatchStart: Int? { captures.first?.mark.start }

  // MARK: Events

  mutating func take(_ batch: WordBatch) throws(JSONError) -> Bool {
    queue.compact()
    let words = unsafe batch.words
    var index = YajlContext.headerWords
    while index < words.count {
      let word = unsafe EventWord(bits: words[index])
      let kind = word.kind
      if passing > 0 {
        passing += kind.isStart ? 1 : (kind.isEnd ? -1 : 0)
        index = try record(word, index, passes: true, batch)
        if canStop, unanswered == 0 { return false }
      } else if kind.isKey {
        if let next = pastDeadMember(word, index, batch) {
          index = next
          continue
        }
        try select(key: word, batch)
        index = try record(word, index, passes: false, batch)
      } else if kind.isEnd {
        try leave()
        index = try record(word, index, passes: false, batch)
        if canStop, unanswered == 0 { return false }
      } else {
        index = try value(word, index, batch)
        if canStop, unanswered == 0 { return false }
      }
    }
    endWindow(batch)
    return true
  }

  /// Gives an event to the recorder, if that copies, and returns the index of the next one. A container that is passed
  /// and closed in this window is gone over at once.
  @inline(__always)
  private mutating func record(
    _ word: EventWord, _ index: Int, passes: Bool, _ batch: WordBatch
  ) throws(JSONError) -> Int {
    var next = index + (word.kind.isStart ? 2 : 1)
    if passes, word.kind.isStart, let end = closedEnd(index, batch) {
      passing -= 1
      next = end
    }
    if recorder.isOpen { try copy(index..<next, batch) }
    return next
  }

  /// The index behind the container at `index`, if it is closed in this window.
  @inline(__always)
  private func closedEnd(_ index: Int, _ batch: WordBatch) -> Int? {
    let link = unsafe EventWord(bits: batch.words[index + 1])
    return link.bits == 0 ? nil : link.linkedIndex
  }

  private mutating func copy(_ range: Range<Int>, _ batch: WordBatch) throws(JSONError) {
    var index = range.lowerBound
    var last = EventWord(bits: 0)
    while index < range.upperBound {
      last = unsafe EventWord(bits: batch.words[index])
      recorder.append(last, origin: batch.origin)
      index += last.kind.isStart ? 2 : 1
    }
    // By events, not by bytes that are there: a window may reach past an error.
    let end = batch.end(of: last)
    if let first = captures.first { try checkLimits(end - first.mark.start, at: first.mark.start) }
    while let capture = captures.last, recorder.isComplete(capture.mark) { try finish(capture, at: end, batch) }
  }

  /// A value begins.
  private mutating func value(_ word: EventWord, _ index: Int, _ batch: WordBatch) throws(JSONError) -> Int {
    let isStart = word.kind.isStart
    let state = try nextState()
    guard state != PathAutomaton.dead else {
      keyWord = nil
      if isStart { passing = 1 }
      return try record(word, index, passes: true, batch)
    }
    let glance = automaton.glances[state]
    let enters = isStart && glance.hasItems
    var next = index + (isStart ? 2 : 1)
    let mark = place.count
    if enters || glance.hasAccepts { appendStep(batch) }
    keyWord = nil
    if glance.hasAccepts {
      if !isStart, glance.onlyMatch >= 0 {
        try match(glance.onlyMatch, word, batch)
      } else {
        let accepts = automaton.states[state].accepts
        if !isStart {
          try accept(accepts, word, index..<next, batch)
        } else if let end = closedEnd(index, batch) {
          try accept(accepts, word, index..<end, batch)
        } else {
          captures.append(
            Capture(
              plans: accepts, mark: recorder.begin(at: batch.origin &+ word.offset), place: place))
        }
      }
    }
    if enters {
      enter(state, word, outerPlace: mark, batch)
    } else {
      place.removeLast(to: mark)
      if isStart {
        if let end = closedEnd(index, batch) { next = end } else { passing = 1 }
      } else if canStop {
        answer(automaton.states[state].items)
      }
    }
    if recorder.isOpen { try copy(index..<next, batch) }
    return next
  }

  /// The state of the value that begins now.
  @inline(__always)
  private mutating func nextState() throws(JSONError) -> Int {
    guard depth > 0 else { return automaton.root }
    if level.isObject {
      let target = level.target
      level.target = PathAutomaton.dead
      return target
    }
    let position = level.position
    level.position += 1
    return try automaton.element(position, of: level.state)
  }

  /// Adds the step to the value that begins now.
  private mutating func appendStep(_ batch: WordBatch) {
    guard depth > 0 else { return }
    guard level.isObject else { return place.append(index: level.position - 1) }
    if let keyWord {
      unsafe batch.withName(keyWord) { unsafe place.append(name: $0) }
    } else {
      unsafe keyBytes.withUnsafeBytes { unsafe place.append(name: $0) }
    }
  }

  private mutating func enter(_ state: Int, _ word: EventWord, outerPlace: Int, _ batch: WordBatch) {
    outer.append(level)
    level = Level(
      state: state, isObject: word.kind == .objectStart, start: batch.origin &+ word.offset,
      outerPlace: outerPlace, ownPlace: place.count)
    depth += 1
    automaton.open(state, isObject: level.isObject)
    for plan in automaton.states[state].descending where selectsAmongChildren(plan) {
      if openCandidates[plan] == 0 { outermost[plan] = level.start }
      openCandidates[plan] += 1
    }
  }

  /// Whether the descendant step of a plan can select a child of the innermost level.
  private func selectsAmongChildren(_ plan: Int) -> Bool {
    let plan = automaton.plans[plan]
    guard let step = plan.descendant else { return false }
    switch plan.steps[step] {
    case .name: return level.isObject
    case .index, .slice, .elements: return !level.isObject
    case .wildcard: return true
    }
  }

  private mutating func leave() throws(JSONError) {
    while let ring = rings.last, ring.levels == depth {
      rings.removeLast()
      try finish(ring)
    }
    for plan in automaton.states[level.state].descending where selectsAmongChildren(plan) {
      openCandidates[plan] -= 1
      if openCandidates[plan] == 0 { queue.release(plan) }
    }
    if canStop { answer(automaton.states[level.state].items) }
    place.removeLast(to: level.outerPlace)
    guard let last = outer.popLast() else { return }
    level = last
    depth -= 1
  }

  /// The value in which these steps could go on is over: nothing more can match.
  private mutating func answer(_ items: [PathAutomaton.Item]) {
    for item in items where !isAnswered[item.plan] {
      isAnswered[item.plan] = true
      unanswered -= 1
    }
  }

  /// The index behind a member that cannot match and whose value is complete in this window, or `nil`. Most members of
  /// most objects are such.
  @inline(__always)
  private func pastDeadMember(_ word: EventWord, _ index: Int, _ batch: WordBatch) -> Int? {
    let glance = automaton.glances[level.state]
    let count = unsafe batch.words.count
    guard glance.otherMember == PathAutomaton.dead, index + 1 < count, !recorder.isOpen else { return nil }
    // Most keys differ in length from all names.
    guard glance.nameLengths & (1 << UInt64(min(word.length, 63))) == 0, !word.kind.isEscaped else { return nil }
    guard unsafe EventWord(bits: batch.words[index + 1]).kind.isStart else { return index + 2 }
    return closedEnd(index + 1, batch)
  }

  private mutating func select(key word: EventWord, _ batch: WordBatch) throws(JSONError) {
    let state = level.state
    let glance = automaton.glances[state]
    if glance.nameLengths & (1 << UInt64(min(word.length, 63))) != 0 || word.kind.isEscaped && glance.nameCount > 0 {
      for name in glance.firstName..<(glance.firstName &+ glance.nameCount) {
        guard isFirst(name, name &- glance.firstName, word, batch) else { continue }
        level.target = try automaton.member(name, of: state)
        keyWord = level.target == PathAutomaton.dead ? nil : word
        return
      }
    }
    level.target = try automaton.otherMember(of: state)
    keyWord = level.target == PathAutomaton.dead ? nil : word
  }

  /// Whether a key is this name, and the first of the object.
  @inline(__always)
  private mutating func isFirst(_ name: Int, _ bit: Int, _ word: EventWord, _ batch: WordBatch) -> Bool {
    let bytes = automaton.names[name].bytes
    guard word.length == bytes.count || word.kind.isEscaped || word.isLong else { return false }
    let isSame = unsafe automaton.nameBytes.withUnsafeBytes { names in
      unsafe batch.text(of: word, equals: UnsafeRawBufferPointer(rebasing: names[bytes]))
    }
    guard isSame else { return false }
    if bit < 64 {
      guard level.answered & 1 << UInt64(bit) == 0 else { return false }
      level.answered |= 1 << UInt64(bit)
    } else {
      guard !level.answeredMore.contains(bit) else { return false }
      level.answeredMore.append(bit)
    }
    return true
  }

  /// Keeps what the next window does not have.
  private mutating func endWindow(_ batch: WordBatch) {
    if let keyWord {
      unsafe batch.withName(keyWord) { unsafe keyBytes = Array($0) }
      self.keyWord = nil
    }
    if recorder.isOpen { unsafe recorder.keep(batch, to: batch.origin &+ batch.window.count) }
  }

  // MARK: Matches

  /// A scalar is a match, and nothing else becomes of it.
  private mutating func match(_ plan: Int, _ word: EventWord, _ batch: WordBatch) throws(JSONError) {
    let start = batch.origin &+ word.offset
    let end = batch.end(of: word)
    try checkLimits(end - start, at: start, tapeBytes: 0)
    let range = word.offset..<(end - batch.origin)
    unsafe queue.append(plan, scalar: word, UnsafeRawBufferPointer(rebasing: batch.window[range]), at: start, place)
    settle(plan)
  }

  /// A plan has a match more.
  private mutating func settle(_ plan: Int) {
    matchCounts[plan] += 1
    guard !isAnswered[plan] else { return }
    isAnswered[plan] = true
    unanswered -= 1
  }

  /// A value that is complete in this window is at the end of the steps of some plans.
  private mutating func accept(
    _ plans: [Int], _ word: EventWord, _ range: Range<Int>, _ batch: WordBatch
  ) throws(JSONError) {
    let start = batch.origin &+ word.offset
    let end =
      word.kind.isStart
      ? unsafe batch.origin &+ EventWord(bits: batch.words[range.upperBound - 1]).offset &+ 1 : batch.end(of: word)
    try checkLimits(end - start, at: start, tapeBytes: (range.count + YajlContext.headerWords) * 8)
    let slice = unsafe WordSlice(
      words: UnsafeBufferPointer(rebasing: batch.words[range]), index: range.lowerBound, offset: word.offset)
    let source = unsafe UnsafeRawBufferPointer(
      rebasing: batch.window[word.offset..<(end - batch.origin)])
    for plan in plans { unsafe try accept(plan, slice, source, at: start, place) }
  }

  /// A value that was recorded is complete.
  private mutating func finish(_ capture: Capture, at end: Int, _ batch: WordBatch) throws(JSONError) {
    captures.removeLast()
    recorder.keep(batch, to: end)
    let recorder = recorder
    var failure: JSONError?
    unsafe recorder.withValue(capture.mark, to: end) { slice, source in
      do throws(JSONError) {
        for plan in capture.plans { try unsafe accept(plan, slice, source, at: capture.mark.start, capture.place) }
      } catch {
        failure = error
      }
    }
    self.recorder.finish()
    if let failure { throw failure }
  }

  private mutating func accept(
    _ plan: Int, _ slice: WordSlice, _ source: UnsafeRawBufferPointer, at start: Int, _ place: MatchPlace
  ) throws(JSONError) {
    switch automaton.plans[plan].action {
    case .match:
      unsafe queue.append(plan, slice, source, at: start, place, order: order(plan))
      settle(plan)
    case .evaluate:
      try evaluate(plan, unsafe document(slice, source, at: start), place)
    case .filter(let filter):
      let value = unsafe document(slice, source, at: start)
      context.restart(root: value)
      if try context.test(filter, value) { try evaluate(plan, value, place) }
    case .window(let window):
      try unsafe hold(plan, window, document(slice, source, at: start))
    }
  }

  /// A document with a copy of a value. Its memory is used again if nobody holds the last one any more.
  private mutating func document(_ slice: WordSlice, _ source: UnsafeRawBufferPointer, at start: Int) -> JSON {
    let document = Document.reusing(&spare)
    unsafe slice.fill(document, source, at: start)
    return JSON(document, Document.root)
  }

  /// Asks the tail of a plan.
  private mutating func evaluate(_ plan: Int, _ value: JSON, _ place: MatchPlace) throws(JSONError) {
    let tail = automaton.plans[plan].tail
    guard !tail.isEmpty else {
      matchCounts[plan] += 1
      return queue.append(plan, value, place, order: order(plan))
    }
    // Nothing in the tail asks for the root; errors name its place. Below descendants values lie inside one another: what
    // is asked of all of them together has the limit.
    context.restart(root: value, keepsCount: automaton.plans[plan].descendant != nil)
    var evaluator = PathEvaluator(tail, from: value, context)
    while let (match, location) = try evaluator.next() {
      matchCounts[plan] += 1
      var matchPlace = place
      matchPlace.append(location)
      queue.append(plan, match, matchPlace, order: order(plan))
    }
    if matchCounts[plan] == 0, !reachedInTail[plan] {
      reachedInTail[plan] = try PathEvaluator.reachesLast(of: tail[...], from: value, context)
    }
  }

  /// The order of a match that must wait: where the node begins whose child the descendant step has selected. `nil` if
  /// nothing can come before it.
  private func order(_ plan: Int) -> Int? {
    let known = automaton.plans[plan]
    guard let descendant = known.descendant else { return nil }
    let up = known.steps.count - descendant
    // The innermost level is one up, and those around it are in `outer`, whose first is the level around everything.
    let start = up == 1 ? level.start : up <= depth ? outer[outer.count - up + 1].start : 0
    return start == outermost[plan] ? nil : start
  }

  private mutating func hold(_ plan: Int, _ window: StreamPlan.Window, _ value: JSON) throws(JSONError) {
    if rings.last(where: { $0.levels == depth && $0.plan == plan }) == nil {
      rings.append(Ring(plan: plan, levels: depth))
    }
    guard let place = rings.lastIndex(where: { $0.levels == depth && $0.plan == plan }) else { return }
    rings[place].elements.append(value)
    rings[place].bytes += value.byteRange?.count ?? 0
    if let size = window.size, rings[place].elements.count - rings[place].first > size {
      let first = rings[place].first
      let dropped = rings[place].elements[first]
      let position = rings[place].position
      rings[place].elements[first] = .null
      rings[place].bytes -= dropped.byteRange?.count ?? 0
      rings[place].first += 1
      rings[place].position += 1
      if rings[place].first > size {
        rings[place].elements.removeFirst(rings[place].first)
        rings[place].first = 0
      }
      if window.emitsDropped, position >= window.start ?? 0, (position - (window.start ?? 0)) % window.step == 0 {
        try evaluate(plan, dropped, at: position)
      }
    }
    let limit = limits.recordBytes
    if rings[place].bytes > limit {
      throw JSONError(.recordLimit, at: value.byteRange?.lowerBound ?? 0, number: limit)
    }
  }

  private mutating func evaluate(_ plan: Int, _ value: JSON, at position: Int) throws(JSONError) {
    var place = place
    place.removeLast(to: level.ownPlace)
    place.append(index: position)
    try evaluate(plan, value, place)
  }

  /// The array has ended: now it is known what is selected.
  private mutating func finish(_ ring: Ring) throws(JSONError) {
    guard case .window(let window) = automaton.plans[ring.plan].action, !window.emitsDropped else { return }
    let count = ring.position + ring.elements.count - ring.first
    for position in window.positions(in: count) where position >= ring.position {
      try evaluate(ring.plan, ring.elements[ring.first + position - ring.position], at: position)
    }
  }

  private func checkLimits(_ bytes: Int, at start: Int, tapeBytes: Int? = nil) throws(JSONError) {
    if bytes > limits.recordBytes { throw JSONError(.recordLimit, at: start, number: limits.recordBytes) }
    if (tapeBytes ?? recorder.tapeBytes) > max(limits.tapeBytes, 4096) {
      throw JSONError(.tapeLimit, at: start, number: limits.tapeBytes)
    }
  }
}

extension StreamPlan.Window {
  /// The positions that are selected in an array of `count` elements, in the order of RFC 9535, 2.3.4.2.2.
  func positions(in count: Int) -> StrideTo<Int> {
    func fromStart(_ index: Int) -> Int { index < 0 ? index + count : index }
    if step > 0 {
      let lower = min(max(fromStart(start ?? 0), 0), count)
      let upper = min(max(end.map { fromStart($0) } ?? count, 0), count)
      return stride(from: lower, to: max(lower, upper), by: step)
    }
    let upper = min(max(fromStart(start ?? count - 1), -1), count - 1)
    let lower = min(max(end.map { fromStart($0) } ?? -1, -1), count - 1)
    return step < 0 ? stride(from: upper, to: min(upper, lower), by: step) : stride(from: 0, to: 0, by: 1)
  }
}

extension WordBatch {
  /// Whether a key is these bytes, once its escapes are decoded.
  func text(of word: EventWord, equals name: UnsafeRawBufferPointer) -> Bool {
    if !word.isLong, !word.kind.isEscaped {
      let start = word.offset &+ 1
      return unsafe word.length == name.count && start &+ name.count <= window.count
        && name.elementsEqualMemory(window, at: start)
    }
    let raw = unsafe UnsafeRawBufferPointer(rebasing: window[word.textRange(in: window)])
    guard word.kind.isEscaped else { return unsafe raw.count == name.count && name.elementsEqualMemory(raw, at: 0) }
    return unsafe EscapedText.withDecoded(raw) { unsafe $0.count == name.count && name.elementsEqualMemory($0, at: 0) }
  }

  /// Lends the bytes of a key, with escapes decoded.
  func withName(_ word: EventWord, _ body: (UnsafeRawBufferPointer) -> Void) {
    let raw = unsafe UnsafeRawBufferPointer(rebasing: window[word.textRange(in: window)])
    if word.kind.isEscaped { unsafe EscapedText.withDecoded(raw, body) } else { unsafe body(raw) }
  }

  /// The offset in the input after an event.
  func end(of word: EventWord) -> Int {
    guard word.isLong else { return origin &+ word.end }
    let text = unsafe word.textRange(in: window)
    return origin &+ text.upperBound &+ (word.kind == .number ? 0 : 1)
  }
}
