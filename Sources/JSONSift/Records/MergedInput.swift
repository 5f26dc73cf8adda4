/// The place of the next line of an input among those of the others.
struct MergeKey: BitwiseCopyable, Comparable {
  let time: Int128
  let input: Int

  @inline(__always)
  static func < (left: MergeKey, right: MergeKey) -> Bool {
    left.time != right.time ? left.time < right.time : left.input < right.input
  }
}

/// A line of an input.
struct MergedLine: BitwiseCopyable, Comparable {
  /// Its time in attoseconds since 1970; ``none`` if it has none. Once its place is known, the time that it is sorted by.
  var time: Int128
  /// The number of the line among those that were read.
  var number = 0
  /// The range of the line in memory, with its line feed.
  var index: Int
  let count: Int
  /// The number of further bytes, which were not kept, if the line is too long for a record.
  let skippedBytes: Int
  /// Where it lies in the input.
  let offset: Int
  let line: Int
  /// Whether the line is known to be JSON.
  let isValidated: Bool

  static let none = Int128.min

  static func < (left: MergedLine, right: MergedLine) -> Bool {
    left.time != right.time ? left.time < right.time : left.number < right.number
  }
}

/// An input of a merge.
final class MergedInput {
  private let number: Int
  /// The file whose lines arrive over time; `nil` for a part of the plan.
  private let file: FollowedFile?
  /// The number of the input in the text.
  private(set) var source: UInt16
  private let plan: MergePlan
  private let readBytes: Int
  /// The input before its first line, and after that.
  private var window: ReadWindow?
  private var cutter: LineCutter?
  private var isClosed = false
  private var failure: JSONError?
  private var times: TimeReader
  private var block = LineBlock()
  /// The lines of the block, and the number of those whose place is known.
  private var lines = PlainVector<MergedLine>()
  private var used = 0
  /// The number of lines so far.
  private var count = 0
  /// The next line of the merged text.
  private var next: MergedLine?
  /// The time by which the line before was sorted, that of the last line that was passed on, and the latest one.
  private var previous = MergedLine.none
  private var passed = MergedLine.none
  private var latest = MergedLine.none
  /// With a slack: the lines that may not be the next ones yet, and their bytes.
  private var held = MergeHeap<MergedLine>()
  private var heldText = ByteBuffer(capacity: 0)
  /// The memory that the bytes are moved to, so that none is allocated.
  private var spareText = ByteBuffer(capacity: 0)
  private var heldBytes = 0
  var maxHeldBytes: Int
  /// Whether lines may be held back at all.
  var isHolding = true

  /// The number of bytes of lines that were passed on, above which the others are moved together.
  private static let maxUnusedBytes = Sizes.of(1 << 16, fuzzing: 64)
  /// The most memory that is kept for the next move.
  private static let keptSpareBytes = Sizes.of(1 << 20, fuzzing: 128)
  /// The memory that a line takes besides its text.
  static let entryBytes = MemoryLayout<MergedLine>.stride

  init(_ plan: MergePlan, _ number: Int, of file: FollowedFile? = nil, readBytes: Int = 0) throws(JSONError) {
    (self.plan, self.number, self.file, self.readBytes) = (plan, number, file, readBytes)
    source = UInt16(truncatingIfNeeded: number)
    maxHeldBytes = plan.maxSlackBytes / max(plan.parts.count, 1)
    times = try TimeReader(blocks: plan.options, plan.times)
  }

  var key: MergeKey { MergeKey(time: next?.time ?? MergedLine.none, input: number) }

  /// Whether ``advance()`` does not wait for the process that writes the input.
  var canReadAtOnce: Bool { cutter.borrow { $0.canReadAtOnce } ?? false }

  func close() {
    window = nil
    cutter = nil
    isClosed = true
    block = LineBlock()
    lines = PlainVector()
    used = 0
  }

  enum Answer { case line, end, wouldBlock }

  /// Finds the next line.
  func advance() throws(JSONError) -> Answer {
    if let failure { throw failure }
    while true {
      if try findNext() { return .line }
      guard !isClosed else { return .end }
      if cutter == nil, file == nil, try !open() { return isClosed ? .end : .wouldBlock }
      switch try nextBlock() {
      case .wouldBlock: return .wouldBlock
      case .block: readTimes()
      case .end:
        close()
        // What was held back is passed on.
        if try findNext() { return .line }
        return .end
      }
    }
  }

  private func nextBlock() throws(JSONError) -> LineCutter.Answer {
    guard let file else { return try cutter?.next(into: block) ?? .end }
    source = file.number ?? source
    return try file.next(into: &block)
  }

  /// Lets lines of earlier times be too late: other inputs have passed on lines up to this time.
  func raise(to time: Int128) {
    passed = max(passed, time)
    previous = max(previous, time)
  }

  /// Whether lines are held back because of the slack.
  var hasHeldLines: Bool { held.count > 0 }

  /// Opens the input, and goes to the first line. Returns `false` if the input would block, and if it is empty.
  private func open() throws(JSONError) -> Bool {
    let part = plan.parts[number]
    var options = plan.options
    options.range = part.range
    var window =
      if let window = self.window.take() { window } else { try ReadWindow(part.source, readBytes: readBytes) }
    guard let framing = try window.framingAtOnce(options, name: part.source.name, resumingAt: nil) else {
      self.window = consume window
      return false
    }
    if window.isAtEnd, window.count == 0 {
      close()
      return false
    }
    guard framing == .lines else {
      throw JSONError(.unreadable, at: 0, .reason("expected records that are lines, found \(framing)"))
        .naming(part.source.file)
    }
    guard try window.skipToStart(options, .lines, resumingAt: nil) else {
      self.window = consume window
      return false
    }
    options.framing = .lines
    cutter = LineCutter(window, options, isEager: true)
    return true
  }

  private func readTimes() {
    lines.removeAll()
    used = 0
    let shift = block.offset - block.range.lowerBound
    let skippedBytes = block.skippedBytes
    var lines = PlainVector<MergedLine>()
    swap(&lines, &self.lines)
    times.read(block) { range, line, time, isValidated in
      lines.append(
        MergedLine(
          time: time?.attoseconds ?? MergedLine.none, index: range.lowerBound, count: range.count,
          skippedBytes: skippedBytes, offset: shift + range.lowerBound, line: line, isValidated: isValidated))
    }
    swap(&lines, &self.lines)
  }

  // MARK: The next line

  /// Finds the next line in memory. Returns `false` if more must be read.
  private func findNext() throws(JSONError) -> Bool {
    guard plan.slack > 0 else {
      guard used < lines.count else { return false }
      var line = lines[used]
      used += 1
      try place(&line)
      pass(line)
      return true
    }
    while true {
      if let first = held.first, isClosed || !isHolding || isFull || first.time <= horizon {
        held.removeFirst()
        heldBytes -= first.count
        pass(first)
        return true
      }
      guard used < lines.count else { return false }
      var line = lines[used]
      used += 1
      try place(&line)
      hold(&line)
    }
  }

  private func pass(_ line: MergedLine) {
    passed = line.time
    next = line
  }

  /// The time before which no further line is expected.
  private var horizon: Int128 {
    let (time, overflows) = latest.subtractingReportingOverflow(plan.slack)
    return max(overflows ? MergedLine.none : time, passed)
  }

  /// Whether more is held back than may be. Of short lines the entries take more memory than the text.
  private var isFull: Bool { heldBytes + held.count * Self.entryBytes > maxHeldBytes }

  /// Sets the time by which a line is sorted: its own; if it has none, that of the line before; if it is too late, that of the last
  /// line that was passed on.
  private func place(_ line: inout MergedLine) throws(JSONError) {
    line.number = count
    count += 1
    guard line.time != MergedLine.none else { return line.time = previous }
    if line.time < passed {
      plan.tally.addLate(
        of: Int(source), line: line.line, Instant(attoseconds: line.time), after: Instant(attoseconds: passed))
      if plan.stopsAtLate { throw lateError(line) }
      line.time = passed
    }
    latest = max(latest, line.time)
    previous = line.time
  }

  private func lateError(_ line: MergedLine) -> JSONError {
    let (time, before) = (Instant(attoseconds: line.time).text, Instant(attoseconds: passed).text)
    return JSONError(
      .outOfOrder, at: line.offset,
      .reason("expected a time from \(before) on, found \(time), which needs a larger slack")
    ).located(at: JSONError.Position(byteOffset: line.offset, line: line.line, column: 1))
  }

  /// Copies a line, because others may stand before it.
  private func hold(_ line: inout MergedLine) {
    if heldText.count > heldBytes + heldBytes / 2 + Self.maxUnusedBytes { moveTogether() }
    let index = heldText.count
    unsafe heldText.append(bytes(ofRead: line))
    line.index = index
    heldBytes += line.count
    held.insert(line)
  }

  private func moveTogether() {
    // The memory that is needed before the next call, so that it is not doubled.
    let needed = heldBytes + heldBytes / 2 + 2 * Self.maxUnusedBytes
    spareText.removeAll()
    if spareText.memory.capacity < needed { spareText = ByteBuffer(capacity: needed) }
    held.change { line in
      let index = spareText.count
      unsafe heldText.withBytes(in: line.index..<(line.index + line.count)) { unsafe spareText.append($0) }
      line.index = index
    }
    swap(&heldText, &spareText)
    spareText.removeAll(keepingAtMost: Self.keptSpareBytes)
  }

  /// SAFETY: the range of a line lies in the range of the block.
  private func bytes(ofRead line: MergedLine) -> UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: block.memory.base + line.index, count: line.count)
  }

  // MARK: Text

  struct Written {
    var hasNext = true
    var isFull = true
    var skippedBytes = 0
    /// The time of the last line.
    var time = MergedLine.none
    /// Whether each of the lines is known to be JSON.
    var isValidated = true
  }

  /// Appends the next line, and those after it that are in memory and before `bound`.
  func write(to text: inout StepText, before bound: MergeKey?, atMost limit: Int) -> Written {
    var written = Written()
    while let line = next {
      // Such a line is a chunk of its own.
      if line.skippedBytes > 0, text.bytes.count > 0 { return written }
      append(line, to: &text)
      written.time = line.time
      if !line.isValidated { written.isValidated = false }
      next = nil
      do throws(JSONError) {
        written.hasNext = try findNext()
      } catch {
        // Thrown by ``advance()``, after the lines before it.
        (failure, written.hasNext) = (error, false)
      }
      written.skippedBytes = line.skippedBytes
      written.isFull = line.skippedBytes > 0 || text.bytes.count >= limit
      if !written.hasNext || written.isFull { return written }
      if let bound, bound < key { return written }
    }
    return written
  }

  private func append(_ line: MergedLine, to text: inout StepText) {
    text.note(line.offset, index: text.bytes.count, line: line.line, .copied, of: source)
    if plan.slack > 0 {
      unsafe heldText.withBytes(in: line.index..<(line.index + line.count)) { unsafe text.bytes.append($0) }
    } else {
      unsafe text.bytes.append(bytes(ofRead: line))
    }
    if text.bytes.last != ASCII.lineFeed { text.bytes.append(ASCII.lineFeed) }
  }
}
