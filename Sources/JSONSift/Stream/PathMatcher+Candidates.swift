extension PathMatcher {
  /// A value that is being recorded, and the plans that need it.
  struct Capture {
    let plans: [Int]
    let mark: MatchRecorder.Mark
    let location: MatchLocation

    /// Its memory in bytes, without the text.
    var byteCount: Int { location.count + MemoryLayout<Capture>.stride + 32 }
  }

  /// The outermost match of a plan that is held, in the last window that has one.
  struct SharedMatch {
    let plan: Int
    /// Its bytes in the input.
    let range: Range<Int>
    /// The index of its first tape word in the window.
    let firstWord: Int
    let document: Document
    let location: MatchLocation
    /// Its entry in the queue.
    var mark: PackedValue?
  }

  /// A candidate whose evaluation has begun, and its location.
  struct BegunCandidate {
    let plan: Int
    let value: JSON
    let location: MatchLocation
    var evaluator: PathEvaluator
  }

  // MARK: Recording

  /// Begins to record a value that is not complete in this window.
  mutating func capture(_ accepting: [Int], _ word: TapeWord, _ batch: TapeWordBatch) throws(JSONError) {
    let start = batch.origin &+ word.offset
    for plan in accepting {
      beginCandidate(plan, at: start)
      plans[plan].openCandidates += 1
    }
    // A separate copy: the location of the events grows further, and if it were shared, the next change would copy all its
    // capacity.
    let capture = Capture(plans: accepting, mark: recorder.begin(at: start), location: MatchLocation(location.copy()))
    captures.append(capture)
    captureBytes += capture.byteCount
    guard captureBytes <= limits.heldBytes else { throw MatchQueue.heldLimitError(at: start, limits) }
  }

  mutating func copy(_ range: Range<Int>, _ batch: TapeWordBatch) throws(JSONError) {
    var index = range.lowerBound
    var last = TapeWord(bits: 0)
    while index < range.upperBound {
      last = unsafe TapeWord(bits: batch.words[index])
      recorder.append(last, origin: batch.origin)
      index += last.kind.isStart ? 2 : 1
    }
    // The end follows from the events, not from the available bytes: a window may extend past an error.
    let end = batch.end(of: last)
    if let start = captures.first?.mark.start {
      try limits.check(textBytes: end - start, tapeBytes: recorder.tapeBytes, at: start)
    }
    while let capture = captures.last, recorder.isComplete(capture.mark) { try finish(capture, at: end, batch) }
  }

  /// Accepts a recorded value that is complete.
  private mutating func finish(_ capture: Capture, at end: Int, _ batch: TapeWordBatch) throws(JSONError) {
    captures.removeLast()
    captureBytes -= capture.byteCount
    recorder.keep(batch, to: end)
    let recorder = recorder
    var failure: JSONError?
    unsafe recorder.withValue(capture.mark, to: end) { slice, source in
      do throws(JSONError) {
        for plan in capture.plans {
          plans[plan].openCandidates -= 1
          try unsafe accept(plan, slice, source, at: capture.mark.start, capture.location)
          endCandidate(plan, from: capture.mark.start, to: end)
        }
      } catch {
        failure = error
      }
    }
    self.recorder.finish()
    if let failure { throw failure }
  }

  // MARK: Work

  /// Begins a candidate. If it is not inside another candidate of its plan, resets the steps for it and the candidates
  /// inside it.
  private mutating func beginCandidate(_ plan: Int, at start: Int) {
    guard plans[plan].levelsUp > 0, plans[plan].openCandidates == 0, start >= plans[plan].coveredUntil else { return }
    contexts[plan]?.refill(for: start)
  }

  private mutating func endCandidate(_ plan: Int, from start: Int, to end: Int) {
    guard plans[plan].openCandidates == 0, start >= plans[plan].coveredUntil else { return }
    plans[plan].coveredUntil = end
  }

  // MARK: Candidates

  /// Accepts a value that is complete in this window and that the steps of some plans lead to.
  mutating func accept(
    _ accepting: [Int], _ word: TapeWord, _ range: Range<Int>, _ batch: TapeWordBatch
  ) throws(JSONError) {
    let start = batch.origin &+ word.offset
    let end =
      word.kind.isStart
      ? unsafe batch.origin &+ TapeWord(bits: batch.words[range.upperBound - 1]).offset &+ 1 : batch.end(of: word)
    try limits.check(textBytes: end - start, tapeBytes: (range.count + YajlContext.headerWords) * 8, at: start)
    let slice = unsafe TapeWordSlice(
      words: UnsafeBufferPointer(rebasing: batch.words[range]), index: range.lowerBound, offset: word.offset)
    let source = unsafe UnsafeRawBufferPointer(rebasing: batch.window[word.offset..<(end - batch.origin)])
    for plan in accepting {
      if try unsafe share(plan, slice, source, at: start) { continue }
      beginCandidate(plan, at: start)
      unsafe try accept(plan, slice, source, at: start, location)
      endCandidate(plan, from: start, to: end)
    }
  }

  /// Holds a large match that is complete in this window, as a reference into the document of the match around it: copies of
  /// matches inside one another would take memory that grows with the square of their depth. Returns `false` for any other
  /// value.
  private mutating func share(
    _ plan: Int, _ slice: TapeWordSlice, _ source: UnsafeRawBufferPointer, at start: Int
  ) throws(JSONError) -> Bool {
    guard source.count > MatchQueue.maxCopiedBytes, case .match = cursor.automaton.plans[plan].action,
      let order = order(plan)
    else { return false }
    var outer = shared.first { $0.plan == plan && $0.range.contains(start) }
    if outer == nil {
      let document = Document()
      unsafe slice.fill(document, source, at: start)
      outer = SharedMatch(
        plan: plan, range: start..<(start &+ source.count), firstWord: slice.index, document: document,
        location: MatchLocation(location.copy()))
      shared.removeAll { $0.plan == plan }
    }
    guard var outer else { return false }
    let index = Document.root &+ UInt32(truncatingIfNeeded: slice.index &- outer.firstWord)
    try queue.append(plan, JSON(outer.document, index), in: outer.location, after: &outer.mark, order: order)
    shared.removeAll { $0.plan == plan }
    shared.append(outer)
    settle(plan)
    return true
  }

  private mutating func accept(
    _ plan: Int, _ slice: TapeWordSlice, _ source: UnsafeRawBufferPointer, at start: Int, _ location: MatchLocation
  ) throws(JSONError) {
    let action = cursor.automaton.plans[plan].action
    if case .match = action {
      unsafe try queue.append(plan, slice, source, at: start, location, order: order(plan))
      return settle(plan)
    }
    if case .hold(let selection) = action { return try unsafe hold(plan, selection, slice, source, at: start) }
    if defersCandidates(plan) { return unsafe queue.append(candidate: slice, source, at: start, plan, location) }
    let document = Document.reusing(&spareCandidate)
    unsafe slice.fill(document, source, at: start)
    let value = JSON(document, Document.root)
    guard try matchesFilter(plan, value, refills: true) else { return }
    guard plans[plan].hasTail else {
      unsafe try queue.append(plan, slice, source, at: start, location, order: order(plan))
      return settle(plan)
    }
    try evaluate(plan, value, location)
  }

  /// Returns whether candidates of a plan are queued and evaluated later. This is so if the number of their matches is
  /// unknown and the queue holds enough matches for now. Candidates below descendants are evaluated at once, because their
  /// matches must be sorted first.
  func defersCandidates(_ plan: Int) -> Bool { plans[plan].hasTail && plans[plan].levelsUp == 0 && queue.isLarge }

  /// Makes a value the root of a plan's context, and returns whether it matches the plan's filter.
  ///
  /// - Parameter refills: Whether to reset the steps for it. Ignored below descendants, where candidates are nested.
  func matchesFilter(_ plan: Int, _ value: JSON, refills: Bool) throws(JSONError) -> Bool {
    guard let context = contexts[plan] else { return true }
    // No query refers to the root. Errors report its offset.
    context.setRoot(value)
    if refills, plans[plan].levelsUp == 0 { context.refill() }
    guard case .filter(let filter) = cursor.automaton.plans[plan].action else { return true }
    return try context.test(filter, value)
  }

  /// Evaluates the tail of a plan on a value. If the queue becomes large, the remaining matches are found on request.
  mutating func evaluate(_ plan: Int, _ value: JSON, _ location: MatchLocation) throws(JSONError) {
    guard let context = contexts[plan] else { return }
    var evaluator = PathEvaluator(cursor.automaton.plans[plan].tail, from: value, context)
    var last: PackedValue?
    while let match = try evaluator.nextValue() {
      settle(plan)
      // Once the document is kept, a copy would save nothing.
      if last == nil, MatchQueue.shouldCopy(match) {
        var matchLocation = location
        matchLocation.append(try evaluator.locate())
        try queue.append(copying: match, plan, matchLocation, order: order(plan))
      } else {
        try queue.append(plan, match, in: location, after: &last, order: order(plan))
      }
      if defersCandidates(plan) {
        queue.append(begun: plan, location)
        begun = BegunCandidate(plan: plan, value: value, location: location, evaluator: evaluator)
        return
      }
    }
    try reach(plan, value)
  }

  /// Records whether the tail could select a value, as long as the plan has no match.
  private mutating func reach(_ plan: Int, _ value: JSON) throws(JSONError) {
    guard plans[plan].matchCount == 0, !plans[plan].reachedInTail, let context = contexts[plan] else { return }
    plans[plan].reachedInTail = try PathEvaluator.reachesLast(
      of: cursor.automaton.plans[plan].tail[...], from: value, context)
  }

  // MARK: Deferred candidates

  /// Returns the next match of the candidate at the front of the queue; `nil` if it has no more, after removing it.
  @inline(never)
  mutating func nextOfCandidate() throws(JSONError) -> JSONMatch? {
    if queue.first?.content == .candidate { try beginFirst() }
    guard var candidate = begun else { return nil }
    begun = nil
    if let value = try candidate.evaluator.nextValue() {
      settle(candidate.plan)
      let plan = candidate.plan
      let location = candidate.location.copy()
      begun = candidate
      return JSONMatch(
        value: value, byteRange: value.byteRange ?? 0..<0, path: plan,
        name: queue.name(Int32(truncatingIfNeeded: plan)), packedLocation: location, isInside: true)
    }
    queue.removeFirst()
    try reach(candidate.plan, candidate.value)
    return nil
  }

  private mutating func beginFirst() throws(JSONError) {
    let document = Document.reusing(&spareCandidate)
    guard let (entry, location) = queue.beginCandidate(into: document) else { return }
    let plan = Int(entry.plan)
    let value = JSON(document, Document.root)
    guard let context = contexts[plan], try matchesFilter(plan, value, refills: entry.refills) else {
      return queue.removeFirst()
    }
    begun = BegunCandidate(
      plan: plan, value: value, location: location,
      evaluator: PathEvaluator(cursor.automaton.plans[plan].tail, from: value, context))
  }
}
