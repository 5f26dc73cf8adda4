/// Inspects blocks on the reading thread, before the consumer receives them.
protocol BlockInspector: AnyObject, Sendable {
  /// Inspects the next block. An empty block marks the end of the input.
  func take(_ block: UnsafeRawBufferPointer)
}

/// An input for ``ReadAhead``. It is used by one thread at a time.
protocol AheadInput: AnyObject {
  /// Reads up to `buffer.count` bytes. Returns 0 at the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// A file, read from its current position on.
final class AheadFile: AheadInput {
  private var file: File?

  init(taking file: inout File?) { swap(&self.file, &file) }

  func returnFile(_ file: inout File?) { swap(&self.file, &file) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int { try unsafe file?.read(into: buffer) ?? 0 }
}

/// Reads a file, or the decompressed bytes of a compressed one, on a thread of its own, some blocks ahead of the consumer.
///
/// Copying a file from the system's cache takes a third of the time that a fast path needs to scan it; decompressing it
/// takes several times as long. The consumer receives the memory of a block in exchange for its own, so no byte is copied
/// twice.
final class ReadAhead {
  /// The number of free bytes before each block, for the unused rest of the block before it.
  static let headroom = 1 << 16
  /// The maximum size of a block in bytes.
  static let blockBytes = 1 << 18

  private let reader: Reader

  /// Starts reading. Returns `nil` if the system cannot start a thread; then nothing has been read.
  ///
  /// - Parameter inspector: Receives each block on the reading thread.
  init?(_ input: any AheadInput, inspectedBy inspector: (any BlockInspector)? = nil) {
    let reader = Reader(input, inspector)
    guard DetachedThread.start({ reader.run() }) == 0 else { return nil }
    self.reader = reader
  }

  deinit { reader.stop() }

  /// Waits for the next block, and places it after the unused bytes of the block before.
  ///
  /// - Parameters:
  ///   - memory: The memory with the unused bytes. It is exchanged for another block, or grows if the unused bytes do not
  ///     fit into ``headroom``.
  ///   - left: The range of the unused bytes in `memory`; afterwards the range of these and the new bytes.
  /// - Returns: The number of new bytes; 0 at the end.
  func next(into memory: inout RawMemory, after left: inout Range<Int>) throws -> Int {
    guard let (slot, count) = try reader.take() else { return 0 }
    let start = Self.headroom - left.count
    if start >= 0 {
      // SAFETY: `left` is a range of `memory`, and the headroom of the slot is at least as long.
      unsafe (slot.memory.base + start).copyMemory(from: memory.base + left.lowerBound, byteCount: left.count)
      swap(&slot.memory, &memory)
      left = start..<(Self.headroom + count)
    } else {
      if memory.capacity - left.upperBound < count { memory.moveToFront(&left, makingRoomFor: count) }
      // SAFETY: `memory` has room for `count` more bytes after `left` now.
      unsafe (memory.base + left.upperBound).copyMemory(from: slot.memory.base + Self.headroom, byteCount: count)
      left = left.lowerBound..<(left.upperBound + count)
    }
    reader.recycle(slot)
    return count
  }
}

extension RawMemory {
  /// Moves the bytes of `range` to the front, and grows if fewer than `more` bytes are free after them.
  mutating func moveToFront(_ range: inout Range<Int>, makingRoomFor more: Int) {
    unsafe base.copyMemory(from: base + range.lowerBound, byteCount: range.count)
    range = 0..<range.count
    let wanted = range.count + more
    if wanted > capacity { grow(to: max(wanted, capacity * 2), keeping: range.count) }
  }
}

/// The state that the thread of a ``ReadAhead`` shares with the consumer: a ring of slots.
///
/// Unchecked `Sendable`: the monitor protects the counters. Only the thread accesses a slot that is not filled, and only the
/// consumer one that is.
private final class Reader: @unchecked Sendable {
  final class Slot {
    var memory = RawMemory(capacity: Reader.slotBytes)
    var count = 0
  }

  static let slotBytes = ReadAhead.headroom + ReadAhead.blockBytes

  private var input: (any AheadInput)?
  private let inspector: (any BlockInspector)?
  private let monitor = Monitor()
  private let slots = [Slot(), Slot(), Slot(), Slot()]
  // Protected by the monitor.
  private var first = 0
  private var filled = 0
  private var isOver = false
  private var isStopped = false
  private var isThreadWaiting = false
  private var isConsumerWaiting = false
  private var failure: (any Error)?

  init(_ input: any AheadInput, _ inspector: (any BlockInspector)?) {
    self.input = input
    self.inspector = inspector
  }

  // MARK: The thread

  func run() {
    var number = 0
    while let slot = emptySlot(number) {
      number += 1
      do {
        slot.count = try read(into: slot)
        if slot.count == 0 { break }
        monitor.locked {
          filled += 1
          wakeConsumer()
        }
      } catch {
        monitor.locked { failure = error }
        break
      }
    }
    // Closes the file before `isOver` is set.
    input = nil
    monitor.locked {
      isOver = true
      wakeConsumer()
    }
  }

  private func read(into slot: Slot) throws -> Int {
    // SAFETY: a slot that is not filled has `slotBytes` bytes of memory, and only this thread accesses it.
    let room = unsafe UnsafeMutableRawBufferPointer(
      start: slot.memory.base + ReadAhead.headroom, count: ReadAhead.blockBytes)
    let count = try unsafe input?.read(into: room) ?? 0
    unsafe inspector?.take(UnsafeRawBufferPointer(rebasing: room[..<count]))
    return count
  }

  /// Waits for the slot of block `number` to be empty, and returns it; `nil` if the consumer has stopped reading.
  private func emptySlot(_ number: Int) -> Slot? {
    // The scheduler tends to put a thread on the processor of the thread that wakes it, which delays the latter. A thread
    // that wakes after a sleep stays on its processor. So this one sleeps for a while before it waits to be woken.
    var sleeps = 0
    while sleeps < Self.maxSleeps, monitor.locked({ filled == slots.count && !isStopped }) {
      File.pause(microseconds: Self.sleepMicroseconds)
      sleeps += 1
    }
    return monitor.locked {
      if filled == slots.count {
        isThreadWaiting = true
        while isThreadWaiting, !isStopped { monitor.wait() }
      }
      return isStopped ? nil : slots[number % slots.count]
    }
  }

  /// The time of one sleep in microseconds: less than a fast consumer needs for all filled slots.
  private static let sleepMicroseconds = 50
  private static let maxSleeps = 40

  private func wakeConsumer() {
    guard isConsumerWaiting else { return }
    isConsumerWaiting = false
    monitor.wakeAll()
  }

  // MARK: The consumer

  /// The maximum number of polls, which take about as long as reading a block from the cache.
  private static let maxPolls = 2000

  /// Waits for the next block. Returns its slot and the number of its bytes after the headroom; `nil` at the end.
  func take() throws -> (slot: Slot, count: Int)? {
    // Polls first: a block from the cache arrives sooner than a sleeping thread can be woken, and a thread that does not
    // sleep keeps its processor.
    var polls = 0
    while polls < Self.maxPolls, monitor.locked({ filled == 0 && !isOver }) { polls += 1 }
    let (slot, failure) = monitor.locked { () -> (Slot?, (any Error)?) in
      while filled == 0, !isOver {
        isConsumerWaiting = true
        monitor.wait()
      }
      return filled > 0 ? (slots[first], nil) : (nil, self.failure)
    }
    if let failure { throw failure }
    guard let slot else { return nil }
    return (slot, slot.count)
  }

  /// Returns the slot of the last block, so that it can be filled again.
  func recycle(_ slot: Slot) {
    // The exchanged memory can be larger, after a long record.
    if slot.memory.capacity != Self.slotBytes { slot.memory = RawMemory(capacity: Self.slotBytes) }
    monitor.locked {
      first = (first + 1) % slots.count
      filled -= 1
      guard isThreadWaiting, filled <= slots.count / 2 else { return }
      isThreadWaiting = false
      monitor.wakeAll()
    }
  }

  /// Stops the thread, and waits until it has closed the file.
  func stop() {
    monitor.locked {
      isStopped = true
      monitor.wakeAll()
      while !isOver {
        isConsumerWaiting = true
        monitor.wait()
      }
    }
  }
}
