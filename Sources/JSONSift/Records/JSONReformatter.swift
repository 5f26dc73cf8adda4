/// Writes what a source holds in another layout, piece by piece.
///
/// ```swift
/// var reformatter = try JSONReformatter(.path("huge.json"), as: .pretty)
/// var text: [UInt8] = []
/// while try reformatter.next(into: &text) {
///   output.write(text)
///   text.removeAll(keepingCapacity: true)
/// }
/// ```
///
/// One document is never held: memory is bounded by its longest string and its depth. With sorted keys it is, at most
/// ``JSONLimits/recordBytes`` of it. Of a stream of records one is held at a time. Every byte is checked, and numbers and
/// strings are written byte for byte as in the source unless ``JSONWriterOptions/spelling`` says otherwise. Each document
/// and each record ends with a line feed.
public struct JSONReformatter: ~Copyable {
  private var content: DocumentOrRecords<DocumentReformatter, JSONRecordReader>
  private let layout: JSONWriterOptions
  /// How the stream is cut into records.
  public let framing: JSONFraming

  /// Opens the source. Nothing is written before ``next(into:)`` is called.
  ///
  /// - Parameters:
  ///   - source: What is read.
  ///   - layout: How it is written.
  ///   - options: How the source is cut and read. The default guesses whether it is one document or many records. A bad
  ///     record is thrown; what is said of recovery does not count.
  ///   - checkpoint: Where reading begins, if not at the start of the input.
  /// - Throws: ``JSONError/Code/unreadable`` if the source cannot be opened.
  public init(
    _ source: JSONSource, as layout: JSONWriterOptions,
    records options: JSONRecordOptions = JSONRecordOptions(framing: .automatic),
    resumingAt checkpoint: JSONCheckpoint? = nil
  ) throws(JSONError) {
    var options = options
    options.recovery = .stop
    var window = try ReadWindow(source, startingAt: checkpoint?.byteOffset ?? 0, readsAhead: true)
    let cut = options.guessesFraming ? try window.guessFraming(name: source.name) : options.knownFraming
    if cut == .document, !layout.sortsKeys, checkpoint == nil {
      self.init(DocumentOrRecords(DocumentReformatter(window, options.reading, layout)), layout, cut)
    } else {
      let reader = try JSONRecordReader(window, framing: cut, options: options, at: checkpoint)
      self.init(DocumentOrRecords(records: reader), layout, cut)
    }
  }

  private init(
    _ content: consuming DocumentOrRecords<DocumentReformatter, JSONRecordReader>, _ layout: JSONWriterOptions,
    _ framing: JSONFraming
  ) {
    self.content = content
    self.layout = layout
    self.framing = framing
  }

  /// Appends the next piece. `false` at the end, and then nothing is appended.
  ///
  /// - Throws: ``JSONError``. Of a stream of lines or a text sequence the next call goes on behind the bad record. What
  ///   stands before an error in a document has been appended by then.
  public mutating func next(into text: inout [UInt8]) throws(JSONError) -> Bool {
    if let hasMore = try content.document?.next(into: &text) { return hasMore }
    guard let record = try content.records?.next() else { return false }
    try record.value.write(layout) { text.append(contentsOf: $0) }
    text.append(ASCII.lineFeed)
    return true
  }

  /// Line and column of an error that the last call threw.
  public func position(of error: JSONError) -> SourcePosition { content.position(of: error) }

  /// The text around an error that the last call threw, if it is still in memory.
  public func excerpt(of error: JSONError) -> SourceExcerpt? { content.excerpt(of: error) }

  /// Why reading cannot go on after an error of the last call; `nil` if it can.
  public var stopReason: String? { content.stopReason }

  /// The bad record whose error the last call threw; `nil` in one document. See ``JSONRecordReader/badRecord(of:)``.
  public mutating func badRecord(of error: JSONError) -> JSONBadRecord? { content.badRecord(of: error) }
}

extension [UInt8] {
  fileprivate mutating func append(contentsOf bytes: RawSpan) {
    unsafe bytes.withUnsafeBytes { unsafe append(contentsOf: $0) }
  }
}

/// One document, read and written piece by piece.
private struct DocumentReformatter: DocumentErrors, ~Copyable {
  private var text: DocumentText
  private var parser: ChunkedParser
  private var sink: LayoutSink
  private var isFinished = false
  private var failure: JSONError?

  init(_ window: consuming ReadWindow, _ options: JSONOptions, _ layout: JSONWriterOptions) {
    text = DocumentText(window)
    parser = ChunkedParser(options: options)
    sink = LayoutSink(layout)
  }

  func position(of error: JSONError) -> SourcePosition { text.position(at: error.byteOffset) }
  func excerpt(of error: JSONError) -> SourceExcerpt? { text.excerpt(at: error.byteOffset) }

  mutating func next(into output: inout [UInt8]) throws(JSONError) -> Bool {
    if let failure { throw failure }
    guard !isFinished else { return false }
    do throws(JSONError) {
      try advance()
    } catch {
      failure = error
      text.end(at: error)
      sink.take(into: &output)
      throw error
    }
    sink.take(into: &output)
    return true
  }

  private mutating func advance() throws(JSONError) {
    if unsafe !text.piece.isEmpty { text.leave() }
    if try text.next() { return try unsafe parser.feed(text.piece, into: &sink) }
    try parser.finish(into: &sink)
    isFinished = true
    sink.end()
  }
}

/// Writes words as they come.
private final class LayoutSink: WordSink {
  private var layout: TextLayout
  private var isFirst = true
  private var isAfterKey = false
  private var isInside = false

  init(_ options: JSONWriterOptions) { layout = TextLayout(options) }

  func take(_ batch: WordBatch) throws(JSONError) -> Bool {
    var index = YajlContext.headerWords
    let words = unsafe batch.words
    while index < words.count {
      let word = unsafe EventWord(bits: words[index])
      let kind = word.kind
      if !kind.isEnd, !isAfterKey, isInside { layout.separate(isFirst: isFirst) }
      switch kind {
      case .objectStart: layout.open(ASCII.openBrace)
      case .arrayStart: layout.open(ASCII.openBracket)
      case .objectEnd: layout.close(ASCII.closeBrace, isEmpty: isFirst)
      case .arrayEnd: layout.close(ASCII.closeBracket, isEmpty: isFirst)
      case .null: layout.output.append("null")
      case .true: layout.output.append("true")
      case .false: layout.output.append("false")
      default: write(word, in: batch)
      }
      isFirst = kind.isStart
      isAfterKey = kind.isKey
      isInside = true
      index &+= kind.isStart ? 2 : 1
    }
    return true
  }

  private func write(_ word: EventWord, in batch: WordBatch) {
    let kind = word.kind
    let text = unsafe UnsafeRawBufferPointer(rebasing: batch.window[batch.textRange(of: word)])
    if kind == .number { return unsafe layout.writeNumber(text) }
    unsafe layout.writeSource(text, isEscaped: kind.isEscaped)
    if kind.isKey { layout.writeColon() }
  }

  /// The document is complete.
  func end() { layout.output.append(ASCII.lineFeed) }

  /// Appends what has been written, and forgets it.
  func take(into bytes: inout [UInt8]) {
    unsafe layout.output.withBytes { unsafe bytes.append(contentsOf: $0) }
    layout.output.removeAll()
  }
}
