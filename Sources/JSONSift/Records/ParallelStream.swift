/// A stream of blocks that several workers read: a task with the reader and the workers as its children. It implements the
/// iterator of ``JSONParallelRecords``.
///
/// The task is created at the first `next()`. It ends at the last one, by cancellation, or when this object is released.
final class ParallelStream<Output: Sendable> {
  private let records: JSONRecords
  private let workers: Int
  private let isOrdered: Bool
  private let makeTransform: JSONParallelRecords<Output>.MakeTransform

  private enum Phase {
    case new
    case parallel(Running)
    /// For records that cannot be cut without reading them.
    case serial(AsyncRecordReader, (JSONRecord) throws -> Output?)
    case finished
  }

  /// The task and its engine. The task ends when this object is released.
  private final class Running {
    let engine: ParallelEngine<BlockOutput<Output>>
    let task: Task<Void, Never>

    init(_ engine: ParallelEngine<BlockOutput<Output>>, _ task: Task<Void, Never>) {
      self.engine = engine
      self.task = task
    }

    deinit {
      engine.cancel()
      task.cancel()
    }
  }

  private var phase = Phase.new
  /// The current block, if `hasBlock` is true.
  private var block = BlockOutput<Output>()
  private var hasBlock = false
  private var outputIndex = 0
  private var badIndex = 0
  /// The number of bad records so far.
  private(set) var errorCount = 0
  /// The number of the iteration in the records' tally.
  private let iteration: Int
  /// An error that is thrown before anything else is returned.
  private var failure: JSONError?
  /// The position up to which everything has been returned.
  private var progress: DeliveryProgress
  /// The same position for serial reading.
  private var serialCheckpoint: JSONCheckpoint?

  init(
    _ records: JSONRecords, workers: Int, isOrdered: Bool,
    _ makeTransform: @escaping JSONParallelRecords<Output>.MakeTransform
  ) {
    self.records = records
    self.workers = max(workers, 1)
    self.isOrdered = isOrdered
    self.makeTransform = makeTransform
    progress = DeliveryProgress(from: records.start)
    iteration = records.tally.begin()
  }

  typealias Element = JSONRecordElement<Output>

  /// Where reading continues after everything that was returned.
  var checkpoint: JSONCheckpoint { serialCheckpoint ?? progress.checkpoint }

  /// Returns a value, or a bad record if `reports` is true; otherwise a bad record is thrown or skipped, according to the
  /// options.
  nonisolated(nonsending) func next(reports: Bool) async throws -> Element? {
    do {
      while true {
        try Task.checkCancellation()
        switch phase {
        case .finished: return nil
        case .new: try await start()
        case .serial(let stream, let transform):
          guard let found = try await nextSerial(stream, transform, reports: reports) else {
            phase = .finished
            return nil
          }
          return found
        case .parallel(let running):
          if let found = try nextOfBlock(reports: reports) { return found }
          guard let next = try await Self.nextBlock(running) else {
            phase = .finished
            // The input is closed before the end is returned.
            await running.task.value
            return nil
          }
          block = next
          hasBlock = true
          outputIndex = 0
          badIndex = 0
        }
      }
    } catch {
      if case .parallel(let running) = phase {
        running.engine.cancel()
        running.task.cancel()
        await running.task.value
      }
      phase = .finished
      block = BlockOutput()
      hasBlock = false
      if let error = error as? JSONError, error.isOfFile { throw error.naming(records.name) }
      throw error
    }
  }

  private func nextOfBlock(reports: Bool) throws -> Element? {
    guard hasBlock else { return nil }
    while true {
      if let failure { throw failure }
      if badIndex < block.bad.count, block.bad[badIndex].index == outputIndex {
        let (_, bad, end) = block.bad[badIndex]
        badIndex += 1
        progress.reach(end, in: block.number)
        try note(bad)
        if reports, records.options.recovery == .report { return .bad(bad) }
        continue
      }
      if outputIndex < block.outputs.count {
        defer { outputIndex += 1 }
        progress.reach(block.ends[outputIndex], in: block.number)
        return .record(block.outputs[outputIndex])
      }
      progress.reach(block.end, in: block.number, isLast: block.isLast && block.failure == nil)
      if let failure = block.failure { throw failure }
      hasBlock = false
      return nil
    }
  }

  /// Counts a bad record, and sets the error that is thrown next.
  private func note(_ bad: JSONBadRecord) throws(JSONError) {
    let options = records.options
    errorCount += 1
    records.tally.set(errorCount, in: iteration)
    if options.recovery == .stop { throw bad.error.located(at: bad.position) }
    if let maximum = options.maximumErrors, errorCount > maximum {
      failure = JSONError(.tooManyErrors, at: bad.error.byteOffset, limit: maximum).located(at: bad.position)
    }
  }

  private nonisolated(nonsending) func nextSerial(
    _ stream: AsyncRecordReader, _ transform: (JSONRecord) throws -> Output?, reports: Bool
  ) async throws -> Element? {
    // A record for which the caller's closure throws counts as not returned.
    var reached = stream.checkpoint
    defer {
      serialCheckpoint = reached
      errorCount = stream.errorCount
    }
    while true {
      let element: JSONRecordElement<JSONRecord>?
      do {
        element = reports ? try await stream.nextElement() : try await stream.nextRecord().map { .record($0) }
      } catch {
        reached = stream.checkpoint
        throw error
      }
      switch element {
      case nil:
        reached = stream.checkpoint
        return nil
      case .bad(let bad):
        reached = stream.checkpoint
        return .bad(bad)
      case .record(let record):
        do {
          let output = try transform(record)
          reached = stream.checkpoint
          if let output { return .record(output) }
        } catch let rejected as RejectedRecord {
          reached = stream.checkpoint
          if let bad = try stream.reject(rejected, reports: reports) { return .bad(bad) }
        }
      }
    }
  }

  private static nonisolated(nonsending) func nextBlock(_ running: Running) async throws -> BlockOutput<Output>? {
    let (engine, task) = (running.engine, running.task)
    let next = try await withTaskCancellationHandler {
      try await engine.next()
    } onCancel: {
      engine.cancel()
      task.cancel()
    }
    try Task.checkCancellation()
    return next
  }

  // MARK: The task

  private nonisolated(nonsending) func start() async throws {
    let condition = try records.condition?.get()
    let open = try await OpenRecords.opening(records)
    guard open.options.framing == .lines else {
      serialCheckpoint = records.start
      phase = .serial(try AsyncRecordReader(records, open, iteration: iteration), makeTransform())
      return
    }
    let options = open.options
    let engine = ParallelEngine<BlockOutput<Output>>(window: 2 * workers, isOrdered: isOrdered)
    let reading = BlockProducer(open)
    let workers = workers
    let makeTransform = makeTransform
    let task = Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await reading.run(engine) }
        for _ in 0..<workers {
          group.addTask { await BlockTask.run(engine, options, where: condition, makeTransform()) }
        }
      }
    }
    phase = .parallel(Running(engine, task))
  }
}

/// The position up to which the blocks of a stream have been returned without a gap.
///
/// In the order of the input it is the end of the last record. If blocks are returned in the order of arrival, it is the end
/// of the last block with no gap before it, or a position in the block after it: a reader that resumes there misses
/// nothing, and may return records of later blocks again.
struct DeliveryProgress {
  /// The number of the first unfinished block.
  private var number = 0
  /// The position up to which everything has been returned.
  private var reached: LinePosition?
  /// The positions in the blocks after `number`.
  private var later: [Int: (end: LinePosition, isLast: Bool)] = [:]
  private let start: JSONCheckpoint

  init(from start: JSONCheckpoint) { self.start = start }

  var checkpoint: JSONCheckpoint { reached?.checkpoint ?? start }

  /// Records that everything in a block up to a position has been returned.
  ///
  /// - Parameters:
  ///   - end: The position.
  ///   - block: The number of the block.
  ///   - isLast: Whether the block is finished.
  mutating func reach(_ end: LinePosition, in block: Int, isLast: Bool = false) {
    guard block == number else {
      later[block] = (end, isLast)
      return
    }
    reached = end
    guard isLast else { return }
    number += 1
    while let next = later.removeValue(forKey: number) {
      reached = next.end
      guard next.isLast else { break }
      number += 1
    }
  }
}

/// One worker.
enum BlockTask {
  static func run<Output>(
    _ engine: ParallelEngine<BlockOutput<Output>>, _ options: JSONRecordOptions, where condition: JSONCondition?,
    _ transform: (JSONRecord) throws -> Output?
  ) async {
    do throws(JSONError) {
      var reader = try BlockWorker(options, where: condition)
      while let (number, block) = await engine.take() {
        var part = reader.read(block, number, isNew: true, transform)
        while !part.isLast {
          guard await engine.put(number, part) else { return }
          part = reader.read(block, number, isNew: false, transform)
        }
        engine.finish(number, part, block)
      }
    } catch {
      engine.end(error)
    }
  }
}
