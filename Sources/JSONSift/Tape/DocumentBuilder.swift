/// Parses documents, one after another. It reuses the last document and its memory when no other reference to it exists: on
/// a stream of records, allocating them would be most of the cost.
struct DocumentBuilder: ~Copyable {
  private var parser: YajlParser
  private var validation: ValidationScan?
  private var last: Document?

  init(options: JSONOptions) {
    parser = YajlParser(options: options)
    validation = nil
    last = nil
  }

  /// Parses one complete text.
  ///
  /// - Parameters:
  ///   - origin: The offset of the source in the input; errors count from the start of the input.
  ///   - trust: The properties of the text that the caller has verified. Ignored for a mapped file.
  ///   - stripsMark: Whether a byte order mark at the start is skipped.
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
    moveTapeWords(document, of: textCount)
    return document
  }

  /// Parses a part of a text that `source` owns. Offsets count from the start of the text, and nothing is copied.
  mutating func document(of source: Document.Source, range: Range<Int>, trust: Trust) throws(JSONError) -> Document {
    let trust = source.isVolatile ? .volatile : trust
    try unsafe source.withBytes { (bytes) throws(JSONError) in
      try unsafe parse(
        UnsafeRawBufferPointer(rebasing: bytes[..<range.upperBound]), origin: 0, from: range.lowerBound, trust: trust,
        stripsMark: false)
    }
    let document = Document.reusing(&last)
    document.setSource(source, origin: 0)
    moveTapeWords(document, of: range.count)
    return document
  }

  /// Parses one text and copies it.
  ///
  /// - Parameter start: The number of bytes before the text that are copied with it and are not part of it.
  mutating func document(
    copying bytes: UnsafeRawBufferPointer, origin: Int = 0, from start: Int = 0, trust: Trust = .unknown,
    stripsMark: Bool = true
  ) throws(JSONError) -> Document {
    try unsafe parse(bytes, origin: origin, from: start, trust: trust, stripsMark: stripsMark)
    let document = Document.reusing(&last)
    unsafe document.setSource(copying: bytes, origin: origin)
    moveTapeWords(document, of: bytes.count)
    return document
  }

  /// Copies one text and parses the copy, because other code may write to the bytes during the parsing.
  mutating func document(
    copyingFirst bytes: UnsafeRawBufferPointer, origin: Int = 0, stripsMark: Bool = true
  ) throws(JSONError) -> Document {
    let document = Document.reusing(&last)
    unsafe document.setSource(copying: bytes, origin: origin)
    try unsafe document.withSource { (bytes) throws(JSONError) in
      try unsafe parse(bytes, origin: origin, trust: .unknown, stripsMark: stripsMark)
    }
    moveTapeWords(document, of: bytes.count)
    return document
  }

  /// Parses one text and calls `body` with its tape words, without creating a document.
  mutating func parse(
    _ bytes: UnsafeRawBufferPointer, origin: Int, trust: Trust, _ body: (UnsafeBufferPointer<UInt64>) -> Void
  ) throws(JSONError) {
    try unsafe parse(bytes, origin: origin, trust: trust, stripsMark: origin == 0)
    unsafe body(UnsafeBufferPointer(rebasing: parser.words.dropFirst(YajlContext.headerWords)))
  }

  /// Moves the parser's tape words to a document. The tape of a long text is exchanged. The tape of a short text is copied
  /// to fit, so that a retained record does not retain a larger block.
  private mutating func moveTapeWords(_ document: Document, of byteCount: Int) {
    let words = unsafe UnsafeRawBufferPointer(parser.words)
    let fits = byteCount >= YajlContext.longText || parser.tapeCapacity <= words.count * 4
    if words.count <= Self.maxCopiedTapeBytes || !fits { return unsafe document.setTape(copying: words) }
    let tape = parser.exchangeTape(RawMemory(capacity: 0))
    _ = parser.exchangeTape(document.exchangeTape(tape, wordCount: words.count / 8))
  }

  private static let maxCopiedTapeBytes = Sizes.of(1 << 14, fuzzing: 256)

  /// Parses a complete text. The tape words are in the parser.
  ///
  /// A text of at least ``minValidated`` bytes is validated (``ValidationScan``), which takes a third of the time, and then
  /// not parsed by libyajl. If the validation is undecided, libyajl parses the whole text, so only the parser reports errors.
  private mutating func parse(
    _ bytes: UnsafeRawBufferPointer, origin: Int, from first: Int = 0, trust: Trust, stripsMark: Bool
  ) throws(JSONError) {
    // Windows of a stream are far smaller. Only one text in one block of memory, such as a mapped file, can be this long.
    guard bytes.count < TapeWord.maxOffset else {
      throw JSONError(.recordLimit, at: origin, limit: TapeWord.maxOffset - 1)
    }
    parser.reserve(forBytes: bytes.count - first)
    let start = unsafe first == 0 && stripsMark && ByteOrderMark.begins(bytes) ? ByteOrderMark.count : first
    if unsafe fillValidated(bytes, from: start, trust) { return }
    do throws(JSONError) {
      try parser.begin()
      let checked =
        unsafe trust == .validated
        ? bytes.count : first + ByteScan.textPrefix(UnsafeRawBufferPointer(rebasing: bytes[first...]))
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<checked])
      let pending = try unsafe parser.parse(text, at: origin, from: start, mark: start)
      guard checked == bytes.count else {
        throw unsafe parser.rejection(bytes, index: checked, at: origin, pending: pending)
      }
      try unsafe parser.complete(text, at: origin, pending: pending)
      parser.end()
    } catch {
      parser.end()
      throw error
    }
  }

  /// Validates a text, unless the caller has, and fills the tape. Returns whether it did.
  private mutating func fillValidated(_ bytes: UnsafeRawBufferPointer, from start: Int, _ trust: Trust) -> Bool {
    guard trust != .volatile, bytes.count - start >= (trust == .validated ? 2 : Self.minValidated) else { return false }
    let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
    let whitespaceCount = unsafe ByteScan.whitespacePrefix(text)
    guard unsafe whitespaceCount < text.count && text[whitespaceCount].opensContainer else { return false }
    guard unsafe trust == .validated || validates(text) else { return false }
    var end = bytes.count
    while unsafe bytes[end - 1].isJSONWhitespace { end -= 1 }
    return unsafe parser.fill(validated: bytes, (start + whitespaceCount)..<end)
  }

  private mutating func validates(_ text: UnsafeRawBufferPointer) -> Bool {
    guard ValidationScan.isOn else { return false }
    if validation == nil {
      // The limit for records does not apply to a document.
      var limits = parser.options.limits
      limits.recordBytes = .max
      validation = ValidationScan(isLines: false, limits: limits)
    }
    validation?.resume(at: .start)
    return unsafe validation?.run(text) == text.count && validation?.finish() == true
  }

  /// The minimum length of a text to validate. Validating a shorter one is not faster than parsing it.
  private static let minValidated = Sizes.of(128, fuzzing: 16)
}

extension DocumentBuilder {
  /// The verified properties of a text.
  enum Trust {
    /// Other code may write to the bytes, so a validation of them need not hold.
    case volatile
    case unknown
    /// The text is JSON within the limits.
    case validated
  }
}
