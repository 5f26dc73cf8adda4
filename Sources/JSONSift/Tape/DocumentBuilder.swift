/// Makes documents, one after another. When nobody holds the last one any more, its object and memory are used again: on
/// a stream of records that is most of the cost.
struct DocumentBuilder: ~Copyable {
  private var parser: YajlParser
  private var last: Document?

  init(options: JSONOptions) {
    parser = YajlParser(options: options)
    last = nil
  }

  /// Parses one text that is there as a whole.
  ///
  /// - Parameters:
  ///   - origin: The offset of the source in the input that it is a piece of; errors count from there.
  ///   - isValidText: The caller has already seen that the bytes are strict UTF-8 without 0B and 0C.
  ///   - stripsMark: A byte order mark at the start is passed over.
  mutating func document(
    of source: Document.Source, origin: Int = 0, isValidText: Bool = false, stripsMark: Bool = true
  ) throws(JSONError) -> Document {
    switch source {
    case .bytes(let store):
      try unsafe parse(store.bytes, origin: origin, isValidText: isValidText, stripsMark: stripsMark)
    case .array(let array):
      try unsafe array.span.withUnsafeBytes { (bytes) throws(JSONError) in
        try unsafe parse(bytes, origin: origin, isValidText: isValidText, stripsMark: stripsMark)
      }
    }
    return finish(source, origin: origin)
  }

  /// Makes a document of the words in the parser.
  private mutating func finish(_ source: Document.Source, origin: Int) -> Document {
    let spare = last != nil && isKnownUniquelyReferenced(&last) ? last : nil
    let wordCount = unsafe parser.words.count
    let tape = takeTape(spare?.takeTape())
    if let spare {
      spare.replace(source: source, origin: origin, tape: tape, wordCount: wordCount)
      return spare
    }
    let document = Document(source: source, origin: origin, tape: tape, wordCount: wordCount)
    last = document
    return document
  }

  /// The words, in memory for a document to keep. A large tape is handed over as it is, for `spare` or nothing; a small
  /// one is copied to fit, so that records that are kept take no more than they need.
  private mutating func takeTape(_ spare: consuming RawMemory?) -> RawMemory {
    let words = unsafe UnsafeRawBufferPointer(parser.words)
    if words.count > Self.copiedTape { return parser.exchangeTape(spare ?? RawMemory(capacity: 4096)) }
    var tape = spare ?? RawMemory(capacity: words.count)
    tape.grow(to: words.count, keeping: 0)
    if let base = words.baseAddress { unsafe tape.base.copyMemory(from: base, byteCount: words.count) }
    return tape
  }

  private static let copiedTape = 1 << 14

  /// Parses one text and copies it, into the memory of the last document if nobody holds that any more.
  mutating func document(
    copying bytes: UnsafeRawBufferPointer, origin: Int = 0, isValidText: Bool = false, stripsMark: Bool = true
  ) throws(JSONError) -> Document {
    try unsafe parse(bytes, origin: origin, isValidText: isValidText, stripsMark: stripsMark)
    let words = unsafe UnsafeRawBufferPointer(parser.words)
    let isSpare = last != nil && isKnownUniquelyReferenced(&last)
    if isSpare, words.count <= Self.copiedTape, let last, let store = last.store {
      unsafe last.refill(store, bytes, words: words, origin: origin)
      return last
    }
    let store = (isSpare ? last?.store : nil) ?? ByteStore(capacity: bytes.count)
    unsafe store.assign(bytes)
    return finish(.bytes(store), origin: origin)
  }

  /// Runs the parser over a whole text. The words are in the parser.
  private mutating func parse(
    _ bytes: UnsafeRawBufferPointer, origin: Int, isValidText: Bool, stripsMark: Bool
  ) throws(JSONError) {
    do throws(JSONError) {
      parser.reserve(forBytes: bytes.count)
      try parser.begin()
      let start = unsafe stripsMark && ByteOrderMark.begins(bytes) ? ByteOrderMark.count : 0
      let checked = unsafe isValidText ? bytes.count : ByteScan.textPrefix(bytes)
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<checked])
      let pending = try unsafe parser.parse(text, at: origin, from: start, mark: start)
      guard checked == bytes.count else {
        throw unsafe parser.refused(bytes, index: checked, at: origin, pending: pending)
      }
      try unsafe parser.complete(text, at: origin, pending: pending)
      parser.end()
    } catch {
      parser.end()
      throw error
    }
  }
}
