/// The stream of blocks that several workers read: a task with the reader and the workers as its children. It is the
/// iterator of ``JSONParallelRecords``.
///
/// The task is made at the first `next()`, and ended by the last one, by cancelling, or when this object goes.
final class ParallelStream<Output: Sendable> {
  private let records: JSONRecords
  private let workers: Int
  private let isOrdered: Bool
  private let makeTransform: JSONParallelRecords<Output>.MakeTransform

  private enum Phase {
    case new
    case parallel(Running)
    /// Records that cannot be cut apart without reading them.
    case serial(RecordStream, (JSONRecord) throws -> Output?)
    case finished
  }

  /// The task, and what it works on. When nobody holds it any more, the task ends.
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
  private var block = BlockOutput<Output>()
  private var place = 0
  private var badPlace = 0
  private var errorCount = 0
  /// What is thrown before anything else is handed out.
  private var failure: JSONError?

  init(
    _ records: JSONRecords, workers: Int, isOrdered: Bool,
    _ makeTransform: @escaping JSONParallelRecords<Output>.MakeTransform
  ) {
    self.records = records
    self.workers = max(workers, 1)
    self.isOrdered = isOrdered
    self.makeTransform = makeTransform
  }

  /// A value, or a bad record if `reports`; else that is thrown or skipped, as the options say.
  enum Element {
    case output(Output)
    case bad(JSONBadRecord)
  }

  nonisolated(nonsending) func next(reports: Bool) async throws -> Element? {
    do {
      while true {
        try Task.checkCancellation()
        switch phase {
        case .finished: return nil
        case .new: try await start()
        case .serial(let stream, let transform):
          guard let found = try await Self.nextSerial(stream, transform, reports: reports) else {
            phase = .finished
            return nil
          }
          return found
        case .parallel(let running):
          if let found = try nextOfBlock(reports: reports) { return found }
          guard let next = try await Self.nextBlock(running) else {
            phase = .finished
            // All is closed when the caller is told.
            await running.task.value
            return nil
          }
          block = next
          place = 0
          badPlace = 0
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
      throw error
    }
  }

  private func nextOfBlock(reports: Bool) throws -> Element? {
    while true {
      if let failure { throw failure }
      if badPlace < block.bad.count, block.bad[badPlace].place == place {
        let bad = block.bad[badPlace].record
        badPlace += 1
        try note(bad)
        if reports { return .bad(bad) }
        continue
      }
      if place < block.outputs.count {
        defer { place += 1 }
        return .output(block.outputs[place])
      }
      if let failure = block.failure { throw failure }
      return nil
    }
  }

  /// Counts a bad record, and sets what is thrown next.
  private func note(_ bad: JSONBadRecord) throws(JSONError) {
    let options = records.options
    if options.recovery == .stop { throw bad.error }
    errorCount += 1
    if let most = options.maximumErrors, errorCount > most {
      failure = JSONError(.tooManyErrors, at: bad.error.byteOffset, number: most)
    }
  }

  private static nonisolated(nonsending) func nextSerial(
    _ stream: RecordStream, _ transform: (JSONRecord) throws -> Output?, reports: Bool
  ) async throws -> Element? {
    while true {
      let element = reports ? try await stream.nextElement() : try await stream.nextRecord().map { .record($0) }
      switch element {
      case nil: return nil
      case .bad(let bad): return .bad(bad)
      case .record(let record):
        do {
          if let output = try transform(record) { return .output(output) }
        } catch let refused as RefusedRecord {
          if let bad = try stream.refuse(refused, reports: reports) { return .bad(bad) }
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
      phase = .serial(try RecordStream(records, open), makeTransform())
      return
    }
    let options = open.options
    let engine = ParallelEngine<BlockOutput<Output>>(window: 2 * workers, isOrdered: isOrdered)
    let reading = BlockReading(open)
    let workers = workers
    let makeTransform = makeTransform
    let task = Task {
      await withTaskGroup(of: Void.self) { group in
        group.addTask { await reading.run(engine) }
        for _ in 0..<workers {
          group.addTask { await BlockWork.run(engine, options, where: condition, makeTransform()) }
        }
      }
    }
    phase = .parallel(Running(engine, task))
  }
}

/// One worker.
enum BlockWork {
  static func run<Output>(
    _ engine: ParallelEngine<BlockOutput<Output>>, _ options: JSONRecordOptions, where condition: JSONCondition?,
    _ transform: (JSONRecord) throws -> Output?
  ) async {
    do throws(JSONError) {
      var reader = try BlockReader(options, where: condition)
      while let (number, block) = await engine.take() {
        var (part, isLast) = reader.read(block, isNew: true, transform)
        while !isLast {
          guard await engine.put(number, part) else { return }
          (part, isLast) = reader.read(block, isNew: false, transform)
        }
        engine.finish(number, part, block)
      }
    } catch {
      engine.end(error)
    }
  }
}
