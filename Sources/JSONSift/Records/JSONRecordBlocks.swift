/// The records of a stream on several cores, for a program that is not asynchronous: blocks of whole lines are read by
/// workers, and what becomes of each is handed out here, in the order of the input.
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
/// Each worker has a reader of its own, which begins anew with each block; lines and offsets are those of the whole stream.
/// So the outputs, one behind another, do not depend on the number of workers. At most two blocks for each worker are read
/// and not handed out, and one more that is being read: 256 KiB to 1 MiB each, or one record that is longer.
///
/// The workers are tasks. `next()` blocks its thread until the next output is there, so it is not for a task: that would
/// hold up the pool. ``JSONRecords/workers(_:order:)`` is the form for tasks.
public struct JSONRecordBlocks<Output: Sendable>: ~Copyable {
  private let engine: ParallelEngine<BlockResult>
  private let reading: BlockProducer
  private let task: Task<Void, Never>
  private var isFinished = false
  /// Where reading goes on behind the last block whose output was handed out: a line's start, to be stored and given as
  /// `resumingAt:` to another reader of the same input; see ``JSONCheckpoint``.
  public private(set) var checkpoint: JSONCheckpoint

  /// What became of a block or of a part of it.
  private struct BlockResult: Sendable {
    let output: Result<Output, any Error>
    /// Where the input goes on behind the block; `nil` if there is more of it to come.
    let end: LinePosition?
  }

  /// - Parameters:
  ///   - source: Something to open, or bytes. What it does before each read is not done; see ``next(beforeWaiting:)``.
  ///   - options: Each block is read with them, as ``JSONRecordReader`` does, but that the stream is cut into lines, and
  ///     that nothing counts the errors of all blocks.
  ///   - checkpoint: Where reading goes on; the start of the input if there is none.
  ///   - count: How many workers there are. The default is one for each core.
  ///   - work: Reads one block to its end, or as far as it wants, in one of the workers. What it throws is thrown by
  ///     ``next(beforeWaiting:)`` behind the outputs before it, and ends the stream.
  /// - Throws: ``JSONError/Code/unreadable`` if the source cannot be opened, or ends before the checkpoint; or if the system
  ///   has no threads or descriptors left for the workers. ``JSONRecordReader`` needs neither.
  public init(
    _ source: sending JSONSource, options: JSONRecordOptions = JSONRecordOptions(),
    resumingAt checkpoint: JSONCheckpoint? = nil, workers count: Int? = nil,
    work: @escaping @Sendable (inout JSONRecordReader) throws -> Output
  ) throws(JSONError) {
    var options = options
    options.framing = .lines
    let refusal = TaskPool.refusal()
    guard refusal == 0 else { throw JSONError(.unreadable, at: 0, system: refusal) }
    let open = try OpenRecords.blocking(
      BlockInput(source, options: options, startingAt: checkpoint, skippingInPipes: true))
    // The errors of one block say nothing about those of all.
    options.maximumErrors = nil
    let each = options
    self.init(BlockProducer(open), workers: count, at: checkpoint) {
      var reader = try JSONRecordReader(blocks: each)
      return { block in
        reader.begin(block)
        defer { reader.end(block) }
        return (try work(&reader), isLast: true)
      }
    }
  }

  /// What becomes of a block, or a part of that: then the same block is asked for more.
  package typealias Step = (LineBlock) throws -> (Output, isLast: Bool)

  /// Reads several inputs, one behind another. Whoever asks for that has made sure that the pool can start; see ``TaskPool``.
  ///
  /// - Parameters:
  ///   - readsWholeFiles: A file that is not lines is read as a whole by a worker. Else it ends the reading; see ``rest``.
  ///   - inputs: Gives the input of a number, from 0; `nil` behind the last.
  ///   - makeWork: Is called once in each worker; what it returns is called for each block, and can keep something from one
  ///     to the next. What is too much to be held is handed out in parts.
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
    let workers = max(count ?? Processors.count, 1)
    let engine = ParallelEngine<BlockResult>(window: 2 * workers, isOrdered: true)
    self.engine = engine
    self.reading = reading
    task = Task.detached {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await reading.run(engine) }
        for _ in 0..<workers { group.addTask { await Self.work(engine, makeWork) } }
      }
    }
  }

  /// The input that has ended the reading, with what was read of it; known when `next()` has said that nothing comes.
  package private(set) var rest: (number: Int, source: JSONSource?)?

  private static func work(
    _ engine: ParallelEngine<BlockResult>, _ makeWork: () throws -> Step
  ) async {
    do {
      let work = try makeWork()
      while let (number, block) = await engine.take() {
        while true {
          let step = Result { try work(block) }
          guard case .success((let part, isLast: false)) = step else {
            engine.finish(number, BlockResult(output: step.map { $0.0 }, end: block.end), block)
            break
          }
          guard await engine.put(number, BlockResult(output: .success(part), end: nil)) else { return }
        }
      }
    } catch {
      engine.end(error)
    }
  }

  /// What became of the next block; `nil` at the end.
  ///
  /// - Parameter beforeWaiting: Is called when nothing is there yet: a program that writes what it gets can flush its output.
  /// - Throws: What the work on a block has thrown; ``JSONError/Code/unreadable``. Nothing follows it.
  @available(*, noasync, message: "it blocks its thread; use JSONRecords.workers")
  public mutating func next(beforeWaiting: () -> Void = {}) throws -> Output? {
    guard !isFinished else { return nil }
    do {
      if let block = try engine.nextBlocking(beforeWaiting: beforeWaiting) {
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

  /// Ends the work. Nothing is handed out any more.
  public mutating func cancel() {
    isFinished = true
    engine.cancel()
    task.cancel()
  }

  deinit {
    engine.cancel()
    task.cancel()
  }
}
