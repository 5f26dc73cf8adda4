/// Writes the values of a source in another layout, chunk by chunk.
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
/// A document is never held as a whole: memory is bounded by its longest string and its depth. With sorted keys it is held,
/// at most ``JSONLimits/recordBytes`` of it. In a stream, one record is held at a time. Every byte is validated, and numbers
/// and strings are written byte for byte as in the source unless ``JSONWriterOptions/spelling`` says otherwise. Each
/// document and each record ends with a line feed.
public struct JSONReformatter: ~Copyable {
  private var content: DocumentOrRecords<DocumentReformatter, JSONRecordReader>
  private let layout: JSONWriterOptions
  /// The text of the last record that was written from its document.
  private var text = ByteBuffer(capacity: 256)
  /// How the stream is cut into records.
  public let framing: JSONFraming

  /// Opens the source. Nothing is written before ``next(into:)`` is called.
  ///
  /// - Parameters:
  ///   - source: The input.
  ///   - layout: The output format.
  ///   - options: How the source is cut and read. The default guesses whether it is one document or many records. The
  ///     recovery policy is ignored: a bad record is thrown.
  ///   - checkpoint: Where reading begins, if not at the start of the input.
  /// - Throws: ``JSONError/Code/unreadable`` if the source cannot be opened.
  public init(
    _ source: JSONSource, as layout: JSONWriterOptions,
    records options: JSONRecordOptions = JSONRecordOptions(framing: .automatic),
    resumingAt checkpoint: JSONCheckpoint? = nil
  ) throws(JSONError) {
    try self.init(source, as: layout, records: options, resumingAt: checkpoint, oneByOne: false)
  }

  /// - Parameter oneByOne: Whether each chunk is one record.
  package init(
    _ source: JSONSource, as layout: JSONWriterOptions, records options: JSONRecordOptions,
    resumingAt checkpoint: JSONCheckpoint?, oneByOne: Bool
  ) throws(JSONError) {
    var (options, checkpoint) = (options, checkpoint)
    options.recovery = .stop
    let source = source.nested(&options, &checkpoint)
    var window = try ReadWindow(source, readsAhead: true)
    let cut = try window.framing(options, name: source.name, resumingAt: checkpoint)
    if cut == .document, !layout.sortsKeys, checkpoint == nil {
      self.init(DocumentOrRecords(DocumentReformatter(window, options.reading, layout)), layout, cut)
    } else {
      var reader = try JSONRecordReader(window, framing: cut, options: options, at: checkpoint)
      if TokenCopier.copies(layout) { reader.copyValidated(as: layout, oneByOne: oneByOne) }
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

  /// Appends the next chunk. Returns `false` at the end, and appends nothing then.
  ///
  /// - Throws: ``JSONError``. In a stream of lines or a text sequence the next call continues after the bad record. In a
  ///   document the output before the error has been appended by then.
  public mutating func next(into text: inout [UInt8]) throws(JSONError) -> Bool {
    do throws(JSONError) {
      return try unsafe borrowNext { _ = unsafe text.append(contentsOf: $0) }
    } catch {
      unsafe content.document?.withOutput { unsafe text.append(contentsOf: $0) }
      throw error
    }
  }

  /// Passes the next chunk: for records, one or more complete ones; ``skippedRecords`` counts those beyond one. Returns
  /// `false` at the end.
  ///
  /// - Throws: The errors of ``next(into:)``. ``borrowRest(_:)`` passes the output before an error in a document.
  package mutating func borrowNext(_ body: (UnsafeRawBufferPointer) -> Void) throws(JSONError) -> Bool {
    if let hasMore = try content.document?.next() {
      if hasMore { unsafe borrowRest(body) }
      return hasMore
    }
    guard let record = try content.records?.next() else { return false }
    if unsafe content.records?.borrowCopied(body) == true { return true }
    text.removeAll(keepingAtMost: Self.keptText)
    try record.value.write(layout) { bytes in unsafe bytes.withUnsafeBytes { unsafe text.append($0) } }
    text.append(ASCII.lineFeed)
    unsafe text.withBytes { unsafe body($0) }
    return true
  }

  /// Passes the output for a document before the error that the last call threw.
  package func borrowRest(_ body: (UnsafeRawBufferPointer) -> Void) { unsafe content.document?.withOutput(body) }

  private static let keptText = Sizes.of(4 << 20, fuzzing: 32)

  /// Returns the line and column of an error that the last call threw.
  public func position(of error: JSONError) -> JSONError.Position { content.position(of: error) }

  /// Returns the text around an error that the last call threw, if it is still in memory.
  public func excerpt(of error: JSONError) -> JSONError.Excerpt? { content.excerpt(of: error) }

  /// Why reading cannot continue after the error of the last call; `nil` if it can.
  public var stopReason: String? { content.stopReason }

  /// Returns the bad record whose error the last call threw; `nil` in one document. See ``JSONRecordReader/badRecord(of:)``.
  public mutating func badRecord(of error: JSONError) -> JSONBadRecord? { content.badRecord(of: error) }

  /// The number of records written so far, minus the number of chunks.
  package var skippedRecords: Int { content.records.borrow { $0.skippedRecords } ?? 0 }

  /// What was not validated, and what had to be parsed.
  package var tally: ReadingTally { content.tally }

  /// Continues with the lines of a block; the reformatter was created for an empty input. `end(_:)` returns the memory to
  /// the block.
  package mutating func begin(_ block: LineBlock) { content.records?.begin(block) }

  package mutating func end(_ block: LineBlock) { content.records?.end(block) }
}
