#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// The records of a stream, for `for try await`.
///
/// An element is a ``JSONRecord``, or what ``decode(_:with:)`` or a closure of ``workers(_:inOrder:_:)`` makes of one. With
/// ``results`` the bad records are among them.
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
/// The error of a bad record is thrown, unless ``JSONRecordOptions/recovery`` says otherwise. A loop ends there; the next
/// call of ``Iterator/next()`` returns the record after it, if reading can continue. If the task is cancelled, `next()`
/// throws `CancellationError` and reads nothing more. (If it returned `nil`, the stream would look complete.) When a loop is
/// left, by `break` or by an error, releasing the iterator closes the input.
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
/// ``workers(_:inOrder:)`` uses more than one core.
public struct JSONRecords<Element>: AsyncSequence, Sendable {
  /// Any error of the source, the reader, or the caller's own code.
  public typealias Failure = any Error

  var request: RecordRequest
  /// What is made of each record.
  let step: any ElementStep<Element>

  /// How the stream is cut, and how bad records are handled.
  public internal(set) var options: JSONRecordOptions {
    get { request.options }
    set { request.options = newValue }
  }

  /// The number of bad records that have been found since the last iterator was made: of these records, or of a stream that
  /// was made from them. A loop hides its iterator, so the number is here, too.
  ///
  /// ```swift
  /// for try await record in records { use(record) }
  /// print(records.errorCount, "bad records were skipped")
  /// ```
  public var errorCount: Int { request.tally.count }

  /// Returns an iterator that begins at the start of the stream, or at the checkpoint.
  public func makeAsyncIterator() -> Iterator {
    let stream = request.folder.map { FolderStream($0, request, step) } ?? step.stream(request)
    return Iterator(stream: stream, start: request.options.steps.isEmpty ? nil : request.start)
  }

  /// Reads the records. Belongs to one task; workers end when it is released.
  public struct Iterator: AsyncIteratorProtocol {
    @usableFromInline let stream: any ElementStream<Element>
    /// Where it began, if there are steps.
    private let start: JSONCheckpoint?

    init(stream: any ElementStream<Element>, start: JSONCheckpoint?) { (self.stream, self.start) = (stream, start) }

    // Inlined into the program: without its type of element a call takes a quarter longer.
    /// Returns the next element; `nil` at the end. See ``JSONRecords``.
    @inlinable public nonisolated(nonsending) func next() async throws -> Element? {
      try await next(isolation: #isolation)
    }

    /// Returns the next element, on the caller's actor; `nil` at the end.
    @inlinable public func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
      try await stream.next()
    }

    /// Where reading continues after the last element or bad record that was returned, however far workers have read ahead.
    /// Store it, and pass it as `resumingAt:` to another reader of the same input; see ``JSONCheckpoint``. At the end it is
    /// the end of the input. If a closure throws, its record counts as not returned, and so does a bad record behind
    /// which reading cannot continue.
    ///
    /// If workers return results out of order, all results before it have been returned. Some after it may have been returned
    /// too; a reader that continues here returns them again.
    ///
    /// With ``JSONRecordOptions/steps`` it is where the iterator began: a record of the input has no position inside.
    public var checkpoint: JSONCheckpoint { start ?? stream.checkpoint }

    /// The number of bad records so far, up to the last element that was returned.
    public var errorCount: Int { stream.errorCount }
  }
}

@available(*, unavailable)
extension JSONRecords.Iterator: Sendable {}

// MARK: Sources

extension JSONRecords where Element == JSONRecord {
  /// Creates the sequence for a source, which each iterator opens. Waiting for a FIFO, a descriptor, a followed file or an
  /// asynchronous sequence blocks no thread. A descriptor is read from its current position and is not closed; it need not be
  /// nonblocking, and nothing else may read it meanwhile.
  ///
  /// - Parameters:
  ///   - source: The input.
  ///   - options: How the stream is cut, and how bad records are handled.
  ///   - checkpoint: Where reading continues: the `checkpoint` of an earlier iterator or reader of the same input. A framing
  ///     in the checkpoint overrides the one in the options. In a regular file the bytes before it are not read; in any
  ///     other input they are read and dropped. If the input is shorter, reading throws ``JSONError/Code/unreadable`` when
  ///     it begins.
  public init(
    _ source: JSONSource, options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) {
    request = RecordRequest(source, options, checkpoint)
    step = WholeRecords()
  }

  /// Creates the sequence for a file, a FIFO or a device, as ``init(_:options:resumingAt:)-(JSONSource,_,_)`` does.
  public init(
    _ path: String, options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) {
    self.init(.path(path), options: options, resumingAt: checkpoint)
  }

  /// Creates the sequence for a file, by its URL. For a URL that is not a file URL, reading throws
  /// ``JSONError/Code/unreadable`` when it begins.
  public init(
    _ url: URL, options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) {
    self.init(.url(url), options: options, resumingAt: checkpoint)
  }

  /// Creates the sequence for bytes in memory.
  public init(
    bytes: [UInt8], options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) {
    self.init(.bytes(bytes), options: options, resumingAt: checkpoint)
  }

  /// Creates the sequence for chunks that arrive over time; ``JSONSource`` takes them, too.
  public init<Chunks: AsyncSequence & Sendable>(
    _ chunks: Chunks, options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) where Chunks.Element: Sequence<UInt8> {
    self.init(.chunks(chunks), options: options, resumingAt: checkpoint)
  }

  /// Creates the sequence for single bytes that arrive over time. Each byte is one asynchronous call: chunks are cheaper.
  public init<Bytes: AsyncSequence & Sendable>(
    _ bytes: Bytes, options: JSONRecordOptions = JSONRecordOptions(), resumingAt checkpoint: JSONCheckpoint? = nil
  ) where Bytes.Element == UInt8 {
    self.init(.bytes(bytes), options: options, resumingAt: checkpoint)
  }

  /// Counts the records without returning them. Without a condition, a kernel validates that they are JSON; only records with
  /// an undecided place are parsed, which are usually the bad ones.
  ///
  /// ```swift
  /// let lines = try await JSONRecords("events.ndjson").count()
  /// ```
  ///
  /// - Returns: The number of records that an iterator returns. One task counts them, whatever the number of workers.
  /// - Throws: The errors of an iterator.
  public func count(isolation actor: isolated (any Actor)? = #isolation) async throws -> Int {
    // The iterator of a folder saves its state.
    guard request.folder == nil else { return try await reduce(into: 0) { count, _ in count += 1 } }
    return try await AsyncRecordReader(request, iteration: request.tally.begin()).count()
  }
}

// MARK: What is returned

extension JSONRecords {
  /// Returns the records in the strings at a path of these records; see ``JSONRecordStep/unwrap(_:otherwise:)``.
  public func unwrapping(_ path: JSONPath, otherwise: JSONRecordStep.Otherwise = .skip) -> JSONRecords {
    adding(.unwrap(path, otherwise: otherwise))
  }

  /// Returns the elements or members of the containers at a path of these records; see ``JSONRecordStep/each(_:)``.
  public func each(_ path: JSONPath) -> JSONRecords { adding(.each(path)) }

  private func adding(_ step: JSONRecordStep) -> JSONRecords {
    var records = self
    records.options.steps.append(step)
    return records
  }

  /// Returns the records that satisfy a condition, in addition to any earlier condition.
  ///
  /// A condition that takes more than ``JSONLimits/querySteps`` steps throws ``JSONError/Code/queryLimit``.
  public func `where`(_ condition: JSONCondition) -> JSONRecords {
    var records = self
    switch request.condition {
    case nil: records.request.condition = .success(condition)
    case .failure: break
    case .success(let first): records.request.condition = .success(first.and(condition))
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
      if case .failure = request.condition { return records }
      records.request.condition = .failure(error)
      return records
    }
  }

  /// The elements and, in order among them, the bad records.
  ///
  /// ```swift
  /// for try await result in JSONRecords(path).results {
  ///   switch result {
  ///   case .success(let record): use(record)
  ///   case .failure(let bad): print(bad.position.line, bad.error)
  ///   }
  /// }
  /// ```
  ///
  /// Reading continues after a bad record if possible, unless ``JSONRecordOptions/recovery`` has been set to another policy.
  public var results: JSONRecords<Result<Element, JSONBadRecord>> {
    var request = request
    request.options.recovery = options.recoveryOfResults
    return JSONRecords<Result<Element, JSONBadRecord>>(request: request, step: ResultStep(base: step))
  }
}

extension JSONRecords where Element == JSONRecord {
  /// Returns the records as values of one of your own types.
  ///
  /// ```swift
  /// for try await hit in JSONRecords(path).where("@.level == 'error'").decode(LogLine.self) {
  ///   print(hit.time, hit.message)
  /// }
  /// ```
  ///
  /// A record that is not of the type is a bad record: ``JSONRecordOptions/recovery`` controls how it is handled. Under
  /// ``JSONRecordOptions/Recovery/stop`` a `DecodingError` with coding path, line and byte is thrown.
  ///
  /// - Parameters:
  ///   - type: The type.
  ///   - decoder: The options for decoding. The limits of the text are those of ``JSONRecordOptions/reading``.
  public func decode<T: Decodable>(
    _ type: T.Type, with decoder: JSONSiftDecoder = JSONSiftDecoder()
  ) -> JSONRecords<T> {
    JSONRecords<T>(request: request, step: DecodedRecords<T>(decoder: decoder.copy()))
  }
}

extension JSONRecords {
  /// Returns the same records of another source, for example of the content of the source.
  package func reading(_ content: @escaping @Sendable (JSONSource) -> JSONSource) -> JSONRecords {
    var records = self
    if let inner = request.folder?.content {
      records.request.folder?.content = { content(inner($0)) }
      return records
    }
    guard var plan = request.source.merge else {
      records.request.source = content(request.source)
      return records
    }
    for index in plan.parts.indices { plan.parts[index].source = content(plan.parts[index].source) }
    records.request.source = .merging(plan)
    return records
  }
}

// MARK: Workers

extension JSONRecords where Element: Sendable {
  /// Returns the same elements, read by several tasks in parallel.
  ///
  /// With ``JSONFraming/lines`` the stream is cut at line feeds into blocks of 256 KiB to 1 MiB, and each worker has its own
  /// parser. Elements, lines, offsets and errors are the same for any number of workers; so is their order, if it is the
  /// order of the input. With other framings there is one worker.
  ///
  /// At most `2 × count` blocks are in memory, with their results, and one more that is being read. A block with very many
  /// bad records has only some of them in memory until its turn. Reading begins at the first `next()`, and continues in the
  /// background up to this number of blocks.
  ///
  /// - Parameters:
  ///   - count: The number of workers. The default is one for each core.
  ///   - isOrdered: Whether elements have the order of the input. Otherwise blocks are returned as they are finished, so
  ///     that a slow one delays no other; inside a block it is the order of the input.
  public func workers(_ count: Int? = nil, inOrder isOrdered: Bool = true) -> JSONRecords {
    var records = self
    records.request.workers = Processors.workers(count)
    records.request.isOrdered = isOrdered
    return records
  }
}

extension JSONRecords where Element == JSONRecord {
  /// Returns the results of a closure that is called for each record in the worker that parsed it. Most of the work belongs
  /// there: a record that does not leave its worker costs no allocation.
  ///
  /// ```swift
  /// let slow = JSONRecords("requests.ndjson").workers { record in
  ///   record["ms"].double.flatMap { $0 > 1000 ? Slow(at: record.line, $0) : nil }
  /// }
  /// for try await request in slow { … }
  /// ```
  ///
  /// - Parameters:
  ///   - count: The number of workers. The default is one for each core.
  ///   - isOrdered: See ``workers(_:inOrder:)``.
  ///   - transform: Returns the result for a record; `nil` if there is none. An error that it throws ends the stream after
  ///     the results before the record. It may be called for some records after the last one whose result is returned.
  public func workers<Output: Sendable>(
    _ count: Int? = nil, inOrder isOrdered: Bool = true,
    _ transform: @escaping @Sendable (JSONRecord) throws -> Output?
  ) -> JSONRecords<Output> {
    JSONRecords<Output>(request: request, step: TransformedRecords(transform: transform))
      .workers(count, inOrder: isOrdered)
  }

  /// Returns the results of a closure that one worker for each core calls, in the order of the input. In the head of a loop,
  /// where Swift takes a brace for the body, the closure stands in parentheses:
  ///
  /// ```swift
  /// for try await id in JSONRecords("events.ndjson").workers({ $0["id"].int }) { … }
  /// ```
  public func workers<Output: Sendable>(
    _ transform: @escaping @Sendable (JSONRecord) throws -> Output?
  ) -> JSONRecords<Output> {
    workers(nil, inOrder: true, transform)
  }
}
