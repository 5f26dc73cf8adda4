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

  private static let textBytes = Sizes.of(1 << 17, fuzzing: 64)

  init(_ plan: FollowPlan) {
    self.plan = plan
    files = FollowedFiles(plan)
  }

  var canReadAtOnce: Bool { !copied.isUsed }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int {
    if copied.isUsed {
      copied.begin(at: offset)
      let skipped = produce()
      if let origin = copied.finishChunk(skipping: skipped) { origins?.append(origin) }
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
      if let skipped = readFiles() { return skipped }
      if isEnding || copied.text.bytes.count > 0 { return 0 }
      plan.beforeWait()
      let rest = (nextCheck ?? .now) - .now
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

  /// Reads the files in turn, until the chunk is full or none of them has more. Returns the number of bytes of the last line that were
  /// not kept if the chunk is full.
  private func readFiles() -> Int? {
    if let number = waiting.take(), let skipped = take(number) { return skipped }
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
          if let skipped = take(number) { return skipped }
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

  /// Appends the lines of the block to the text. Returns the number of bytes of its last line that were not kept if the chunk is full.
  private func take(_ number: UInt16) -> Int? {
    // SAFETY: the range of a block lies in its memory, which does not change here.
    let bytes = unsafe UnsafeRawBufferPointer(
      start: block.memory.base + block.range.lowerBound, count: block.range.count)
    var start = 0
    var line = block.line
    while start < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
      let count = unsafe ByteScan.lineFeed(rest).map { $0 + 1 } ?? rest.count
      copied.text.note(block.offset + start, index: copied.text.bytes.count, line: line, .copied, of: number)
      unsafe copied.text.bytes.append(UnsafeRawBufferPointer(rebasing: rest[..<count]))
      start += count
      line += 1
    }
    if copied.text.bytes.last != ASCII.lineFeed { copied.text.bytes.append(ASCII.lineFeed) }
    copied.isValidated = false
    let skipped = block.skippedBytes
    block.range = 0..<0
    if block.isLong { block = LineBlock() }
    return skipped > 0 || copied.text.bytes.count >= Self.textBytes ? skipped : nil
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
