/// Reads a source as tape words: records, or one document of any size, which is never held as a whole.
package struct TapeWordReader: ~Copyable {
  private var content: DocumentOrRecords<DocumentWords, JSONRecordReader>
  private let receiver: any TapeWordReceiver
  /// If present, only records that satisfy it are passed.
  private var filter: RecordFilter?
  private var misses = TimeMisses()
  /// How the stream is cut into records.
  package let framing: JSONFraming

  /// - Parameter condition: If present, only records that satisfy it are passed. It has no effect on one document, which
  ///   the caller rejects.
  package init(
    _ source: JSONSource, to receiver: any TapeWordReceiver, where condition: JSONCondition?,
    records: JSONRecordOptions, resumingAt checkpoint: JSONCheckpoint?
  ) throws(JSONError) {
    var (records, checkpoint) = (records, checkpoint)
    records.recovery = .stop
    let source = source.nested(&records, &checkpoint)
    var window = try ReadWindow(source, readsAhead: true)
    let framing = try window.framing(records, name: source.name, resumingAt: checkpoint)
    if framing == .document, checkpoint == nil {
      self.init(DocumentOrRecords(DocumentWords(window, records.reading)), receiver, framing)
      return
    }
    var reader = try JSONRecordReader(window, framing: framing, options: records, at: checkpoint)
    if let condition {
      reader.prefilter(by: condition, records)
      reader.project(RecordProjection.rulingOut(by: condition, records.reading))
    } else if framing == .lines {
      reader.lane = .tapeWords(TapeWordLines(to: receiver))
    }
    self.init(DocumentOrRecords(records: reader), receiver, framing)
    filter = condition.map { RecordFilter($0, records.reading) }
  }

  private init(
    _ content: consuming DocumentOrRecords<DocumentWords, JSONRecordReader>, _ receiver: any TapeWordReceiver,
    _ framing: JSONFraming
  ) {
    self.content = content
    self.receiver = receiver
    self.framing = framing
  }

  /// Passes the words of the next record, or of the next chunk of a document. Returns `false` at the end.
  package mutating func next() throws(JSONError) -> Bool {
    guard !receiver.isFull else { return false }
    if let hasMore = try content.document?.next(receiver) { return hasMore }
    guard let record = try content.records?.next() else { return false }
    if let filter, try !filter.holds(for: record, &misses) { return true }
    // Without a condition, the words of lines are passed where they are parsed, and the record is null.
    _ = unsafe record.value.borrowTapeWords { unsafe receiver.take(records: $0, $1, after: $2) }
    return true
  }

  /// Switches to many lines at a time: from now on each call of ``next()`` passes all validated lines of one read.
  package mutating func passManyLines() { content.records?.passManyLines() }

  /// Passes the words of the lines of a block without validating them, after matches have found all of them valid.
  package mutating func trustLines() { content.records?.trustLines() }

  /// Whether a document has begun, and may continue.
  package var isInDocument: Bool { content.document.borrow { $0.isOpen } ?? false }

  /// Returns the records without a time, for a window of time, since the last call.
  package mutating func takeTimeMisses() -> TimeMisses {
    misses.taken(with: content.records?.projection?.scanner.takeMisses())
  }

  package var tally: ReadingTally { content.tally }
  package func position(of error: JSONError) -> JSONError.Position { content.position(of: error) }
  package func excerpt(of error: JSONError) -> JSONError.Excerpt? { content.excerpt(of: error) }
  package var stopReason: String? { content.stopReason }
  package mutating func badRecord(of error: JSONError) -> JSONBadRecord? { content.badRecord(of: error) }
  package mutating func begin(_ block: LineBlock) { content.records?.begin(block) }
  package mutating func end(_ block: LineBlock) { content.records?.end(block) }
}

/// The tape words of one document, read chunk by chunk.
private struct DocumentWords: DocumentErrors, ~Copyable {
  private var text: DocumentText
  private var parser: ChunkedParser
  private var progress = DocumentProgress.reading
  private var hasBegun = false

  init(_ window: consuming ReadWindow, _ options: JSONOptions) {
    text = DocumentText(window)
    parser = ChunkedParser(options: options)
  }

  func position(of error: JSONError) -> JSONError.Position { text.position(at: error.byteOffset) }
  func excerpt(of error: JSONError) -> JSONError.Excerpt? { text.excerpt(at: error.byteOffset) }
  var tally: ReadingTally { ReadingTally() }

  /// Whether the document may continue.
  var isOpen: Bool { if case .reading = progress { hasBegun } else { false } }

  mutating func next(_ receiver: any TapeWordReceiver) throws(JSONError) -> Bool {
    guard try progress.isReading() else { return false }
    if !hasBegun { receiver.beginRecord() }
    hasBegun = true
    do throws(JSONError) {
      try advance(receiver)
    } catch {
      progress = .failed(error)
      text.end(at: error)
      throw error
    }
    return isOpen
  }

  private mutating func advance(_ receiver: any TapeWordReceiver) throws(JSONError) {
    if unsafe !text.chunk.isEmpty { text.dropChunk() }
    var sink = PartSink(receiver: receiver)
    if try text.next() { return try unsafe parser.feed(text.chunk, into: &sink) }
    try parser.finish(into: &sink)
    progress = .finished
  }
}

/// Passes tape words as they arrive.
private struct PartSink: TapeWordSink {
  let receiver: any TapeWordReceiver

  func take(_ batch: TapeWordBatch) throws(JSONError) -> Bool {
    unsafe receiver.take(
      part: UnsafeBufferPointer(rebasing: batch.words.dropFirst(YajlContext.headerWords)), batch.window)
    return true
  }
}
