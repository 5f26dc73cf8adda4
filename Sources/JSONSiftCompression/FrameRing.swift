#if Compression
  internal import JSONSift

  /// Decompresses the frames of an input ahead of its reader, several in parallel, each on a thread of its own.
  ///
  /// Only frames that are not damaged, and short enough to be held, are decompressed here. At any other frame the ring
  /// ends, and its reader decompresses that frame itself. So errors and limits are the same as without a ring.
  ///
  /// Unchecked `Sendable`: the monitor protects all properties that change. A slot is used by the thread that decompresses
  /// into it until it is full, and by the reader from then on until it is empty again.
  @safe final class FrameRing: @unchecked Sendable {
    /// The text of consecutive frames.
    final class Slot {
      fileprivate enum State { case empty, busy, full }
      fileprivate var state = State.empty
      fileprivate var compressed = RawMemory(capacity: 0)
      fileprivate var memory = RawMemory(capacity: 0)
      /// The offset in the input of the first frame.
      fileprivate(set) var start = 0
      /// The offset in the input after the last frame.
      fileprivate(set) var end = 0
      /// The number of bytes of the text.
      fileprivate(set) var count = 0
      /// Whether the last frame has no text.
      fileprivate(set) var endsEmpty = false
      /// Whether the frames could not be decompressed here.
      fileprivate var isRefused = false

      /// The text. Valid until the slot is returned.
      var text: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: memory.base, count: count) }
    }

    /// The amount that is decompressed ahead; smaller in tests.
    struct Bounds: Sendable {
      /// The maximum number of compressed bytes, and of bytes of text, that a slot holds. Longer frames are streamed.
      var maxBytes = Sizes.of(16 << 20, fuzzing: 1 << 10)
      /// Short frames are decompressed together, up to this number of compressed bytes.
      var jobBytes = Sizes.of(1 << 18, fuzzing: 64)
      /// The minimum number of compressed bytes for threads. A shorter input is read before they have started. Also the number
      /// of bytes to read before threads are started again.
      var minBytes = Sizes.of(1 << 20, fuzzing: 128)
    }

    private let input: PositionalInput
    private let decoder: any Decoder.Type
    private let limits: DecompressionLimits
    private let limit: Int
    private let bounds: Bounds
    private let monitor = Monitor()
    private let slots: [Slot]
    private var walk: FrameWalk
    private var nextJob = 0
    /// The number of the next job whose text the reader takes.
    private var nextText = 0
    /// The number of the job at which the ring ends, if it is known.
    private var lastJob: Int?
    private var isStopped = false
    private var threads = 0
    /// Whether the text of frames was too long.
    private var isTooLong = false

    /// Starts the threads. Returns `nil` if the next frame is not worth it, or if the system has no threads.
    ///
    /// - Parameters:
    ///   - walk: The position of the first frame.
    ///   - end: The offset at which the last frame ends.
    init?(
      _ input: PositionalInput, _ walk: FrameWalk, upTo end: Int, _ decoder: any Decoder.Type,
      _ limits: DecompressionLimits,
      _ bounds: Bounds, threads count: Int
    ) {
      guard count > 1, end - walk.position.byte >= bounds.minBytes else { return nil }
      self.input = input
      self.decoder = decoder
      self.limits = limits
      self.walk = walk
      limit = end
      self.bounds = bounds
      slots = (0...count).map { _ in Slot() }
      // At least two frames can be decompressed.
      var probe = walk
      guard Self.job(&probe, upTo: end, bounds) != nil, Self.job(&probe, upTo: end, bounds) != nil else { return nil }
      for _ in 0..<count {
        monitor.locked { threads += 1 }
        guard DetachedThread.start({ self.run() }) == 0 else {
          monitor.locked { threads -= 1 }
          break
        }
      }
      guard monitor.locked({ threads > 0 }) else { return nil }
    }

    /// Returns the offset after the next frames that are decompressed together; `nil` if the next frame cannot be.
    private static func job(_ walk: inout FrameWalk, upTo limit: Int, _ bounds: Bounds) -> Int? {
      let start = walk.position.byte
      var end = start
      while end < limit, end - start < bounds.jobBytes {
        var next = walk
        guard let frame = try? next.next(), !frame.isRest, frame.byteCount <= bounds.maxBytes,
          frame.textCount ?? 0 <= bounds.maxBytes, next.position.byte <= limit,
          end == start || next.position.byte - start <= bounds.maxBytes
        else { break }
        walk = next
        end = walk.position.byte
      }
      return end > start ? end : nil
    }

    /// Whether the ring has ended at frames whose text is too long, and another ring would end there, too.
    var hasFailed: Bool { monitor.locked { isTooLong } }

    // MARK: The threads

    private func run() {
      let decoder = decoder.init(limits)
      while let slot = takeJob() {
        let isDone = decoder.map { decompress(slot, $0) } ?? false
        monitor.locked {
          slot.isRefused = !isDone
          slot.state = .full
          monitor.wakeAll()
        }
        // The state of a decoder after an error is not defined.
        if !isDone { break }
      }
      monitor.locked {
        threads -= 1
        monitor.wakeAll()
      }
    }

    /// Waits for an empty slot, and takes the next frames; `nil` at the end.
    private func takeJob() -> Slot? {
      monitor.locked {
        while !isStopped, lastJob == nil {
          let slot = slots[nextJob % slots.count]
          guard slot.state == .empty, nextJob < nextText + slots.count else {
            monitor.wait()
            continue
          }
          let start = walk.position.byte
          guard let end = Self.job(&walk, upTo: limit, bounds) else {
            lastJob = nextJob
            monitor.wakeAll()
            return nil
          }
          (slot.start, slot.end, slot.state) = (start, end, .busy)
          nextJob += 1
          return slot
        }
        return nil
      }
    }

    /// Returns `false` if the frames are damaged or too long.
    private func decompress(_ slot: Slot, _ decoder: any Decoder) -> Bool {
      let size = slot.end - slot.start
      slot.compressed.fit(size)
      let source = unsafe UnsafeMutableRawBufferPointer(start: slot.compressed.base, count: size)
      var filled = 0
      while filled < size {
        let room = unsafe UnsafeMutableRawBufferPointer(rebasing: source[filled...])
        guard let count = try? unsafe input.read(into: room, at: slot.start + filled) else { return false }
        filled += count
      }
      if slot.memory.capacity < 2 * size { slot.memory = RawMemory(capacity: min(6 * size, bounds.maxBytes)) }
      var used = 0
      slot.count = 0
      // The number of bytes of text before the frame.
      var before = 0
      while true {
        if slot.count == slot.memory.capacity {
          guard slot.count < bounds.maxBytes else {
            monitor.locked { isTooLong = true }
            return false
          }
          slot.memory.grow(to: min(2 * slot.count, bounds.maxBytes), keeping: slot.count)
        }
        let room = unsafe UnsafeMutableRawBufferPointer(
          start: slot.memory.base + slot.count, count: slot.memory.capacity - slot.count)
        let step = unsafe decoder.step(UnsafeRawBufferPointer(rebasing: source[used...]), into: room)
        let hadInput = used < size
        used += min(max(step.consumed, 0), size - used)
        slot.count += min(max(step.produced, 0), room.count)
        switch step.outcome {
        case .ended:
          slot.endsEmpty = slot.count == before
          if used == size { return true }
          before = slot.count
        case .unfinished:
          // The frames are longer than their headers say.
          if !hadInput, step.produced == 0 { return false }
        case .damaged, .windowTooLarge: return false
        }
      }
    }

    // MARK: The reader

    /// Waits for the text of the next frames. Returns `nil` if the ring has ended; the next frame begins where the last text
    /// ended.
    func next() -> Slot? {
      monitor.locked {
        while true {
          if nextText == lastJob { return nil }
          let slot = slots[nextText % slots.count]
          if nextText < nextJob, slot.state == .full {
            guard !slot.isRefused else { return nil }
            return slot
          }
          // All threads have ended at frames after a refused one, or at the end.
          if threads == 0, lastJob == nil, nextText >= nextJob { return nil }
          monitor.wait()
        }
      }
    }

    /// Returns the slot of the last text, so that it can be filled again.
    func recycle(_ slot: Slot) {
      monitor.locked {
        slot.state = .empty
        nextText += 1
        monitor.wakeAll()
      }
    }

    /// Ends the threads, and waits for them: they read the file of the reader.
    func stop() {
      monitor.locked {
        isStopped = true
        monitor.wakeAll()
        while threads > 0 { monitor.wait() }
      }
    }
  }
#endif
