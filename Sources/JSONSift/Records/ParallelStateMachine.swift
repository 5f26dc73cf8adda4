/// Decides the order of work on the blocks of a stream: one reader adds blocks, workers take and finish them, one consumer
/// receives the results. ``ParallelEngine`` holds the blocks, the lock and the waiting tasks.
///
/// At most `window` blocks are between the reader and the consumer at any time; fewer if they are long. The result of a
/// block may be too large to hold: then a worker delivers it in parts, one at a time, and only when it is the block's
/// turn. A task that must wait is resumed by a later answer, and tries again.
struct ParallelStateMachine: Hashable, Sendable {
  /// Whether the consumer gets the blocks in the order of the input.
  let isOrdered: Bool
  let window: Int

  private enum Phase: Hashable, Sendable { case waiting, taken, finished }

  private struct Block: Hashable, Sendable {
    let number: Int
    let bytes: Int
    var phase: Phase
    /// Whether a part of its result can be delivered.
    var hasPart = false
    /// Whether its worker waits with a part.
    var isHeld = false

    var canBeDelivered: Bool { hasPart || phase == .finished }
  }

  /// The blocks in the order of the input.
  private var blocks: [Block] = []
  private var nextNumber = 0
  private var hasEnded = false
  private(set) var isCancelled = false

  // The waiting tasks.
  private var readerWaits = false
  private var idleWorkers = 0
  private var consumerWaits = false

  /// The tasks that must try again.
  struct Wakes: Hashable, Sendable {
    var reader = false
    var workers = 0
    /// The blocks whose workers wait with a part.
    var holders: [Int] = []
    var consumer = false
  }

  /// No further block is read while the others have this number of bytes: lines of many megabytes are read one at a time.
  static let maxBytes = 4 * LineBlock.longBytes

  init(window: Int, isOrdered: Bool) {
    self.window = max(window, 1)
    self.isOrdered = isOrdered
  }

  /// The number of blocks between the reader and the consumer.
  var count: Int { blocks.count }

  // MARK: The reader

  enum Reading: Hashable, Sendable { case read, wait, stop }

  /// Decides whether the reader may read one more block.
  mutating func mayRead() -> Reading {
    if isCancelled { return .stop }
    if blocks.count < window, blocks.reduce(0, { $0 + $1.bytes }) < Self.maxBytes { return .read }
    readerWaits = true
    return .wait
  }

  /// Adds a block that was read, with the number of its bytes. Returns the number of the block.
  mutating func add(bytes: Int) -> (number: Int, wakes: Wakes) {
    var wakes = Wakes()
    let number = nextNumber
    nextNumber += 1
    blocks.append(Block(number: number, bytes: bytes, phase: .waiting))
    if idleWorkers > 0 {
      idleWorkers -= 1
      wakes.workers = 1
    }
    return (number, wakes)
  }

  /// Marks the end of the blocks.
  mutating func end() -> Wakes {
    hasEnded = true
    return wakeAll()
  }

  // MARK: A worker

  enum Work: Hashable, Sendable { case block(Int), wait, stop }

  /// Decides the next step of a worker.
  mutating func take() -> Work {
    if isCancelled { return .stop }
    if let index = blocks.firstIndex(where: { $0.phase == .waiting }) {
      blocks[index].phase = .taken
      return .block(blocks[index].number)
    }
    if hasEnded { return .stop }
    idleWorkers += 1
    return .wait
  }

  enum Putting: Hashable, Sendable { case put, wait, stop }

  /// Decides whether a worker can deliver a part of a block, and continue with the block.
  mutating func put(_ number: Int) -> (answer: Putting, wakes: Wakes) {
    var wakes = Wakes()
    guard !isCancelled, let index = blocks.firstIndex(where: { $0.number == number }) else { return (.stop, wakes) }
    guard !blocks[index].hasPart, !isOrdered || index == 0 else {
      blocks[index].isHeld = true
      return (.wait, wakes)
    }
    blocks[index].hasPart = true
    if consumerWaits {
      consumerWaits = false
      wakes.consumer = true
    }
    return (.put, wakes)
  }

  /// Marks a block as finished.
  mutating func finish(_ number: Int) -> Wakes {
    var wakes = Wakes()
    guard let index = blocks.firstIndex(where: { $0.number == number }) else { return wakes }
    blocks[index].phase = .finished
    if consumerWaits, !isOrdered || index == 0 {
      consumerWaits = false
      wakes.consumer = true
    }
    return wakes
  }

  // MARK: The consumer

  enum Delivery: Hashable, Sendable { case part(Int), block(Int), wait, end }

  /// Decides the next delivery to the consumer.
  mutating func deliver() -> (delivery: Delivery, wakes: Wakes) {
    var wakes = Wakes()
    if isCancelled { return (.end, wakes) }
    let index = isOrdered ? blocks.indices.first : blocks.firstIndex { $0.canBeDelivered }
    if let index, blocks[index].hasPart {
      blocks[index].hasPart = false
      wakes.holders = releaseHolder(index)
      return (.part(blocks[index].number), wakes)
    }
    if let index, blocks[index].phase == .finished {
      let number = blocks.remove(at: index).number
      // It is the turn of the next block.
      if isOrdered, !blocks.isEmpty { wakes.holders = releaseHolder(0) }
      if readerWaits {
        readerWaits = false
        wakes.reader = true
      }
      return (.block(number), wakes)
    }
    if hasEnded, blocks.isEmpty { return (.end, wakes) }
    consumerWaits = true
    return (.wait, wakes)
  }

  /// Cancels the work.
  mutating func cancel() -> Wakes {
    isCancelled = true
    var wakes = wakeAll()
    for index in blocks.indices { wakes.holders += releaseHolder(index) }
    blocks = []
    return wakes
  }

  /// Returns the block, if its worker waits with a part; the worker must try again.
  private mutating func releaseHolder(_ index: Int) -> [Int] {
    guard blocks[index].isHeld else { return [] }
    blocks[index].isHeld = false
    return [blocks[index].number]
  }

  private mutating func wakeAll() -> Wakes {
    defer {
      readerWaits = false
      idleWorkers = 0
      consumerWaits = false
    }
    return Wakes(reader: readerWaits, workers: idleWorkers, consumer: consumerWaits)
  }
}
