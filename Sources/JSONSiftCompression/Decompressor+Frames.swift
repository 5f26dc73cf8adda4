#if Compression
  internal import JSONSift

  /// Reading of an input whose frames are found by their headers: a part of it, and frames that are decompressed ahead.
  extension Decompressor {
    /// Moves to the first frame that begins in a range.
    func begin(_ range: JSONInputRange, _ separator: RecordSeparator) throws(JSONError) -> CompressedPart? {
      guard let (input, type) = try frameInput() else { return nil }
      let last = max(range.lowerBound, range.upperBound ?? 0)
      guard last <= input.size else { throw ByteSource.tooShort(input.size, last) }
      let known = if let walk { walk } else { try FrameWalk(input, type) }
      let cut = try FrameCut(range, known)
      let decoder = try makeDecoder(type)
      part = PartReading(cut, separator, input)
      positional = input
      frames.stop()
      state = cut.isEmpty ? .ended : .between(decoder)
      (start, end, isAtEnd, failure, holdsOutput) = (0, 0, false, nil, false)
      (used, produced) = (cut.start.byte, 0)
      progress.set(compressed: 0, decompressed: 0)
      let isAll = range.lowerBound == 0 && range.upperBound ?? .max >= input.size
      return CompressedPart(
        textOffset: cut.start.text, isFirst: cut.start.byte == 0, isEmpty: cut.isEmpty,
        indivisible: cut.isIndivisible && !isAll ? type.format : nil)
    }

    /// Returns the input for reads at any offset, and the decoder of its frames; `nil` if it is not compressed, or can only
    /// be read in sequence.
    func frameInput() throws(JSONError) -> (PositionalInput, any Decoder.Type)? {
      if case .start = state { try begin(0) }
      guard let type = decoderType, let input = source.positional(afterReading: used + end - start) else { return nil }
      return (input, type)
    }

    func foundRecordOfPart() { part?.hasRecord = true }

    /// Ends the reader if the part ends with the frame that has just ended and no record begins in the part. Returns whether
    /// the part ends there: then the text of the next frame must not be written by the same read.
    func endPartIfNeeded(_ written: Int, _ offset: Int, _ format: CompressedFormat) throws(JSONError) -> Bool {
      do throws(JSONError) {
        guard try part?.ends(at: used, text: produced + written, isRead: written == 0, format) == true
        else { return false }
      } catch {
        throw self.error(error.code, offset + written, error.message)
      }
      if written == 0, part?.hasRecord != true { state = .ended }
      return true
    }

    // MARK: Frames ahead

    /// Takes the text of the next frames, if threads decompress them. Returns `false` if this object decompresses the next
    /// frame itself.
    func beginAhead(_ decoder: any Decoder, _ written: Int) -> Bool {
      guard frames.mayRead(from: used), part?.isAfterFrames != true, let decoderType else { return false }
      if !frames.isReading {
        guard let input = positional ?? source.positional(afterReading: used + end - start) else {
          frames.isRefused = true
          return false
        }
        let limit = part?.cut.end.byte ?? input.size
        guard frames.start(input, at: used, upTo: limit, decoderType, limits) else { return false }
        positional = input
        (start, end, isAtEnd) = (0, 0, false)
      }
      guard let slot = frames.next() else { return false }
      // The frame that exceeds a limit is decompressed here, so that the error does not depend on the threads.
      let total = produced + written + slot.count
      let ratio = (total - 1) / max(used - origin, 1)
      guard total <= limits.bytes, total <= DecompressionLimits.freeBytes || ratio < max(limits.ratio, 1) else {
        frames.isRefused = true
        frames.stop()
        return false
      }
      used = slot.end
      endsWithText = !slot.endsEmpty
      state = .ahead(decoder)
      return true
    }

    /// Copies text of frames that were decompressed ahead.
    func copyAhead(into buffer: UnsafeMutableRawBufferPointer, _ written: inout Int, _ decoder: any Decoder) {
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[written...])
      written += unsafe frames.copy(into: room)
      if frames.isCopied { state = .between(decoder) }
    }
  }

  /// The threads that decompress the frames of one input ahead, and the text from them that is being copied.
  struct FramesAhead {
    private let threads: Int
    private let bounds: FrameRing.Bounds
    private var ring: FrameRing?
    private var slot: FrameRing.Slot?
    private var copied = 0
    /// The offset before which no threads are started again.
    private var nextStart = 0
    /// Whether no further threads are started.
    var isRefused = false

    init(threads: Int, _ bounds: FrameRing.Bounds = FrameRing.Bounds()) {
      self.threads = min(threads, Self.maxThreads)
      self.bounds = bounds
    }

    /// More threads would decompress faster than one reader can use the text, and hold more of it.
    private static let maxThreads = 8

    var isReading: Bool { ring != nil }
    var isCopied: Bool { slot == nil }

    func mayRead(from offset: Int) -> Bool { threads > 1 && !isRefused && (ring != nil || offset >= nextStart) }

    /// Starts the threads at a frame. Returns `false` if the next frames cannot be decompressed ahead, or are too few.
    mutating func start(
      _ input: PositionalInput, at offset: Int, upTo limit: Int, _ decoder: any Decoder.Type,
      _ limits: DecompressionLimits
    ) -> Bool {
      nextStart = offset + bounds.minBytes
      guard threads >= decoder.minThreads else {
        isRefused = true
        return false
      }
      let walk = FrameWalk(input, decoder, at: offset)
      ring = FrameRing(input, walk, upTo: limit, decoder, limits, bounds, threads: threads)
      return ring != nil
    }

    /// Returns the next text; `nil` if the threads have ended.
    mutating func next() -> FrameRing.Slot? {
      guard let found = ring?.next() else {
        if ring?.hasFailed == true { isRefused = true }
        stop()
        return nil
      }
      slot = found
      copied = 0
      return found
    }

    /// Copies the next bytes of the text, and returns the slot after the last one.
    mutating func copy(into room: UnsafeMutableRawBufferPointer) -> Int {
      guard let slot else { return 0 }
      let count = min(slot.count - copied, room.count)
      unsafe room.copyMemory(from: UnsafeRawBufferPointer(rebasing: slot.text[copied..<(copied + count)]))
      copied += count
      if copied == slot.count {
        ring?.recycle(slot)
        self.slot = nil
      }
      return count
    }

    /// Ends the threads.
    mutating func stop() {
      ring?.stop()
      ring = nil
      slot = nil
    }
  }
#endif
