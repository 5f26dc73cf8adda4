#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The records of a stream, for `for try await`.
///
/// ```swift
/// for try await record in JSONRecords("events.ndjson") {
///   if record["level"].string == "error" { print(record.line, record["message"].stringValue) }
/// }
/// ```
///
/// The stream may be a file, a FIFO, a descriptor, bytes in memory, or chunks from a socket or another asynchronous
/// sequence. Records, lines, offsets and errors are the same as with ``JSONRecordReader``, however the bytes are cut into
/// chunks.
///
/// # Back-pressure
///
/// All work is done inside `next()`: without a call nothing is read. At most one window, 256 KiB, is read ahead, and at most
/// one chunk of a sequence of chunks; a longer record is held as a whole, up to ``JSONLimits/recordBytes``. Waiting for a
/// descriptor blocks no thread of the pool.
///
/// # The end
///
/// A bad record is thrown and ends the iterator, unless ``JSONRecordOptions/recovery`` says otherwise. If the task is
/// cancelled, `next()` throws `CancellationError` and reads nothing more. (If it returned `nil`, the stream would look
/// complete.) When a loop is left, by `break` or by an error, releasing the iterator closes the input.
///
/// # Resuming later
///
/// The iterator has a ``Iterator/checkpoint``, from which another one can continue, even in another process:
///
/// ```swift
/// let records = JSONRecords("events.ndjson", resumingAt: saved).makeAsyncIterator()
/// while let record = try await records.next() {
///   use(record)
///   if record.line.isMultiple(of: 10_000) { try save(records.checkpoint) }
/// }
/// ```
///
/// ``workers(_:order:)`` uses more than one core.
public struct JSONRecords: AsyncSequence, Sendable {
  /// One record.
  public typealias Element = JSONRecord
  /// Any error of the source, the reader, or the caller's own code.
  public typealias Failure = any Error

  /// The input that each iterator opens for itself.
  enum Origin: Sendable {
    case path([UInt8])
    case descriptor(Int32)
    case bytes([UInt8])
    case chunks(@Sendable () -> NonblockingInput)
    case unopenable(JSONError)
  }

  let origin: Origin
  let name: String?
  /// How the stream is cut, and how bad records are handled.
  public internal(set) var options: JSONRecordOptions
  /// Where each iterator begins, if not at the start of the stream.
  let checkpoint: JSONCheckpoint?
  /// Returns the content of the source, for example decompressed. Called once for each iterator.
  package var content: (@Sendable (JSONSource) -> JSONSource)?
  /// The number of bytes of one read; smaller in tests.
  var readBytes = ReadWindow.readBytes
  let tally = BadRecordTally()
  /// If present, only records that satisfy it are returned. An invalid condition is thrown when reading begins.
  private(set) var condition: Result<JSONCondition, JSONError>?

  private init(_ origin: Origin, name: String? = nil, _ options: JSONRecordOptions, _ checkpoint: JSONCheckpoint?) {
    self.origin = origin
    self.name = name
    self.options = options
    self.checkpoint = checkpoint
  }

  /// The checkpoint of an iterator before its first call.
  var start: JSONCheckpoint { checkpoint ?? options.start }

  /// Creates the sequence for a file, a FIFO or a device, which each iterator opens.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - options: How the stream is cut, and how bad records are handled.
  ///   - checkpoint: Where reading continues: the `checkpoint` of an earlier iterator or reader of the same file. A framing
  ///     in the checkpoint overrides the one in the options. In a regular file the bytes before it are not read; in any
  ///     other input they are read and dropped. If the input is shorter, reading throws ``JSONError/Code/unreadable`` when
  ///     it begins.
  public init(
    _ path: String, options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) {
    self.init(.path(Array(path.utf8)), name: path, options, checkpoint)
  }

  /// Creates the sequence for a file, by the bytes of its name: a file name need not be UTF-8.
  public init(
    path: [UInt8], options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) {
    self.init(.path(path), name: String(decoding: path, as: UTF8.self), options, checkpoint)
  }

  /// Creates the sequence for a file, by its URL. For a URL that is not a file URL, reading throws
  /// ``JSONError/Code/unreadable`` when it begins.
  public init(
    _ url: URL, options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) {
    do throws(JSONError) {
      self.init(path: try url.filePath(for: .unreadable), options: options, resumingAt: checkpoint)
    } catch {
      self.init(.unopenable(error), options, checkpoint)
    }
  }

  /// Creates the sequence for an open descriptor: a pipe, a socket, a terminal, a file. It is read from its current position
  /// and is not closed. It need not be non-blocking. Nothing else may read it meanwhile.
  ///
  /// - Parameters:
  ///   - descriptor: The input.
  ///   - options: How the stream is cut, and how bad records are handled.
  ///   - checkpoint: Where reading continues, counted from the descriptor's current position; see
  ///     ``init(_:options:resumingAt:)-(String,_,_)``.
  public init(
    descriptor: Int32, options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) {
    self.init(.descriptor(descriptor), options, checkpoint)
  }

  /// The records of standard input.
  public static var standardInput: JSONRecords { JSONRecords(descriptor: 0) }

  /// Creates the sequence for bytes in memory.
  public init(
    bytes: [UInt8], options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) {
    self.init(.bytes(bytes), options, checkpoint)
  }

  /// Creates the sequence for chunks of bytes: `[UInt8]`, `ArraySlice`, `Data`, NIO's `ByteBufferView`. The bytes may be cut
  /// into chunks anywhere. A chunk is requested when the previous one is used up.
  ///
  /// - Parameters:
  ///   - chunks: The stream from its start.
  ///   - options: How the stream is cut, and how bad records are handled.
  ///   - checkpoint: Where reading continues. The bytes before it are read and dropped.
  public init<Chunks: AsyncSequence & Sendable>(
    _ chunks: Chunks, options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) where Chunks.Element: Sequence<UInt8> {
    self.init(.chunks { ChunkInput(chunks.makeAsyncIterator()) }, options, checkpoint)
  }

  /// Creates the sequence for single bytes. Each byte is one asynchronous call: chunks are cheaper.
  public init<Bytes: AsyncSequence & Sendable>(
    _ bytes: Bytes, options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) where Bytes.Element == UInt8 {
    self.init(.chunks { ByteInput(bytes.makeAsyncIterator()) }, options, checkpoint)
  }

  /// The number of bad records that have been found since the last iterator was made: of these records, or of a stream that
  /// was made from them by `where`, `decode`, `workers` or `elements`. A loop hides its iterator, so the number is here, too.
  ///
  /// ```swift
  /// for try await record in records { use(record) }
  /// print(records.errorCount, "bad records were skipped")
  /// ```
  public var errorCount: Int { tally.count }

  /// Returns the records that satisfy a condition, in addition to any earlier condition.
  ///
  /// A condition that takes more than ``JSONLimits/querySteps`` steps throws ``JSONError/Code/queryLimit``.
  public func `where`(_ condition: JSONCondition) -> JSONRecords {
    var records = self
    switch self.condition {
    case nil: records.condition = .success(condition)
    case .failure: break
    case .success(let first): records.condition = .success(first.and(condition))
    }
    return records
  }

  /// Returns the records that satisfy the condition with this text. An invalid text throws ``JSONError/Code/invalidPath``
  /// when reading begins.
  ///
  /// ```swift
  /// for try await record in JSONRecords(path).where("@.level == 'error'") { … }
  /// ```
  @_disfavoredOverload
  public func `where`(_ condition: String) -> JSONRecords {
    do throws(JSONError) {
      return try self.where(JSONCondition(condition))
    } catch {
      var records = self
      if case .failure = self.condition { return records }
      records.condition = .failure(error)
      return records
    }
  }

  /// Counts the records without returning them. Without a condition, a kernel proves that they are JSON; only records in
  /// doubt are parsed, which are usually the bad ones.
  ///
  /// ```swift
  /// let lines = try await JSONRecords("events.ndjson").count()
  /// ```
  ///
  /// - Returns: The number of records that an iterator returns.
  /// - Throws: The errors of an iterator.
  public func count(isolation actor: isolated (any Actor)? = #isolation) async throws -> Int {
    try await AsyncRecordReader(self).count()
  }

  /// Returns an iterator that begins at the start of the stream, or at the checkpoint.
  public func makeAsyncIterator() -> Iterator { Iterator(AsyncRecordReader(self)) }

  /// Reads the records. Belongs to one task.
  public struct Iterator: AsyncIteratorProtocol {
    private let stream: AsyncRecordReader

    init(_ stream: AsyncRecordReader) { self.stream = stream }

    /// Returns the next record; `nil` at the end. See ``JSONRecords``.
    public nonisolated(nonsending) func next() async throws -> JSONRecord? {
      try await next(isolation: #isolation)
    }

    /// Returns the next record, on the caller's actor; `nil` at the end.
    public func next(isolation actor: isolated (any Actor)?) async throws -> JSONRecord? {
      try await stream.nextRecord()
    }

    /// Where reading continues after the last record that was returned, good or bad. Store it, and pass it as `resumingAt:`
    /// to another reader of the same input; see ``JSONCheckpoint``. At the end it is the end of the input.
    public var checkpoint: JSONCheckpoint { stream.checkpoint }

    /// The number of bad records so far.
    public var errorCount: Int { stream.errorCount }
  }
}

@available(*, unavailable)
extension JSONRecords.Iterator: Sendable {}

extension JSONRecords {
  /// The records and, in order among them, the bad ones.
  ///
  /// ```swift
  /// for try await element in JSONRecords(path).elements {
  ///   switch element {
  ///   case .record(let record): use(record)
  ///   case .bad(let bad): print(bad.position.line, bad.error)
  ///   }
  /// }
  /// ```
  ///
  /// Reading continues after a bad record if possible, unless ``JSONRecordOptions/recovery`` has been set to another policy.
  public var elements: Elements {
    var records = self
    records.options.recovery = options.recoveryOfElements
    return Elements(records: records)
  }

  /// The records and bad records of a stream; see ``JSONRecords/elements``.
  public struct Elements: AsyncSequence, Sendable {
    /// A record or a bad record.
    public typealias Element = JSONRecordElement<JSONRecord>
    /// Any error of the source, the reader, or the caller's own code.
    public typealias Failure = any Error

    let records: JSONRecords

    /// Returns an iterator that begins at the start of the stream, or at the checkpoint.
    public func makeAsyncIterator() -> Iterator { Iterator(AsyncRecordReader(records)) }

    /// Reads the elements. Belongs to one task.
    public struct Iterator: AsyncIteratorProtocol {
      private let stream: AsyncRecordReader

      init(_ stream: AsyncRecordReader) { self.stream = stream }

      /// Returns the next element; `nil` at the end. See ``JSONRecords``.
      public nonisolated(nonsending) func next() async throws -> JSONRecordElement<JSONRecord>? {
        try await next(isolation: #isolation)
      }

      /// Returns the next element, on the caller's actor; `nil` at the end.
      public func next(isolation actor: isolated (any Actor)?) async throws -> JSONRecordElement<JSONRecord>? {
        try await stream.nextElement()
      }

      /// Where reading continues after the last record that was returned, good or bad. Store it, and pass it as
      /// `resumingAt:` to another reader of the same input; see ``JSONCheckpoint``. At the end it is the end of the input.
      public var checkpoint: JSONCheckpoint { stream.checkpoint }

      /// The number of bad records so far.
      public var errorCount: Int { stream.errorCount }
    }
  }
}

@available(*, unavailable)
extension JSONRecords.Elements.Iterator: Sendable {}
