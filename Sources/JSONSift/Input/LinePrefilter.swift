/// Rules out lines of a window before they are parsed, as long as that pays.
struct LinePrefilter {
  let literalFilter: LiteralPrefilter
  /// Bad lines count, so those that are ruled out are proven to be JSON, and parsed if they are in doubt.
  let proves: Bool
  /// The maximum number of bytes that are searched together. A longer line could exceed the record limit, or make the condition
  /// exceed its step limit, and both are errors.
  private let maxBytes: Int
  /// How many lines were ruled out.
  private(set) var ruledOut = 0
  /// Up to this offset all lines are ruled out: what a doubt leaves of them is not looked through again.
  private var ruledOutEnd = 0

  // What was gained lately.
  private var candidates = 0
  private var seenBytes = 0
  private var passedBytes = 0
  /// Up to this offset all lines are parsed.
  private var asideUntil = 0
  private var asideBytes = Self.minAside

  /// After so many lines that were not ruled out it is asked whether that pays.
  private static let trial = 64
  /// To look for needles costs about a tenth of what parsing does.
  private static let minGain = 8
  private static let minAside = 1 << 20
  private static let maxAside = 1 << 26

  /// `nil` if there is no condition, if it names no needles, or if the options do not allow it.
  init?(_ condition: JSONCondition?, _ options: JSONRecordOptions) {
    guard let condition, options.prefilter != .never, let literalFilter = LiteralPrefilter(condition) else {
      return nil
    }
    self.literalFilter = literalFilter
    guard options.prefilter == .automatic, !options.reading.fastForward else {
      maxBytes = options.reading.limits.recordBytes
      proves = false
      return
    }
    proves = options.recovery != .skip || options.maximumErrors != nil
    guard let steps = literalFilter.stepsPerByte, !proves || (ProofScan.isOn && !options.skipsPrefix) else {
      return nil
    }
    maxBytes = min(options.reading.limits.recordBytes, options.reading.limits.querySteps / max(steps, 1))
  }

  /// Whether lines that begin here are looked at.
  func isOn(at offset: Int) -> Bool { offset >= asideUntil }

  /// The first of some lines that are looked at together; `nil` if the first line alone is too long.
  func piece(of lines: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? { unsafe lines.firstLines(within: maxBytes) }

  /// How many bytes at the start of a piece, whole lines, are ruled out.
  mutating func pass(_ lines: UnsafeRawBufferPointer, at offset: Int) -> Int {
    if offset < ruledOutEnd { return min(ruledOutEnd - offset, lines.count) }
    let candidate = unsafe literalFilter.firstCandidate(in: lines)
    let bytes = candidate ?? lines.count
    passedBytes += bytes
    if candidate != nil { candidates += 1 }
    if candidates >= Self.trial { judge(at: offset + bytes) }
    if proves { ruledOutEnd = offset + bytes }
    return bytes
  }

  /// Counts lines that are ruled out, and gone over.
  mutating func count(_ lines: Int) { ruledOut += lines }

  /// The next lines may begin at any offset.
  mutating func begin() { ruledOutEnd = 0 }

  /// Whether a line is one that is ruled out where lines are looked at. A bad one is no error, wherever it stands: so it
  /// does not matter how the lines were cut into windows and blocks, and where this stepped aside.
  mutating func rulesOut(_ line: UnsafeRawBufferPointer) -> Bool {
    guard !proves, unsafe literalFilter.firstCandidate(in: line) == nil else { return false }
    ruledOut += 1
    return true
  }

  /// The bytes of a line that was not ruled out.
  mutating func parsed(_ bytes: Int, at offset: Int) { if isOn(at: offset) { seenBytes += bytes } }

  private mutating func judge(at offset: Int) {
    if passedBytes < (passedBytes + seenBytes) / Self.minGain {
      asideUntil = offset + asideBytes
      asideBytes = min(asideBytes * 2, Self.maxAside)
    } else {
      asideBytes = Self.minAside
    }
    candidates = 0
    seenBytes = 0
    passedBytes = 0
  }
}

extension JSONRecordReader {
  /// Looks at lines before they are parsed, if the condition and the options allow it.
  ///
  /// - Parameter options: What is done about bad records, which may be done by somebody else.
  mutating func prefilter(by condition: JSONCondition?, _ options: JSONRecordOptions) {
    prefilter = LinePrefilter(condition, options)
    if prefilter?.proves == true { proof = RecordProof(.ruledOutLines, options.reading) }
  }

  /// Goes past the whole lines that are ruled out, up to the first that is not, or of which it is not proven that it is JSON.
  mutating func passRuledOutLines() { while passRuledOutPiece() {} }

  /// Returns whether all of a piece was ruled out, and there is another.
  private mutating func passRuledOutPiece() -> Bool {
    let start = window.offset
    let proves = prefilter?.proves == true
    guard !proves || start >= proof?.parsedEnd ?? 0, let all = unsafe completeLines(),
      let lines = unsafe prefilter?.piece(of: all), let bytes = unsafe prefilter?.pass(lines, at: start)
    else { return false }
    let ruledOut = unsafe UnsafeRawBufferPointer(rebasing: lines[..<bytes])
    let passed =
      unsafe (proves ? proof?.pass(ruledOut, at: start) : nil)
      ?? (bytes: bytes, lines: ByteScan.countLineFeeds(ruledOut), records: 0)
    prefilter?.count(passed.lines)
    use(passed.bytes, lines: passed.lines)
    return passed.bytes == lines.count && lines.count < all.count && prefilter?.isOn(at: window.offset) == true
  }

  /// The lines that stand in the window with their line feed; `nil` if there is none.
  mutating func completeLines() -> UnsafeRawBufferPointer? {
    if window.offset >= linesEnd {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: window.bytes[searched...])
      guard let last = unsafe ByteScan.lastLineFeed(rest) else { return nil }
      linesEnd = window.offset + searched + last + 1
    }
    return unsafe UnsafeRawBufferPointer(rebasing: window.bytes.prefix(linesEnd - window.offset))
  }

  /// Goes past lines without a record.
  mutating func use(_ bytes: Int, lines: Int) {
    guard bytes > 0 else { return }
    window.use(bytes)
    nextLine += lines
    searched = 0
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the longest prefix of whole lines that has at most `most` bytes; `nil` if the first line is longer.
  func firstLines(within most: Int) -> UnsafeRawBufferPointer? {
    guard count > most else { return unsafe self }
    let first = unsafe UnsafeRawBufferPointer(rebasing: self[..<Swift.max(most, 0)])
    return unsafe ByteScan.lastLineFeed(first).map { unsafe UnsafeRawBufferPointer(rebasing: first[...$0]) }
  }
}
