/// The bytes of a stream that are in memory: what is not used yet, and room to read more. It grows only for a record that
/// is longer than it.
struct ReadWindow: ~Copyable {
  /// How much is read at once: small enough for the processor's cache, large enough that the calls do not count.
  static let readBytes = 1 << 18
  /// So many used bytes stay in memory when more are read: for the text around an error.
  static let keptBytes = 128

  /// `nil` where bytes are pushed.
  private var source: ByteSource?
  private var memory: RawMemory
  /// Bytes before this are none of the input.
  private var first = 0
  private var start = 0
  private var end = 0
  /// The offset in the input of the first byte that is not used.
  private(set) var offset: Int
  private(set) var isAtEnd = false
  /// So many reads are left before the rest is read ahead, if it ever is.
  private var readsBeforeAhead: Int?
  /// Is given what is read ahead, on the thread that reads it and before it comes here.
  var inspector: SharedChecker?
  /// All that comes from here on has been given to it.
  private(set) var isInspectedAhead = false
  /// While a guess waits for more: what the first line is.
  private var firstLine: JSONFraming.FirstLine?
  /// How many lines behind a damaged first line are no records.
  private var linesBehindFirst = 0
  /// Is told where a checkpoint stood in the middle of a line, before more than white space, and where the next one begins.
  private let passedLine: ((Int, Int) -> Void)?
  /// While the rest of a line is gone over: what was in it so far.
  private var lineRest: LineRest?

  private enum LineRest { case blank, text }

  /// - Parameters:
  ///   - offset: How many bytes of the input are gone over.
  ///   - readsAhead: A long file is read by a thread of its own, while its owner works.
  init(
    _ source: JSONSource, startingAt offset: Int = 0, readBytes: Int = Self.readBytes, readsAhead: Bool = false
  ) throws(JSONError) {
    var bytes = try ByteSource(source)
    _ = try bytes.skip(offset, of: offset)
    self.source = consume bytes
    passedLine = source.passedLine
    self.offset = offset
    memory = RawMemory(capacity: Self.keptBytes + readBytes)
    (first, start, end) = (Self.keptBytes, Self.keptBytes, Self.keptBytes)
    readsBeforeAhead = readsAhead ? Self.readsBeforeAhead : nil
  }

  /// What stops soon reads no more than it would without a thread.
  private static let readsBeforeAhead = 4

  /// A window into which bytes are pushed, or that looks at a piece of an input that is there.
  init(pushedFrom offset: Int = 0) {
    source = nil
    passedLine = nil
    self.offset = offset
    memory = RawMemory(capacity: 0)
    readsBeforeAhead = nil
  }

  /// What is read into it.
  consuming func takeSource() -> ByteSource? { source }

  /// Takes bytes that follow.
  mutating func push(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, !isAtEnd else { return }
    makeRoom(for: bytes.count)
    unsafe (memory.base + end).copyMemory(from: base, byteCount: bytes.count)
    end += bytes.count
  }

  /// Says that no bytes follow.
  mutating func close() { isAtEnd = true }

  /// How many bytes it can hold without growing.
  var capacity: Int { memory.capacity }

  /// There is no room to read more behind the bytes that are there.
  var isFull: Bool { end == memory.capacity }

  /// How many bytes of a line that is too long were passed over behind the bytes that are there.
  private(set) var passedBytes = 0

  /// Takes other memory and the bytes in it, which begin at `newOffset` of the input. Gives the own in return, with the
  /// place of the bytes that are not used.
  mutating func exchange(_ other: inout RawMemory, holding range: Range<Int>, at newOffset: Int) -> Range<Int> {
    let own = start..<end
    swap(&memory, &other)
    first = range.lowerBound
    start = range.lowerBound
    end = range.upperBound
    offset = newOffset
    return own
  }

  /// Looks at a block of lines, as a whole.
  mutating func begin(_ block: LineBlock) {
    block.range = exchange(&block.memory, holding: block.range, at: block.offset)
    passedBytes = block.passedBytes
    isAtEnd = true
  }

  /// Gives a block its memory back.
  mutating func end(_ block: LineBlock) { block.range = exchange(&block.memory, holding: 0..<0, at: 0) }

  /// The bytes that are not used yet. Good until the next `fill`.
  var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: memory.base + start, count: end - start)
  }

  var count: Int { end - start }

  /// How the stream is cut. Afterwards the window stands at the checkpoint, if there is one.
  ///
  /// A guess looks at the start of the input also then: what is left of it can look like something else.
  mutating func framing(
    _ options: JSONRecordOptions, name: String?, resumingAt checkpoint: JSONCheckpoint?
  ) throws(JSONError) -> JSONFraming {
    let framing: JSONFraming
    if let known = try options.knownFraming(resumingAt: checkpoint) {
      framing = known
    } else {
      framing = try guessFraming(name: name)
    }
    if let checkpoint { _ = try skip(to: checkpoint, framing) }
    return framing
  }

  /// Goes on at a checkpoint. Of lines, one that a program made of an offset may stand in the middle of a line: then it goes
  /// on behind that, for the rest of a line is no record.
  ///
  /// - Returns: Whether it is reached; if it is not, the source has nothing yet, and this is to be called again.
  /// - Throws: ``JSONError/Code/unreadable`` if the input ends before it.
  mutating func skip(to checkpoint: JSONCheckpoint, _ framing: JSONFraming) throws(JSONError) -> Bool {
    let place = checkpoint.byteOffset
    guard framing == .lines, checkpoint.framing == nil, place > 0 else { return try skip(to: place) }
    // What is gone over is no part of what is read.
    defer { first = start }
    if offset < place {
      // The byte before tells whether a line begins there.
      guard try skip(to: place - 1, wanting: place) else { return false }
      if count == 0, try !fill() {
        guard wouldBlock else { throw ByteSource.tooShort(offset, place) }
        return false
      }
      unsafe lineRest = bytes[0] == ASCII.lineFeed ? nil : .blank
      use(1)
    }
    while let passed = lineRest {
      let feed = unsafe ByteScan.lineFeed(bytes)
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<(feed.map { $0 + 1 } ?? count)])
      let isBlank = unsafe ByteScan.whitespacePrefix(rest) == rest.count
      lineRest = passed == .blank && isBlank ? .blank : .text
      use(rest.count)
      if feed == nil {
        if try fill() { continue }
        if wouldBlock { return false }
      }
      if lineRest == .text { passedLine?(place, offset) }
      lineRest = nil
    }
    return true
  }

  /// ``skip(to:)``, of an input that is to be longer than that.
  private mutating func skip(to place: Int, wanting end: Int) throws(JSONError) -> Bool {
    do throws(JSONError) {
      return try skip(to: place)
    } catch {
      guard case .shortInput = error.payload else { throw error }
      throw ByteSource.tooShort(error.byteOffset, end)
    }
  }

  /// Goes on at an offset, if that is not behind the first byte that is not used.
  ///
  /// - Returns: Whether it is reached. It is not when the source has nothing yet and knows how to wait for more.
  /// - Throws: ``JSONError/Code/unreadable`` if the input ends before it.
  mutating func skip(to place: Int) throws(JSONError) -> Bool {
    guard place > offset else { return true }
    // What is gone over is no part of what is read.
    defer { first = start }
    use(min(place - offset, count))
    let left = place - offset
    guard left > 0 else { return true }
    if source?.isReadAhead == true {
      while offset < place {
        guard try fill() else { throw ByteSource.tooShort(offset, place) }
        use(min(place - offset, count))
      }
      return true
    }
    offset = place - (try source?.skip(left, of: place) ?? 0)
    return offset == place
  }

  /// Reads the first lines, as many as a guess needs, and guesses how the stream is cut. The answer is the same however
  /// the bytes arrive.
  mutating func guessFraming(name: String?) throws(JSONError) -> JSONFraming {
    while true {
      if let framing = guessedFraming(name: name) { return framing }
      _ = try fill()
    }
  }

  /// The same of the bytes that are there; `nil` if they are too few for it.
  mutating func guessedFraming(name: String?) -> JSONFraming? {
    guard count > 0 else { return isAtEnd ? JSONFraming.guess(name: name, head: []) : nil }
    // No JSON text begins with one.
    if unsafe bytes[0] == ASCII.recordSeparator { return .sequence }
    let named = JSONFraming.ofFile(named: name)
    if named == .lines { return .lines }
    let near = named == nil ? Self.maxFirstLine : Self.readBytes
    guard let kind = firstLine ?? kindOfFirstLine(within: near) else {
      // A first line without an end in sight is no line.
      if count >= near { return .document }
      return isAtEnd ? unsafe JSONFraming.guess(name: name, head: Array(bytes)) : nil
    }
    firstLine = kind
    // Who follows a file is not to wait for a second line: one document would have no reason to grow.
    if kind == .whole, named == nil || mayGrow { return .lines }
    // A document is not read far for what is behind its first line, unless that cannot be one of a document.
    let limit = kind == .cut ? near : Self.maxFirstLine
    let isAll = isAtEnd || count >= limit
    let start = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(limit))
    if kind == .whole {
      let first = unsafe head(lines: 1, within: limit)?.count ?? 0
      if unsafe start.dropFirst(first).contains(where: { !$0.isJSONWhitespace }) { return .lines }
      return isAll ? .document : nil
    }
    if kind.isDamaged {
      if hasRecord(within: limit) { return .lines }
      let isEnough = isAll || linesBehindFirst == JSONFraming.linesBehind
      return isEnough ? unsafe JSONFraming.guess(name: name, head: Array(start)) : nil
    }
    // The third line matters only if the second can be a record behind a first line that is cut.
    if let two = unsafe head(lines: 2, within: limit) {
      let head = unsafe Array(two)
      if !JSONFraming.mayHoldRecords(head) { return JSONFraming.guess(name: name, head: head) }
    }
    let head = unsafe head(lines: 3, within: limit) ?? (isAll ? start : nil)
    return unsafe head.map { unsafe JSONFraming.guess(name: name, head: Array($0)) }
  }

  /// Whether a record stands on one of the lines behind the first that have not been looked at.
  private mutating func hasRecord(within limit: Int) -> Bool {
    while linesBehindFirst < JSONFraming.linesBehind,
      let before = unsafe head(lines: 1 + linesBehindFirst, within: limit)?.count,
      let lines = unsafe head(lines: 2 + linesBehindFirst, within: limit)
    {
      let line = unsafe Array(UnsafeRawBufferPointer(rebasing: lines[before..<lines.count - 1]))
      if JSONFraming.isRecord(line[...]) { return true }
      linesBehindFirst += 1
    }
    return false
  }

  /// A line longer than this is not waited for: then the input is taken for one document.
  private static let maxFirstLine = 2 << 20

  /// `nil` if the first line does not end in the first bytes.
  private func kindOfFirstLine(within limit: Int) -> JSONFraming.FirstLine? {
    guard let line = unsafe head(lines: 1, within: limit) else { return nil }
    return unsafe JSONFraming.FirstLine(JSONFraming.firstLine(of: Array(line)))
  }

  /// The bytes up to the line feed of a line, counted from the first that is not blank; `nil` if it does not stand in the
  /// first bytes. No more of them are looked at, so that the answer does not depend on how many have come.
  private func head(lines: Int, within limit: Int) -> UnsafeRawBufferPointer? {
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: bytes.prefix(limit))
    var end = unsafe ByteScan.whitespacePrefix(bytes)
    for _ in 0..<lines {
      guard let feed = unsafe ByteScan.lineFeed(UnsafeRawBufferPointer(rebasing: bytes[end...])) else { return nil }
      end += feed + 1
    }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[..<end])
  }

  /// Bytes that are used and still in memory, before `bytes`.
  var usedBytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: memory.base + first, count: start - first)
  }

  /// Goes past `count` bytes.
  mutating func use(_ count: Int) {
    start += count
    offset += count
  }

  private mutating func makeRoom(for more: Int) {
    guard memory.capacity - end < more else { return }
    let kept = keptCount
    var range = (start - kept)..<end
    memory.moveToFront(&range, makingRoomFor: more)
    first = 0
    start = kept
    end = range.upperBound
  }

  /// How many of the used bytes stay.
  private var keptCount: Int { min(start - first, Self.keptBytes) }

  /// The source is a file that may grow.
  private var mayGrow: Bool {
    switch source {
    case .some(let source): source.mayGrow
    case .none: false
    }
  }

  /// The source has nothing yet, and knows how to wait for more.
  var wouldBlock: Bool {
    switch source {
    case .some(let source): source.wouldBlock
    case .none: false
    }
  }

  /// Reads once more behind the bytes that are there. Returns false at the end of the input, where bytes are pushed, and
  /// where the source is starved: then it may be asked again.
  mutating func fill() throws(JSONError) -> Bool {
    guard !isAtEnd, source != nil else { return false }
    if let left = readsBeforeAhead {
      readsBeforeAhead = left > 0 ? left - 1 : nil
      if left == 0 {
        let next = offset + count
        isInspectedAhead = source?.readAhead(from: next, inspectedBy: inspector) ?? false
      }
    }
    if source?.isReadAhead == true { return try takeBlock() }
    if start == end {
      // All of the room for each read: a file is read in the same steps as before.
      let kept = keptCount
      let front = min(Self.keptBytes, memory.capacity - 1)
      if kept <= front {
        // SAFETY: both stretches lie before `start` or in the first `keptBytes`, which the memory has.
        unsafe (memory.base + (front - kept)).copyMemory(from: memory.base + (start - kept), byteCount: kept)
        (first, start, end) = (front - kept, front, front)
      }
    }
    makeRoom(for: 1)
    let room = unsafe UnsafeMutableRawBufferPointer(start: memory.base + end, count: memory.capacity - end)
    let place = offset + self.count
    let count = try unsafe source?.read(into: room, at: place) ?? 0
    guard count > 0 else {
      isAtEnd = !wouldBlock
      return false
    }
    end += count
    return true
  }

  /// Takes a block that was read ahead.
  private mutating func takeBlock() throws(JSONError) -> Bool {
    let kept = keptCount
    var range = (start - kept)..<end
    let place = offset + count
    guard try source?.nextBlock(into: &memory, behind: &range, at: place) ?? 0 > 0 else {
      isAtEnd = true
      return false
    }
    first = range.lowerBound
    start = first + kept
    end = range.upperBound
    return true
  }
}

extension ReadWindow {
  /// The text around a place, as far as it is in memory; `nil` if the place is not.
  ///
  /// - Parameters:
  ///   - lineStart: Where the line begins on which the place is.
  ///   - limit: How many of the bytes that are not used may be shown.
  func excerpt(at place: Int, lineStart: Int, limit: Int = .max) -> SourceExcerpt? {
    let before = unsafe usedBytes.suffix(Self.keptBytes)
    let begin = unsafe offset - before.count
    guard place >= begin else { return nil }
    let shown = min(max(place - offset, 0) + Self.keptBytes, limit)
    let text = unsafe Array(before) + bytes.prefix(shown)
    return SourceExcerpt(around: place - begin, in: text, beginsInLine: begin > lineStart)
  }

  /// Reads on until the line of a place is there, as far as an excerpt shows it: after an error. Only what can be had
  /// without waiting for it.
  mutating func completeLine(of place: Int) {
    while true {
      let behind = unsafe UnsafeRawBufferPointer(rebasing: bytes.dropFirst(max(place - offset, 0)))
      if behind.count >= Self.keptBytes { return }
      if unsafe ByteScan.lineFeed(behind) != nil { return }
      guard source?.canReadAtOnce == true, (try? fill()) == true else { return }
    }
  }
}
