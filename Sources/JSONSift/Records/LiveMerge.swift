/// Merges the lines of followed files in the order of their times.
///
/// A line is passed on when each other file has a later one, or when it has waited long enough for the files that have none. What
/// was written to a file before a check has waited since that check, however long it takes to read it: only new lines wait.
final class LiveMerge {
  private let plan: MergePlan
  private let wait: Duration
  /// The files whose next lines are known, by the numbers of their inputs, and the order of these lines.
  private var known: [Int: FollowedFile] = [:]
  private var order = MergeHeap<MergeKey>()
  /// The other open files.
  private var pending: [FollowedFile] = []
  /// The number of files so far.
  private var count = 0
  /// The latest time that was passed on.
  private var passed = MergedLine.none
  /// When the next line has waited long enough; `nil` if there is none.
  private(set) var deadline: ContinuousClock.Instant?
  /// The number of the file in which a record has ended the text.
  private(set) var failed = 0

  init(_ plan: MergePlan, waiting wait: Duration) {
    (self.plan, self.wait) = (plan, wait)
    plan.tally.begin()
  }

  /// Takes the files that were opened since the last call.
  private func take(_ files: FollowedFiles) throws(JSONError) {
    for file in files.open where file.merged == nil {
      file.merged = try MergedInput(plan, count, of: file)
      pending.append(file)
      count += 1
    }
    for file in files.open { file.merged?.maxHeldBytes = plan.maxSlackBytes / max(files.open.count, 1) }
  }

  /// Appends lines to a text until it is full, or until no line may be passed on. Returns the number of bytes of the last line that
  /// were not kept if the text is full.
  ///
  /// - Parameters:
  ///   - isEnding: Whether no line waits any more.
  ///   - ended: Called for a file that was read to its end, or can be read no further.
  /// - Throws: The error of a record that is too late, if it ends the text.
  func write(
    _ files: inout FollowedFiles, to copied: inout CopiedText, isEnding: Bool,
    ended: (FollowedFile, JSONError?) -> Void
  ) throws(JSONError) -> Int? {
    deadline = nil
    try take(files)
    var isWaiting = try findLines(&files, ended)
    while let first = order.first, let file = known[first.input], let input = file.merged {
      if isWaiting, !isEnding, !hasWaited(file.arrival) { return nil }
      let written = input.write(to: &copied.text, before: order.second, atMost: CopiedText.chunkBytes)
      passed = max(passed, written.time)
      if !written.isValidated { copied.isValidated = false }
      if written.hasNext {
        order.replaceFirst(input.key)
      } else {
        order.removeFirst()
        known[first.input] = nil
        pending.append(file)
      }
      if written.isFull { return written.skippedBytes }
      if !written.hasNext { isWaiting = try findLines(&files, ended) }
    }
    return nil
  }

  /// Returns whether lines that arrived at a time have waited long enough; otherwise sets the deadline.
  private func hasWaited(_ arrival: ContinuousClock.Instant) -> Bool {
    let end = arrival + wait
    if end <= .now { return true }
    deadline = min(deadline ?? end, end)
    return false
  }

  /// Finds the next lines of the files that may have one. Returns whether others are waited for.
  private func findLines(
    _ files: inout FollowedFiles, _ ended: (FollowedFile, JSONError?) -> Void
  ) throws(JSONError) -> Bool {
    while true {
      var isWaiting = false
      // A file that ends may stand before another one.
      var hasEnded = false
      var rest: [FollowedFile] = []
      for file in pending {
        guard let input = file.merged else { continue }
        // Lines that are held back for their place in the file wait no longer than others.
        input.isHolding = file.isOpen && !(input.hasHeldLines && hasWaited(file.arrival))
        guard file.isReady || !file.isOpen || input.hasHeldLines && !input.isHolding else {
          rest.append(file)
          if !file.isBehind { isWaiting = true }
          continue
        }
        input.raise(to: passed)
        var failure: JSONError?
        do throws(JSONError) {
          switch try input.advance() {
          case .line:
            known[input.key.input] = file
            order.insert(input.key)
            continue
          case .wouldBlock:
            rest.append(file)
            isWaiting = true
            continue
          case .end: break
          }
        } catch {
          failed = Int(input.source)
          guard error.position == nil else { throw error }
          failure = error
        }
        hasEnded = true
        if let index = files.open.firstIndex(where: { $0 === file }) {
          if failure == nil { files.end(index) } else { files.close(index) }
        }
        ended(file, failure)
      }
      pending = rest
      if !hasEnded { return isWaiting }
    }
  }
}
