/// Looks at blocks before they are handed out.
protocol BlockInspector: AnyObject, Sendable {
  /// Takes the next block; no bytes say that it was the last.
  func take(_ block: UnsafeRawBufferPointer)
}

/// What a thread reads ahead. It is used by one thread at a time.
protocol AheadInput: AnyObject {
  /// Reads up to `buffer.count` bytes; 0 is the end.
  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

/// A file, from where it stands.
final class AheadFile: AheadInput {
  private var file: File?

  init(taking file: inout File?) { swap(&self.file, &file) }

  func giveBack(_ file: inout File?) { swap(&self.file, &file) }

  func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int { try unsafe file?.read(into: buffer) ?? 0 }
}

/// Reads a file, or what comes out of a compressed one, on a thread of its own, some blocks ahead of its user.
///
/// To copy a file out of the system's cache takes a third of the time in which a fast path goes over it; to decompress one
/// takes several times that. The blocks are handed out as memory, which is exchanged: nothing is copied a second time.
final class ReadAhead {
  /// So many bytes in front of a block are free for what was left of the one before.
  static let headroom = 1 << 16
  static let blockBytes = 1 << 18

  private let reader: Reader

  /// Begins to read. `nil` if the system has no thread to give: then nothing has been read.
  ///
  /// - Parameter inspector: Is given each block on that thread.
  init?(_ input: any AheadInput, inspectedBy inspector: (any BlockInspector)? = nil) {
    let reader = Reader(input, inspector)
    guard DetachedThread.start({ reader.run() }) == 0 else { return nil }
    self.reader = reader
  }

  deinit { reader.stop() }

  /// Waits for the next block, and puts it behind bytes that are left of the one before.
  ///
  /// - Parameters:
  ///   - memory: Where those bytes are. It is exchanged, or made larger if they are many.
  ///   - left: The range of those bytes, and afterwards of all.
  /// - Returns: How many bytes have come; 0 is the end.
  func next(into memory: inout RawMemory, behind left: inout Range<Int>) throws -> Int {
    guard let (slot, count) = try reader.take() else { return 0 }
    let start = Self.headroom - left.count
    if start >= 0 {
      // SAFETY: `left` is a range of `memory`, and the slot has as many bytes as that in front of its own.
      unsafe (slot.memory.base + start).copyMemory(from: memory.base + left.lowerBound, byteCount: left.count)
      swap(&slot.memory, &memory)
      left = start..<(Self.headroom + count)
    } else {
      if memory.capacity - left.upperBound < count { memory.moveToFront(&left, makingRoomFor: count) }
      // SAFETY: there is room for them now.
      unsafe (memory.base + left.upperBound).copyMemory(from: slot.memory.base + Self.headroom, byteCount: count)
      left = left.lowerBound..<(left.upperBound + count)
    }
    reader.giveBack(slot)
    return count
  }
}

extension RawMemory {
  /// Moves some bytes to the front, and grows if there is no room for more behind them then.
  mutating func moveToFront(_ range: inout Range<Int>, makingRoomFor more: Int) {
    unsafe base.copyMemory(from: base + range.lowerBound, byteCount: range.count)
    range = 0..<range.count
    let wanted = range.count + more
    if wanted > capacity { grow(to: max(wanted, capacity * 2), keeping: range.count) }
  }
}

/// What the thread of a ``ReadAhead`` and its user share.
///
/// Sendable without the compiler's proof: counters are behind the monitor. A slot is touched by the thread while
/// it is not filled, and by the user while it is.
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
  // Behind the monitor.
  private var first = 0
  private var filled = 0
  private var isOver = false
  private var isStopped = false
  private var isThreadWaiting = false
  private var isUserWaiting = false
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
          wakeUser()
        }
      } catch {
        monitor.locked { failure = error }
        break
      }
    }
    // A file is closed before anybody is told that this is over.
    input = nil
    monitor.locked {
      isOver = true
      wakeUser()
    }
  }

  private func read(into slot: Slot) throws -> Int {
    // SAFETY: a slot that is not filled has memory of `slotBytes`, and nobody else touches it.
    let room = unsafe UnsafeMutableRawBufferPointer(
      start: slot.memory.base + ReadAhead.headroom, count: ReadAhead.blockBytes)
    let count = try unsafe input?.read(into: room) ?? 0
    unsafe inspector?.take(UnsafeRawBufferPointer(rebasing: room[..<count]))
    return count
  }

  /// The slot for a block; `nil` if nobody wants any more.
  private func emptySlot(_ number: Int) -> Slot? {
    // A thread that another one wakes is put beside it, and takes its processor from it for a while. One that wakes by
    // itself stays where it was.
    var naps = 0
    while naps < Self.maxNaps, monitor.locked({ filled == slots.count && !isStopped }) {
      File.pause(microseconds: Self.nap)
      naps += 1
    }
    return monitor.locked {
      if filled == slots.count {
        isThreadWaiting = true
        while isThreadWaiting, !isStopped { monitor.wait() }
      }
      return isStopped ? nil : slots[number % slots.count]
    }
  }

  /// In microseconds: less than it takes to use up the blocks that are there, where it is done fast.
  private static let nap = 50
  private static let maxNaps = 40

  private func wakeUser() {
    guard isUserWaiting else { return }
    isUserWaiting = false
    monitor.wakeAll()
  }

  // MARK: The user

  /// So many take about as long as a block from the cache.
  private static let maxLooks = 2000

  /// The next block, and how many bytes it has behind the headroom; `nil` at the end.
  func take() throws -> (slot: Slot, count: Int)? {
    // A block from the cache comes sooner than a thread that sleeps is woken, and one that does not sleep keeps its
    // processor for itself.
    var looks = 0
    while looks < Self.maxLooks, monitor.locked({ filled == 0 && !isOver }) { looks += 1 }
    let (slot, failure) = monitor.locked { () -> (Slot?, (any Error)?) in
      while filled == 0, !isOver {
        isUserWaiting = true
        monitor.wait()
      }
      return filled > 0 ? (slots[first], nil) : (nil, self.failure)
    }
    if let failure { throw failure }
    guard let slot else { return nil }
    return (slot, slot.count)
  }

  /// The block that was taken last may be filled again.
  func giveBack(_ slot: Slot) {
    // A long record had made it larger.
    if slot.memory.capacity != Self.slotBytes { slot.memory = RawMemory(capacity: Self.slotBytes) }
    monitor.locked {
      first = (first + 1) % slots.count
      filled -= 1
      guard isThreadWaiting, filled <= slots.count / 2 else { return }
      isThreadWaiting = false
      monitor.wakeAll()
    }
  }

  /// Nobody wants any more. Afterwards the file is closed.
  func stop() {
    monitor.locked {
      isStopped = true
      monitor.wakeAll()
      while !isOver {
        isUserWaiting = true
        monitor.wait()
      }
    }
  }
}
