/// The records of a stream on several cores, for a program that is not asynchronous: workers read blocks of complete lines,
/// and the results are returned here in the order of the input.
///
/// ```swift
/// var blocks = try JSONRecordBlocks(.path("requests.ndjson")) { reader in
///   var output: [UInt8] = []
///   while let record = try reader.next() { output += record["user"]["name"].stringValue.utf8 + [10] }
///   return output
/// }
/// while let output = try blocks.next() { write(output) }
/// ```
///
/// Each worker has its own reader, which starts again with each block; lines and offsets count from the start of the
/// stream. So the sequence of outputs does not depend on the number of workers. In memory are at most two blocks for
/// each worker, and one more that is being read: 256 KiB to 1 MiB each, or one record that is longer.
///
/// The workers are tasks. `next()` blocks its thread until the next output is available, so tasks must not call it: that
/// would block the thread pool. ``JSONRecords/workers(_:inOrder:)`` is the form for tasks.
public struct JSONRecordBlocks<Output: Sendable>: ~Copyable {
  private let running: ParallelWork<BlockResult>
  private let reading: BlockProducer
  private var isFinished = false
  /// Where reading continues after the last block whose output was returned: the start of a line. Store it, and pass it as
  /// `resumingAt:` to another reader of the same input; see ``JSONCheckpoint``.
  public private(set) var checkpoint: JSONCheckpoint

  /// The result of a block or of a part of it.
  private struct BlockResult: Sendable {
    let output: Result<Output, any Error>
    /// The position in the input after the block; `nil` if more of the block follows.
    let end: LinePosition?
  }

  /// Opens a source and starts the workers.
  ///
  /// - Parameters:
  ///   - source: A source to open, or bytes. Its closure for each read is not called; see ``next(beforeWaiting:)``.
  ///   - options: How each block is read, as in ``JSONRecordReader``. Two options are ignored: the stream is always cut into
  ///     lines, and ``JSONRecordOptions/maxErrors`` does not apply.
  ///   - checkpoint: Where reading continues; `nil` is the start of the input.
  ///   - count: The number of workers. The default is one for each core.
  ///   - work: Reads one block, to its end or a part of it, in one of the workers. ``next(beforeWaiting:)`` throws its error
  ///     after the outputs before it; the error ends the stream.
  /// - Throws: ``JSONError/Code/unreadable`` if the source cannot be opened, or ends before the checkpoint; or if the system
  ///   has no threads or descriptors left for the workers. ``JSONRecordReader`` needs neither.
  public init(
    _ source: sending JSONSource, options: JSONRecordOptions = JSONRecordOptions(),
    resumingAt checkpoint: JSONCheckpoint? = nil, workers count: Int? = nil,
    work: @escaping @Sendable (inout JSONRecordReader) throws -> Output
  ) throws(JSONError) {
    var options = options
    options.framing = .lines
    let rejection = TaskPool.rejection()
    guard rejection == 0 else { throw JSONError(.unreadable, at: 0, system: rejection) }
    let open = try OpenRecords.blocking(
      BlockInput(source, options: options, startingAt: checkpoint, skippingInPipes: true))
    // The number of errors in one block says nothing about the total.
    options.maxErrors = nil
    let each = options
    self.init(BlockProducer(open), workers: count, at: checkpoint ?? each.start) {
      var reader = try JSONRecordReader(blocks: each)
      return { block in
        reader.begin(block)
        defer { reader.end(block) }
        return (try work(&reader), isLast: true)
      }
    }
  }

  /// Returns the result of a block, or of a part of it: then it is called again with the same block.
  package typealias Step = (LineBlock) throws -> (Output, isLast: Bool)

  /// Reads several inputs in sequence. The caller has checked that the task pool can start; see ``TaskPool``.
  ///
  /// - Parameters:
  ///   - count: The number of workers. The default is one for each core.
  ///   - readsWholeFiles: Whether a worker reads a file that is not lines as a whole. Otherwise such a file ends the
  ///     reading; see ``rest``.
  ///   - inputs: Returns the input with a number, from 0; `nil` after the last.
  ///   - makeWork: Called once in each worker. Its result is called for each block, and can keep state from one block to the
  ///     next. Results that are too large to hold are returned in parts.
  package init(
    workers count: Int?, readingWholeFiles readsWholeFiles: Bool,
    of inputs: sending @escaping (Int) -> BlockInput?, makingWork makeWork: @escaping @Sendable () throws -> Step
  ) {
    self.init(BlockProducer(inputs, readsWholeFiles: readsWholeFiles), workers: count, makingWork: makeWork)
  }

  private init(
    _ reading: BlockProducer, workers count: Int?, at checkpoint: JSONCheckpoint? = nil,
    makingWork makeWork: @escaping @Sendable () throws -> Step
  ) {
    self.checkpoint = checkpoint ?? JSONCheckpoint(byteOffset: 0)
    let workers = Processors.workers(count)
    let engine = ParallelEngine<BlockResult>(window: 2 * workers, isOrdered: true)
    self.reading = reading
    let task = Task.detached {
      await engine.run(reading, workers: workers) { engine in
        let work = try makeWork()
        await engine.work { _, block, _ in
          let step = Result { try work(block) }
          if case .success((let part, isLast: false)) = step {
            return (BlockResult(output: .success(part), end: nil), false)
          }
          return (BlockResult(output: step.map { $0.0 }, end: block.end), true)
        }
      }
    }
    running = ParallelWork(engine, task)
  }

  /// The input that ended the reading, with the bytes read from it. Set when `next()` has returned `nil`.
  package private(set) var rest: (number: Int, source: JSONSource?)?

  /// Returns the output for the next block; `nil` at the end.
  ///
  /// - Parameter beforeWaiting: Called if no output is available yet: a program can flush its own output there.
  /// - Throws: The error of the work on a block; ``JSONError/Code/unreadable``. Nothing follows it.
  @available(*, noasync, message: "it blocks its thread; use JSONRecords.workers")
  public mutating func next(beforeWaiting: () -> Void = {}) throws -> Output? {
    guard !isFinished else { return nil }
    do {
      if let block = try running.engine.nextBlocking(beforeWaiting: beforeWaiting) {
        let output = try block.output.get()
        if let end = block.end { checkpoint = end.checkpoint }
        return output
      }
    } catch {
      cancel()
      throw error
    }
    isFinished = true
    rest = reading.rest
    return nil
  }

  /// Cancels the work. Nothing more is returned.
  public mutating func cancel() {
    isFinished = true
    running.cancel()
  }
}
