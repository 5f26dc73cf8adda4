extension PathMatcher {
  /// A value that is being recorded, and the plans that it is for.
  struct Capture {
    let plans: [Int]
    let mark: MatchRecorder.Mark
    let place: MatchLocation

    /// What it takes in memory beside the text.
    var byteCount: Int { place.count + MemoryLayout<Capture>.stride + 32 }
  }

  /// A candidate of which some matches have been found, and its place.
  struct BegunCandidate {
    let plan: Int
    let value: JSON
    let place: MatchLocation
    var evaluator: PathEvaluator
  }

  // MARK: Recording

  /// Begins to record a value that is not complete in this window.
  mutating func capture(_ accepting: [Int], _ word: TapeWord, _ batch: WordBatch) throws(JSONError) {
    let start = batch.origin &+ word.offset
    for plan in accepting {
      beginCandidate(plan, at: start)
      plans[plan].openCandidates += 1
    }
    // A place of its own: that of the events goes on growing, and would be copied then with all its room.
    let capture = Capture(plans: accepting, mark: recorder.begin(at: start), place: MatchLocation(place.copy()))
    captures.append(capture)
    captureBytes += capture.byteCount
    guard captureBytes <= limits.heldBytes else { throw MatchQueue.tooMuch(at: start, limits) }
  }

  mutating func copy(_ range: Range<Int>, _ batch: WordBatch) throws(JSONError) {
    var index = range.lowerBound
    var last = TapeWord(bits: 0)
    while index < range.upperBound {
      last = unsafe TapeWord(bits: batch.words[index])
      recorder.append(last, origin: batch.origin)
      index += last.kind.isStart ? 2 : 1
    }
    // By events, not by bytes that are there: a window may reach past an error.
    let end = batch.end(of: last)
    if let first = captures.first { try checkLimits(end - first.mark.start, at: first.mark.start) }
    while let capture = captures.last, recorder.isComplete(capture.mark) { try finish(capture, at: end, batch) }
  }

  /// A value that was recorded is complete.
  private mutating func finish(_ capture: Capture, at end: Int, _ batch: WordBatch) throws(JSONError) {
    captures.removeLast()
    captureBytes -= capture.byteCount
    recorder.keep(batch, to: end)
    let recorder = recorder
    var failure: JSONError?
    unsafe recorder.withValue(capture.mark, to: end) { slice, source in
      do throws(JSONError) {
        for plan in capture.plans {
          plans[plan].openCandidates -= 1
          try unsafe accept(plan, slice, source, at: capture.mark.start, capture.place)
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

  /// A candidate begins. If it stands in no other of its plan, all the work may be done for it and for those inside it.
  private mutating func beginCandidate(_ plan: Int, at start: Int) {
    guard plans[plan].levelsUp > 0, plans[plan].openCandidates == 0, start >= plans[plan].coveredUntil else { return }
    contexts[plan]?.refill(for: start)
  }

  private mutating func endCandidate(_ plan: Int, from start: Int, to end: Int) {
    guard plans[plan].openCandidates == 0, start >= plans[plan].coveredUntil else { return }
    plans[plan].coveredUntil = end
  }

  // MARK: Candidates

  /// A value that is complete in this window is at the end of the steps of some plans.
  mutating func accept(
    _ accepting: [Int], _ word: TapeWord, _ range: Range<Int>, _ batch: WordBatch
  ) throws(JSONError) {
    let start = batch.origin &+ word.offset
    let end =
      word.kind.isStart
      ? unsafe batch.origin &+ TapeWord(bits: batch.words[range.upperBound - 1]).offset &+ 1 : batch.end(of: word)
    try checkLimits(end - start, at: start, tapeBytes: (range.count + YajlContext.headerWords) * 8)
    let slice = unsafe WordSlice(
      words: UnsafeBufferPointer(rebasing: batch.words[range]), index: range.lowerBound, offset: word.offset)
    let source = unsafe UnsafeRawBufferPointer(
      rebasing: batch.window[word.offset..<(end - batch.origin)])
    for plan in accepting {
      beginCandidate(plan, at: start)
      unsafe try accept(plan, slice, source, at: start, place)
      endCandidate(plan, from: start, to: end)
    }
  }

  private mutating func accept(
    _ plan: Int, _ slice: WordSlice, _ source: UnsafeRawBufferPointer, at start: Int, _ place: MatchLocation
  ) throws(JSONError) {
    let action = cursor.automaton.plans[plan].action
    if case .match = action {
      unsafe try queue.append(plan, slice, source, at: start, place, order: order(plan))
      return settle(plan)
    }
    if case .window(let window) = action { return try unsafe hold(plan, window, slice, source, at: start) }
    if waits(plan) { return unsafe queue.append(candidate: slice, source, at: start, plan, place) }
    let document = Document.reusing(&spareCandidate)
    unsafe slice.fill(document, source, at: start)
    let value = JSON(document, Document.root)
    guard try passes(plan, value, refills: true) else { return }
    guard plans[plan].hasTail else {
      unsafe try queue.append(plan, slice, source, at: start, place, order: order(plan))
      return settle(plan)
    }
    try evaluate(plan, value, place)
  }

  /// Whether candidates of a plan wait for their turn: what they hold is not known, and there is enough for now. Below
  /// descendants their matches must be brought into order first.
  func waits(_ plan: Int) -> Bool { plans[plan].hasTail && plans[plan].levelsUp == 0 && queue.isLarge }

  /// Makes a value what a plan is asked of, and says whether it passes the plan's filter.
  ///
  /// - Parameter refills: All the work may be done for it. Below descendants that is not said here: candidates lie inside
  ///   one another.
  func passes(_ plan: Int, _ value: JSON, refills: Bool) throws(JSONError) -> Bool {
    guard let context = contexts[plan] else { return true }
    // Nothing that is asked begins at the root; errors name its place.
    context.setRoot(value)
    if refills, plans[plan].levelsUp == 0 { context.refill() }
    guard case .filter(let filter) = cursor.automaton.plans[plan].action else { return true }
    return try context.test(filter, value)
  }

  /// Asks the tail of a plan. What is left when there is enough for now is found when it is asked for.
  mutating func evaluate(_ plan: Int, _ value: JSON, _ place: MatchLocation) throws(JSONError) {
    guard let context = contexts[plan] else { return }
    var evaluator = PathEvaluator(cursor.automaton.plans[plan].tail, from: value, context)
    var last: PackedValue?
    while let match = try evaluator.nextValue() {
      settle(plan)
      // Once the document is kept, a copy would save nothing.
      if last == nil, MatchQueue.copies(match) {
        var matchLocation = place
        matchLocation.append(try evaluator.locate())
        try queue.append(copying: match, plan, matchLocation, order: order(plan))
      } else {
        try queue.append(plan, match, in: place, after: &last, order: order(plan))
      }
      if waits(plan) {
        queue.append(begun: plan, place)
        begun = BegunCandidate(plan: plan, value: value, place: place, evaluator: evaluator)
        return
      }
    }
    try reach(plan, value)
  }

  /// Remembers whether the tail could select something, where it has selected nothing.
  private mutating func reach(_ plan: Int, _ value: JSON) throws(JSONError) {
    guard matchCounts[plan] == 0, !plans[plan].reachedInTail, let context = contexts[plan] else { return }
    plans[plan].reachedInTail = try PathEvaluator.reachesLast(
      of: cursor.automaton.plans[plan].tail[...], from: value, context)
  }

  // MARK: Candidates that wait

  /// The next match of the candidate that stands first in the queue; `nil` if it has none left, and then it is gone.
  @inline(never)
  mutating func nextOfCandidate() throws(JSONError) -> JSONMatch? {
    if queue.first?.content == .candidate { try beginFirst() }
    guard var candidate = begun else { return nil }
    begun = nil
    if let (value, location) = try candidate.evaluator.next() {
      settle(candidate.plan)
      var place = candidate.place
      place.append(location)
      let plan = candidate.plan
      begun = candidate
      return JSONMatch(
        value: value, byteRange: value.byteRange ?? 0..<0, path: plan,
        name: queue.name(Int32(truncatingIfNeeded: plan)), place: place.copy())
    }
    queue.removeFirst()
    try reach(candidate.plan, candidate.value)
    return nil
  }

  private mutating func beginFirst() throws(JSONError) {
    let document = Document.reusing(&spareCandidate)
    guard let (entry, place) = queue.beginCandidate(into: document) else { return }
    let plan = Int(entry.plan)
    let value = JSON(document, Document.root)
    guard let context = contexts[plan], try passes(plan, value, refills: entry.refills) else {
      return queue.removeFirst()
    }
    begun = BegunCandidate(
      plan: plan, value: value, place: place,
      evaluator: PathEvaluator(cursor.automaton.plans[plan].tail, from: value, context))
  }
}
