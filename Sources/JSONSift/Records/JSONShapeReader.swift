/// Reads the shape of a source: of records, or of one document of any size, which is never held.
///
/// ```swift
/// var reader = try JSONShapeReader(.path("events.ndjson"))
/// while try reader.next() {}
/// for path in reader.takeShape().paths { print(path.path, path.count) }
/// ```
///
/// Every byte is checked. A bad record is not counted. Of a document with an error what stands before it is. Memory is bounded
/// by the paths and the longest record; of one document by its longest string and its depth.
public struct JSONShapeReader: ~Copyable {
  private var content: DocumentOrRecords<DocumentShape, JSONRecordReader>
  private let storage: ShapeStorage
  /// How the stream is cut into records.
  public let framing: JSONFraming

  /// - Parameters:
  ///   - source: What is read.
  ///   - options: How much of it is told apart and kept.
  ///   - records: How the source is cut and read. A bad record is thrown; what is said of recovery does not count.
  ///   - checkpoint: Where reading begins, if not at the start of the input.
  /// - Throws: ``JSONError/Code/unreadable`` if the source cannot be opened.
  public init(
    _ source: JSONSource, options: JSONShapeOptions = JSONShapeOptions(),
    records: JSONRecordOptions = JSONRecordOptions(framing: .automatic), resumingAt checkpoint: JSONCheckpoint? = nil
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
      if cut == .lines { reader.shape = storage }
      self.init(DocumentOrRecords(records: reader), storage, cut)
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

  /// Counts the next record, or the next piece of a document. `false` at the end.
  ///
  /// - Throws: ``JSONError``. Of a stream of lines or a text sequence the next call goes on behind the bad record.
  public mutating func next() throws(JSONError) -> Bool {
    guard !storage.isFull else { return false }
    if let hasMore = try content.document?.next(storage) { return hasMore }
    guard let record = try content.records?.next() else { return false }
    // Lines are counted where they are parsed.
    if case .node(let document, let index) = record.value.raw { storage.add(document, index) }
    return true
  }

  /// From now on ``next()`` counts all lines that came with one read and are proven.
  package mutating func countRuns() { content.records?.countProvenLines() }

  /// How many records were counted since the shape was taken. A document is one, also while it is being read.
  public var recordCount: Int { storage.tree.records }

  /// How many paths are in memory.
  public var pathCount: Int { storage.tree.pathCount }

  /// What was counted so far. The reader begins anew behind it.
  ///
  /// One document is one record, and a value of it belongs to those that it stands in. So while it is being read this is a
  /// look at what came so far, with containers that are open, and the reader goes on with all of it: only the shape that is taken
  /// when ``next()`` has returned `false`, or has thrown, is that of the document, and shapes from before must not be added to it.
  public mutating func takeShape() -> JSONShape {
    // Of a document nothing is left to be settled.
    if content.document?.isOpen ?? false { return JSONShape(ShapeStorage(storage.tree.copied())) }
    return JSONShape(storage.take())
  }

  /// How many bytes its paths take in memory.
  package var heldBytes: Int { storage.tree.heldBytes }

  /// There were more paths than the options allow, and nothing is counted any more.
  package var isFull: Bool { storage.tree.isFull }

  /// Line and column of an error that the last call threw.
  public func position(of error: JSONError) -> SourcePosition { content.position(of: error) }

  /// The text around an error that the last call threw, if it is still in memory.
  public func excerpt(of error: JSONError) -> SourceExcerpt? { content.excerpt(of: error) }

  /// Why reading cannot go on after an error of the last call; `nil` if it can.
  public var stopReason: String? { content.stopReason }

  /// The bad record whose error the last call threw; `nil` in one document. See ``JSONRecordReader/badRecord(of:)``.
  public mutating func badRecord(of error: JSONError) -> JSONBadRecord? { content.badRecord(of: error) }

  /// Goes on with the lines of a block, of a reader that was made for an empty input. `end(_:)` gives it its memory back.
  package mutating func begin(_ block: LineBlock) { content.records?.begin(block) }

  package mutating func end(_ block: LineBlock) { content.records?.end(block) }
}

/// One document, read piece by piece.
private struct DocumentShape: DocumentErrors, ~Copyable {
  private var text: DocumentText
  private var parser: ChunkedParser
  private var hasBegun = false
  private var isFinished = false
  private var failure: JSONError?

  init(_ window: consuming ReadWindow, _ options: JSONOptions) {
    text = DocumentText(window)
    parser = ChunkedParser(options: options)
  }

  func position(of error: JSONError) -> SourcePosition { text.position(at: error.byteOffset) }
  func excerpt(of error: JSONError) -> SourceExcerpt? { text.excerpt(at: error.byteOffset) }

  /// There may be more of it.
  var isOpen: Bool { hasBegun && !isFinished && failure == nil }

  mutating func next(_ storage: ShapeStorage) throws(JSONError) -> Bool {
    if let failure { throw failure }
    guard !isFinished else { return false }
    if !hasBegun { storage.tree.begin() }
    hasBegun = true
    do throws(JSONError) {
      try advance(storage)
    } catch {
      failure = error
      text.end(at: error)
      throw error
    }
    return !isFinished
  }

  private mutating func advance(_ storage: ShapeStorage) throws(JSONError) {
    if unsafe !text.piece.isEmpty { text.leave() }
    var sink = ShapeSink(storage: storage)
    if try text.next() { return try unsafe parser.feed(text.piece, into: &sink) }
    try parser.finish(into: &sink)
    isFinished = true
  }
}

/// Hands words to a tree as they come.
private struct ShapeSink: WordSink {
  let storage: ShapeStorage

  func take(_ batch: WordBatch) throws(JSONError) -> Bool {
    unsafe storage.takePart(
      UnsafeBufferPointer(rebasing: batch.words.dropFirst(YajlContext.headerWords)), batch.window)
    return true
  }
}
