private import CYajl

/// The state of the callbacks: one struct behind a raw pointer, so that no callback uses a class, a reference count or a
/// closure. Each callback appends one ``TapeWord``. No code of the caller runs inside libyajl, so libyajl cannot be
/// re-entered, and no Swift error can cross it. Storage and callbacks share this file, so that no other code can access the
/// raw pointers.
///
/// The tape words follow a header of four words. It contains the start of an array and the start of an object, each with its
/// link. When the tape words of a window are discarded, the containers that are still open refer to these two instead.
@safe struct YajlContext: ~Copyable {
  static let headerWords = 4
  private static let arrayHeader: UInt32 = 0
  private static let objectHeader: UInt32 = 2

  /// An open container: the index of its tape word, and the number of its children so far.
  private struct Frame {
    var index: UInt32
    var children: UInt32 = 0
  }

  /// The start of the tape words, in `tape`.
  private(set) var base: UnsafeMutablePointer<UInt64>
  private var next: UnsafeMutablePointer<UInt64>
  /// Two tape words fit at each address before this one.
  private var roomEnd: UnsafeMutablePointer<UInt64>
  private var tape: RawMemory

  /// The window: contiguous bytes. libyajl is fed the last part of them. Offsets in tape words count from its first byte.
  private var window: UnsafeRawBufferPointer
  private var windowAddress: UInt
  private var windowCount: UInt
  private var fedOffset: Int
  private var firstOffset: Int

  /// libyajl's handle. Only used to read the number of bytes that it has consumed.
  var handle: OpaquePointer?

  /// The innermost open container.
  private var frame: Frame
  private(set) var depth: Int
  /// The containers around the innermost one, one for each level above it.
  ///
  /// Worth it: a `PlainVector`, which checks each index, takes 1.3 % more instructions (Scripts/measure instructions, events).
  private var frames: UnsafeMutablePointer<Frame>
  private var frameCapacity: Int

  private let limits: JSONLimits
  private let replacesLoneSurrogates: Bool
  private let fastStringLimit: Int
  private let fastKeyLimit: Int
  private let fastNumberLimit: Int
  /// The end of the last text whose length did not fit in its tape word.
  private var longEnd: Int
  /// The error that stopped a callback. It is thrown after libyajl has returned.
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
    firstOffset = 0
    unsafe handle = nil
    frame = Frame(index: 0)
    depth = 0
    longEnd = 0
    parked = nil
    adoptTape()
  }

  deinit { unsafe frames.deallocate() }

  // MARK: Storage

  /// Sets all pointers to `tape` and writes the header.
  private mutating func adoptTape() {
    unsafe base = tape.base.assumingMemoryBound(to: UInt64.self)
    unsafe base[0] = TapeWord(.arrayStart, at: 0).bits
    unsafe base[1] = 0
    unsafe base[2] = TapeWord(.objectStart, at: 0).bits
    unsafe base[3] = 0
    unsafe next = base + Self.headerWords
    setRoom()
  }

  private mutating func setRoom() { unsafe roomEnd = base + max(tape.capacity / 8 - 1, 0) }

  /// Starts a new text: removes all tape words and closes all containers.
  mutating func reset() {
    unsafe next = base + Self.headerWords
    frame = Frame(index: 0)
    depth = 0
    longEnd = 0
    parked = nil
  }

  /// Reserves memory for a text of `byteCount` bytes. A byte produces at most two tape words. A long text gets the address
  /// space for that maximum, so that its tape is never copied; a short text gets a small block that can grow.
  mutating func reserve(forBytes byteCount: Int) {
    let bound = min(limits.effectiveTapeBytes, JSONLimits.maxTapeBytes)
    let maxByteCount = byteCount < bound / 16 - Self.headerWords ? (byteCount + Self.headerWords) * 16 : bound
    let start = min(max(byteCount, 4096), maxByteCount)
    guard tape.capacity < (byteCount >= Self.longText ? maxByteCount : start) else { return }
    tape =
      byteCount >= Self.longText
      ? RawMemory.reserving(upperBound: maxByteCount, start: start) : RawMemory(capacity: start)
    adoptTape()
  }

  static let longText = Sizes.of(1 << 18, fuzzing: 256)

  var tapeCapacity: Int { tape.capacity }

  /// Returns the current tape and continues with `memory`.
  mutating func exchangeTape(_ memory: consuming RawMemory) -> RawMemory {
    memory.grow(to: 4096, keeping: 0)
    swap(&tape, &memory)
    adoptTape()
    return memory
  }

  /// Lets `body` write the tape words of a complete text after the header. `body` returns their number, including the
  /// header, or `nil`.
  ///
  /// - Returns: Whether `body` has written the tape words.
  mutating func fill(_ body: (inout RawMemory) -> Int?) -> Bool {
    reset()
    let count = body(&tape)
    adoptTape()
    guard let count, count <= tape.capacity / 8 else { return false }
    unsafe next = base + count
    return true
  }

  /// The number of tape words, including the header.
  var wordCount: Int {
    // `next` is never before `base`, so a shift suffices. It takes a third of the instructions of a signed division.
    unsafe Int(bitPattern: (UInt(bitPattern: next) &- UInt(bitPattern: base)) &>> 3)
  }

  var words: UnsafeBufferPointer<UInt64> { unsafe UnsafeBufferPointer(start: base, count: wordCount) }

  /// Discards the tape words. Open containers stay open and refer to the header.
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

  /// Returns the index of the container in the header that replaces this one.
  private func header(of frame: Frame) -> UInt32 {
    unsafe TapeWord(bits: base[Int(frame.index)]).kind == .arrayStart ? Self.arrayHeader : Self.objectHeader
  }

  /// The kinds of the open containers, encoded as in ``GrammarState``.
  var kinds: [UInt64] {
    var kinds = [UInt64](repeating: 0, count: (depth + 63) / 64)
    // SAFETY: `frames` holds the containers around the innermost one, one for each level above it. The index of a frame is
    // the index of its tape word, or of the tape word in the header that replaces it. Both are on the tape as long as the
    // container is open.
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
    let bound = min(limits.tapeBytes, JSONLimits.maxTapeBytes)
    guard tape.capacity < bound else {
      parked = JSONError(.tapeLimit, at: endOfLastEvent ?? firstOffset, limit: limits.tapeBytes)
      return false
    }
    tape.grow(to: min(tape.capacity * 2, bound), keeping: used)
    unsafe base = tape.base.assumingMemoryBound(to: UInt64.self)
    unsafe next = base + used / 8
    setRoom()
    guard unsafe next < roomEnd else {
      parked = JSONError(.tapeLimit, at: endOfLastEvent ?? firstOffset, limit: limits.tapeBytes)
      return false
    }
    return true
  }

  // MARK: Window

  /// Sets the bytes that the next tape words refer to. They must stay at their address until `parse` has returned.
  ///
  /// - Parameter first: The offset from which the first token of a window without earlier events is searched for. Bytes
  ///   before it belong to other values.
  mutating func setWindow(_ bytes: UnsafeRawBufferPointer, fedFrom fed: Int, first: Int) {
    unsafe window = bytes
    firstOffset = first
    windowAddress = UInt(bitPattern: bytes.baseAddress)
    windowCount = UInt(bitPattern: bytes.count)
    fedOffset = fed
  }

  // MARK: Grammar

  /// The tape word of the last event, or `nil` if there is no event since the last flush.
  private var lastEvent: TapeWord? {
    let count = wordCount
    guard count > Self.headerWords else { return nil }
    let start = Int(frame.index)
    if depth > 0, start + 2 == count { return unsafe TapeWord(bits: base[start]) }
    return unsafe TapeWord(bits: base[count - 1])
  }

  /// Whether there is a last event, and it is a number or literal.
  var lastIsNumberOrLiteral: Bool {
    switch lastEvent?.kind {
    case .number, .true, .false, .null: true
    default: false
    }
  }

  private var endOfLastEvent: Int? {
    guard let last = lastEvent else { return nil }
    return last.isLong ? longEnd : last.end
  }

  /// Advances `grammar` to the state after the last event. Without a new event the state does not change.
  ///
  /// - Returns: Whether there was a new event.
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

/// Static functions with a pointer instead of `self`. The slow path of each is a tail call, so the fast path saves and
/// restores no register (a third fewer instructions for each event).
///
/// SAFETY of `context`: see ``YajlHandle``; it is libyajl's `void *`.
extension YajlContext {
  typealias Pointer = UnsafeMutablePointer<YajlContext>

  /// The offset after the event's last byte.
  private var consumedEnd: Int { unsafe fedOffset &+ Int(yajl_get_bytes_consumed(handle)) }

  private mutating func append(_ word: TapeWord) {
    // SAFETY: every caller has checked `next < roomEnd`, and `setRoom` reserves two tape words from that address on.
    unsafe next.pointee = word.bits
    unsafe next += 1
  }

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

  static func number(_ context: Pointer, _ text: UnsafePointer<CChar>?, _ count: Int) -> Int32 {
    let offset = unsafe UInt(bitPattern: text) &- context.pointee.windowAddress
    guard unsafe offset < context.pointee.windowCount, unsafe count <= context.pointee.fastNumberLimit,
      unsafe context.pointee.next < context.pointee.roomEnd
    else { return unsafe slowNumber(context, count) }
    unsafe context.pointee.append(TapeWord(.number, at: Int(bitPattern: offset), length: count))
    unsafe context.pointee.frame.children &+= 1
    return 1
  }

  /// Appends a number that is long or was split between windows.
  @inline(never)
  private static func slowNumber(_ context: Pointer, _ count: Int) -> Int32 { unsafe context.pointee.slowNumber(count) }

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

  /// Appends a string. Its bytes lie in the window only if it has no escape and no part of it was in an earlier window.
  static func string(_ context: Pointer, _ text: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let offset = unsafe UInt(bitPattern: text) &- context.pointee.windowAddress
    guard unsafe offset < context.pointee.windowCount, unsafe count <= context.pointee.fastStringLimit,
      unsafe context.pointee.next < context.pointee.roomEnd
    else { return unsafe slowString(context, count) }
    unsafe context.pointee.append(TapeWord(.string, at: Int(bitPattern: offset &- 1), length: count))
    unsafe context.pointee.frame.children &+= 1
    return 1
  }

  static func key(_ context: Pointer, _ text: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    let offset = unsafe UInt(bitPattern: text) &- context.pointee.windowAddress
    guard unsafe offset < context.pointee.windowCount, unsafe count <= context.pointee.fastKeyLimit,
      unsafe context.pointee.next < context.pointee.roomEnd
    else { return unsafe slowKey(context, count) }
    unsafe context.pointee.append(TapeWord(.key, at: Int(bitPattern: offset &- 1), length: count))
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

  /// Appends a string or key that is escaped, long, or was split between windows.
  private mutating func slowText(_ decodedCount: Int, isKey: Bool) -> Int32 {
    let end = consumedEnd
    // The first byte after the last event that is neither white space nor punctuation is the opening quote.
    var index = endOfLastEvent ?? firstOffset
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
      // A lone surrogate before the byte at which the text exceeds its limit is reported first.
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
    // A lone surrogate is six bytes as an escape and at most three bytes when decoded. A text that lost fewer than three
    // bytes contains no lone surrogate.
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

  // Forced inlining in this file saves 2.5 % of `events` (Scripts/measure instructions).
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
    // SAFETY: both callers have checked `depth < frameCapacity`.
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
      // The capacity never exceeds the limit, because the fast path checks only the capacity.
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
    // SAFETY: libyajl ends only containers that it has started, so `depth` is at least 1 and `frame` has an index from
    // `push`.
    unsafe base[Int(frame.index) &+ 1] = UInt64(frame.children) &<< 32 | UInt64(truncatingIfNeeded: wordCount)
    depth &-= 1
    frame = unsafe frames[depth]
  }
}
