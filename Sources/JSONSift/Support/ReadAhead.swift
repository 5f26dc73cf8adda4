/// Looks at blocks before they are handed out.
protocol BlockInspector: AnyObject, Sendable {
  /// Takes the next block; no bytes say that it was the last.
  func take(_ block: UnsafeRawBufferPointer)
}

/// Reads a file on a thread of its own, some blocks ahead of the one who uses them.
///
/// To copy a file out of the system's cache takes a third of the time in which a fast path goes over it. The blocks are
/// handed out as memory, which is exchanged: nothing is copied a second time.
final class ReadAhead {
  /// So many bytes in front of a block are free for what was left of the one before.
  static let headroom = 1 << 16
  static let blockBytes = 1 << 18

  private let reader: Reader

  /// Takes a file, and begins to read where it stands. `nil` if the system has no thread to give: then the file stays.
  ///
  /// - Parameter inspector: Is given each block on that thread.
  init?(taking file: inout File?, inspectedBy inspector: (any BlockInspector)? = nil) {
    let reader = Reader(inspector)
    swap(&reader.file, &file)
    guard DetachedThread.start({ reader.run() }) == 0 else {
      swap(&reader.file, &file)
      return nil
    }
    self.reader = reader
  }

  deinit { reader.stop() }

  /// Waits for the next block, and puts it behind bytes that are left of the one before.
  ///
  /// - Parameters:
  ///   - memory: Where those bytes are. It is exchanged, or made larger if they are many.
  ///   - left: The range of those bytes, and afterwards of all.
  /// - Returns: How many bytes have come; 0 is the end.
  func next(into memory: inout RawMemory, behind left: inout Range<Int>) throws(File.Failure) -> Int {
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

  var file: File?
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
  private var failure: File.Failure?

  init(_ inspector: (any BlockInspector)?) { self.inspector = inspector }

  // MARK: The thread

  func run() {
    var number = 0
    while let slot = emptySlot(number) {
      number += 1
      do throws(File.Failure) {
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
    // The file is closed before anybody is told that this is over.
    file = nil
    monitor.locked {
      isOver = true
      wakeUser()
    }
  }

  private func read(into slot: Slot) throws(File.Failure) -> Int {
    // SAFETY: a slot that is not filled has memory of `slotBytes`, and nobody else touches it.
    let room = unsafe UnsafeMutableRawBufferPointer(
      start: slot.memory.base + ReadAhead.headroom, count: ReadAhead.blockBytes)
    let count = try unsafe file?.read(into: room) ?? 0
    unsafe inspector?.take(UnsafeRawBufferPointer(rebasing: room[..<count]))
    return count
  }

  /// The slot for a block; `nil` if nobody wants any more.
  private func emptySlot(_ number: Int) -> Slot? {
    // A thread that another one wakes is put beside it, and takes its processor from it for a while. One that wakes by
    // itself stays where it was.
    var naps = 0
    while naps < Self.mostNaps, monitor.locked({ filled == slots.count && !isStopped }) {
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
  private static let mostNaps = 40

  private func wakeUser() {
    guard isUserWaiting else { return }
    isUserWaiting = false
    monitor.wakeAll()
  }

  // MARK: The user

  /// So many take about as long as a block from the cache.
  private static let mostLooks = 2000

  /// The next block, and how many bytes it has behind the headroom; `nil` at the end.
  func take() throws(File.Failure) -> (slot: Slot, count: Int)? {
    // A block from the cache comes sooner than a thread that sleeps is woken, and one that does not sleep keeps its
    // processor for itself.
    var looks = 0
    while looks < Self.mostLooks, monitor.locked({ filled == 0 && !isOver }) { looks += 1 }
    let (slot, failure) = monitor.locked { () -> (Slot?, File.Failure?) in
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
