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
    var textCount = 0
    switch source {
    case .store(let store):
      textCount = store.count
      try unsafe parse(store.bytes, origin: origin, isValidText: isValidText, stripsMark: stripsMark)
    case .array(let array):
      textCount = array.bytes.count
      try unsafe array.withBytes { (bytes) throws(JSONError) in
        try unsafe parse(bytes, origin: origin, isValidText: isValidText, stripsMark: stripsMark)
      }
    case .copy: break
    }
    let document = Document.reusing(&last)
    document.setSource(source, origin: origin)
    takeWords(document, of: textCount)
    return document
  }

  /// Parses a part of a text that is kept as a whole: places are those of the text, and nothing is copied.
  mutating func document(
    of source: Document.Source, range: Range<Int>, isValidText: Bool
  ) throws(JSONError) -> Document {
    switch source {
    case .store(let store):
      try unsafe parse(
        UnsafeRawBufferPointer(rebasing: store.bytes[..<range.upperBound]), origin: 0, from: range.lowerBound,
        isValidText: isValidText, stripsMark: false)
    case .array(let array):
      try unsafe array.withBytes { (bytes) throws(JSONError) in
        try unsafe parse(
          UnsafeRawBufferPointer(rebasing: bytes[..<range.upperBound]), origin: 0, from: range.lowerBound,
          isValidText: isValidText, stripsMark: false)
      }
    case .copy: break
    }
    let document = Document.reusing(&last)
    document.setSource(source, origin: 0)
    takeWords(document, of: range.count)
    return document
  }

  /// Parses one text and copies it.
  ///
  /// - Parameter start: How many bytes before the text are copied with it, and are no part of it.
  mutating func document(
    copying bytes: UnsafeRawBufferPointer, origin: Int = 0, from start: Int = 0, isValidText: Bool = false,
    stripsMark: Bool = true
  ) throws(JSONError) -> Document {
    try unsafe parse(bytes, origin: origin, from: start, isValidText: isValidText, stripsMark: stripsMark)
    let document = Document.reusing(&last)
    unsafe document.setSource(copying: bytes, origin: origin)
    takeWords(document, of: bytes.count)
    return document
  }

  /// Copies one text and parses the copy: somebody else may write to the bytes meanwhile.
  mutating func document(
    copyingFirst bytes: UnsafeRawBufferPointer, origin: Int = 0, stripsMark: Bool = true
  ) throws(JSONError) -> Document {
    let document = Document.reusing(&last)
    unsafe document.setSource(copying: bytes, origin: origin)
    try unsafe document.withSource { (bytes) throws(JSONError) in
      try unsafe parse(bytes, origin: origin, isValidText: false, stripsMark: stripsMark)
    }
    takeWords(document, of: bytes.count)
    return document
  }

  /// Parses one text and lends its words, for one who keeps none of it.
  mutating func parse(
    _ bytes: UnsafeRawBufferPointer, origin: Int, isValidText: Bool, _ body: (UnsafeBufferPointer<UInt64>) -> Void
  ) throws(JSONError) {
    try unsafe parse(bytes, origin: origin, isValidText: isValidText, stripsMark: origin == 0)
    unsafe body(UnsafeBufferPointer(rebasing: parser.words.dropFirst(YajlContext.headerWords)))
  }

  /// Gives the parser's words to a document. The tape of a long text changes hands; that of a short one is copied to fit,
  /// so that a record that is kept does not keep the memory of a larger one.
  private mutating func takeWords(_ document: Document, of byteCount: Int) {
    let words = unsafe UnsafeRawBufferPointer(parser.words)
    let fits = byteCount >= YajlContext.longText || parser.tapeCapacity <= words.count * 4
    if words.count <= Self.copiedTape || !fits { return unsafe document.setTape(copying: words) }
    let tape = parser.exchangeTape(RawMemory(capacity: 0))
    _ = parser.exchangeTape(document.exchangeTape(tape, wordCount: words.count / 8))
  }

  private static let copiedTape = 1 << 14

  /// Runs the parser over a whole text. The words are in the parser.
  private mutating func parse(
    _ bytes: UnsafeRawBufferPointer, origin: Int, from first: Int = 0, isValidText: Bool, stripsMark: Bool
  ) throws(JSONError) {
    do throws(JSONError) {
      // Windows of a stream are far smaller; only one text in one piece of memory, such as a mapped file, can be so long.
      guard bytes.count < EventWord.largestOffset else {
        throw JSONError(.recordLimit, at: origin, number: EventWord.largestOffset - 1)
      }
      parser.reserve(forBytes: bytes.count - first)
      try parser.begin()
      let start = unsafe first == 0 && stripsMark && ByteOrderMark.begins(bytes) ? ByteOrderMark.count : first
      let checked =
        unsafe isValidText
        ? bytes.count : first + ByteScan.textPrefix(UnsafeRawBufferPointer(rebasing: bytes[first...]))
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
