/// The text of several files that grow: their lines as they arrive, those of each file in their order.
///
/// Each file has a descriptor, and one thread reads them in turn. The lines are copied as they are, with their places: the reader of
/// the text is that of any other text.
final class FollowedText: ByteReader {
  let origins: TextOrigins? = TextOrigins()
  let wouldBlock = false
  private let plan: FollowPlan
  private var files: FollowedFiles
  /// The index of the file that is read next.
  private var turn = 0
  private var copied = CopiedText()
  private var block = LineBlock()
  /// The number of the file of a block that was read and is not in the text yet: a line that is too long is a chunk of its own.
  private var waiting: UInt16?
  private var nextCheck: ContinuousClock.Instant?
  private var isEnding = false
  private let merge: LiveMerge?
  /// The error that ends the text.
  private var failure: JSONError?

  init(_ plan: FollowPlan) {
    self.plan = plan
    files = FollowedFiles(plan)
    merge = plan.merge.map { LiveMerge($0.plan, waiting: $0.wait) }
  }

  var canReadAtOnce: Bool { !copied.isUsed }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int {
    if copied.isUsed {
      copied.begin(at: offset)
      let skipped = produce()
      if let origin = copied.finishChunk(skipping: skipped) { origins?.append(origin) }
    }
    // The text before an error is read first.
    if copied.isUsed, let failure {
      origins?.failure = TextOrigins.Failure(error: failure, stopReason: nil, input: merge?.failed ?? 0)
      throw failure
    }
    return unsafe copied.read(into: buffer)
  }

  /// Makes text, and waits until there is some. Returns the number of bytes of its last line that were not kept.
  private func produce() -> Int {
    while true {
      if !isEnding, plan.isDone() {
        isEnding = true
        files.finish()
      }
      if !isEnding, nextCheck ?? .now <= .now { check() }
      if let skipped = if let merge { mergeFiles(merge) } else { readFiles() } { return skipped }
      if isEnding || failure != nil || copied.text.bytes.count > 0 { return 0 }
      plan.beforeWait()
      let next = nextCheck ?? .now
      let rest = min(next, merge?.deadline ?? next) - .now
      // A signal ends the wait.
      File.pause(microseconds: Int(max(rest, .milliseconds(1)) / .microseconds(1)))
    }
  }

  private func check() {
    let start = ContinuousClock.now
    files.look()
    // A check of very many files takes at most a tenth of the time.
    let end = ContinuousClock.now
    nextCheck = end + max(plan.interval, (end - start) * 10)
  }

  /// Reads the files in the order of time, as ``readFiles()`` does in turn.
  private func mergeFiles(_ merge: LiveMerge) -> Int? {
    guard failure == nil else { return nil }
    do throws(JSONError) {
      return try merge.write(&files, to: &copied, isEnding: isEnding) { (file, error) in
        if let error { plan.fail(error, file.path, false) }
        // If it was truncated, it is read from its start.
        nextCheck = nil
      }
    } catch {
      failure = error
      return nil
    }
  }

  /// Reads the files in turn, until the chunk is full or none of them has more. Returns the number of bytes of the last line that were
  /// not kept if the chunk is full.
  private func readFiles() -> Int? {
    if let number = waiting.take(), let skipped = copied.take(&block, of: number) { return skipped }
    var idle = 0
    while idle < files.open.count {
      if turn >= files.open.count { turn = 0 }
      let file = files.open[turn]
      guard file.isReady, let number = file.number else {
        idle += 1
        turn += 1
        continue
      }
      idle = 0
      do throws(JSONError) {
        switch try file.next(into: &block) {
        case .block:
          turn += 1
          if block.skippedBytes > 0, copied.text.bytes.count > 0 {
            waiting = number
            return 0
          }
          if let skipped = copied.take(&block, of: number) { return skipped }
        case .wouldBlock: turn += 1
        case .end:
          files.end(turn)
          // If it was truncated, it is read from its start.
          nextCheck = nil
        }
      } catch {
        files.close(turn)
        plan.fail(error, file.path, false)
      }
    }
    return nil
  }
}

extension JSONSource {
  /// The records of several files that grow, one on each line, as they arrive. The thread that reads waits for them.
  package static func following(_ plan: FollowPlan) -> JSONSource {
    // SAFETY: the source is opened and read on the thread that made it.
    nonisolated(unsafe) let plan = plan
    return .reading(name: nil) { () throws(JSONError) in unsafe FollowedText(plan) }
  }
}
