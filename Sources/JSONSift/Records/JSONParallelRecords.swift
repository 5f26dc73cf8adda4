/// The order in which several workers hand out what they find.
public enum JSONRecordOrder: Sendable, Hashable {
  /// That of the input.
  case input
  /// As it comes: a block of lines that takes long holds up no other. Inside a block it is that of the input.
  case arrival
}

extension JSONRecords {
  /// The same records, read by several tasks side by side.
  ///
  /// With ``JSONFraming/lines`` the stream is cut at line feeds into blocks of 256 KiB to 1 MiB, and each worker has a parser
  /// of its own. Records, lines, offsets and errors are the same for any number of workers; so is their order, if it is
  /// that of the input. With other framings there is one worker.
  ///
  /// At most `2 × count` blocks are in memory, with what was found in them, and one more that is being read. Of a block with
  /// very many bad records only some are, until it is its turn. Reading begins at the first `next()` and goes on while the
  /// caller works, as far as these blocks.
  ///
  /// - Parameters:
  ///   - count: The default is one for each core.
  ///   - order: That of the input, or as it comes.
  public func workers(_ count: Int? = nil, order: JSONRecordOrder = .input) -> JSONParallelRecords<JSONRecord> {
    JSONParallelRecords(records: self, workers: count, order: order) { { $0 } }
  }

  /// The same, with something to do for each record where it was parsed. That is where most of the work belongs: a record
  /// that is only looked at in a worker costs no allocation.
  ///
  /// ```swift
  /// let slow = JSONRecords("requests.ndjson").workers { record in
  ///   record["ms"].double.flatMap { $0 > 1000 ? Slow(at: record.line, $0) : nil }
  /// }
  /// for try await request in slow { … }
  /// ```
  ///
  /// - Parameters:
  ///   - count: How many workers. The default is one for each core.
  ///   - order: That of the input, or as it comes.
  ///   - transform: Returns `nil` for a record of which nothing is wanted. What it throws ends the stream behind what comes
  ///     before the record. It may be called for some records behind the last one that is handed out.
  public func workers<Output: Sendable>(
    _ count: Int? = nil, order: JSONRecordOrder = .input,
    _ transform: @escaping @Sendable (JSONRecord) throws -> Output?
  ) -> JSONParallelRecords<Output> {
    JSONParallelRecords(records: self, workers: count, order: order) { transform }
  }
}

/// What several workers find in the records of a stream; see ``JSONRecords/workers(_:order:)``.
public struct JSONParallelRecords<Output: Sendable>: AsyncSequence, Sendable {
  /// What is handed out.
  public typealias Element = Output
  /// Anything that the source, the reader or the caller's own work throws.
  public typealias Failure = any Error

  private let records: JSONRecords
  private let workers: Int
  private let order: JSONRecordOrder
  private let makeTransform: MakeTransform

  /// Is called once in each worker, for something that keeps what it needs from one record to the next.
  typealias MakeTransform = @Sendable () -> (JSONRecord) throws -> Output?

  init(records: JSONRecords, workers: Int?, order: JSONRecordOrder, makeTransform: @escaping MakeTransform) {
    self.records = records
    self.workers = Swift.max(workers ?? Processors.count, 1)
    self.order = order
    self.makeTransform = makeTransform
  }

  /// The same with one step more, which each worker makes for itself.
  func withStep<Other: Sendable>(
    _ makeStep: @escaping @Sendable () -> (Output) throws -> Other
  ) -> JSONParallelRecords<Other> {
    let makeTransform = makeTransform
    return JSONParallelRecords<Other>(records: records, workers: workers, order: order) {
      let (transform, step) = (makeTransform(), makeStep())
      return { try transform($0).map(step) }
    }
  }

  /// An iterator that begins at the start of the stream, or at the checkpoint.
  public func makeAsyncIterator() -> Iterator { Iterator(stream) }

  private var stream: ParallelStream<Output> {
    ParallelStream(records, workers: workers, isOrdered: order == .input, makeTransform)
  }

  /// Hands out what the workers find. It belongs to one task; when it goes, the workers end.
  public struct Iterator: AsyncIteratorProtocol {
    private let stream: ParallelStream<Output>

    init(_ stream: ParallelStream<Output>) { self.stream = stream }

    /// The next one; `nil` at the end. See ``JSONRecords``.
    public mutating func next() async throws -> Output? { try await next(isolation: #isolation) }

    /// The same, on the caller's actor.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Output? {
      guard case .record(let output)? = try await stream.next(reports: false) else { return nil }
      return output
    }

    /// Where reading goes on after what was handed out last, or after the last bad record, whatever the workers have read
    /// beyond it. To be stored, and given as `resumingAt:` to another reader of the same input; see ``JSONCheckpoint``.
    ///
    /// Under ``JSONRecordOrder/arrival`` nothing before it is missing, but some of what lies behind it may have been handed
    /// out already, and is handed out again. When the closure of a worker has thrown, the record that it was given counts as
    /// not handed out.
    public var checkpoint: JSONCheckpoint { stream.checkpoint }
  }

  /// What the workers find and, in their place among it, the bad records. Reading goes on behind them.
  public var elements: Elements {
    var reporting = records
    reporting.options.recovery = .report
    return Elements(
      found: JSONParallelRecords(records: reporting, workers: workers, order: order, makeTransform: makeTransform))
  }

  /// See ``JSONParallelRecords/elements``.
  public struct Elements: AsyncSequence, Sendable {
    /// What is handed out.
    public typealias Element = JSONRecordElement<Output>
    /// Anything that the source, the reader or the caller's own work throws.
    public typealias Failure = any Error

    let found: JSONParallelRecords

    /// An iterator that begins at the start of the stream, or at the checkpoint.
    public func makeAsyncIterator() -> Iterator { Iterator(found.stream) }

    /// Hands out the elements. It belongs to one task; when it goes, the workers end.
    public struct Iterator: AsyncIteratorProtocol {
      private let stream: ParallelStream<Output>

      init(_ stream: ParallelStream<Output>) { self.stream = stream }

      /// The next one; `nil` at the end. See ``JSONRecords``.
      public mutating func next() async throws -> Element? { try await next(isolation: #isolation) }

      /// The same, on the caller's actor.
      public mutating func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
        try await stream.next(reports: true)
      }

      /// Where reading goes on after what was handed out last; see ``JSONParallelRecords/Iterator/checkpoint``.
      public var checkpoint: JSONCheckpoint { stream.checkpoint }
    }
  }
}

@available(*, unavailable)
extension JSONParallelRecords.Iterator: Sendable {}

@available(*, unavailable)
extension JSONParallelRecords.Elements.Iterator: Sendable {}
