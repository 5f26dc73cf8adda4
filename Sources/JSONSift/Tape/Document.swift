/// A parsed text: its source bytes and its tape. It does not change after it is filled.
///
/// # The tape
///
/// The tape is the parser's events as ``TapeWord``s of 8 bytes, in the order of the source, after a header of four tape
/// words. A scalar or key is one tape word. An array or object is its start, a link, its children, and its end: 24 bytes.
/// Strings and numbers stay in the source until they are accessed.
///
///     {"a": [1, true], "b": "x"}
///
///     index  tape word
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
/// Sendable without the compiler's proof: the memory is written before the object is shared and only read after that.
/// Tables that are built later are published by atomic exchanges.
@safe final class Document: @unchecked Sendable {
  /// The owner of the source bytes.
  enum Source {
    case array(SourceArray)
    case store(ByteStore)
    /// The document owns a copy.
    case copy
  }

  /// The tape index of the outermost value.
  static let root: UInt32 = 4

  private var source: Source
  private var copy: RawMemory
  /// The first byte and the capacity of `copy`, for documents that are filled often.
  ///
  /// SAFETY: set whenever `copy` is. Worth it: access to `copy` itself takes 4 % more instructions (Scripts/measure instructions,
  /// record-fields).
  private var copyBase: UnsafeMutableRawPointer
  private var copyCapacity: Int
  private var isCopy = true
  /// The number of bytes after the text in `copy` that encode the location of the value.
  private var locationCount = 0
  /// The bytes in the store or the copy. An array passes its bytes only temporarily.
  ///
  /// SAFETY: set together with `source`, which keeps the memory alive. The memory moves only when `source` is set again. Worth
  /// it: asking `source` for the bytes each time takes 14 % more instructions (Scripts/measure instructions, write).
  private var fixedBytes: UnsafeRawBufferPointer?
  /// The array of `source`, if it is one. Unmanaged, so that reading the bytes does not change a reference count.
  private var unmanagedArray: Unmanaged<SourceArray>?
  /// The offset of the source's first byte in the input.
  private(set) var origin: Int
  private var tape: RawMemory
  /// The first tape word: `tape.base`. Reading it avoids the exclusivity check of `tape`.
  ///
  /// SAFETY: set whenever `tape` is. Worth it: access to `tape` itself takes 41 % more instructions (Scripts/measure instructions,
  /// walk).
  private var words: UnsafeRawPointer
  private var tapeCapacity: Int
  private(set) var wordCount: Int
  let childTables = ChildTables()

  /// Creates a document without bytes and tape words. The caller fills it.
  init() {
    source = .copy
    copy = RawMemory(capacity: 0)
    unsafe copyBase = copy.base
    copyCapacity = copy.capacity
    unsafe fixedBytes = nil
    unsafe unmanagedArray = nil
    origin = 0
    tape = RawMemory(capacity: 0)
    unsafe words = UnsafeRawPointer(tape.base)
    tapeCapacity = tape.capacity
    wordCount = 0
  }

  /// Returns the last document if no other reference to it exists. Otherwise creates a document and stores it as the last.
  /// The caller fills the result.
  static func reusing(_ last: inout Document?) -> Document {
    if last != nil, isKnownUniquelyReferenced(&last), let last { return last }
    let document = Document()
    last = document
    return document
  }

  // MARK: Filling. Only while no other reference to the object exists

  /// Sets the source to bytes that `source` owns.
  func setSource(_ source: Source, origin: Int) {
    self.source = source
    self.origin = origin
    unsafe fixedBytes = nil
    unsafe unmanagedArray = nil
    isVolatile = false
    isCopy = false
    locationCount = 0
    switch source {
    case .array(let array): unsafe unmanagedArray = Unmanaged.passUnretained(array)
    case .store(let store):
      unsafe fixedBytes = store.bytes
      isVolatile = store.isMapped
    case .copy: isCopy = true
    }
  }

  /// Whether other code may write to the bytes, or could before they were copied. They may then differ from the text that
  /// was validated.
  private(set) var isVolatile = false

  /// Sets the source to a copy of `bytes`.
  ///
  /// - Parameters:
  ///   - packedLocation: The location of a value that was extracted from a stream, packed by the extractor.
  ///   - isVolatile: Whether the bytes may differ from the text that was validated.
  func setSource(
    copying bytes: UnsafeRawBufferPointer, origin: Int,
    packedLocation: UnsafeRawBufferPointer = unsafe UnsafeRawBufferPointer(start: nil, count: 0),
    isVolatile: Bool = false
  ) {
    if !isCopy { setSource(.copy, origin: origin) }
    let count = bytes.count &+ packedLocation.count
    // Reuses the block if it fits: each access to `copy` has an exclusivity check, and a stream fills one document for each
    // match.
    if !Self.fits(count, copyCapacity) {
      copy.fit(count)
      copyCapacity = copy.capacity
      unsafe copyBase = copy.base
    }
    if let base = bytes.baseAddress { unsafe copyBase.copyMemory(from: base, byteCount: bytes.count) }
    if let base = packedLocation.baseAddress {
      unsafe (copyBase + bytes.count).copyMemory(from: base, byteCount: packedLocation.count)
    }
    unsafe fixedBytes = UnsafeRawBufferPointer(start: copyBase, count: bytes.count)
    locationCount = packedLocation.count
    self.isVolatile = isVolatile
    self.origin = origin
  }

  /// Sets the source to a copy of bytes that were extracted from a stream: the text, followed by `locationCount` bytes that
  /// encode its location.
  func setSource(copying bytes: UnsafeRawBufferPointer, origin: Int, locationCount: Int) {
    unsafe setSource(copying: bytes, origin: origin)
    self.locationCount = locationCount
    unsafe fixedBytes = UnsafeRawBufferPointer(start: copyBase, count: bytes.count &- locationCount)
  }

  /// The packed location of the value, if it was extracted from a stream.
  var packedLocation: [UInt8] {
    guard locationCount > 0, let fixedBytes = unsafe fixedBytes else { return [] }
    return unsafe Array(UnsafeRawBufferPointer(start: copyBase + fixedBytes.count, count: locationCount))
  }

  /// Returns whether `count` bytes fit into a block of `capacity` bytes that is not much too large for them: the rule of
  /// `RawMemory.fit`.
  private static func fits(_ count: Int, _ capacity: Int) -> Bool {
    count <= capacity && capacity <= max(count &* 4, 4096)
  }

  /// Sets the tape to a copy of `words`.
  func setTape(copying words: UnsafeRawBufferPointer) {
    let target = unsafe tapeMemory(words.count)
    if let base = words.baseAddress { unsafe target.copyMemory(from: base, byteCount: words.count) }
  }

  // Forced inlining in this file saves 19 % of `walk` and 4.4 % of `access` (Scripts/measure instructions).
  /// Lets `body` write a tape of `byteCount` bytes. It must write all of them.
  ///
  /// SAFETY: `tapeMemory` returns `byteCount` bytes of memory, and it does not move while `body` runs.
  @inline(__always)
  func setTape(byteCount: Int, _ body: (inout MutableRawSpan) -> Void) {
    var tape = unsafe MutableRawSpan(_unsafeStart: tapeMemory(byteCount), byteCount: byteCount)
    body(&tape)
  }

  func setTape(scalar word: UInt64) {
    let target = unsafe tapeMemory((Int(Self.root) + 1) * 8)
    unsafe target.storeBytes(of: word, toByteOffset: Int(Self.root) * 8, as: UInt64.self)
  }

  /// Returns memory for a tape of `count` bytes. The caller fills it.
  @inline(__always)
  private func tapeMemory(_ count: Int) -> UnsafeMutableRawPointer {
    if !Self.fits(count, tapeCapacity) {
      tape.fit(count)
      adoptTape()
    }
    wordCount = count / 8
    childTables.removeAll()
    return unsafe UnsafeMutableRawPointer(mutating: words)
  }

  private func adoptTape() {
    tapeCapacity = tape.capacity
    unsafe words = UnsafeRawPointer(tape.base)
  }

  /// Sets the tape to the tape words in `memory`, and returns the memory of the old tape.
  func exchangeTape(_ memory: consuming RawMemory, wordCount: Int) -> RawMemory {
    swap(&tape, &memory)
    adoptTape()
    self.wordCount = wordCount
    childTables.removeAll()
    return memory
  }

  /// Releases the reserved memory after the tape.
  func trim() {
    tape.trim(to: wordCount * 8)
    adoptTape()
  }

  // MARK: Reading

  /// The tape and the source bytes, for a caller that keeps this object and does not fill it in the meantime.
  ///
  /// SAFETY: neither moves before the document is filled again. An array passes its elements only temporarily, so they are
  /// copied once. The first access pays for the copy; it costs a small part of the parsing.
  var tapeWords: UnsafeRawPointer { unsafe words }
  var sourceBytes: UnsafeRawBufferPointer {
    if let fixedBytes = unsafe fixedBytes { return unsafe fixedBytes }
    guard case .array(let array) = source else { return unsafe UnsafeRawBufferPointer(start: nil, count: 0) }
    return unsafe array.fixedCopy.bytes
  }

  /// The tape words of a value; they exist as long as this object, until it is filled again.
  func words(of index: UInt32) -> UnsafeBufferPointer<UInt64> {
    let all = unsafe UnsafeBufferPointer(start: words.assumingMemoryBound(to: UInt64.self), count: wordCount)
    let end = min(Int(after(index)), wordCount)
    return unsafe UnsafeBufferPointer(rebasing: all[min(Int(index), end)..<end])
  }

  /// Returns the tape word at `index`.
  ///
  /// SAFETY: an index is taken from the tape itself: the root, a link that the parser wrote, or the tape word after another.
  /// It is below `wordCount`, the tape words never change, and no index leads past the end of the root. Worth it: a
  /// comparison with `wordCount` takes 10 % more instructions (Scripts/measure instructions, access).
  func word(_ index: UInt32) -> TapeWord {
    assert(Int(index) < wordCount)
    return unsafe TapeWord(bits: words.loadUnaligned(fromByteOffset: Int(index) &* 8, as: UInt64.self))
  }

  /// The number of bytes of the tape, without the reserve after it.
  var tapeBytes: Int { wordCount * 8 }

  /// Calls `body` with the source bytes. The pointer is valid only inside `body`.
  func withSource<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    if let fixedBytes = unsafe fixedBytes { return try unsafe body(fixedBytes) }
    guard let array = unsafe unmanagedArray else {
      return try unsafe body(UnsafeRawBufferPointer(start: nil, count: 0))
    }
    // The standard library's closure does not propagate typed errors.
    let result = unsafe array._withUnsafeGuaranteedRef { array in
      Swift.Result<Result, Failure> { () throws(Failure) in try unsafe array.withBytes(body) }
    }
    return try result.get()
  }
}

/// The source bytes in an array of the caller. They never change, so reading them does not retain the array.
final class SourceArray: Sendable {
  let bytes: [UInt8]
  private let copy = OnceReference<ByteStore>()

  /// A copy of the bytes at a fixed address, made at the first access. If two threads copy at once, one discards its copy.
  var fixedCopy: ByteStore { copy.load() ?? copy.storeIfNil(unsafe withBytes { unsafe ByteStore(copying: $0) }) }

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Calls `body` with the bytes.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let bytes = bytes
    let span = bytes.span
    return try unsafe span.withUnsafeBytes(body)
  }
}

extension Document {
  /// Returns the tape index after the value at `index`: of its next sibling, or of the end of its container.
  func after(_ index: UInt32) -> UInt32 {
    word(index).kind.isStart ? UInt32(truncatingIfNeeded: word(index &+ 1).linkedIndex) : index &+ 1
  }

  /// Returns the range in the source of the event at `index`: of a string with its quotes, of a container from its opening
  /// to its closing bracket.
  func range(of index: UInt32) -> Range<Int> {
    let word = word(index)
    if word.kind.isStart { return word.offset..<(self.word(after(index) &- 1).offset &+ 1) }
    guard word.isLong else { return word.offset..<word.end }
    let text = unsafe withSource { unsafe word.textRange(in: $0) }
    return word.offset..<(word.kind == .number ? text.upperBound : text.upperBound &+ 1)
  }

  /// Calls `body` with the bytes of a number, or with the bytes between the quotes of a string or key.
  @inline(__always)
  func withText<Result, Failure: Error>(
    of index: UInt32, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let word = word(index)
    return try unsafe withSource { (source) throws(Failure) in
      try unsafe body(UnsafeRawBufferPointer(rebasing: source[word.textRange(in: source)]))
    }
  }

  /// Returns the decoded string or key.
  func string(at index: UInt32) -> String {
    let isEscaped = word(index).kind.isEscaped
    return unsafe withText(of: index) { text in
      // `String` validates the bytes before it copies them, so bytes that other code may change are copied first.
      guard !isVolatile else {
        return unsafe Array(text).withUnsafeBytes { unsafe isEscaped ? EscapedText.decode($0) : String(utf8: $0) }
      }
      guard isEscaped else { return unsafe String(uncheckedUTF8: text) }
      return unsafe EscapedText.withDecoded(text) { unsafe String(uncheckedUTF8: $0) }
    }
  }
}

extension Document.Source {
  /// Whether other code may write to the bytes.
  var isVolatile: Bool { if case .store(let store) = self { store.isMapped } else { false } }

  /// Calls `body` with the bytes.
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
