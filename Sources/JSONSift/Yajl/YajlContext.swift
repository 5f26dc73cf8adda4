private import CYajl

/// What the callbacks touch: one struct behind a raw pointer, so that no callback meets a class, a reference count or a
/// closure. Each callback appends one ``TapeWord``; nothing of the caller runs inside libyajl, so libyajl cannot be
/// entered again, and no Swift error can cross it. Storage and callbacks share this file, so that nobody else can touch
/// the raw pointers.
///
/// The words begin behind a header of four. It holds a start of an array and one of an object, each with its link: when
/// the words of one window are thrown away, the containers that are still open stand on these.
@safe struct YajlContext: ~Copyable {
  static let headerWords = 4
  private static let arrayHeader: UInt32 = 0
  private static let objectHeader: UInt32 = 2

  /// An open container: the index of its word, and its children so far.
  private struct Frame {
    var index: UInt32
    var children: UInt32 = 0
  }

  /// The words, in `tape`.
  private(set) var base: UnsafeMutablePointer<UInt64>
  private var next: UnsafeMutablePointer<UInt64>
  /// Before this place two words fit.
  private var roomEnd: UnsafeMutablePointer<UInt64>
  private var tape: RawMemory

  /// The window: bytes that lie side by side in memory, of which libyajl is fed the last part. Offsets in words count
  /// from its first byte.
  private var window: UnsafeRawBufferPointer
  private var windowAddress: UInt
  private var windowCount: UInt
  private var fedOffset: Int

  /// libyajl's handle, for one question: how many bytes it has consumed.
  var handle: OpaquePointer?

  /// The innermost open container.
  private var frame: Frame
  private(set) var depth: Int
  private var frames: UnsafeMutablePointer<Frame>
  private var frameCapacity: Int

  private let limits: JSONLimits
  private let replacesLoneSurrogates: Bool
  private let fastStringLimit: Int
  private let fastKeyLimit: Int
  private let fastNumberLimit: Int
  /// The end of the last text whose length did not fit its word.
  private var longEnd: Int
  /// The end of the last event before the words were thrown away.
  private(set) var parked: JSONError?

  init(options: JSONOptions) {
    limits = options.limits
    replacesLoneSurrogates = options.loneSurrogates == .replace
    fastStringLimit = min(max(options.limits.stringBytes, 0), TapeWord.longLength - 1)
    fastKeyLimit = min(max(options.limits.keyBytes, 0), TapeWord.longLength - 1)
    fastNumberLimit = min(max(options.limits.numberBytes, 0), TapeWord.longLength - 1)
    tape = RawMemory(capacity: 4096)
    unsafe base = tape.base.assumingMemoryBound(to: UInt64.self)
    unsafe next = base
    unsafe roomEnd = base
    frameCapacity = min(max(options.limits.depth, 0), 32)
    unsafe frames = UnsafeMutablePointer<Frame>.allocate(capacity: max(frameCapacity, 1))
    unsafe window = UnsafeRawBufferPointer(start: nil, count: 0)
    windowAddress = 0
    windowCount = 0
    fedOffset = 0
    unsafe handle = nil
    frame = Frame(index: 0)
    depth = 0
    longEnd = 0
    parked = nil
    adoptTape()
  }

  deinit { unsafe frames.deallocate() }

  // MARK: Storage

  /// Points everything at `tape` and writes the header.
  private mutating func adoptTape() {
    unsafe base = tape.base.assumingMemoryBound(to: UInt64.self)
    unsafe base[0] = TapeWord(.arrayStart, at: 0).bits
    unsafe base[1] = 0
    unsafe base[2] = TapeWord(.objectStart, at: 0).bits
    unsafe base[3] = 0
    unsafe next = base + Self.headerWords
    setRoom()
  }

  private mutating func setRoom() {
    unsafe roomEnd = base + max(tape.capacity / 8 - 1, 0)
  }

  /// Starts a new text: no words, nothing open.
  mutating func reset() {
    unsafe next = base + Self.headerWords
    frame = Frame(index: 0)
    depth = 0
    longEnd = 0
    parked = nil
  }

  /// Makes room for a text of `byteCount` bytes. A byte makes at most two words: a long text gets the address space for
  /// that, so that its tape is never copied; a short one gets a start to grow from.
  mutating func reserve(forBytes byteCount: Int) {
    let bound = min(max(limits.tapeBytes, 4096), JSONLimits.largestTape)
    let worst = byteCount < bound / 16 - Self.headerWords ? (byteCount + Self.headerWords) * 16 : bound
    let start = min(max(byteCount, 4096), worst)
    guard tape.capacity < (byteCount >= Self.longText ? worst : start) else { return }
    tape =
      byteCount >= Self.longText ? RawMemory.reserving(upperBound: worst, start: start) : RawMemory(capacity: start)
    adoptTape()
  }

  static let longText = 1 << 18

  var tapeCapacity: Int { tape.capacity }

  /// Hands the words over and goes on with `memory`.
  mutating func exchangeTape(_ memory: consuming RawMemory) -> RawMemory {
    memory.grow(to: 4096, keeping: 0)
    swap(&tape, &memory)
    adoptTape()
    return memory
  }

  /// Lets somebody else write the words of a whole text behind the header. `body` returns how many there are, with it.
  ///
  /// - Returns: Whether it did.
  mutating func fill(_ body: (inout RawMemory) -> Int?) -> Bool {
    reset()
    let count = body(&tape)
    adoptTape()
    guard let count, count <= tape.capacity / 8 else { return false }
    unsafe next = base + count
    return true
  }

  /// How many words there are, with the header.
  var wordCount: Int {
    // `next` is never before `base`: a shift is a third of the instructions of a signed division.
    unsafe Int(bitPattern: (UInt(bitPattern: next) &- UInt(bitPattern: base)) &>> 3)
  }

  var words: UnsafeBufferPointer<UInt64> { unsafe UnsafeBufferPointer(start: base, count: wordCount) }

  /// Throws the words away. What is open stays open, on the header.
  mutating func flush() {
    unsafe next = base + Self.headerWords
    guard depth > 0 else { return }
    frame.index = header(of: frame)
    var level = depth - 1
    while level > 0, unsafe frames[level].index >= UInt32(Self.headerWords) {
      unsafe frames[level].index = header(of: frames[level])
      level -= 1
    }
  }

  /// The container of the header that stands for this one.
  private func header(of frame: Frame) -> UInt32 {
    unsafe TapeWord(bits: base[Int(frame.index)]).kind == .arrayStart ? Self.arrayHeader : Self.objectHeader
  }

  /// The kinds of the open containers, as in ``GrammarState``.
  var kinds: [UInt64] {
    var kinds = [UInt64](repeating: 0, count: (depth + 63) / 64)
    // SAFETY: `frames` holds those around the innermost, one for each level above it. The index of each is that of its word,
    // or of the header's word that stands for it, and both are on the tape as long as it is open.
    for level in 0..<depth {
      let frame = unsafe level == depth - 1 ? frame : frames[level + 1]
      if unsafe TapeWord(bits: base[Int(frame.index)]).kind == .objectStart {
        kinds[level / 64] |= 1 << UInt64(level % 64)
      }
    }
    return kinds
  }

  private mutating func grow() -> Bool {
    let used = wordCount * 8
    let bound = min(limits.tapeBytes, JSONLimits.largestTape)
    guard tape.capacity < bound else {
      parked = JSONError(.tapeLimit, at: endOfLastEvent ?? 0, limit: limits.tapeBytes)
      return false
    }
    tape.grow(to: min(tape.capacity * 2, bound), keeping: used)
    unsafe base = tape.base.assumingMemoryBound(to: UInt64.self)
    unsafe next = base + used / 8
    setRoom()
    guard unsafe next < roomEnd else {
      parked = JSONError(.tapeLimit, at: endOfLastEvent ?? 0, limit: limits.tapeBytes)
      return false
    }
    return true
  }

  // MARK: Window

  /// Sets the bytes that the next words refer to. They must stay where they are until `parse` has returned.
  mutating func setWindow(_ bytes: UnsafeRawBufferPointer, fedFrom fed: Int) {
    unsafe window = bytes
    windowAddress = UInt(bitPattern: bytes.baseAddress)
    windowCount = UInt(bitPattern: bytes.count)
    fedOffset = fed
  }

  // MARK: Where the grammar stands

  /// The word of the last event, or `nil` if there is none since the last flush.
  private var lastEvent: TapeWord? {
    let count = wordCount
    guard count > Self.headerWords else { return nil }
    let start = Int(frame.index)
    if depth > 0, start + 2 == count { return unsafe TapeWord(bits: base[start]) }
    return unsafe TapeWord(bits: base[count - 1])
  }

  /// Whether the last event is there, and a number or word.
  var lastIsWord: Bool {
    switch lastEvent?.kind {
    case .number, .true, .false, .null: true
    default: false
    }
  }

  private var endOfLastEvent: Int? {
    guard let last = lastEvent else { return nil }
    return last.isLong ? longEnd : last.end
  }

  /// Brings `grammar` to the place after the last event. Without a new event it stays where it was.
  func update(_ grammar: inout Grammar) -> Bool {
    guard let last = lastEvent else { return false }
    grammar.lastEnd = last.isLong ? longEnd : last.end
    grammar.lastIsNumber = last.kind == .number
    if last.kind.isStart {
      grammar.state = last.kind == .arrayStart ? .firstElement : .firstKey
    } else if last.kind.isKey {
      grammar.state = .colon
    } else if depth == 0 {
      grammar.state = .end
    } else {
      let open = unsafe TapeWord(bits: base[Int(frame.index)]).kind
      grammar.state = open == .arrayStart ? .afterElement : .afterMember
    }
    return true
  }
}

// MARK: Events, called by libyajl

/// Static, with a pointer in place of `self`, and a slow way that is the last call of each: so the usual way saves and
/// restores no register (a third fewer instructions for each event).
///
/// SAFETY of `context`: see ``YajlHandle``; it is libyajl's `void *`.
extension YajlContext {
  typealias Pointer = UnsafeMutablePointer<YajlContext>

  /// The offset after the event's last byte.
  @inline(__always)
  private var consumedEnd: Int { unsafe fedOffset &+ Int(yajl_get_bytes_consumed(handle)) }

  @inline(__always)
  private mutating func append(_ word: TapeWord) {
    // SAFETY: every caller has seen `next < roomEnd`, and `setRoom` leaves two words behind that.
    unsafe next.pointee = word.bits
    unsafe next += 1
  }

  @inline(__always)
  static func scalar(_ context: Pointer, _ kind: EventKind, length: Int) -> Int32 {
    guard unsafe context.pointee.next < context.pointee.roomEnd else { return unsafe slowScalar(context, kind, length) }
    unsafe context.pointee.append(TapeWord(kind, at: context.pointee.consumedEnd &- length))
    unsafe context.pointee.frame.children &+= 1
    return 1
  }

  @inline(never)
  private static func slowScalar(_ context: Pointer, _ kind: EventKind, _ length: Int) -> Int32 {
    guard unsafe context.pointee.grow() else { return 0 }
    return unsafe scalar(context, kind, length: length)
  }

  @inline(__always)
  static func number(_ context: Pointer, _ text: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
    let place = unsafe UInt(bitPattern: text) &- context.pointee.windowAddress
    guard unsafe place < context.pointee.windowCount, unsafe count <= context.pointee.fastNumberLimit,
      unsafe context.pointee.next < context.pointee.roomEnd
    else { return unsafe slowNumber(context, count) }
    unsafe context.pointee.append(TapeWord(.number, at: Int(bitPattern: place), length: count))
    unsafe context.pointee.frame.children &+= 1
    return 1
  }

  /// A number that is long or came in pieces.
  @inline(never)
  private static func slowNumber(_ context: Pointer, _ count: Int) -> Int32 {
    unsafe context.pointee.slowNumber(count)
  }

  private mutating func slowNumber(_ count: Int) -> Int32 {
    let offset = consumedEnd &- count
    if count > limits.numberBytes {
      parked = JSONError(.numberLimit, at: offset, limit: limits.numberBytes)
      return 0
    }
    guard unsafe next < roomEnd || grow() else { return 0 }
    append(TapeWord(.number, at: offset, length: min(count, TapeWord.longLength)))
    longEnd = offset &+ count
    frame.children &+= 1
    return 1
  }

  /// The bytes lie in the window only if the text has no escape and no earlier window had a part of it.
  @inline(__always)
  static func string(_ context: Pointer, _ text: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let place = unsafe UInt(bitPattern: text) &- context.pointee.windowAddress
    guard unsafe place < context.pointee.windowCount, unsafe count <= context.pointee.fastStringLimit,
      unsafe context.pointee.next < context.pointee.roomEnd
    else { return unsafe slowString(context, count) }
    unsafe context.pointee.append(TapeWord(.string, at: Int(bitPattern: place &- 1), length: count))
    unsafe context.pointee.frame.children &+= 1
    return 1
  }

  @inline(__always)
  static func key(_ context: Pointer, _ text: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let place = unsafe UInt(bitPattern: text) &- context.pointee.windowAddress
    guard unsafe place < context.pointee.windowCount, unsafe count <= context.pointee.fastKeyLimit,
      unsafe context.pointee.next < context.pointee.roomEnd
    else { return unsafe slowKey(context, count) }
    unsafe context.pointee.append(TapeWord(.key, at: Int(bitPattern: place &- 1), length: count))
    return 1
  }

  @inline(never)
  private static func slowString(_ context: Pointer, _ decodedCount: Int) -> Int32 {
    unsafe context.pointee.slowText(decodedCount, isKey: false)
  }

  @inline(never)
  private static func slowKey(_ context: Pointer, _ decodedCount: Int) -> Int32 {
    unsafe context.pointee.slowText(decodedCount, isKey: true)
  }

  /// A text that is escaped, long, or came in pieces.
  private mutating func slowText(_ decodedCount: Int, isKey: Bool) -> Int32 {
    let end = consumedEnd
    // The first byte after the last event that is neither white space nor punctuation is the opening quote.
    var index = endOfLastEvent ?? 0
    while unsafe index < window.count, unsafe window[index] != ASCII.quote { index += 1 }
    let first = index + 1
    let last = min(end &- 1, unsafe window.count)
    guard first <= last else {
      parked = JSONError(.unexpectedByte, at: end)
      return 0
    }
    let count = last - first
    let offset = index
    let limit = isKey ? limits.keyBytes : limits.stringBytes
    guard count <= limit else {
      // Half a pair before the byte with which the text has become too long comes first.
      let allowed = unsafe UnsafeRawBufferPointer(rebasing: window[first..<(first + max(limit, 0))])
      if !replacesLoneSurrogates, let lone = unsafe SurrogateEscapes.firstLone(in: allowed, isOpen: true) {
        parked = JSONError(.loneSurrogate, at: offset &+ 1 &+ lone)
      } else {
        parked = JSONError(isKey ? .keyLimit : .stringLimit, at: offset, limit: limit)
      }
      return 0
    }
    // Decoding an escape always makes the text shorter.
    let isEscaped = count != decodedCount
    // Half a pair as an escape is six bytes, and three at most when it is decoded: a text that has lost fewer has none.
    if count &- decodedCount >= 3, !replacesLoneSurrogates,
      let lone = unsafe SurrogateEscapes.firstLone(in: UnsafeRawBufferPointer(rebasing: window[first..<last]))
    {
      parked = JSONError(.loneSurrogate, at: offset &+ 1 &+ lone)
      return 0
    }
    guard unsafe next < roomEnd || grow() else { return 0 }
    let kind: EventKind = isKey ? (isEscaped ? .escapedKey : .key) : (isEscaped ? .escapedString : .string)
    append(TapeWord(kind, at: offset, length: min(count, TapeWord.longLength)))
    if count >= TapeWord.longLength { longEnd = end }
    if !isKey { frame.children &+= 1 }
    return 1
  }

  @inline(__always)
  static func start(_ context: Pointer, _ kind: EventKind) -> Int32 {
    guard unsafe context.pointee.next < context.pointee.roomEnd,
      unsafe context.pointee.depth < context.pointee.frameCapacity
    else { return unsafe slowStart(context, kind) }
    unsafe context.pointee.push(kind, at: context.pointee.consumedEnd &- 1)
    return 1
  }

  @inline(__always)
  private mutating func push(_ kind: EventKind, at offset: Int) {
    frame.children &+= 1
    // SAFETY: both callers have seen `depth < frameCapacity`.
    unsafe frames[depth] = frame
    depth &+= 1
    frame = Frame(index: UInt32(truncatingIfNeeded: wordCount))
    append(TapeWord(kind, at: offset))
    append(TapeWord(bits: 0))
  }

  @inline(never)
  private static func slowStart(_ context: Pointer, _ kind: EventKind) -> Int32 {
    unsafe context.pointee.slowStart(kind)
  }

  private mutating func slowStart(_ kind: EventKind) -> Int32 {
    let offset = consumedEnd &- 1
    guard depth < limits.depth else {
      parked = JSONError(.depthLimit, at: offset, limit: limits.depth)
      return 0
    }
    guard unsafe next < roomEnd || grow() else { return 0 }
    if depth == frameCapacity {
      // Never beyond the limit: the quick way looks at the capacity only.
      let capacity = min(frameCapacity * 2, limits.depth)
      let larger = UnsafeMutablePointer<Frame>.allocate(capacity: capacity)
      unsafe larger.update(from: frames, count: depth)
      unsafe frames.deallocate()
      unsafe frames = larger
      frameCapacity = capacity
    }
    push(kind, at: offset)
    return 1
  }

  @inline(__always)
  static func end(_ context: Pointer, _ kind: EventKind) -> Int32 {
    guard unsafe context.pointee.next < context.pointee.roomEnd else { return unsafe slowEnd(context, kind) }
    unsafe context.pointee.pop(kind)
    return 1
  }

  @inline(never)
  private static func slowEnd(_ context: Pointer, _ kind: EventKind) -> Int32 {
    guard unsafe context.pointee.grow() else { return 0 }
    unsafe context.pointee.pop(kind)
    return 1
  }

  @inline(__always)
  private mutating func pop(_ kind: EventKind) {
    append(TapeWord(kind, at: consumedEnd &- 1))
    // SAFETY: libyajl ends only what it has started, so `depth` is at least 1 and `frame` an index that `push` made.
    unsafe base[Int(frame.index) &+ 1] = UInt64(frame.children) &<< 32 | UInt64(truncatingIfNeeded: wordCount)
    depth &-= 1
    frame = unsafe frames[depth]
  }
}
