extension JSONShape {
  /// Reads the shape of a source: of records, or of one document of any size, which is never held as a whole.
  ///
  /// ```swift
  /// var reader = try JSONShape.Reader(.path("events.ndjson"))
  /// while try reader.next() {}
  /// for path in reader.takeShape().paths { print(path.path, path.count) }
  /// ```
  ///
  /// Every byte is validated. A bad record is not counted. In a document with an error, the values before the error are
  /// counted. Memory is bounded by the paths and the longest record; for one document by its longest string and its depth.
  public struct Reader: ~Copyable {
    private var content: DocumentOrRecords<DocumentShape, JSONRecordReader>
    private let storage: ShapeStorage
    /// If present, only records that satisfy it are counted.
    private var filter: RecordFilter?
    private var misses = TimeMisses()
    /// How the stream is cut into records.
    public let framing: JSONFraming

    /// Opens a source.
    ///
    /// - Parameters:
    ///   - source: The input.
    ///   - options: The limits and the level of detail of the shape.
    ///   - records: How the source is cut and read. The recovery policy is ignored: a bad record is thrown.
    ///   - checkpoint: Where reading begins, if not at the start of the input.
    /// - Throws: ``JSONError/Code/unreadable`` if the source cannot be opened.
    public init(
      _ source: JSONSource, options: Options = Options(),
      records: JSONRecordOptions = JSONRecordOptions(framing: .automatic), resumingAt checkpoint: JSONCheckpoint? = nil
    ) throws(JSONError) {
      try self.init(source, options: options, where: nil, records: records, resumingAt: checkpoint)
    }

    /// - Parameter condition: If present, only records that satisfy it are counted. It has no effect on one document, which
    ///   the caller rejects.
    package init(
      _ source: JSONSource, options: Options, where condition: JSONCondition?, records: JSONRecordOptions,
      resumingAt checkpoint: JSONCheckpoint?
    ) throws(JSONError) {
      var records = records
      records.recovery = .stop
      var window = try ReadWindow(source, readsAhead: true)
      let cut = try window.framing(records, name: source.name, resumingAt: checkpoint)
      let storage = ShapeStorage(ShapeTree(options))
      if cut == .document, checkpoint == nil {
        self.init(DocumentOrRecords(DocumentShape(window, records.reading)), storage, cut)
      } else {
        var reader = try JSONRecordReader(window, framing: cut, options: records, at: checkpoint)
        if let condition {
          reader.prefilter(by: condition, records)
          reader.project(RecordProjection.rulingOut(by: condition, records.reading))
        } else if cut == .lines {
          reader.lane = .shape(storage)
        }
        self.init(DocumentOrRecords(records: reader), storage, cut)
        filter = condition.map { RecordFilter($0, records.reading) }
      }
    }

    private init(
      _ content: consuming DocumentOrRecords<DocumentShape, JSONRecordReader>, _ storage: ShapeStorage,
      _ framing: JSONFraming
    ) {
      self.content = content
      self.framing = framing
      self.storage = storage
    }

    /// Counts the next record, or the next chunk of a document. Returns `false` at the end.
    ///
    /// - Throws: ``JSONError``. In a stream of lines or a text sequence the next call continues after the bad record.
    public mutating func next() throws(JSONError) -> Bool {
      guard !storage.isFull else { return false }
      if let hasMore = try content.document?.next(storage) { return hasMore }
      guard let record = try content.records?.next() else { return false }
      if let filter, try !filter.holds(for: record, &misses) { return true }
      // Without a condition, lines are counted where they are parsed.
      if case .node(let document, let index) = record.value.raw { storage.add(document, index) }
      return true
    }

    /// Switches to counting many lines at a time: from now on each call of ``next()`` counts all validated lines of one read.
    package mutating func countManyLines() { content.records?.countValidatedLines() }

    /// The number of records counted since the shape was last taken. A document is one, even while it is being read.
    public var recordCount: Int { storage.tree.records }

    /// The number of paths in memory.
    public var pathCount: Int { storage.tree.pathCount }

    /// Returns the shape counted so far, and starts a new one.
    ///
    /// One document is one record. While it is being read, the result is a preview, in which the open containers lack their
    /// later children, and the reader keeps its counts. A shape that is taken after ``next()`` has returned `false`, or has
    /// thrown, is the shape of the document; do not add earlier ones to it.
    public mutating func takeShape() -> JSONShape {
      // The counts of a document are not deferred, so they need not be settled.
      if content.document?.isOpen ?? false { return JSONShape(ShapeStorage(storage.tree.copied())) }
      return JSONShape(storage.take())
    }

    /// The number of bytes of memory that the paths take.
    package var heldBytes: Int { storage.tree.heldBytes }

    /// Whether there were more paths than the options allow, so that counting has stopped.
    package var isFull: Bool { storage.tree.isFull }

    /// Returns the records without a time, for a window of time, since the last call.
    package mutating func takeTimeMisses() -> TimeMisses {
      switch content.records {
      case .some(let reader): misses.taken(with: reader.projection?.takeMisses())
      case .none: TimeMisses()
      }
    }

    /// What was not validated, and what had to be parsed.
    package var tally: ReadingTally { content.tally }

    /// Returns the line and column of an error that the last call threw.
    public func position(of error: JSONError) -> JSONError.Position { content.position(of: error) }

    /// Returns the text around an error that the last call threw, if it is still in memory.
    public func excerpt(of error: JSONError) -> JSONError.Excerpt? { content.excerpt(of: error) }

    /// Why reading cannot continue after the error of the last call; `nil` if it can.
    public var stopReason: String? { content.stopReason }

    /// Returns the bad record whose error the last call threw; `nil` in one document. See ``JSONRecordReader/badRecord(of:)``.
    public mutating func badRecord(of error: JSONError) -> JSONBadRecord? { content.badRecord(of: error) }

    /// Continues with the lines of a block; the reader was created for an empty input. `end(_:)` returns the memory to the
    /// block.
    package mutating func begin(_ block: LineBlock) { content.records?.begin(block) }

    package mutating func end(_ block: LineBlock) { content.records?.end(block) }
  }
}

/// One document, read chunk by chunk.
private struct DocumentShape: DocumentErrors, ~Copyable {
  private var text: DocumentText
  private var parser: ChunkedParser
  private var state = State.notBegun

  private enum State {
    case notBegun
    case open
    case finished
    case failed(JSONError)
  }

  init(_ window: consuming ReadWindow, _ options: JSONOptions) {
    text = DocumentText(window)
    parser = ChunkedParser(options: options)
  }

  func position(of error: JSONError) -> JSONError.Position { text.position(at: error.byteOffset) }
  func excerpt(of error: JSONError) -> JSONError.Excerpt? { text.excerpt(at: error.byteOffset) }
  var tally: ReadingTally { ReadingTally() }

  /// Whether the document may continue.
  var isOpen: Bool { if case .open = state { true } else { false } }

  mutating func next(_ storage: ShapeStorage) throws(JSONError) -> Bool {
    switch state {
    case .failed(let error): throw error
    case .finished: return false
    case .notBegun:
      storage.tree.begin()
      state = .open
    case .open: break
    }
    do throws(JSONError) {
      try advance(storage)
    } catch {
      state = .failed(error)
      text.end(at: error)
      throw error
    }
    return isOpen
  }

  private mutating func advance(_ storage: ShapeStorage) throws(JSONError) {
    if unsafe !text.chunk.isEmpty { text.dropChunk() }
    var sink = ShapeSink(storage: storage)
    if try text.next() { return try unsafe parser.feed(text.chunk, into: &sink) }
    try parser.finish(into: &sink)
    state = .finished
  }
}

/// Passes tape words to the shape tree as they arrive.
private struct ShapeSink: TapeWordSink {
  let storage: ShapeStorage

  func take(_ batch: TapeWordBatch) throws(JSONError) -> Bool {
    unsafe storage.takePart(
      UnsafeBufferPointer(rebasing: batch.words.dropFirst(YajlContext.headerWords)), batch.window)
    return true
  }
}
