/// The order in which several workers return their results.
public enum JSONRecordOrder: Sendable, Hashable {
  /// The order of the input.
  case input
  /// The order in which blocks of lines are finished: a slow block delays no other. Inside a block it is the order of the
  /// input.
  case arrival
}

extension JSONRecords {
  /// Returns the same records, read by several tasks in parallel.
  ///
  /// With ``JSONFraming/lines`` the stream is cut at line feeds into blocks of 256 KiB to 1 MiB, and each worker has its own
  /// parser. Records, lines, offsets and errors are the same for any number of workers; so is their order, if it is the
  /// order of the input. With other framings there is one worker.
  ///
  /// At most `2 × count` blocks are in memory, with their results, and one more that is being read. A block with very many
  /// bad records has only some of them in memory until its turn. Reading begins at the first `next()`, and continues in the
  /// background up to this number of blocks.
  ///
  /// - Parameters:
  ///   - count: The number of workers. The default is one for each core.
  ///   - order: The order of the results.
  public func workers(_ count: Int? = nil, order: JSONRecordOrder = .input) -> JSONParallelRecords<JSONRecord> {
    JSONParallelRecords(records: self, workers: count, order: order) { { $0 } }
  }

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
  ///   - order: The order of the results.
  ///   - transform: Returns the result for a record; `nil` if there is none. An error that it throws ends the stream after
  ///     the results before the record. It may be called for some records after the last one whose result is returned.
  public func workers<Output: Sendable>(
    _ count: Int? = nil, order: JSONRecordOrder = .input,
    _ transform: @escaping @Sendable (JSONRecord) throws -> Output?
  ) -> JSONParallelRecords<Output> {
    JSONParallelRecords(records: self, workers: count, order: order) { transform }
  }

  /// Returns the results of a closure that one worker for each core calls, in the order of the input. In the head of a loop,
  /// where Swift takes a brace for the body, the closure stands in parentheses:
  ///
  /// ```swift
  /// for try await id in JSONRecords("events.ndjson").workers({ $0["id"].int }) { … }
  /// ```
  public func workers<Output: Sendable>(
    _ transform: @escaping @Sendable (JSONRecord) throws -> Output?
  ) -> JSONParallelRecords<Output> {
    workers(nil, order: .input, transform)
  }
}

/// The results of several workers for the records of a stream; see ``JSONRecords/workers(_:order:)``.
public struct JSONParallelRecords<Output: Sendable>: AsyncSequence, Sendable {
  /// The type of a result.
  public typealias Element = Output
  /// Any error of the source, the reader, or the caller's own code.
  public typealias Failure = any Error

  private let records: JSONRecords
  private let workers: Int
  private let order: JSONRecordOrder
  private let makeTransform: MakeTransform

  /// A closure that is called once in each worker. Its result can keep state from one record to the next.
  typealias MakeTransform = @Sendable () -> (JSONRecord) throws -> Output?

  init(records: JSONRecords, workers: Int?, order: JSONRecordOrder, makeTransform: @escaping MakeTransform) {
    self.records = records
    self.workers = Swift.max(workers ?? Processors.count, 1)
    self.order = order
    self.makeTransform = makeTransform
  }

  /// Returns the same records with one more step, which each worker creates for itself.
  func withStep<Other: Sendable>(
    _ makeStep: @escaping @Sendable () -> (Output) throws -> Other
  ) -> JSONParallelRecords<Other> {
    let makeTransform = makeTransform
    return JSONParallelRecords<Other>(records: records, workers: workers, order: order) {
      let (transform, step) = (makeTransform(), makeStep())
      return { try transform($0).map(step) }
    }
  }

  /// The number of bad records that have been found since the last iterator was made; see ``JSONRecords/errorCount``.
  public var errorCount: Int { records.errorCount }

  /// Returns an iterator that begins at the start of the stream, or at the checkpoint.
  public func makeAsyncIterator() -> Iterator { Iterator(stream) }

  private var stream: ParallelStream<Output> {
    ParallelStream(records, workers: workers, isOrdered: order == .input, makeTransform)
  }

  /// Returns the results of the workers. Belongs to one task; the workers end when it is released.
  public struct Iterator: AsyncIteratorProtocol {
    private let stream: ParallelStream<Output>

    init(_ stream: ParallelStream<Output>) { self.stream = stream }

    /// Returns the next result; `nil` at the end. See ``JSONRecords``.
    public nonisolated(nonsending) func next() async throws -> Output? {
      try await next(isolation: #isolation)
    }

    /// Returns the next result, on the caller's actor; `nil` at the end.
    public func next(isolation actor: isolated (any Actor)?) async throws -> Output? {
      guard case .record(let output)? = try await stream.next(reports: false) else { return nil }
      return output
    }

    /// Where reading continues after the last result or bad record that was returned, however far the workers have read
    /// ahead. Store it, and pass it as `resumingAt:` to another reader of the same input; see ``JSONCheckpoint``.
    ///
    /// Under ``JSONRecordOrder/arrival`` all results before it have been returned. Some results after it may have been
    /// returned too; a reader that continues here returns them again. If the closure of a worker throws, its record counts
    /// as not returned.
    public var checkpoint: JSONCheckpoint { stream.checkpoint }

    /// The number of bad records so far, up to the last result that was returned.
    public var errorCount: Int { stream.errorCount }
  }

  /// The results of the workers and, in order among them, the bad records. Reading continues after them, unless
  /// ``JSONRecordOptions/recovery`` has been set to another policy.
  public var elements: Elements {
    var reporting = records
    reporting.options.recovery = records.options.recoveryOfElements
    return Elements(
      found: JSONParallelRecords(records: reporting, workers: workers, order: order, makeTransform: makeTransform))
  }

  /// The results and bad records of a stream; see ``JSONParallelRecords/elements``.
  public struct Elements: AsyncSequence, Sendable {
    /// A result or a bad record.
    public typealias Element = JSONRecordElement<Output>
    /// Any error of the source, the reader, or the caller's own code.
    public typealias Failure = any Error

    let found: JSONParallelRecords

    /// Returns an iterator that begins at the start of the stream, or at the checkpoint.
    public func makeAsyncIterator() -> Iterator { Iterator(found.stream) }

    /// Returns the elements. Belongs to one task; the workers end when it is released.
    public struct Iterator: AsyncIteratorProtocol {
      private let stream: ParallelStream<Output>

      init(_ stream: ParallelStream<Output>) { self.stream = stream }

      /// Returns the next element; `nil` at the end. See ``JSONRecords``.
      public nonisolated(nonsending) func next() async throws -> Element? {
        try await next(isolation: #isolation)
      }

      /// Returns the next element, on the caller's actor; `nil` at the end.
      public func next(isolation actor: isolated (any Actor)?) async throws -> Element? {
        try await stream.next(reports: true)
      }

      /// Where reading continues after the last element that was returned; see ``JSONParallelRecords/Iterator/checkpoint``.
      public var checkpoint: JSONCheckpoint { stream.checkpoint }

      /// The number of bad records so far, up to the last element that was returned.
      public var errorCount: Int { stream.errorCount }
    }
  }
}

@available(*, unavailable)
extension JSONParallelRecords.Iterator: Sendable {}

@available(*, unavailable)
extension JSONParallelRecords.Elements.Iterator: Sendable {}
