/// Rules out lines of a window before they are parsed, as long as that pays off.
///
/// A line is *ruled out* if it lacks the required literals: byte sequences without which the condition cannot hold. It is
/// *undecided* if the validation that it is JSON cannot decide; the parser decides then.
struct LinePrefilter {
  let literalFilter: LiteralPrefilter
  /// Whether ruled-out lines are validated, and parsed if they are undecided: needed where bad lines count.
  let validates: Bool
  /// The maximum number of bytes that are searched together. A longer line is never ruled out: it could exceed the record
  /// limit, or the condition its step limit, and both are errors.
  private let maxBytes: Int
  /// The number of lines that were ruled out.
  private(set) var ruledOut = 0
  /// The lines up to this offset are ruled out: they are not searched again after an undecided place.
  private var ruledOutEnd = 0

  // Statistics since the last decision whether the prefilter pays off.
  private var candidates = 0
  private var seenBytes = 0
  private var skippedBytes = 0
  /// The prefilter is off for lines before this offset: they are parsed without a search.
  private var offUntil = 0
  private var offBytes = Self.minOffBytes
  /// The end of the lines that are left out; see ``leaveOut(to:)``.
  private var leftOutEnd = 0

  /// The gain is evaluated after this number of lines that were not ruled out.
  private static let trial = Sizes.of(64, fuzzing: 3)
  private static let minOffBytes = Sizes.of(1 << 20, fuzzing: 64)
  private static let maxOffBytes = Sizes.of(1 << 26, fuzzing: 512)

  /// The minimum share of the bytes, in eighths, that must be ruled out. Searching for required literals costs about a
  /// tenth of parsing.
  private var minGainEighths: Int { isDecidedByTexts && kernelAccepts ? 6 : 1 }
  /// Whether texts are enough to evaluate the condition, and whether the kernel that finds them accepts the lines.
  private var isDecidedByTexts = false
  private var kernelAccepts = true

  /// Returns `nil` if there is no condition, if it requires no literals, or if the options forbid the prefilter.
  init?(_ condition: JSONCondition?, _ options: JSONRecordOptions) {
    guard let condition, options.prefilter != .never, let literalFilter = LiteralPrefilter(condition) else {
      return nil
    }
    self.literalFilter = literalFilter
    guard options.prefilter == .automatic else {
      maxBytes = options.reading.limits.recordBytes
      validates = false
      return
    }
    validates = options.recovery != .skip || options.maxErrors != nil
    guard let work = literalFilter.work, !validates || (ValidationScan.isOn && !options.skipsPrefix) else { return nil }
    maxBytes = min(options.reading.limits.recordBytes, work.maxBytes(within: options.reading.limits.querySteps))
  }

  /// Returns whether lines that begin at this offset are searched.
  func isOn(at offset: Int) -> Bool { offset >= offUntil && offset >= leftOutEnd }

  /// Declares that the lines before an offset are parsed without a search.
  mutating func leaveOut(to offset: Int) { leftOutEnd = offset }

  /// Returns the first lines, as many as are searched together; `nil` if the first line alone is too long.
  func chunk(of lines: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? { unsafe lines.firstLines(within: maxBytes) }

  /// Returns the length in bytes of the lines at the start of a chunk that are ruled out.
  mutating func ruleOut(_ lines: UnsafeRawBufferPointer, at offset: Int) -> Int {
    if offset < ruledOutEnd { return min(ruledOutEnd - offset, lines.count) }
    let candidate = unsafe literalFilter.firstCandidate(in: lines)
    let bytes = candidate ?? lines.count
    skippedBytes += bytes
    if candidate != nil { candidates += 1 }
    if candidates >= Self.trial { evaluateGain(at: offset + bytes) }
    if validates { ruledOutEnd = offset + bytes }
    return bytes
  }

  /// Declares that a kernel evaluates the condition of many lines at once where the prefilter is off, if it accepts the
  /// lines. That costs about a third of parsing, so the prefilter must rule out more to pay off.
  mutating func decideByTexts() { isDecidedByTexts = true }

  /// Notes whether the kernel accepts the lines after those that it has read.
  mutating func note(kernelAccepts accepts: Bool) {
    guard isDecidedByTexts, accepts != kernelAccepts else { return }
    kernelAccepts = accepts
    if !accepts { (offUntil, offBytes) = (0, Self.minOffBytes) }
  }

  /// Counts lines that were ruled out and skipped.
  mutating func count(_ lines: Int) { ruledOut += lines }

  /// Resets the offsets: the next lines may begin at any offset.
  mutating func begin() { (ruledOutEnd, leftOutEnd) = (0, 0) }

  /// Returns whether a bad line is ruled out, so that it is not an error. The result does not depend on how the lines were
  /// cut into windows and blocks, nor on where the prefilter was off.
  mutating func rulesOut(_ line: UnsafeRawBufferPointer) -> Bool {
    guard !validates, unsafe literalFilter.firstCandidate(in: line) == nil else { return false }
    ruledOut += 1
    return true
  }

  /// Counts the bytes of a line that was not ruled out.
  mutating func parsed(_ bytes: Int, at offset: Int) { if isOn(at: offset) { seenBytes += bytes } }

  private mutating func evaluateGain(at offset: Int) {
    if skippedBytes < (skippedBytes + seenBytes) / 8 &* minGainEighths {
      offUntil = offset + offBytes
      offBytes = min(offBytes * 2, Self.maxOffBytes)
    } else {
      offBytes = Self.minOffBytes
    }
    candidates = 0
    seenBytes = 0
    skippedBytes = 0
  }
}

extension JSONRecordReader {
  /// Sets up the prefilter, if the condition and the options allow it.
  ///
  /// - Parameters:
  ///   - condition: The condition that each record must satisfy.
  ///   - options: The policy for bad records, which the reader's owner may apply instead of the reader.
  mutating func prefilter(by condition: JSONCondition?, _ options: JSONRecordOptions) {
    prefilter = LinePrefilter(condition, options)
    if prefilter?.validates == true { validation = RecordValidation(.ruledOutLines, options.reading) }
  }

  /// The number of lines that were skipped without parsing because the condition cannot hold for them.
  var ruledOutLines: Int { prefilter?.ruledOut ?? 0 }

  /// Whether lines may be ruled out that are not validated, so that bad ones are not reported as errors.
  var rulesOutUnvalidated: Bool { prefilter?.validates == false }

  /// Skips complete lines that are ruled out, up to the first one that is not, or that is undecided.
  mutating func skipRuledOutLines() { while skipRuledOutChunk() {} }

  /// Skips one chunk. Returns whether all of it was ruled out, and another chunk follows.
  private mutating func skipRuledOutChunk() -> Bool {
    let start = window.offset
    let validates = prefilter?.validates == true
    guard !validates || start >= validation?.parsedEnd ?? 0, let all = unsafe completeLines(),
      let lines = unsafe prefilter?.chunk(of: all), let bytes = unsafe prefilter?.ruleOut(lines, at: start)
    else { return false }
    let ruledOut = unsafe UnsafeRawBufferPointer(rebasing: lines[..<bytes])
    let passed =
      unsafe (validates ? validation?.validate(ruledOut, at: start) : nil)
      ?? (bytes: bytes, lines: ByteScan.countLineFeeds(ruledOut), records: 0)
    prefilter?.count(passed.lines)
    use(passed.bytes, lines: passed.lines)
    return passed.bytes == lines.count && lines.count < all.count && prefilter?.isOn(at: window.offset) == true
  }

  /// Returns the complete lines in the window, with their line feeds; `nil` if there are none.
  mutating func completeLines() -> UnsafeRawBufferPointer? {
    if window.offset >= lineCuts.end {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[lineCuts.searched...])
      guard let last = unsafe ByteScan.lastLineFeed(rest) else { return nil }
      lineCuts.end = window.offset + lineCuts.searched + last + 1
    }
    return unsafe UnsafeRawBufferPointer(rebasing: window.bytes.prefix(lineCuts.end - window.offset))
  }

  /// Uses up lines that return no record.
  mutating func use(_ bytes: Int, lines: Int) {
    guard bytes > 0 else { return }
    window.use(bytes)
    nextLine += lines
    lineCuts.searched = 0
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the longest prefix of complete lines that has at most `limit` bytes; `nil` if the first line is longer.
  func firstLines(within limit: Int) -> UnsafeRawBufferPointer? {
    guard count > limit else { return unsafe self }
    let first = unsafe UnsafeRawBufferPointer(rebasing: self[..<Swift.max(limit, 0)])
    return unsafe ByteScan.lastLineFeed(first).map { unsafe UnsafeRawBufferPointer(rebasing: first[...$0]) }
  }
}
