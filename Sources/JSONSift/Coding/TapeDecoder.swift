/// A decoder of one value in a text: what an `init(from:)` is handed.
///
/// A value inside this one gets a decoder that hangs below it, and which is used again for the next one when nobody has
/// kept it. So a text of any length takes as many of them as its values lie deep. The coding path is the chain of their
/// keys: nothing is built before somebody asks for it, as an error does.
///
/// A container is a reference to its decoder and no more. What it needs beside that, such as where the next member is
/// likely to be, stands here.
@safe final class TapeDecoder: Decoder, CodingLevel {
  let context: DecodingContext
  /// The word of the value.
  private(set) var index: UInt32 = 0
  /// The tape and the source of the document, as the context keeps it.
  ///
  /// SAFETY: the context holds the document for as long as a decoder of it exists that is not waiting to be used again;
  /// a document that is shared does not change, and its `sourceBytes` do not move.
  private var words: UnsafeRawPointer
  private var source: UnsafeRawBufferPointer
  /// The bytes may be changed by others: strings are made with care.
  private(set) var isVolatile = false

  /// The step from the decoder above.
  ///
  /// SAFETY, of what is not checked for exclusive access: set before anybody has the decoder for its next value. Worth
  /// it: see `keyed`.
  @exclusivity(unchecked) private var ownKey: (any CodingKey)?
  private(set) var position = -1
  /// The decoder above: while one of its calls is under way, and for as long as somebody keeps this one.
  private(set) var above: TapeDecoder?
  /// A decoder for values inside this one, while none is being decoded.
  private var spare: TapeDecoder?
  private var depth = 0
  /// Somebody may have this decoder for longer than a call.
  private var isKept = false
  /// Containers that were handed out, for who asks with the same keys again, and bits for those that the call under way has.
  ///
  /// SAFETY, of what is not checked for exclusive access: no code of others runs while it is read or written. Worth it: the
  /// checks, with those of `ownKey` and of the context, are 6 % more instructions (check-instructions, decode).
  @exclusivity(unchecked) private var keyed: [KeyedReference] = []
  @exclusivity(unchecked) private var lent: UInt8 = 0
  /// How many calls of initialisers lie inside one another.
  private var calls = 0

  /// What is known of the members, if this is an object, and the names of a small one.
  var members = MemberIndex()
  let names = ObjectShapeCache()

  init(_ context: DecodingContext) {
    self.context = context
    unsafe words = NullTape.words
    unsafe source = UnsafeRawBufferPointer(start: nil, count: 0)
  }

  /// Starts with a document.
  func begin(_ document: Document, _ index: UInt32) {
    unsafe words = document.tapeWords
    unsafe source = document.sourceBytes
    isVolatile = document.isVolatile
    self.index = index
    members = MemberIndex()
  }

  var userInfo: [CodingUserInfoKey: Any] { context.userInfo }

  // MARK: Words

  @inline(__always)
  var reader: TapeReader { unsafe TapeReader(words: words, source: source) }

  @inline(__always)
  func word(_ index: UInt32) -> TapeWord { reader.word(index) }

  @inline(__always)
  func kind(_ index: UInt32) -> EventKind { word(index).kind }

  /// The index after the value at `index`.
  @inline(__always)
  func after(_ index: UInt32) -> UInt32 { reader.after(index) }

  /// The bytes of a number or of a string without its quotes, whose word is no long one.
  @inline(__always)
  func text(_ word: TapeWord) -> UnsafeRawBufferPointer { unsafe reader.text(word) }

  // MARK: Paths

  var codingPath: [any CodingKey] { path(.same) }

  var key: (any CodingKey)? { unsafe ownKey }

  // MARK: Decoders of values inside this one

  /// Calls `body` with a decoder for the value at `index`.
  @inline(__always)
  func nested<Result>(
    _ index: UInt32, _ step: CodingStep, _ body: (TapeDecoder) throws -> Result
  ) throws -> Result {
    var child = spare ?? TapeDecoder(context)
    spare = nil
    child.setPlace(index, step, above: self)
    defer {
      if Self.isDone(&child) {
        child.above = nil
        spare = child
      }
    }
    guard child.depth <= JSONSiftDecoder.largestDepth, child.calls <= JSONSiftDecoder.largestDepth * 2 else {
      throw tooDeep(index, step)
    }
    return try body(child)
  }

  /// Whether nobody has a decoder any more, or its containers, now that the call is over for which they were lent. Then it can
  /// be used again, and else it belongs to who has it.
  @inline(__always)
  static func isDone(_ decoder: inout TapeDecoder) -> Bool {
    if unsafe decoder.lent != 0 { decoder.takeBackContainers() }
    if isKnownUniquelyReferenced(&decoder) { return true }
    decoder.becomeKept()
    return false
  }

  private func takeBackContainers() {
    while unsafe lent != 0 {
      // The last one first, so that those before it stay where they are.
      let place = unsafe UInt8.bitWidth &- 1 &- lent.leadingZeroBitCount
      unsafe lent &= ~(1 &<< UInt8(truncatingIfNeeded: place))
      guard unsafe place < keyed.count else { continue }
      if unsafe !isKnownUniquelyReferenced(&keyed[place].box) {
        unsafe keyed.remove(at: place).keeper.decoder = self
      }
    }
  }

  /// From here on it is not known when it is done with.
  private func becomeKept() {
    isKept = true
    unsafe keyed = []
  }

  /// A decoder that lives as long as somebody holds it. Without an index it has null.
  func kept(_ index: UInt32?, _ step: CodingStep) -> TapeDecoder {
    let child = TapeDecoder(context)
    child.isKept = true
    child.setPlace(index ?? 0, step, above: self)
    if index == nil { unsafe child.words = NullTape.words }
    return child
  }

  private func setPlace(_ index: UInt32, _ step: CodingStep, above: TapeDecoder) {
    self.above = above
    unsafe words = above.words
    unsafe source = above.source
    isVolatile = above.isVolatile
    self.index = index
    calls = above.calls &+ 1
    depth = above.depth &+ 1
    members = MemberIndex()
    switch step {
    case .same:
      depth = above.depth
      if unsafe ownKey != nil { unsafe ownKey = nil }
      position = -1
    case .index(let place):
      if unsafe ownKey != nil { unsafe ownKey = nil }
      position = place
    case .key(let newKey): unsafe ownKey = newKey
    }
  }

  // MARK: Containers

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    guard kind(index) == .objectStart else { throw notAContainer([String: Any].self, "keyed") }
    let wanted = ObjectIdentifier(type)
    for place in unsafe 0..<keyed.count where unsafe keyed[place].key == wanted {
      unsafe lent |= 1 &<< UInt8(truncatingIfNeeded: place)
      return unsafe keyed[place].container(keyedBy: type)
    }
    return newContainer(keyedBy: type)
  }

  @inline(never)
  private func newContainer<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    let keeper = DecoderKeeper()
    let container = KeyedDecodingContainer(KeyedTapeContainer<Key>(self, keeper))
    guard !isKept, let reference = KeyedReference(container, keeper) else {
      keeper.decoder = self
      return container
    }
    if unsafe keyed.count == UInt8.bitWidth {
      // Types with so many kinds of members are few.
      takeBackContainers()
      unsafe keyed.removeAll(keepingCapacity: true)
    }
    unsafe lent |= 1 &<< UInt8(truncatingIfNeeded: keyed.count)
    unsafe keyed.append(reference)
    return container
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    guard kind(index) == .arrayStart else { throw notAContainer([Any].self, "unkeyed") }
    return UnkeyedTapeContainer(self)
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }
}

/// A look at a tape and its source.
///
/// SAFETY: made of those of a decoder, and used only while that one is there. An index comes from the tape, as in
/// ``Document/word(_:)``. Worth it: to check each index and each length, and to load names byte by byte (`ShortName`), is 5 %
/// more instructions, and 9 % where records have many strings (check-instructions, decode).
@safe struct TapeReader {
  private let words: UnsafeRawPointer
  private let source: UnsafeRawBufferPointer

  @inline(__always)
  init(words: UnsafeRawPointer, source: UnsafeRawBufferPointer) {
    unsafe self.words = words
    unsafe self.source = source
  }

  @inline(__always)
  func word(_ index: UInt32) -> TapeWord {
    unsafe TapeWord(bits: words.loadUnaligned(fromByteOffset: Int(index) &* 8, as: UInt64.self))
  }

  @inline(__always)
  func after(_ index: UInt32) -> UInt32 {
    word(index).kind.isStart ? UInt32(truncatingIfNeeded: word(index &+ 1).linkedIndex) : index &+ 1
  }

  /// SAFETY: the parser has seen the event in the source, which has not changed its length since.
  @inline(__always)
  func text(_ word: TapeWord) -> UnsafeRawBufferPointer {
    let start = word.kind == .number ? word.offset : word.offset &+ 1
    return unsafe UnsafeRawBufferPointer(
      start: source.baseAddress.unsafelyUnwrapped + start, count: word.length)
  }

  /// The first eight bytes of a key and what follows it, in the order of a little-endian number; nil at the end of the source.
  ///
  /// SAFETY: as of `text`; the load ends where the source does, or before.
  @inline(__always)
  func firstEight(ofKey word: TapeWord) -> UInt64? {
    let start = word.offset &+ 1
    guard unsafe start &+ 8 <= source.count else { return nil }
    return unsafe UInt64(
      littleEndian: source.baseAddress.unsafelyUnwrapped.loadUnaligned(fromByteOffset: start, as: UInt64.self))
  }

  /// The same where it is known that eight bytes are there: of a key before one whose eight are.
  ///
  /// SAFETY: keys stand in the order of their words.
  @inline(__always)
  func eight(ofEarlierKey word: TapeWord) -> UInt64 {
    unsafe UInt64(
      littleEndian: source.baseAddress.unsafelyUnwrapped.loadUnaligned(
        fromByteOffset: word.offset &+ 1, as: UInt64.self))
  }

  /// The end of the source.
  @inline(__always)
  var sourceEnd: UnsafeRawPointer? { unsafe source.baseAddress.map { unsafe $0 + source.count } }
}

/// Words that say null, for a superclass without a value.
@safe enum NullTape {
  /// SAFETY: filled in before its address is read, never freed, and never written to.
  nonisolated(unsafe) static let words: UnsafeRawPointer = {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 16, alignment: 8)
    unsafe memory.initializeMemory(as: UInt64.self, repeating: 0, count: 2)
    return UnsafeRawPointer(memory)
  }()
}
