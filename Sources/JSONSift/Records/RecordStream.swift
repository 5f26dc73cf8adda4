/// The elements of one iterator, which a step makes of records. Workers read blocks of lines, if they are requested: a task
/// with the reader and the workers as its children, from the first `next()` to the last, to cancellation or to the release
/// of this object. Any other stream is read in `next()`.
final class RecordStream<Step: RecordStep>: ElementStream {
  typealias Element = Step.Element
  private typealias Output = BlockOutput<Element>

  private let request: RecordRequest
  private let step: Step

  private enum Phase {
    case new
    case parallel(ParallelWork<Output>)
    case serial(AsyncRecordReader, (JSONRecord) throws -> Element?)
    /// Every further call throws the error, if there is one.
    case finished((any Error)?)
  }

  private var phase = Phase.new
  /// The current block, if `hasBlock` is true.
  private var block = Output()
  private var hasBlock = false
  private var outputIndex = 0
  private var badIndex = 0
  /// Counts the bad records of blocks.
  private var policy: RecordPolicy
  /// The number of the iteration in the records' tally.
  private let iteration: Int
  /// The error of too many errors, which is thrown before anything else is returned.
  private var limitError: JSONError?
  /// The position up to which all blocks have been returned.
  private var progress: DeliveryProgress
  /// The checkpoint of serial reading, where it is not the reader's: before a record for which the caller's closure threw.
  private var serialCheckpoint: JSONCheckpoint?
  /// The last reader of serial reading.
  private var serial: AsyncRecordReader?

  init(_ request: RecordRequest, _ step: Step) {
    self.request = request
    self.step = step
    policy = RecordPolicy(request.options)
    progress = DeliveryProgress(from: request.start)
    iteration = request.tally.begin()
  }

  var errorCount: Int { serial?.errorCount ?? policy.errorCount }

  var checkpoint: JSONCheckpoint { serialCheckpoint ?? serial?.checkpoint ?? progress.checkpoint }

  nonisolated(nonsending) func next() async throws -> Element? {
    guard case .success(let element)? = try await next(reports: false) else { return nil }
    return element
  }

  nonisolated(nonsending) func nextResult() async throws -> Result<Element, JSONBadRecord>? {
    try await next(reports: true)
  }

  private nonisolated(nonsending) func next(reports: Bool) async throws -> Result<Element, JSONBadRecord>? {
    do {
      while true {
        switch phase {
        case .finished(let error):
          if let error { throw error }
          return nil
        case .new: try await start()
        case .serial(let reader, let transform):
          return try await nextSerial(reader, transform, reports: reports)
        case .parallel(let running):
          try Task.checkCancellation()
          if let found = try nextOfBlock(reports: reports) { return found }
          guard let next = try await Self.nextBlock(running) else {
            phase = .finished(nil)
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
    } catch let error as BadRecordError {
      throw error.cause
    } catch {
      throw await end(error)
    }
  }

  /// The error of a bad record after which reading can continue.
  private struct BadRecordError: Error {
    let cause: any Error
  }

  /// Ends the stream, and returns the error to throw.
  private nonisolated(nonsending) func end(_ error: any Error) async -> any Error {
    if case .parallel(let running) = phase {
      running.cancel()
      await running.task.value
    }
    block = Output()
    hasBlock = false
    var error = error
    if let failure = error as? JSONError, failure.isOfFile { error = failure.naming(request.source.file) }
    phase = .finished(error)
    return error
  }

  private func nextOfBlock(reports: Bool) throws -> Result<Element, JSONBadRecord>? {
    guard hasBlock else { return nil }
    while true {
      if let limitError { throw limitError }
      if badIndex < block.bad.count, block.bad[badIndex].index == outputIndex {
        let (_, bad, cause, end) = block.bad[badIndex]
        badIndex += 1
        progress.reach(end, in: block.number)
        note(bad)
        switch policy.outcome(forResult: reports) {
        case .thrown: throw BadRecordError(cause: cause ?? bad.error.located(at: bad.position))
        case .returned: return .failure(bad)
        case .skipped: continue
        }
      }
      if outputIndex < block.outputs.count {
        defer { outputIndex += 1 }
        progress.reach(block.ends[outputIndex], in: block.number)
        return .success(block.outputs[outputIndex])
      }
      progress.reach(block.end, in: block.number, isLast: block.isLast && block.failure == nil)
      if let failure = block.failure { throw failure }
      hasBlock = false
      return nil
    }
  }

  /// Counts a bad record of a block, and sets the error that is thrown next.
  private func note(_ bad: JSONBadRecord) {
    limitError = policy.count(bad.error)?.located(at: bad.position)
    request.tally.set(policy.errorCount, in: iteration)
  }

  private nonisolated(nonsending) func nextSerial(
    _ reader: AsyncRecordReader, _ transform: (JSONRecord) throws -> Element?, reports: Bool
  ) async throws -> Result<Element, JSONBadRecord>? {
    while true {
      let before = Step.hasClosure ? reader.checkpoint : nil
      let found: Result<JSONRecord, JSONBadRecord>?
      do {
        found = reports ? try await reader.nextResult() : try await reader.next().map { .success($0) }
      } catch {
        // The reader knows whether it can continue.
        throw BadRecordError(cause: error)
      }
      switch found {
      case nil: return nil
      case .failure(let bad): return .failure(bad)
      case .success(let record):
        do {
          if let element = try transform(record) { return .success(element) }
        } catch let rejected as RejectedRecord {
          do {
            if let bad = try reader.reject(rejected, reports: reports) { return .failure(bad) }
          } catch {
            throw BadRecordError(cause: error)
          }
        } catch {
          // Another reader reads the record again.
          serialCheckpoint = before
          reader.finish()
          throw error
        }
      }
    }
  }

  private static nonisolated(nonsending) func nextBlock(_ running: ParallelWork<Output>) async throws -> Output? {
    let next = try await withTaskCancellationHandler {
      try await running.engine.next()
    } onCancel: {
      running.cancel()
    }
    try Task.checkCancellation()
    return next
  }

  // MARK: The start

  private nonisolated(nonsending) func start() async throws {
    guard let workers = request.workers else { return begin(AsyncRecordReader(request, iteration: iteration)) }
    try Task.checkCancellation()
    let condition = try request.condition?.get()
    let open = try await OpenRecords.opening(request)
    guard open.options.framing == .lines else {
      // Such records cannot be cut without reading them.
      return begin(try AsyncRecordReader(request, open, iteration: iteration))
    }
    let options = open.options
    let engine = ParallelEngine<Output>(window: 2 * workers, isOrdered: request.isOrdered)
    let reading = BlockProducer(open)
    let step = step
    let task = Task {
      await engine.run(reading, workers: workers) { engine in
        let transform = step.begin()
        var worker = try BlockWorker(options, where: condition)
        await engine.work { number, block, isNew in
          let part = worker.read(block, number, isNew: isNew, transform)
          return (part, part.isLast)
        }
      }
    }
    phase = .parallel(ParallelWork(engine, task))
  }

  private func begin(_ reader: AsyncRecordReader) {
    serial = reader
    phase = .serial(reader, step.begin())
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
