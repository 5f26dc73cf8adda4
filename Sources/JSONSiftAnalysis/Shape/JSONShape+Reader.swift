import JSONSift

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
    private var words: TapeWordReader
    private let storage: ShapeStorage

    /// How the stream is cut into records.
    public var framing: JSONFraming { words.framing }

    /// Opens a source.
    ///
    /// - Parameters:
    ///   - source: The input.
    ///   - options: The limits and the level of detail of the shape.
    ///   - records: How the source is cut and read. The recovery policy is ignored: a bad record is thrown.
    ///   - checkpoint: Where reading begins, if not at the start of the input.
    /// - Throws: `JSONError.Code.unreadable` if the source cannot be opened.
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
      storage = ShapeStorage(ShapeTree(options))
      words = try TapeWordReader(source, to: storage, where: condition, records: records, resumingAt: checkpoint)
    }

    /// Counts the next record, or the next chunk of a document. Returns `false` at the end.
    ///
    /// - Throws: `JSONError`. In a stream of lines or a text sequence the next call continues after the bad record.
    public mutating func next() throws(JSONError) -> Bool { try words.next() }

    /// Counts the lines of a block without validating them, after matches have found all of them valid.
    package mutating func trustLines() { words.trustLines() }

    /// Switches to counting many lines at a time: from now on each call of ``next()`` counts all validated lines of one read.
    package mutating func countManyLines() { words.passManyLines() }

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
      if words.isInDocument { return JSONShape(ShapeStorage(storage.tree.copied())) }
      return JSONShape(storage.take())
    }

    /// The number of bytes of memory that the paths take.
    var heldBytes: Int { storage.tree.heldBytes }

    /// Whether there were more paths than the options allow, so that counting has stopped.
    package var isFull: Bool { storage.tree.isFull }

    /// Returns the records without a time, for a window of time, since the last call.
    package mutating func takeTimeMisses() -> TimeMisses { words.takeTimeMisses() }

    /// What was not validated, and what had to be parsed.
    package var tally: ReadingTally { words.tally }

    /// Returns the line and column of an error that the last call threw.
    public func position(of error: JSONError) -> JSONError.Position { words.position(of: error) }

    /// Returns the text around an error that the last call threw, if it is still in memory.
    public func excerpt(of error: JSONError) -> JSONError.Excerpt? { words.excerpt(of: error) }

    /// Why reading cannot continue after the error of the last call; `nil` if it can.
    public var stopReason: String? { words.stopReason }

    /// Returns the bad record whose error the last call threw; `nil` in one document. See `JSONRecordReader.badRecord(of:)`.
    public mutating func badRecord(of error: JSONError) -> JSONBadRecord? { words.badRecord(of: error) }

    /// Continues with the lines of a block; the reader was created for an empty input. `end(_:)` returns the memory to the
    /// block.
    package mutating func begin(_ block: LineBlock) { words.begin(block) }

    package mutating func end(_ block: LineBlock) { words.end(block) }
  }
}
