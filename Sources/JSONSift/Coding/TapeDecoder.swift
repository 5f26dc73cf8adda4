/// The decoder of one value, passed to `init(from:)`.
///
/// A nested value gets a child decoder. The child is reused for the next nested value unless user code still holds it,
/// so a text of any length needs only as many decoders as its values are deep. The coding path is the chain of their
/// keys, and is built on demand, for example for an error.
///
/// A container is a reference to its decoder and nothing else. The decoder stores the state of the container, such as
/// the likely next member.
@safe final class TapeDecoder: Decoder, CodingLevel {
  let context: DecodingContext
  /// The index of the tape word of the value.
  private(set) var index: UInt32 = 0
  /// The tape and the source of the document, which the context retains.
  ///
  /// SAFETY: the context retains the document while any decoder of it is in use. A shared document does not change, and
  /// its `sourceBytes` do not move. Worth it: asking the document for both each time takes 14 % more instructions
  /// (Scripts/measure instructions, decode).
  private var words: UnsafeRawPointer
  private var source: UnsafeRawBufferPointer
  /// Whether other code may change the bytes. Strings are then validated.
  private(set) var isVolatile = false

  /// The step from the parent to this value.
  ///
  /// SAFETY of the disabled exclusivity checks: set before other code gets the decoder for its next value. Worth it:
  /// see `keyed`.
  @exclusivity(unchecked) private var ownKey: (any CodingKey)?
  private(set) var elementIndex = -1
  /// The parent: set during one of its calls, and for as long as user code holds this decoder.
  private(set) var parent: TapeDecoder?
  /// A child decoder that is not in use.
  private var spare: TapeDecoder?
  private var depth = 0
  /// Whether user code may hold this decoder for longer than a call.
  private var isEscaping = false
  /// The containers that were made, one for each key type, for reuse; and a bit for each of them that the current call
  /// uses.
  ///
  /// SAFETY of the disabled exclusivity checks: no user code runs while they are read or written. Worth it: the checks,
  /// with those of `ownKey`, take 6 % more instructions (Scripts/measure instructions, decode).
  @exclusivity(unchecked) private var keyed: [KeyedReference] = []
  @exclusivity(unchecked) private var borrowed: UInt8 = 0
  /// The depth of nested initializer calls. It may exceed the depth of the value: a type may decode another type from
  /// the same value.
  private var calls = 0

  /// The state of the member lookup, if the value is an object, and the cache of its keys.
  var members = MemberIndex()
  let names = ObjectShapeCache()

  init(_ context: DecodingContext) {
    self.context = context
    unsafe words = NullTape.words
    unsafe source = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Starts decoding the value at `index` of a document.
  func begin(_ document: Document, _ index: UInt32) {
    unsafe words = document.tapeWords
    unsafe source = document.sourceBytes
    isVolatile = document.isVolatile
    self.index = index
    members = MemberIndex()
  }

  var userInfo: [CodingUserInfoKey: Any] { context.userInfo }

  // MARK: Tape words

  var reader: TapeReader { unsafe TapeReader(words: words, source: source) }

  func word(_ index: UInt32) -> TapeWord { reader.word(index) }

  func kind(_ index: UInt32) -> EventKind { word(index).kind }

  /// Returns the index after the value at `index`.
  func after(_ index: UInt32) -> UInt32 { reader.after(index) }

  /// Returns the bytes of a number, or of a string without its quotes. The tape word must not be a long one.
  func text(_ word: TapeWord) -> UnsafeRawBufferPointer { unsafe reader.text(word) }

  // MARK: Paths

  var codingPath: [any CodingKey] { path(.same) }

  var key: (any CodingKey)? { unsafe ownKey }

  // MARK: Child decoders

  // Forced inlining in this file saves 0.6 % of `decode` (Scripts/measure instructions).
  /// Calls `body` with a child decoder for the value at `index`.
  @inline(__always)
  func nested<Result>(_ index: UInt32, _ step: CodingStep, _ body: (TapeDecoder) throws -> Result) throws -> Result {
    var child = spare ?? TapeDecoder(context)
    spare = nil
    child.attach(index, step, parent: self)
    defer {
      if Self.isDone(&child) {
        child.parent = nil
        spare = child
      }
    }
    guard child.depth <= JSONLimits.maxRecursion, child.calls <= JSONLimits.maxRecursion * 2 else {
      throw tooDeep(index, step)
    }
    return try body(child)
  }

  /// Returns whether user code has released the decoder and its containers after the call that they were passed to. If
  /// so, the decoder can be reused; otherwise it and its containers belong to user code.
  static func isDone(_ decoder: inout TapeDecoder) -> Bool {
    if unsafe decoder.borrowed != 0 { decoder.reclaimContainers() }
    if isKnownUniquelyReferenced(&decoder) { return true }
    decoder.markEscaping()
    return false
  }

  private func reclaimContainers() {
    while unsafe borrowed != 0 {
      // From the last one, so that the slots before it do not change.
      let slot = unsafe UInt8.bitWidth &- 1 &- borrowed.leadingZeroBitCount
      unsafe borrowed &= ~(1 &<< UInt8(truncatingIfNeeded: slot))
      guard unsafe slot < keyed.count else { continue }
      if unsafe !isKnownUniquelyReferenced(&keyed[slot].box) {
        unsafe keyed.remove(at: slot).keeper.decoder = self
      }
    }
  }

  /// Marks the decoder as held by user code, for an unknown time.
  private func markEscaping() {
    isEscaping = true
    unsafe keyed = []
  }

  /// Returns a decoder that lives as long as user code holds it. Without an index its value is null.
  func escapingChild(_ index: UInt32?, _ step: CodingStep) -> TapeDecoder {
    let child = TapeDecoder(context)
    child.isEscaping = true
    child.attach(index ?? 0, step, parent: self)
    if index == nil { unsafe child.words = NullTape.words }
    return child
  }

  private func attach(_ index: UInt32, _ step: CodingStep, parent: TapeDecoder) {
    self.parent = parent
    unsafe words = parent.words
    unsafe source = parent.source
    isVolatile = parent.isVolatile
    self.index = index
    calls = parent.calls &+ 1
    depth = parent.depth &+ 1
    members = MemberIndex()
    switch step {
    case .same:
      depth = parent.depth
      if unsafe ownKey != nil { unsafe ownKey = nil }
      elementIndex = -1
    case .index(let newIndex):
      if unsafe ownKey != nil { unsafe ownKey = nil }
      elementIndex = newIndex
    case .key(let newKey): unsafe ownKey = newKey
    }
  }

  // MARK: Containers

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard kind(index) == .objectStart else { throw notAContainer([String: Any].self, "keyed") }
    let wanted = ObjectIdentifier(type)
    for slot in unsafe 0..<keyed.count where unsafe keyed[slot].key == wanted {
      unsafe borrowed |= 1 &<< UInt8(truncatingIfNeeded: slot)
      return unsafe keyed[slot].container(keyedBy: type)
    }
    return newContainer(keyedBy: type)
  }

  @inline(never)
  private func newContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    let keeper = DecoderKeeper()
    let container = KeyedDecodingContainer(KeyedTapeContainer<Key>(self, keeper))
    guard !isEscaping, context.settings.value.reusesContainers,
      let reference = KeyedReference(container, keeper)
    else {
      keeper.decoder = self
      return container
    }
    if unsafe keyed.count == UInt8.bitWidth {
      // Values with more than eight key types are rare.
      reclaimContainers()
      unsafe keyed.removeAll(keepingCapacity: true)
    }
    unsafe borrowed |= 1 &<< UInt8(truncatingIfNeeded: keyed.count)
    unsafe keyed.append(reference)
    return container
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard kind(index) == .arrayStart else { throw notAContainer([Any].self, "unkeyed") }
    return UnkeyedTapeContainer(self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

/// A view of a tape and its source.
///
/// SAFETY: made from the tape and source of a decoder, and used only while that decoder exists. Each index is read from
/// the tape, as in ``Document/word(_:)``. Worth it: checking each index and each length, and loading keys byte by byte
/// (`ShortName`), takes 5 % more instructions, and 9 % where records have many strings (Scripts/measure instructions, decode).
@safe struct TapeReader {
  private let words: UnsafeRawPointer
  private let source: UnsafeRawBufferPointer

  init(words: UnsafeRawPointer, source: UnsafeRawBufferPointer) {
    unsafe self.words = words
    unsafe self.source = source
  }

  func word(_ index: UInt32) -> TapeWord {
    unsafe TapeWord(bits: words.loadUnaligned(fromByteOffset: Int(index) &* 8, as: UInt64.self))
  }

  func after(_ index: UInt32) -> UInt32 {
    word(index).kind.isStart ? UInt32(truncatingIfNeeded: word(index &+ 1).linkedIndex) : index &+ 1
  }

  /// Returns the bytes of a number, or of a string or key without its quotes.
  ///
  /// SAFETY: the parser has read the event from the source, whose length has not changed since.
  func text(_ word: TapeWord) -> UnsafeRawBufferPointer {
    let start = word.kind == .number ? word.offset : word.offset &+ 1
    return unsafe UnsafeRawBufferPointer(start: source.baseAddress.unsafelyUnwrapped + start, count: word.length)
  }

  /// Returns eight bytes from the start of a key, as a little-endian number; `nil` if fewer than eight bytes are left
  /// in the source.
  ///
  /// SAFETY: as for `text`; the load ends at or before the end of the source.
  @inline(__always)
  func firstEight(ofKey word: TapeWord) -> UInt64? {
    let start = word.offset &+ 1
    guard unsafe start &+ 8 <= source.count else { return nil }
    return unsafe UInt64(
      littleEndian: source.baseAddress.unsafelyUnwrapped.loadUnaligned(fromByteOffset: start, as: UInt64.self))
  }

  /// Returns eight bytes from the start of a key that precedes another key with eight readable bytes.
  ///
  /// SAFETY: keys are in the source in the order of their tape words.
  func eight(ofEarlierKey word: TapeWord) -> UInt64 {
    unsafe UInt64(
      littleEndian: source.baseAddress.unsafelyUnwrapped.loadUnaligned(
        fromByteOffset: word.offset &+ 1, as: UInt64.self))
  }
}

/// Two tape words for null, for a superclass without a value.
@safe enum NullTape {
  /// SAFETY: initialized before its address is read, never freed, and never written again.
  nonisolated(unsafe) static let words: UnsafeRawPointer = {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 8)
    unsafe memory.initializeMemory(as: UInt64.self, repeating: 0, count: 2)
    return UnsafeRawPointer(memory)
  }()
}
