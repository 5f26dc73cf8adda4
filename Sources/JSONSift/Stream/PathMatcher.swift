/// Finds the matches of some queries in the events of one document. Builds only the values that match or that a query
/// evaluates.
///
/// Each open container that can hold a match is a level of the ``PathCursor``. A container in the dead state is skipped by
/// its link, or by counting its levels if it is not closed in the same window. A value that the steps of a query lead to is
/// copied: at once if it is complete in this window, otherwise by the recorder.
///
/// # Order
///
/// Matches are reported in the order of RFC 9535. For a query without descendants that is the order of the text. With
/// descendants, the children of a node precede its grandchildren: matches below the outermost container that may still
/// select among its own children are held until that container ends, and are then reported in the order of the nodes that
/// selected them.
struct PathMatcher: TapeWordSink, ~Copyable {
  var cursor: PathCursor
  let limits: JSONLimits
  /// The number of open containers that are skipped.
  private var skippedLevels = 0
  var recorder = MatchRecorder()
  /// The values that are being recorded, outermost first.
  var captures: [Capture] = []
  /// For plans that hold matches, the last of them that others can share.
  var shared: [SharedMatch] = []
  /// The memory of the captures in bytes. The location of each is as long as its value is deep.
  var captureBytes = 0
  /// The held elements of nested arrays, outermost first.
  var heldArrays: [HeldElements] = []
  var spareElements: HeldElements?
  /// The steps to the innermost level.
  var location = MatchLocation()
  /// The element in which scalars were found last: its distance from the next element of the array, or -1 if there is
  /// none; and the lengths in bytes of the packed locations of the array and of the element.
  var openElement = (number: -1, outerLocationLength: 0, ownLocationLength: 0)
  /// The key before a value that is not dead: its tape word in this window, or its bytes.
  var keyWord: TapeWord?
  var keyBytes: [UInt8] = []

  /// By plan.
  var plans = PlainVector<PlanState>()
  /// By plan, the context in which the plan is evaluated on candidates, with steps of its own; `nil` for a plan that
  /// evaluates nothing.
  let contexts: [PathContext?]
  private(set) var unanswered: Int
  /// Whether reading can stop when all plans are answered.
  let canStop: Bool
  /// Whether reading goes on after all plans are answered, to find the token behind the document.
  var isLooking = false
  /// The offset at which all plans were answered, if the events are read by ``take(_:)``.
  private(set) var answerOffset: Int?
  /// Whether matches are only passed to closures, so that their values need not be built. An array or object can then be kept
  /// as text only, for which ``next()`` would return null.
  var onlyBorrowsMatches = false

  /// The matches that are not taken yet.
  var queue: MatchQueue
  /// The candidate whose evaluation has begun: the first entry of the queue, or an entry that gets there later.
  var begun: BegunCandidate?
  /// The documents of the last match and of the last candidate, for reuse.
  private var spare: Document?
  var spareCandidate: Document?

  /// - Parameter names: For each query, the name of its matches.
  init(_ queries: [PathQuery], names: [String] = [], limits: JSONLimits) throws(JSONError) {
    var plans: [StreamPlan] = []
    for query in queries { plans.append(try StreamPlan(query)) }
    cursor = PathCursor(try PathAutomaton(plans))
    self.limits = limits
    for plan in plans { self.plans.append(PlanState(plan)) }
    contexts = plans.map { $0.action == .match ? nil : PathContext(root: .null, limits: limits) }
    unanswered = plans.count
    canStop = !plans.isEmpty && plans.allSatisfy { $0.isDefinite }
    queue = MatchQueue(planCount: plans.count, names: names, limits: limits)
  }

  /// Returns whether the steps of a plan led to a container in which the last step could select.
  func reachedEnd(_ plan: Int) -> Bool {
    plans[plan].hasTail ? plans[plan].reachedInTail : cursor.automaton.reachedEnd(plan)
  }

  /// Whether there are no queries.
  var hasNoQueries: Bool { plans.count == 0 }

  /// The offset of the outermost match that is not complete.
  var openMatchStart: Int? { captures.first?.mark.start }

  // Forced inlining in this file saves 11 % of `fields` (Scripts/measure instructions).
  /// Returns the next match, or `nil` if none is known yet.
  ///
  /// - Throws: ``JSONError/Code/queryLimit`` from a deferred candidate. Matches after it must not be requested.
  @inline(__always)
  mutating func next() throws(JSONError) -> JSONMatch? {
    while let first = queue.first {
      if first.content != .candidate, first.content != .begun { return queue.pop(reusing: &spare) }
      if let match = try nextOfCandidate() { return match }
    }
    return nil
  }

  /// Calls a closure with the path, the text and the packed location of the next match. Returns `false` if none is known
  /// yet.
  ///
  /// - Parameter locates: Whether the location is needed. Without it, the location of a match inside a kept document is empty:
  ///   to find it costs a step for each level, for each match.
  mutating func borrowNext(locating locates: Bool, _ body: BorrowedMatch) throws(JSONError) -> Bool {
    if unsafe borrowKnown(body) { return true }
    guard let match = try next() else { return false }
    var location = MatchLocation()
    if locates { location.append(match.location) }
    unsafe match.value.borrowRawBytes { text in
      unsafe location.withBytes { unsafe body(match.pathIndex, text, $0, match.byteRange.lowerBound) }
    }
    return true
  }

  /// Calls a closure with the path and the text of each known match that needs no evaluation, as long as it returns true.
  /// Returns the number of these matches.
  mutating func borrowMatches(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Bool) -> Int {
    var count = 0
    var goesOn = true
    while goesOn, unsafe borrowKnown({ path, text, _, _ in goesOn = unsafe body(path, text) }) { count += 1 }
    return count
  }

  /// Passes the next match, if it is known and needs no evaluation.
  private mutating func borrowKnown(_ body: BorrowedMatch) -> Bool {
    guard let first = queue.first, first.content == .packed || first.content == .text else { return false }
    unsafe queue.borrowFirst(body)
    queue.removeFirst()
    return true
  }

  // MARK: Events

  /// Reads the tape words of one window, as specified by ``TapeWordSink/take(_:)``.
  mutating func take(_ batch: TapeWordBatch) throws(JSONError) -> Bool {
    queue.compact()
    if !shared.isEmpty { shared.removeAll() }
    let words = unsafe batch.words
    var index = YajlContext.headerWords
    while index < words.count {
      let word = unsafe TapeWord(bits: words[index])
      let kind = word.kind
      if skippedLevels > 0 {
        skippedLevels &+= kind.isStart ? 1 : (kind.isEnd ? -1 : 0)
        index = try record(word, index, skips: true, batch)
        if hasAnswers, !goesOn(after: word, batch) { return false }
      } else if kind.isKey {
        let end = skipDeadMembers(index, batch)
        if end > index {
          index = end
          continue
        }
        let name = cursor.name(of: word, batch)
        if name < 0, let next = skipDeadMember(index, batch) {
          index = next
          continue
        }
        keyWord = try cursor.select(name) == PathAutomaton.dead ? nil : word
        index = try record(word, index, skips: false, batch)
      } else if kind.isEnd {
        try leave()
        index = try record(word, index, skips: false, batch)
        if hasAnswers, !goesOn(after: word, batch) { return false }
      } else {
        index = try value(word, index, batch)
        if hasAnswers, !goesOn(after: word, batch) { return false }
      }
    }
    endWindow(batch)
    return true
  }

  /// Returns the index after members that differ from all names in their length or first byte, cannot match and are complete
  /// in this window. Most members of most objects are such, and each costs a few instructions.
  private func skipDeadMembers(_ index: Int, _ batch: TapeWordBatch) -> Int {
    guard cursor.summary.otherMember == PathAutomaton.dead, !recorder.isOpen, let words = unsafe batch.words.baseAddress
    else { return index }
    // Up to the last tape word: if it is a key, its value is not in this window.
    let last = unsafe batch.words.count &- 1
    let lengths = cursor.summary.nameLengths
    let firstBytes = cursor.summary.firstBytes
    var index = index
    // SAFETY: `index` and the tape word after it are in the window; a start is followed by its link, and a link refers to
    // the same window. The closing quote of a key is in the window, so a byte follows the opening quote. Worth it: without
    // this function, `$.records[0:2000:1].user.id` takes 16 % more instructions in text that libyajl parses
    // (JSONSIFT_KERNEL=none, the document of Scripts/measure instructions).
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

  /// Returns the index after a member without a known name, if it cannot match and its value is complete in this window.
  private func skipDeadMember(_ index: Int, _ batch: TapeWordBatch) -> Int? {
    let count = unsafe batch.words.count
    guard cursor.summary.otherMember == PathAutomaton.dead, index &+ 1 < count, !recorder.isOpen else { return nil }
    guard unsafe TapeWord(bits: batch.words[index &+ 1]).kind.isStart else { return index &+ 2 }
    return closedEnd(index &+ 1, batch)
  }

  /// Passes an event to the recorder, if it is copying, and returns the index of the next event. A container that is skipped
  /// and closed in this window counts as one event.
  private mutating func record(
    _ word: TapeWord, _ index: Int, skips: Bool, _ batch: TapeWordBatch
  ) throws(JSONError) -> Int {
    var next = index &+ (word.kind.isStart ? 2 : 1)
    if skips, word.kind.isStart, let end = closedEnd(index, batch) {
      skippedLevels &-= 1
      next = end
    }
    if recorder.isOpen { try copy(index..<next, batch) }
    return next
  }

  /// Returns the index after the container at `index`, if it is closed in this window.
  private func closedEnd(_ index: Int, _ batch: TapeWordBatch) -> Int? {
    let link = unsafe TapeWord(bits: batch.words[index &+ 1])
    return link.bits == 0 ? nil : link.linkedIndex
  }

  /// Processes the start of a value.
  private mutating func value(_ word: TapeWord, _ index: Int, _ batch: TapeWordBatch) throws(JSONError) -> Int {
    let isStart = word.kind.isStart
    let state = try cursor.nextState()
    guard state != PathAutomaton.dead else {
      keyWord = nil
      if isStart { skippedLevels = 1 }
      return try record(word, index, skips: true, batch)
    }
    let summary = cursor.summary(at: state)
    let enters = isStart && summary.hasItems
    var next = index &+ (isStart ? 2 : 1)
    let mark = location.count
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
      location.removeLast(to: mark)
      if isStart {
        if let end = closedEnd(index, batch) { next = end } else { skippedLevels = 1 }
      } else if canStop {
        answer(cursor.automaton.states[state].items)
      }
    }
    if recorder.isOpen { try copy(index..<next, batch) }
    return next
  }

  /// Appends the step to the value that begins now.
  mutating func appendStep(_ batch: TapeWordBatch) {
    guard cursor.depth > 0 else { return }
    guard cursor.level.isObject else { return location.append(index: cursor.level.position &- 1) }
    if unsafe cursor.withStep({ unsafe location.append(packed: $0) }) { return }
    if let keyWord {
      unsafe batch.withName(keyWord) { unsafe location.append(name: $0) }
    } else {
      unsafe keyBytes.withUnsafeBytes { unsafe location.append(name: $0) }
    }
  }

  mutating func enter(
    _ state: Int, _ summary: PathAutomaton.StateSummary, _ word: TapeWord, outerLocationLength: Int,
    _ batch: TapeWordBatch
  ) {
    cursor.enter(
      state, summary, isObject: word.kind == .objectStart, at: batch.origin &+ word.offset,
      outerLocationLength: outerLocationLength,
      ownLocationLength: location.count)
    guard summary.isDescending else { return }
    if summary.onlyDescending >= 0 { return openNode(summary.onlyDescending) }
    for plan in cursor.automaton.states[state].descending { openNode(plan) }
  }

  /// Opens the innermost level as a node among whose children the descendant step of a plan may select.
  private mutating func openNode(_ plan: Int) {
    guard plans[plan].selectsAmongChildren(of: cursor.level) else { return }
    if plans[plan].openNodes == 0 { plans[plan].outermostNode = cursor.level.start }
    plans[plan].openNodes &+= 1
  }

  private mutating func closeNode(_ plan: Int) {
    guard plans[plan].selectsAmongChildren(of: cursor.level) else { return }
    plans[plan].openNodes &-= 1
    if plans[plan].openNodes == 0 { queue.release(plan) }
  }

  mutating func leave() throws(JSONError) {
    while let held = heldArrays.last, held.depth == cursor.depth {
      heldArrays.removeLast()
      try finish(held)
    }
    let level = cursor.level
    if cursor.summary.onlyDescending >= 0 {
      closeNode(cursor.summary.onlyDescending)
    } else if cursor.summary.isDescending {
      for plan in cursor.automaton.states[level.state].descending { closeNode(plan) }
    }
    if canStop { answer(cursor.automaton.states[level.state].items) }
    location.removeLast(to: level.outerLocationLength)
    cursor.leave()
  }

  /// Marks plans as answered: the value in which these steps could continue has ended, so nothing more can match.
  mutating func answer(_ items: [PathAutomaton.Item]) {
    for item in items where !plans[item.plan].isAnswered {
      plans[item.plan].isAnswered = true
      unanswered -= 1
    }
  }

  /// Notes where all plans were answered. Returns whether reading goes on.
  private mutating func goesOn(after word: TapeWord, _ batch: TapeWordBatch) -> Bool {
    if answerOffset == nil { answerOffset = batch.origin + word.offset }
    return isLooking
  }

  /// Keeps the data that the next window does not contain.
  private mutating func endWindow(_ batch: TapeWordBatch) {
    if let keyWord {
      unsafe batch.withName(keyWord) { unsafe keyBytes = Array($0) }
      self.keyWord = nil
    }
    if recorder.isOpen { unsafe recorder.keep(batch, to: batch.origin &+ batch.window.count) }
  }

  // MARK: Matches

  /// Appends a scalar as a match. The scalar must not be long, and nothing else is done with it.
  @inline(__always)
  mutating func match(_ plan: Int, _ word: TapeWord, _ batch: TapeWordBatch) throws(JSONError) {
    let end = word.end
    let start = batch.origin &+ word.offset
    let count = end &- word.offset
    try limits.check(textBytes: count, at: start)
    let source = unsafe UnsafeRawBufferPointer(rebasing: batch.window[word.offset..<end])
    unsafe try queue.append(plan, scalar: word, source, at: start, location, order: order(plan))
    settle(plan)
  }

  /// Counts a match of a plan.
  @inline(__always)
  mutating func settle(_ plan: Int) {
    plans[plan].matchCount &+= 1
    guard canStop, !plans[plan].isAnswered else { return }
    plans[plan].isAnswered = true
    unanswered -= 1
  }

  /// Rolls back the matches that are not taken yet, except those that end before an offset in the input.
  mutating func rollBack(from offset: Int) {
    for plan in queue.removeAll(from: offset) { plans[plan].matchCount &-= 1 }
  }

  /// Returns the order of a match that must be held: the offset of the node whose child the descendant step has selected.
  /// `nil` if no other match can precede it.
  @inline(__always)
  func order(_ plan: Int) -> Int? {
    let up = plans[plan].levelsUp
    guard up > 0 else { return nil }
    // The innermost level is one level up. The levels around it are in `outer`, whose first level is around the whole
    // document.
    let start =
      up == 1 ? cursor.level.start : up <= cursor.depth ? cursor.outer[cursor.outer.count &- up &+ 1].start : 0
    return start == plans[plan].outermostNode ? nil : start
  }
}

extension JSONLimits {
  /// Throws the error of a value, or of several held ones, whose text or tape is too long.
  ///
  /// Forced inlining saves 2 % of `fields` (Scripts/measure instructions).
  @inline(__always)
  func check(textBytes: Int = .min, tapeBytes: Int = .min, at start: Int) throws(JSONError) {
    if textBytes > recordBytes { throw JSONError(.recordLimit, at: start, limit: recordBytes) }
    if tapeBytes > effectiveTapeBytes { throw JSONError(.tapeLimit, at: start, limit: self.tapeBytes) }
  }
}
