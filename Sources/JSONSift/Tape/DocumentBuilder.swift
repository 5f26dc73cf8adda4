/// Makes documents, one after another. When nobody holds the last one any more, its object and memory are used again: on
/// a stream of records that is most of the cost.
struct DocumentBuilder: ~Copyable {
  private var parser: YajlParser
  private var proof: ProofScan?
  private var last: Document?

  init(options: JSONOptions) {
    parser = YajlParser(options: options)
    proof = nil
    last = nil
  }

  /// Parses one text that is there as a whole.
  ///
  /// - Parameters:
  ///   - origin: The offset of the source in the input that it is a piece of; errors count from there.
  ///   - trust: What the caller has already seen. Of a mapped file it counts for nothing.
  ///   - stripsMark: A byte order mark at the start is passed over.
  mutating func document(
    of source: Document.Source, origin: Int = 0, trust: Trust = .unknown, stripsMark: Bool = true
  ) throws(JSONError) -> Document {
    let trust = source.isVolatile ? .volatile : trust
    let textCount = try unsafe source.withBytes { (bytes) throws(JSONError) in
      try unsafe parse(bytes, origin: origin, trust: trust, stripsMark: stripsMark)
      return bytes.count
    }
    let document = Document.reusing(&last)
    document.setSource(source, origin: origin)
    takeWords(document, of: textCount)
    return document
  }

  /// Parses a part of a text that is kept as a whole: places are those of the text, and nothing is copied.
  mutating func document(of source: Document.Source, range: Range<Int>, trust: Trust) throws(JSONError) -> Document {
    let trust = source.isVolatile ? .volatile : trust
    try unsafe source.withBytes { (bytes) throws(JSONError) in
      try unsafe parse(
        UnsafeRawBufferPointer(rebasing: bytes[..<range.upperBound]), origin: 0, from: range.lowerBound, trust: trust,
        stripsMark: false)
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
    copying bytes: UnsafeRawBufferPointer, origin: Int = 0, from start: Int = 0, trust: Trust = .unknown,
    stripsMark: Bool = true
  ) throws(JSONError) -> Document {
    try unsafe parse(bytes, origin: origin, from: start, trust: trust, stripsMark: stripsMark)
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
      try unsafe parse(bytes, origin: origin, trust: .unknown, stripsMark: stripsMark)
    }
    takeWords(document, of: bytes.count)
    return document
  }

  /// Parses one text and lends its words, for one who keeps none of it.
  mutating func parse(
    _ bytes: UnsafeRawBufferPointer, origin: Int, trust: Trust, _ body: (UnsafeBufferPointer<UInt64>) -> Void
  ) throws(JSONError) {
    try unsafe parse(bytes, origin: origin, trust: trust, stripsMark: origin == 0)
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

  /// Makes the words of a whole text. They are in the parser.
  ///
  /// A text of some length is proven, which takes a third of the time, and then no parser is needed. Where there is a doubt
  /// the parser reads all of it, so only the parser reports errors.
  private mutating func parse(
    _ bytes: UnsafeRawBufferPointer, origin: Int, from first: Int = 0, trust: Trust, stripsMark: Bool
  ) throws(JSONError) {
    // Windows of a stream are far smaller; only one text in one piece of memory, such as a mapped file, can be so long.
    guard bytes.count < TapeWord.largestOffset else {
      throw JSONError(.recordLimit, at: origin, limit: TapeWord.largestOffset - 1)
    }
    parser.reserve(forBytes: bytes.count - first)
    let start = unsafe first == 0 && stripsMark && ByteOrderMark.begins(bytes) ? ByteOrderMark.count : first
    if unsafe takesProven(bytes, from: start, trust) { return }
    do throws(JSONError) {
      try parser.begin()
      let checked =
        unsafe trust >= .validText
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

  /// Proves a text, if nobody has, and takes its words.
  private mutating func takesProven(_ bytes: UnsafeRawBufferPointer, from start: Int, _ trust: Trust) -> Bool {
    guard trust != .volatile, bytes.count - start >= (trust == .proven ? 2 : Self.minProven) else { return false }
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
    let blanks = unsafe ByteScan.whitespacePrefix(text)
    guard unsafe blanks < text.count && text[blanks].opensContainer else { return false }
    guard unsafe trust == .proven || proves(text) else { return false }
    var end = bytes.count
    while unsafe bytes[end - 1].isJSONWhitespace { end -= 1 }
    return unsafe parser.fill(proven: bytes, (start + blanks)..<end)
  }

  private mutating func proves(_ text: UnsafeRawBufferPointer) -> Bool {
    guard ProofScan.isOn else { return false }
    if proof == nil {
      // A line is as long as it likes.
      var limits = parser.options.limits
      limits.recordBytes = .max
      proof = ProofScan(isLines: false, limits: limits)
    }
    proof?.resume(at: .start)
    return unsafe proof?.run(text) == text.count && proof?.finish() == true
  }

  /// To prove a shorter text is not faster than to parse it.
  private static let minProven = 128
}

extension DocumentBuilder {
  /// What is known of a text.
  enum Trust: Int, Comparable {
    /// Others may write to the bytes: what is proven of them need not hold.
    case volatile
    case unknown
    /// It is strict UTF-8 without 0B and 0C.
    case validText
    /// It is JSON within the limits.
    case proven

    static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
  }
}
