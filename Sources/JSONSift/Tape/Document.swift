import Synchronization

/// A parsed text: its source bytes and its tape. Nothing in it changes after it is made.
///
/// # The tape
///
/// The tape is the parser's events as ``EventWord``s of 8 bytes, in the order of the source, behind a header of four
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
/// the tables that are made later stand behind a lock.
final class Document: @unchecked Sendable {
  /// Where the bytes are.
  enum Source {
    case array([UInt8])
    case bytes(ByteStore)
  }

  /// The index of the word of the outermost value.
  static let root: UInt32 = 4

  private(set) var source: Source
  /// The offset of the source's first byte in the input that it is a piece of.
  private(set) var origin: Int
  private var tape: RawMemory
  private(set) var wordCount: Int
  let childTables = Mutex<[UInt32: ChildTable]>([:])

  init(source: Source, origin: Int, tape: consuming RawMemory, wordCount: Int) {
    self.source = source
    self.origin = origin
    self.tape = tape
    self.wordCount = wordCount
  }

  /// Makes this object another document. Only for an object that nobody else holds.
  func replace(source: Source, origin: Int, tape: consuming RawMemory, wordCount: Int) {
    self.source = source
    self.origin = origin
    self.wordCount = wordCount
    self.tape = tape
    childTables.withLock { if !$0.isEmpty { $0 = [:] } }
  }

  /// Gives back what is reserved behind the tape. Only before the object is shared.
  func trim() { tape.trim(to: wordCount * 8) }

  /// The memory of the tape, for other words. Only for an object that nobody else holds, which is then `replace`d.
  func takeTape() -> RawMemory {
    wordCount = 0
    var memory = RawMemory(capacity: 0)
    swap(&tape, &memory)
    return memory
  }

  /// Makes this object a document of its own copies. Only for an object that nobody else holds, with a store that no
  /// other object has.
  func refill(_ store: ByteStore, _ bytes: UnsafeRawBufferPointer, words: UnsafeRawBufferPointer, origin: Int) {
    unsafe store.assign(bytes)
    tape.grow(to: words.count, keeping: 0)
    if let base = words.baseAddress { unsafe tape.base.copyMemory(from: base, byteCount: words.count) }
    wordCount = words.count / 8
    self.origin = origin
    childTables.withLock { if !$0.isEmpty { $0 = [:] } }
  }

  /// The word at `index`.
  ///
  /// SAFETY: an index comes from the tape itself: the root, a link that the parser wrote, or the word after another. It
  /// is below `wordCount`, the words never change, and a root is never followed past its end.
  @inline(__always)
  func word(_ index: UInt32) -> EventWord {
    assert(Int(index) < wordCount)
    return unsafe EventWord(
      bits: tape.base.loadUnaligned(fromByteOffset: Int(index) &* 8, as: UInt64.self))
  }

  /// How many bytes the tape takes, without the reserve behind it.
  var tapeBytes: Int { wordCount * 8 }

  /// The store of the source, if it has one.
  var store: ByteStore? {
    if case .bytes(let store) = source { store } else { nil }
  }

  /// Lends the source. The pointer is good only inside `body`.
  @inline(__always)
  func withSource<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    switch source {
    case .bytes(let store): return try unsafe body(store.bytes)
    case .array(let array):
      let span = array.span
      return try unsafe span.withUnsafeBytes(body)
    }
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
    return unsafe withText(of: index) { unsafe isEscaped ? EscapedText.decode($0) : String(utf8: $0) }
  }
}
