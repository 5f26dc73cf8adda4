import Testing

@testable import JSONSift

/// One reader, some workers and one consumer around the machine, each of which performs one step at a time. All orders of
/// these steps are tried.
private struct Model: Hashable {
  enum Actor: Hashable, Comparable {
    case ready, waits, done
    /// A block, and how many parts of it are delivered before the rest.
    case holds(Int, parts: Int)
    case waitsWith(Int, parts: Int)
  }

  /// The number of parts in which a block is delivered, in addition to the rest of it.
  static func parts(_ number: Int) -> Int { [1, 0, 2][number % 3] }

  var machine: ParallelStateMachine
  var blocksLeft: Int
  var reader = Actor.ready
  var workers: [Actor]
  var consumer = Actor.ready
  var delivered: [Int] = []
  /// The number of delivered parts of blocks that are not complete yet.
  var partsDelivered: [Int: Int] = [:]
  var hasLostPart = false
  /// Whether cancellation is still possible.
  var mayCancel: Bool

  init(blocks: Int, workers: Int, window: Int, isOrdered: Bool, mayCancel: Bool) {
    machine = ParallelStateMachine(window: window, isOrdered: isOrdered)
    blocksLeft = blocks
    self.workers = Array(repeating: .ready, count: workers)
    self.mayCancel = mayCancel
  }

  var isOver: Bool { reader == .done && consumer == .done && workers.allSatisfy { $0 == .done } }

  /// Returns all states that one step leads to.
  func successors() -> [Model] {
    var all: [Model] = []
    if let next = readerStep() { all.append(next) }
    for index in workers.indices { if let next = workerStep(index) { all.append(next) } }
    if let next = consumerStep() { all.append(next) }
    if mayCancel {
      var next = self
      next.mayCancel = false
      next.wake(next.machine.cancel())
      all.append(next)
    }
    return all
  }

  private func readerStep() -> Model? {
    var next = self
    switch reader {
    case .ready:
      switch next.machine.mayRead() {
      case .read: next.reader = .holds(0, parts: 0)
      case .wait: next.reader = .waits
      case .stop: next.reader = .done
      }
    case .holds:
      if blocksLeft == 0 {
        next.wake(next.machine.end())
        next.reader = .done
      } else {
        next.blocksLeft -= 1
        next.reader = .ready
        // As the engine does it.
        if !machine.isCancelled { next.wake(next.machine.add(bytes: 1).wakes) }
      }
    case .waits, .waitsWith, .done: return nil
    }
    return next
  }

  private func workerStep(_ index: Int) -> Model? {
    var next = self
    switch workers[index] {
    case .ready:
      switch next.machine.take() {
      case .block(let number): next.workers[index] = .holds(number, parts: Self.parts(number))
      case .wait: next.workers[index] = .waits
      case .stop: next.workers[index] = .done
      }
    case .holds(let number, parts: 0):
      next.workers[index] = .ready
      if !machine.isCancelled { next.wake(next.machine.finish(number)) }
    case .holds(let number, let parts):
      let (answer, wakes) = next.machine.put(number)
      switch answer {
      case .put: next.workers[index] = .holds(number, parts: parts - 1)
      case .wait: next.workers[index] = .waitsWith(number, parts: parts)
      case .stop: next.workers[index] = .done
      }
      next.wake(wakes)
    case .waits, .waitsWith, .done: return nil
    }
    // Workers are interchangeable.
    next.workers.sort()
    return next
  }

  private func consumerStep() -> Model? {
    guard consumer == .ready else { return nil }
    var next = self
    let (delivery, wakes) = next.machine.deliver()
    switch delivery {
    case .part(let number): next.partsDelivered[number, default: 0] += 1
    case .block(let number):
      next.delivered.append(number)
      if next.partsDelivered.removeValue(forKey: number) ?? 0 != Self.parts(number) { next.hasLostPart = true }
    case .wait: next.consumer = .waits
    case .end: next.consumer = .done
    }
    next.wake(wakes)
    return next
  }

  private mutating func wake(_ wakes: ParallelStateMachine.Wakes) {
    if wakes.reader, reader == .waits { reader = .ready }
    if wakes.consumer, consumer == .waits { consumer = .ready }
    for number in wakes.holders {
      for (index, worker) in workers.enumerated() {
        if case .waitsWith(number, let parts) = worker { workers[index] = .holds(number, parts: parts) }
      }
    }
    for _ in 0..<wakes.workers { if let index = workers.firstIndex(of: .waits) { workers[index] = .ready } }
    workers.sort()
  }
}

/// Returns the fault of a state, or `nil`.
private func fault(_ model: Model, blocks: Int, wasCancelled: Bool) -> String? {
  if model.machine.count > model.machine.window { return "more blocks than the window" }
  if model.hasLostPart { return "a part was lost, or came behind its block" }
  if model.machine.isOrdered, model.partsDelivered.keys.contains(where: { $0 != model.delivered.count }) {
    return "a part came before its turn"
  }
  if Set(model.delivered).count != model.delivered.count { return "a block was delivered twice" }
  if model.machine.isOrdered, model.delivered != Array(0..<model.delivered.count) { return "out of order" }
  if model.isOver, !wasCancelled, model.delivered.count != blocks { return "a block was lost" }
  return nil
}

/// The state machine that decides which worker reads, waits and delivers: all schedules of a small run are tried.
@Suite struct WorkerScheduleTests {
  @Test(arguments: [true, false], [false, true])
  func `no order of steps loses a block, a wake-up, or the order of the input`(isOrdered: Bool, mayCancel: Bool) {
    var statesSeen = 0
    for blocks in 0...4 {
      for workers in 1...3 {
        for window in 1...3 {
          let first = Model(
            blocks: blocks, workers: workers, window: window, isOrdered: isOrdered, mayCancel: mayCancel)
          var seen: Set<Model> = [first]
          var rest = [first]
          var ends = 0
          while let model = rest.popLast() {
            let wasCancelled = mayCancel && !model.mayCancel
            if let fault = fault(model, blocks: blocks, wasCancelled: wasCancelled) {
              Issue.record("\(blocks) blocks, \(workers) workers, window \(window): \(fault): \(model)")
              return
            }
            // Cancellation is possible but not required.
            let next = model.successors()
            let canContinue = next.contains { $0.mayCancel == model.mayCancel }
            if !canContinue {
              guard model.isOver else {
                Issue.record("\(blocks) blocks, \(workers) workers, window \(window): all wait for ever: \(model)")
                return
              }
              ends += 1
            }
            for state in next where seen.insert(state).inserted { rest.append(state) }
          }
          #expect(ends > 0)
          statesSeen += seen.count
        }
      }
    }
    print("ParallelStateMachine, ordered \(isOrdered), cancelled \(mayCancel): \(statesSeen) states")
    #expect(statesSeen > 5000)
  }

  @Test func `no block is read while the others are as long as allowed`() {
    var machine = ParallelStateMachine(window: 8, isOrdered: true)
    _ = machine.add(bytes: ParallelStateMachine.maxBytes - 1)
    #expect(machine.mayRead() == .read)
    _ = machine.add(bytes: ParallelStateMachine.maxBytes * 3)
    for number in 0..<2 {
      #expect(machine.mayRead() == .wait)
      #expect(machine.take() == .block(number))
      _ = machine.finish(number)
      #expect(machine.deliver().wakes.reader)
    }
    #expect(machine.mayRead() == .read)
  }
}
