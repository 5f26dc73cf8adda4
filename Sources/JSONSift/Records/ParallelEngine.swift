/// The task of a reader and its workers, and their engine. The task is cancelled when this object is released.
final class ParallelWork<Output: Sendable>: Sendable {
  let engine: ParallelEngine<Output>
  let task: Task<Void, Never>

  init(_ engine: ParallelEngine<Output>, _ task: Task<Void, Never>) {
    self.engine = engine
    self.task = task
  }

  /// Cancels the work. Nothing more is returned.
  func cancel() {
    engine.cancel()
    task.cancel()
  }

  deinit { cancel() }
}

/// Holds the data for a `ParallelStateMachine`: the blocks, their results, and the waiting tasks.
///
/// Reader and workers are tasks, the consumer is a task or a thread. The engine runs nothing itself.
final class ParallelEngine<Output: Sendable>: Sendable {
  private typealias Machine = ParallelStateMachine
  private typealias Continuation = CheckedContinuation<Void, Never>

  private enum Consumer {
    case task(Continuation)
    case thread(Gate)
  }

  private struct State {
    var machine: Machine
    /// The blocks that wait for a worker.
    var blocks: [Int: LineBlock] = [:]
    /// The results that wait for the consumer: parts of blocks, and the final results.
    var parts: [Int: Output] = [:]
    var outputs: [Int: Output] = [:]
    /// The blocks to be refilled.
    var spares: [LineBlock] = []
    /// The error that stopped the reader.
    var failure: (any Error)?

    // The waiting tasks. Each is stored under the same lock as the decision to wait: no wake-up can be lost.
    var reader: Continuation?
    var workers: [Continuation] = []
    var holders: [Int: Continuation] = [:]
    var consumer: Consumer?

    /// Removes and returns the tasks to be resumed.
    mutating func waiters(_ wakes: Machine.Wakes) -> Waiters {
      var waiters = Waiters()
      if wakes.reader {
        waiters.reader = reader
        reader = nil
      }
      for _ in 0..<min(wakes.workers, workers.count) { waiters.workers.append(workers.removeLast()) }
      for number in wakes.holders {
        if let holder = holders.removeValue(forKey: number) { waiters.workers.append(holder) }
      }
      if wakes.consumer {
        waiters.consumer = consumer
        consumer = nil
      }
      return waiters
    }
  }

  /// The tasks to be resumed outside of the lock.
  private struct Waiters: Sendable {
    var reader: Continuation?
    var workers: [Continuation] = []
    var consumer: Consumer?

    func wake() {
      reader?.resume()
      for worker in workers { worker.resume() }
      switch consumer {
      case .task(let continuation): continuation.resume()
      case .thread(let gate): gate.open()
      case nil: break
      }
    }
  }

  private let state: Lock<State>

  init(window: Int, isOrdered: Bool) { state = Lock(State(machine: Machine(window: window, isOrdered: isOrdered))) }

  var isCancelled: Bool { state.withLock { $0.machine.isCancelled } }

  /// Cancels the work: all waiting tasks are resumed and stop.
  func cancel() {
    state.withLock { state in
      let wakes = state.machine.cancel()
      state.blocks = [:]
      state.parts = [:]
      state.outputs = [:]
      state.spares = []
      return state.waiters(wakes)
    }.wake()
  }

  // MARK: The reader

  /// Returns a block to be filled, when there is room for one; `nil` after cancellation.
  ///
  /// - Parameter unused: A block that was returned before, and has not been filled.
  nonisolated(nonsending) func emptyBlock(_ unused: LineBlock? = nil) async -> LineBlock? {
    while true {
      var answer = Machine.Reading.wait
      var spare: LineBlock?
      await withCheckedContinuation { (continuation: Continuation) in
        state.withLock { state in
          answer = state.machine.mayRead()
          switch answer {
          case .read: spare = unused ?? state.spares.popLast()
          case .wait: state.reader = continuation
          case .stop: break
          }
        }
        if answer != .wait { continuation.resume() }
      }
      switch answer {
      case .read: return spare ?? LineBlock()
      case .stop: return nil
      case .wait: break
      }
    }
  }

  func add(_ block: LineBlock) {
    state.withLock { state in
      guard !state.machine.isCancelled else { return Waiters() }
      let (number, wakes) = state.machine.add(bytes: block.byteCount)
      state.blocks[number] = block
      return state.waiters(wakes)
    }.wake()
  }

  /// Marks the end of the blocks; `failure` is thrown after the last one.
  func end(_ failure: (any Error)? = nil) {
    state.withLock { state in
      state.failure = failure
      return state.waiters(state.machine.end())
    }.wake()
  }

  // MARK: A worker

  /// Returns the next block; `nil` if none is left.
  nonisolated(nonsending) func take() async -> (number: Int, block: LineBlock)? {
    while true {
      var answer = Machine.Work.wait
      var block: LineBlock?
      await withCheckedContinuation { (continuation: Continuation) in
        state.withLock { state in
          answer = state.machine.take()
          switch answer {
          case .block(let number): block = state.blocks.removeValue(forKey: number)
          case .wait: state.workers.append(continuation)
          case .stop: break
          }
        }
        if answer != .wait { continuation.resume() }
      }
      switch answer {
      case .block(let number): if let block { return (number, block) }
      case .stop: return nil
      case .wait: break
      }
    }
  }

  /// Delivers a part of the result of a block, when it is the block's turn and the previous part has been taken. Returns
  /// false after cancellation.
  nonisolated(nonsending) func put(_ number: Int, _ part: Output) async -> Bool {
    while true {
      var answer = Machine.Putting.wait
      await withCheckedContinuation { (continuation: Continuation) in
        state.withLock { state in
          let (found, wakes) = state.machine.put(number)
          answer = found
          switch found {
          case .put: state.parts[number] = part
          case .wait: state.holders[number] = continuation
          case .stop: break
          }
          return state.waiters(wakes)
        }.wake()
        if answer != .wait { continuation.resume() }
      }
      if answer != .wait { return answer == .put }
    }
  }

  func finish(_ number: Int, _ output: Output, _ block: LineBlock) {
    state.withLock { state in
      guard !state.machine.isCancelled else { return Waiters() }
      state.outputs[number] = output
      if state.spares.count < state.machine.window, !block.isLong { state.spares.append(block) }
      return state.waiters(state.machine.finish(number))
    }.wake()
  }

  /// Begins the tasks of a reader and some workers, and waits for them.
  ///
  /// - Parameter work: The task of one worker, which calls ``work(_:)``. Its error is thrown after the last block.
  nonisolated(nonsending) func run(
    _ reading: BlockProducer, workers: Int, _ work: @escaping @Sendable (ParallelEngine) async throws -> Void
  ) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await reading.run(self) }
      for _ in 0..<workers {
        group.addTask {
          do { try await work(self) } catch { self.end(error) }
        }
      }
    }
  }

  /// Works on one block after another, until none is left.
  ///
  /// - Parameter step: Returns the result of a block, or a part of it: then it is called again with the same block, which is
  ///   not new.
  nonisolated(nonsending) func work(
    _ step: (_ number: Int, _ block: LineBlock, _ isNew: Bool) -> (Output, isLast: Bool)
  ) async {
    while let (number, block) = await take() {
      var result = step(number, block, true)
      while !result.isLast {
        guard await put(number, result.0) else { return }
        result = step(number, block, false)
      }
      finish(number, result.0, block)
    }
  }

  // MARK: The consumer

  /// Returns the result of the next block; `nil` at the end and after cancellation.
  ///
  /// - Throws: The error that stopped the reader.
  nonisolated(nonsending) func next() async throws -> Output? {
    while true {
      var answer = Answer.wait
      await withCheckedContinuation { (continuation: Continuation) in
        answer = deliver(or: .task(continuation))
        if case .wait = answer { return }
        continuation.resume()
      }
      if case .result(let result) = answer { return try result.get() }
    }
  }

  /// Returns the same as ``next()``, but blocks the thread until the result is available.
  ///
  /// - Parameter beforeWaiting: Called if there is no result yet.
  func nextBlocking(beforeWaiting: () -> Void) throws -> Output? {
    var gate: Gate?
    while true {
      let answer = deliver(or: gate.map { .thread($0) })
      if case .result(let result) = answer { return try result.get() }
      if let closed = gate {
        closed.wait()
        gate = nil
      } else {
        // A gate is created only if the thread must wait.
        beforeWaiting()
        gate = Gate()
      }
    }
  }

  private enum Answer {
    /// The next output; `nil` at the end.
    case result(Result<Output?, any Error>)
    case wait
  }

  /// - Parameter consumer: The consumer to be resumed if there is no result; `nil` if it tries again by itself.
  private func deliver(or consumer: Consumer?) -> Answer {
    var answer = Answer.wait
    state.withLock { state in
      let (delivery, wakes) = state.machine.deliver()
      switch delivery {
      case .part(let number):
        if let part = state.parts.removeValue(forKey: number) { answer = .result(.success(part)) }
      case .block(let number):
        if let output = state.outputs.removeValue(forKey: number) { answer = .result(.success(output)) }
      case .end: answer = .result(state.failure.map { .failure($0) } ?? .success(nil))
      case .wait: state.consumer = consumer
      }
      return state.waiters(wakes)
    }.wake()
    return answer
  }
}
