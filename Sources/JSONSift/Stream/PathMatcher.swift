/// Finds the matches of some queries in the events of one document. Nothing is built but what they ask for.
///
/// Each open container that can hold a match is a level of the ``PathCursor``. A container in the dead state is passed by
/// its link, or by counting where it is not closed in the same window. A value at the end of the steps of a query is
/// copied, if it is closed in this window at once, else by the recorder.
///
/// # Order
///
/// Matches come in the order of RFC 9535. For a query without descendants that is the order of the text. With descendants
/// the children of a node come before its grandchildren: so matches below the outermost container that may still select
/// among its own children are held until it ends, and come in the order of the nodes that selected them.
struct PathMatcher: WordSink, ~Copyable {
  var cursor: PathCursor
  let limits: JSONLimits
  /// Open containers that are passed over.
  private var passing = 0
  var recorder = MatchRecorder()
  /// Values that are being recorded, the outermost first.
  var captures: [Capture] = []
  /// What their places take in memory: each is as long as its value lies deep.
  var captureBytes = 0
  var elementWindows: [ElementWindow] = []
  var spareWindow: ElementWindow?
  /// The steps to the innermost level.
  var place = MatchLocation()
  /// The element in which scalars were found last, if any: so many come before it in its array. And how many bytes of the
  /// place lead to its array, and to it.
  var openElement = (number: -1, outerLocationLength: 0, ownLocationLength: 0)
  /// The key before a value that is not dead: its word in this window, or its bytes.
  var keyWord: TapeWord?
  var keyBytes: [UInt8] = []

  /// By plan.
  var plans: [PlanState]
  /// Candidates of which a plan is asked: by plan, each with work of its own; `nil` where nothing is asked.
  let contexts: [PathContext?]
  private(set) var matchCounts: [Int]
  private(set) var unanswered: Int
  /// The reading can stop when all are answered.
  let canStop: Bool
  /// Matches are lent and not handed out, so their values need not be made. Of an array or object whose text alone was kept
  /// ``next()`` would give null.
  var lendsOnly = false

  /// Matches that nobody has taken yet.
  var queue: MatchQueue
  /// The candidate that stands first in the queue and has begun, or will when its turn comes.
  var begun: BegunCandidate?
  /// The document of the last match, and of the last candidate.
  private var spare: Document?
  var spareCandidate: Document?

  /// - Parameter names: What the matches of each query are called.
  init(_ queries: [PathQuery], names: [String] = [], limits: JSONLimits) throws(JSONError) {
    var plans: [StreamPlan] = []
    for query in queries { plans.append(try StreamPlan(query)) }
    cursor = PathCursor(try PathAutomaton(plans))
    self.limits = limits
    self.plans = plans.map { PlanState($0) }
    contexts = plans.map { $0.action == .match ? nil : PathContext(root: .null, limits: limits) }
    matchCounts = plans.map { _ in 0 }
    unanswered = plans.count
    canStop = !plans.isEmpty && plans.allSatisfy { $0.isDefinite }
    queue = MatchQueue(planCount: plans.count, names: names, limits: limits)
  }

  /// Whether the steps of a plan led to a container in which the last of them could select.
  func reachedEnd(_ plan: Int) -> Bool {
    plans[plan].hasTail ? plans[plan].reachedInTail : cursor.automaton.reachedEnd(plan)
  }

  /// There are no queries.
  var asksNothing: Bool { plans.isEmpty }

  /// Where a match begins that is not complete.
  var openMatchStart: Int? { captures.first?.mark.start }

  /// The next match that is known, or `nil` if none is.
  ///
  /// - Throws: ``JSONError/Code/queryLimit`` of a candidate that has waited for its turn. What stands behind it is not to
  ///   be asked for.
  @inline(__always)
  mutating func next() throws(JSONError) -> JSONMatch? {
    while let first = queue.first {
      if first.content != .candidate, first.content != .begun { return queue.pop(reusing: &spare) }
      if let match = try nextOfCandidate() { return match }
    }
    return nil
  }

  /// Lends path, text and packed place of the next match that is known. `false` if none is.
  @inline(__always)
  mutating func lendNext(_ body: LentMatch) throws(JSONError) -> Bool {
    if let first = queue.first, first.content == .packed || first.content == .text {
      unsafe queue.lendFirst(body)
      queue.removeFirst()
      return true
    }
    guard let match = try next() else { return false }
    var place = MatchLocation()
    place.append(match.location)
    unsafe match.value.lendRawBytes { text in unsafe place.withBytes { unsafe body(match.path, text, $0) } }
    return true
  }

  // MARK: Events

  /// Takes the words of one window, as ``WordSink/take(_:)`` does.
  mutating func take(_ batch: WordBatch) throws(JSONError) -> Bool {
    queue.compact()
    let words = unsafe batch.words
    var index = YajlContext.headerWords
    while index < words.count {
      let word = unsafe TapeWord(bits: words[index])
      let kind = word.kind
      if passing > 0 {
        passing &+= kind.isStart ? 1 : (kind.isEnd ? -1 : 0)
        index = try record(word, index, passes: true, batch)
        if canStop, unanswered == 0 { return false }
      } else if kind.isKey {
        let behind = pastDeadMembers(index, batch)
        if behind > index {
          index = behind
          continue
        }
        let name = cursor.name(of: word, batch)
        if name < 0, let next = pastDeadMember(index, batch) {
          index = next
          continue
        }
        keyWord = try cursor.select(name) == PathAutomaton.dead ? nil : word
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

  /// The index behind members that differ from all names in their length or first byte, cannot match and are complete in this window.
  /// Most members of most objects are such, and a few instructions are enough for one.
  @inline(__always)
  private func pastDeadMembers(_ index: Int, _ batch: WordBatch) -> Int {
    guard cursor.summary.otherMember == PathAutomaton.dead, !recorder.isOpen, let words = unsafe batch.words.baseAddress
    else { return index }
    // Before the last word: a key that is the last word of a window has no value here.
    let last = unsafe batch.words.count &- 1
    let lengths = cursor.summary.nameLengths
    let firstBytes = cursor.summary.firstBytes
    var index = index
    // SAFETY: `index` and the word behind it are in the window; a start has its link word behind it, and a link is of the
    // same window. A key has its closing quote in the window, so there is a byte behind the first quote.
    while index < last {
      let key = unsafe TapeWord(bits: words[index])
      guard key.kind == .key else { break }
      if lengths & (1 &<< UInt64(min(key.length, 63))) != 0 {
        guard unsafe firstBytes & (1 &<< UInt64(batch.window[key.offset &+ 1] & 63)) == 0 else { break }
      }
      guard unsafe TapeWord(bits: words[index &+ 1]).kind.isStart else {
        index &+= 2
        continue
      }
      let link = unsafe TapeWord(bits: words[index &+ 2])
      guard link.bits != 0 else { break }
      index = link.linkedIndex
    }
    return index
  }

  /// The index behind a member without a known name, if it cannot match and its value is complete in this window.
  @inline(__always)
  private func pastDeadMember(_ index: Int, _ batch: WordBatch) -> Int? {
    let count = unsafe batch.words.count
    guard cursor.summary.otherMember == PathAutomaton.dead, index &+ 1 < count, !recorder.isOpen else { return nil }
    guard unsafe TapeWord(bits: batch.words[index &+ 1]).kind.isStart else { return index &+ 2 }
    return closedEnd(index &+ 1, batch)
  }

  /// Gives an event to the recorder, if that copies, and returns the index of the next one. A container that is passed
  /// and closed in this window is gone over at once.
  @inline(__always)
  private mutating func record(
    _ word: TapeWord, _ index: Int, passes: Bool, _ batch: WordBatch
  ) throws(JSONError) -> Int {
    var next = index &+ (word.kind.isStart ? 2 : 1)
    if passes, word.kind.isStart, let end = closedEnd(index, batch) {
      passing &-= 1
      next = end
    }
    if recorder.isOpen { try copy(index..<next, batch) }
    return next
  }

  /// The index behind the container at `index`, if it is closed in this window.
  @inline(__always)
  private func closedEnd(_ index: Int, _ batch: WordBatch) -> Int? {
    let link = unsafe TapeWord(bits: batch.words[index &+ 1])
    return link.bits == 0 ? nil : link.linkedIndex
  }

  /// A value begins.
  private mutating func value(_ word: TapeWord, _ index: Int, _ batch: WordBatch) throws(JSONError) -> Int {
    let isStart = word.kind.isStart
    let state = try cursor.nextState()
    guard state != PathAutomaton.dead else {
      keyWord = nil
      if isStart { passing = 1 }
      return try record(word, index, passes: true, batch)
    }
    let summary = cursor.summary(at: state)
    let enters = isStart && summary.hasItems
    var next = index &+ (isStart ? 2 : 1)
    let mark = place.count
    if enters || summary.hasAccepts { appendStep(batch) }
    keyWord = nil
    if summary.hasAccepts {
      if !isStart, summary.onlyMatch >= 0, !word.isLong {
        try match(summary.onlyMatch, word, batch)
      } else {
        let accepts = cursor.automaton.states[state].accepts
        if !isStart {
          try accept(accepts, word, index..<next, batch)
        } else if let end = closedEnd(index, batch) {
          try accept(accepts, word, index..<end, batch)
        } else {
          try capture(accepts, word, batch)
        }
      }
    }
    if enters {
      enter(state, summary, word, outerLocationLength: mark, batch)
    } else {
      place.removeLast(to: mark)
      if isStart {
        if let end = closedEnd(index, batch) { next = end } else { passing = 1 }
      } else if canStop {
        answer(cursor.automaton.states[state].items)
      }
    }
    if recorder.isOpen { try copy(index..<next, batch) }
    return next
  }

  /// Adds the step to the value that begins now.
  @inline(__always)
  mutating func appendStep(_ batch: WordBatch) {
    guard cursor.depth > 0 else { return }
    guard cursor.level.isObject else { return place.append(index: cursor.level.position &- 1) }
    if unsafe cursor.withStep({ unsafe place.append(packed: $0) }) { return }
    if let keyWord {
      unsafe batch.withName(keyWord) { unsafe place.append(name: $0) }
    } else {
      unsafe keyBytes.withUnsafeBytes { unsafe place.append(name: $0) }
    }
  }

  @inline(__always)
  mutating func enter(
    _ state: Int, _ summary: PathAutomaton.StateSummary, _ word: TapeWord, outerLocationLength: Int, _ batch: WordBatch
  ) {
    cursor.enter(
      state, summary, isObject: word.kind == .objectStart, at: batch.origin &+ word.offset,
      outerLocationLength: outerLocationLength,
      ownLocationLength: place.count)
    guard summary.isDescending else { return }
    if summary.onlyDescending >= 0 { return openNode(summary.onlyDescending) }
    for plan in cursor.automaton.states[state].descending { openNode(plan) }
  }

  /// The innermost level is a node among whose children the descendant step of a plan may select.
  @inline(__always)
  private mutating func openNode(_ plan: Int) {
    guard plans[plan].selectsAmongChildren(of: cursor.level) else { return }
    if plans[plan].openNodes == 0 { plans[plan].outermostNode = cursor.level.start }
    plans[plan].openNodes &+= 1
  }

  @inline(__always)
  private mutating func closeNode(_ plan: Int) {
    guard plans[plan].selectsAmongChildren(of: cursor.level) else { return }
    plans[plan].openNodes &-= 1
    if plans[plan].openNodes == 0 { queue.release(plan) }
  }

  mutating func leave() throws(JSONError) {
    while let ring = elementWindows.last, ring.depth == cursor.depth {
      elementWindows.removeLast()
      try finish(ring)
    }
    let level = cursor.level
    if cursor.summary.onlyDescending >= 0 {
      closeNode(cursor.summary.onlyDescending)
    } else if cursor.summary.isDescending {
      for plan in cursor.automaton.states[level.state].descending { closeNode(plan) }
    }
    if canStop { answer(cursor.automaton.states[level.state].items) }
    place.removeLast(to: level.outerLocationLength)
    cursor.leave()
  }

  /// The value in which these steps could go on is over: nothing more can match.
  mutating func answer(_ items: [PathAutomaton.Item]) {
    for item in items where !plans[item.plan].isAnswered {
      plans[item.plan].isAnswered = true
      unanswered -= 1
    }
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

  /// A scalar that is not long is a match, and nothing else becomes of it.
  @inline(__always)
  mutating func match(_ plan: Int, _ word: TapeWord, _ batch: WordBatch) throws(JSONError) {
    let end = word.end
    let start = batch.origin &+ word.offset
    let count = end &- word.offset
    if count > limits.recordBytes { throw JSONError(.recordLimit, at: start, limit: limits.recordBytes) }
    let source = unsafe UnsafeRawBufferPointer(rebasing: batch.window[word.offset..<end])
    unsafe try queue.append(plan, scalar: word, source, at: start, place, order: order(plan))
    settle(plan)
  }

  /// A plan has a match more.
  @inline(__always)
  mutating func settle(_ plan: Int) {
    matchCounts[plan] &+= 1
    guard canStop, !plans[plan].isAnswered else { return }
    plans[plan].isAnswered = true
    unanswered -= 1
  }

  /// Takes back matches that nobody has taken yet, but for those that end before an offset in the input.
  mutating func takeBack(from offset: Int) {
    for plan in queue.removeAll(from: offset) { matchCounts[plan] &-= 1 }
  }

  /// The order of a match that must wait: where the node begins whose child the descendant step has selected. `nil` if
  /// nothing can come before it.
  @inline(__always)
  func order(_ plan: Int) -> Int? {
    let up = plans[plan].levelsUp
    guard up > 0 else { return nil }
    // The innermost level is one up, and those around it are in `outer`, whose first is the level around everything.
    let start =
      up == 1 ? cursor.level.start : up <= cursor.depth ? cursor.outer[cursor.outer.count &- up &+ 1].start : 0
    return start == plans[plan].outermostNode ? nil : start
  }

  func checkLimits(_ bytes: Int, at start: Int, tapeBytes: Int? = nil) throws(JSONError) {
    if bytes > limits.recordBytes { throw JSONError(.recordLimit, at: start, limit: limits.recordBytes) }
    if (tapeBytes ?? recorder.tapeBytes) > max(limits.tapeBytes, 4096) {
      throw JSONError(.tapeLimit, at: start, limit: limits.tapeBytes)
    }
  }
}
