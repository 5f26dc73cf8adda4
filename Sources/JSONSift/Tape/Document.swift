/// A parsed text: its source bytes and its tape. Nothing in it changes after it is made.
///
/// # The tape
///
/// The tape is the parser's events as ``TapeWord``s of 8 bytes, in the order of the source, behind a header of four
/// words. A scalar or key is one word. An array or object is its start, a link word, its children, and its end: 24 bytes.
/// Strings and numbers stay in the source until somebody asks for them.
///
///     {"a": [1, true], "b": "x"}
///
///     index  word
///      0- 3  header
///      4     objectStart  offset 0
///      5     link         after the end: 15, children: 2
///      6     key          offset 1   length 1      "a"
///      7     arrayStart   offset 6
///      8     link         after the end: 12, children: 2
///      9     number       offset 7   length 1
///     10     true         offset 10
///     11     arrayEnd     offset 14
///     12     key          offset 17  length 1      "b"
///     13     string       offset 22  length 1      "x"
///     14     objectEnd    offset 25
///
/// The format is private and may change in any release.
///
/// Sendable without the compiler's proof: the memory is written before the object is shared and only read after that;
/// the tables that are made later are published by atomic exchanges.
@safe final class Document: @unchecked Sendable {
  /// Where the bytes are.
  enum Source {
    case array(SourceArray)
    case store(ByteStore)
    /// In memory of the document's own.
    case copy
  }

  /// The index of the word of the outermost value.
  static let root: UInt32 = 4

  private var source: Source
  private var copy: RawMemory
  /// Of `copy`: its first byte and its room, for the many documents that are filled again.
  ///
  /// SAFETY: set whenever `copy` is.
  private var copyBase: UnsafeMutableRawPointer
  private var copyRoom: Int
  private var isCopy = true
  /// So many bytes behind the text in `copy` say where the value stands.
  private var placeCount = 0
  /// The bytes in the store or the copy. An array lends its own only for a while.
  ///
  /// SAFETY: set together with `source`, which keeps the memory alive; it moves only when it is set anew.
  private var lent: UnsafeRawBufferPointer?
  /// The array of `source`, if it is one, without a reference of its own: a look at the bytes counts nothing then.
  private var lentArray: Unmanaged<SourceArray>?
  /// The offset of the source's first byte in the input that it is a piece of.
  private(set) var origin: Int
  private var tape: RawMemory
  /// The first word: `tape.base`. Read without the exclusivity check that a read of `tape` costs (12 % of a walk over all
  /// values of twitter.json).
  ///
  /// SAFETY: set whenever `tape` is.
  private var words: UnsafeRawPointer
  private var tapeRoom: Int
  private(set) var wordCount: Int
  let childTables = ChildTables()

  /// A document without bytes and words, to be filled.
  init() {
    source = .copy
    copy = RawMemory(capacity: 0)
    unsafe copyBase = copy.base
    copyRoom = copy.capacity
    unsafe lent = nil
    unsafe lentArray = nil
    origin = 0
    tape = RawMemory(capacity: 0)
    unsafe words = UnsafeRawPointer(tape.base)
    tapeRoom = tape.capacity
    wordCount = 0
  }

  /// The last document, if nobody else holds it any more, or a new one that becomes the last: to be filled.
  static func reusing(_ last: inout Document?) -> Document {
    if last != nil, isKnownUniquelyReferenced(&last), let last { return last }
    let document = Document()
    last = document
    return document
  }

  // MARK: Filling. Only for an object that nobody else holds.

  /// Takes bytes that somebody keeps.
  func setSource(_ source: Source, origin: Int) {
    self.source = source
    self.origin = origin
    unsafe lent = nil
    unsafe lentArray = nil
    isVolatile = false
    isCopy = false
    placeCount = 0
    switch source {
    case .array(let array): unsafe lentArray = Unmanaged.passUnretained(array)
    case .store(let store):
      unsafe lent = store.bytes
      isVolatile = store.isMapped
    case .copy: isCopy = true
    }
  }

  /// Somebody else may write to the bytes, or could before they were copied: they need not be the text that was checked.
  private(set) var isVolatile = false

  /// Copies bytes.
  ///
  /// - Parameters:
  ///   - place: Where the value stands that was picked out of a stream, as the picker has packed it.
  ///   - isVolatile: The bytes need not be the text that was checked.
  func setSource(
    copying bytes: UnsafeRawBufferPointer, origin: Int,
    place: UnsafeRawBufferPointer = unsafe UnsafeRawBufferPointer(start: nil, count: 0), isVolatile: Bool = false
  ) {
    if !isCopy { setSource(.copy, origin: origin) }
    let count = bytes.count &+ place.count
    // What fits is not fitted anew: each look at `copy` is checked for exclusivity, and a stream fills a document a match.
    if !Self.fits(count, copyRoom) {
      copy.fit(count)
      copyRoom = copy.capacity
      unsafe copyBase = copy.base
    }
    if let base = bytes.baseAddress { unsafe copyBase.copyMemory(from: base, byteCount: bytes.count) }
    if let base = place.baseAddress {
      unsafe (copyBase + bytes.count).copyMemory(from: base, byteCount: place.count)
    }
    unsafe lent = UnsafeRawBufferPointer(start: copyBase, count: bytes.count)
    placeCount = place.count
    self.isVolatile = isVolatile
    self.origin = origin
  }

  /// Copies bytes that were picked out of a stream: the text, and behind it `placeCount` bytes that say where it stands.
  func setSource(copying bytes: UnsafeRawBufferPointer, origin: Int, placeCount: Int) {
    unsafe setSource(copying: bytes, origin: origin)
    self.placeCount = placeCount
    unsafe lent = UnsafeRawBufferPointer(start: copyBase, count: bytes.count &- placeCount)
  }

  /// The packed place of the value, if it was picked out of a stream.
  var place: [UInt8] {
    guard placeCount > 0, let lent = unsafe lent else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: copyBase + lent.count, count: placeCount))
  }

  /// Whether so many bytes can go into a block, and the block is not much too large for them: the rule of `RawMemory.fit`.
  @inline(__always)
  private static func fits(_ count: Int, _ room: Int) -> Bool { count <= room && room <= max(count &* 4, 4096) }

  /// Copies words.
  func setTape(copying words: UnsafeRawBufferPointer) {
    let target = unsafe tapeMemory(words.count)
    if let base = words.baseAddress { unsafe target.copyMemory(from: base, byteCount: words.count) }
  }

  /// Lets `body` write a tape of so many bytes, all of them.
  @inline(__always)
  func setTape(byteCount: Int, _ body: (UnsafeMutableRawPointer) -> Void) { unsafe body(tapeMemory(byteCount)) }

  /// Takes the word of a value that is one event.
  func setTape(scalar word: UInt64) {
    let target = unsafe tapeMemory((Int(Self.root) + 1) * 8)
    unsafe target.storeBytes(of: word, toByteOffset: Int(Self.root) * 8, as: UInt64.self)
  }

  /// Memory for a tape of so many bytes, to be filled.
  @inline(__always)
  private func tapeMemory(_ count: Int) -> UnsafeMutableRawPointer {
    if !Self.fits(count, tapeRoom) {
      tape.fit(count)
      adoptTape()
    }
    wordCount = count / 8
    childTables.forget()
    return unsafe UnsafeMutableRawPointer(mutating: words)
  }

  private func adoptTape() {
    tapeRoom = tape.capacity
    unsafe words = UnsafeRawPointer(tape.base)
  }

  /// Takes words in `memory`, and gives back the memory of those it had.
  func exchangeTape(_ memory: consuming RawMemory, wordCount: Int) -> RawMemory {
    swap(&tape, &memory)
    adoptTape()
    self.wordCount = wordCount
    childTables.forget()
    return memory
  }

  /// Gives back what is reserved behind the tape.
  func trim() {
    tape.trim(to: wordCount * 8)
    adoptTape()
  }

  // MARK: Reading

  /// The tape, and the bytes of the source, for one who keeps this object and does not fill it meanwhile.
  ///
  /// SAFETY: neither moves before the document is filled again. An array lends its elements for a while only, so they are
  /// copied once: that costs a small part of what parsing them has cost, and of the first to ask alone.
  var tapeWords: UnsafeRawPointer { unsafe words }
  var sourceBytes: UnsafeRawBufferPointer {
    if let lent = unsafe lent { return unsafe lent }
    guard case .array(let array) = source else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
    return unsafe array.fixedCopy.bytes
  }

  /// The word at `index`.
  ///
  /// SAFETY: an index comes from the tape itself: the root, a link that the parser wrote, or the word after another. It
  /// is below `wordCount`, the words never change, and a root is never followed past its end.
  @inline(__always)
  func word(_ index: UInt32) -> TapeWord {
    assert(Int(index) < wordCount)
    return unsafe TapeWord(
      bits: words.loadUnaligned(fromByteOffset: Int(index) &* 8, as: UInt64.self))
  }

  /// How many bytes the tape takes, without the reserve behind it.
  var tapeBytes: Int { wordCount * 8 }

  /// Lends the source. The pointer is good only inside `body`.
  @inline(__always)
  func withSource<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let lent = unsafe lent { return try unsafe body(lent) }
    guard let array = unsafe lentArray else { return try unsafe body(UnsafeRawBufferPointer(start: nil, count: 0)) }
    // The standard library's closure passes on no typed error.
    let result = unsafe array._withUnsafeGuaranteedRef { array in
      Swift.Result<Result, Failure> { () throws(Failure) in try unsafe array.withBytes(body) }
    }
    return try result.get()
  }
}

/// Bytes in an array of the caller's. They never change, so a look at them needs no reference of its own.
final class SourceArray: Sendable {
  let bytes: [UInt8]
  private let copy = OnceReference<ByteStore>()

  /// The bytes in memory that does not move, made for the first one who keeps their address. Of two threads that make it at
  /// once, one throws its own away.
  var fixedCopy: ByteStore {
    copy.load() ?? copy.storeIfNil(unsafe withBytes { unsafe ByteStore(copying: $0) })
  }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Lends the bytes.
  @inline(__always)
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = bytes
    let span = bytes.span
    return try unsafe span.withUnsafeBytes(body)
  }
}

extension Document {
  /// The index after the value at `index`: its next sibling, or the end of its container.
  @inline(__always)
  func after(_ index: UInt32) -> UInt32 {
    word(index).kind.isStart ? UInt32(truncatingIfNeeded: word(index &+ 1).linkedIndex) : index &+ 1
  }

  /// The source bytes of the event at `index`, with quotes; of a container, from its first bracket to its last.
  func range(of index: UInt32) -> Range<Int> {
    let word = word(index)
    if word.kind.isStart { return word.offset..<(self.word(after(index) &- 1).offset &+ 1) }
    guard word.isLong else { return word.offset..<word.end }
    let text = unsafe withSource { unsafe word.textRange(in: $0) }
    return word.offset..<(word.kind == .number ? text.upperBound : text.upperBound &+ 1)
  }

  /// Lends the bytes of a number, or those between the quotes of a string or key.
  @inline(__always)
  func withText<Result, Failure: Error>(
    of index: UInt32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let word = word(index)
    return try unsafe withSource { (source) throws(Failure) in
      try unsafe body(UnsafeRawBufferPointer(rebasing: source[word.textRange(in: source)]))
    }
  }

  /// The characters of a string or key.
  func string(at index: UInt32) -> String {
    let isEscaped = word(index).kind.isEscaped
    return unsafe withText(of: index) { text in
      // A string is checked and then copied: bytes that somebody changes are copied first.
      guard !isVolatile else {
        return unsafe Array(text).withUnsafeBytes { unsafe isEscaped ? EscapedText.decode($0) : String(utf8: $0) }
      }
      guard isEscaped else { return unsafe String(uncheckedUTF8: text) }
      return unsafe EscapedText.withDecoded(text) { unsafe String(uncheckedUTF8: $0) }
    }
  }
}

extension Document.Source {
  /// Somebody else may write to the bytes.
  var isVolatile: Bool { if case .store(let store) = self { store.isMapped } else { false } }

  /// Lends the bytes.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch self {
    case .array(let array): return try unsafe array.withBytes(body)
    case .store(let store): return try unsafe body(store.bytes)
    case .copy: return try unsafe body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
  }
}
