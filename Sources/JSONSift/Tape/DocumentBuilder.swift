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

  /// Makes a document of the words that a caller has collected, whose offsets count in `store`.
  private mutating func finish(_ source: Document.Source, origin: Int) -> Document {
    let wordCount = unsafe parser.words.count
    if last != nil, isKnownUniquelyReferenced(&last), let document = last {
      let tape = parser.exchangeTape(RawMemory(capacity: 0))
      _ = parser.exchangeTape(
        document.replace(source: source, origin: origin, tape: tape, wordCount: wordCount))
      return document
    }
    let document = Document(
      source: source, origin: origin, tape: parser.exchangeTape(RawMemory(capacity: 4096)), wordCount: wordCount)
    last = document
    return document
  }

  /// The store of the last document, if nobody holds that any more.
  mutating func takeSpareStore() -> ByteStore? {
    guard last != nil, isKnownUniquelyReferenced(&last), case .bytes(let store)? = last?.source else { return nil }
    return store
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
      let pending = try unsafe parser.parse(text, at: origin, from: start)
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
