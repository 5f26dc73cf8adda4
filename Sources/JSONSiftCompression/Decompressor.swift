#if Compression
  internal import JSONSift

  /// Reads a source and decompresses it. A class, because the reading closure captures it.
  @safe final class Decompressor: ByteReader {
    enum State {
      /// The format is not yet detected.
      case start
      /// Not compressed.
      case plain
      case inside(any Decoder)
      /// A member or frame has ended.
      case between(any Decoder)
      /// Zero bytes after the last member of a gzip file, as tapes and block devices leave them.
      case padding
      /// The text of frames that were decompressed ahead is copied.
      case ahead(any Decoder)
      case ended
    }

    var source: ByteSource
    let limits: DecompressionLimits
    let decoders: [any Decoder.Type]
    let progress: DecompressionProgress
    /// The format that the name of the input says.
    let formatOfName: CompressedFormat?
    var state = State.start
    /// The decoder of the format; `nil` before it is detected, and for an input that is not compressed.
    var decoderType: (any Decoder.Type)?
    /// An error that occurred after bytes were decompressed; thrown by the read after the one that returns them.
    var failure: JSONError?

    /// The offset in the text at which the open member of gzip begins, if it is a block of BGZF.
    private var blockStart: Int?
    /// Whether the last member is a block of BGZF with text. The block at the end of a whole file has none (the specification
    /// of SAM, section 4.1.2).
    var endsWithText = false
    /// Called at the end of an input of BGZF that was cut where a block ends.
    private let whenCut: (@Sendable () -> Void)?

    // The bytes read but not yet consumed: input[start ..< end].
    private let input: UnsafeMutableRawBufferPointer
    var start = 0
    var end = 0
    var isAtEnd = false
    /// The part of the input that is read; `nil` for all of it.
    var part: PartReading?
    /// A walk to a frame at or before the start of the part; `nil` to walk from the start of the input.
    let walk: FrameWalk?
    /// The threads that decompress frames ahead, and the text that is copied.
    var frames: FramesAhead
    /// The input for reads at any offset, once reading has moved; `nil` if it is read in sequence.
    var positional: PositionalInput?
    /// Whether the last read of the source returned no bytes although the source has not ended.
    private(set) var wouldBlock = false
    var canReadAtOnce: Bool {
      switch state {
      case .plain: start < end || source.canReadAtOnce
      case .ended, .ahead: true
      // Compressed bytes that are available may produce no output without further input.
      case .start, .inside, .between, .padding: holdsOutput || source.neverWaits
      }
    }
    /// The remaining compressed bytes. `nil` for an uncompressed input: it is copied once more here, so reading it on a
    /// separate thread gains nothing.
    var remainingInput: Int? {
      switch state {
      case .inside, .between: part.map { $0.rest(from: used) } ?? source.regularRest.map { $0 + end - start }
      case .start, .plain, .padding, .ahead, .ended: nil
      }
    }

    /// The bytes left of an input that is not compressed.
    var rest: Int? {
      guard case .plain = state else { return nil }
      return source.rest.map { $0 + end - start }
    }

    var isCompressed: Bool { decoderType != nil }

    var compressedBytes: Int? { part.map { $0.cut.byteCount } ?? (isCompressed ? used : nil) }

    /// Skips bytes of an input that is not compressed.
    func skip(_ count: Int, of target: Int) throws(JSONError) -> Bool {
      if case .start = state { try begin(0) }
      guard case .plain = state, rest != nil else { return false }
      let held = min(end - start, count)
      _ = try source.skip(count - held, of: target)
      start += held
      used += count
      produced += count
      progress.set(compressed: used, decompressed: produced)
      return true
    }

    func takeReadHooks() -> ReadHooks {
      var hooks = source.takeReadHooks()
      let progress = progress
      hooks.usedBytes = { progress.compressedBytes }
      hooks.reportedBytes = used - origin + end - start
      return hooks
    }

    /// Whether the last step filled its output buffer: the decoder may hold more output that needs no further input.
    var holdsOutput = false
    /// The number of bytes consumed and produced.
    var used = 0
    var produced = 0
    /// The offset in the input at which reading began.
    var origin: Int { part?.cut.start.byte ?? 0 }

    private static let inputBytes = Sizes.of(1 << 16, fuzzing: 16)

    init(
      _ source: JSONSource, _ limits: DecompressionLimits, _ progress: DecompressionProgress,
      _ decoders: [any Decoder.Type], _ frames: FramesAhead = FramesAhead(threads: 1), from walk: FrameWalk? = nil,
      whenCut: (@Sendable () -> Void)? = nil
    ) throws(JSONError) {
      self.frames = frames
      self.whenCut = whenCut
      self.walk = walk
      unsafe input = .allocate(byteCount: Self.inputBytes, alignment: 16)
      self.limits = limits
      self.decoders = decoders
      self.progress = progress
      let name = source.name?.lowercased() ?? ""
      formatOfName = decoders.first { $0.format.fileExtensions.contains { name.hasSuffix($0) } }?.format
      do throws(JSONError) {
        self.source = try ByteSource(source, allowingCompression: true)
      } catch {
        unsafe input.deallocate()
        throw error
      }
      progress.set(compressed: 0, decompressed: 0)
    }

    deinit {
      frames.stop()
      unsafe input.deallocate()
    }

    /// Reads up to `buffer.count` bytes; returns 0 at the end. `offset` is the number of bytes returned before, for
    /// errors.
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int {
      if let failure { throw failure }
      wouldBlock = false
      guard unsafe !buffer.isEmpty else { return 0 }
      var written = 0
      do throws(JSONError) {
        try unsafe write(into: buffer, &written, offset)
      } catch {
        failure = error
        if written == 0 { throw error }
      }
      if let end = unsafe part?.endOfText(in: UnsafeRawBufferPointer(rebasing: buffer[..<written])) {
        written = end
        state = .ended
        failure = nil
      }
      produced += written
      progress.set(compressed: used - origin, decompressed: produced)
      return written
    }

    /// Writes until the next read would wait with some output written, or until the end.
    private func write(
      into buffer: UnsafeMutableRawBufferPointer, _ written: inout Int, _ offset: Int
    ) throws(JSONError) {
      while written < buffer.count, !wouldBlock {
        switch state {
        case .ended: return
        case .start: try begin(offset)
        case .plain:
          try unsafe copy(into: buffer, &written, offset)
          return
        case .between(let decoder):
          if try endPartIfNeeded(written, offset, type(of: decoder).format) {
            if case .ended = state { return }
            if written > 0 { return }
          }
          if beginAhead(decoder, written) { continue }
          if start == end {
            if written > 0 { return }
            guard try fill(offset) else {
              if !wouldBlock { endInput() }
              return
            }
          }
          let isPadding = unsafe type(of: decoder).allowsPadding && input[start] == 0
          if !isPadding { beginMember(at: produced + written) }
          state = isPadding ? .padding : .inside(decoder)
        case .padding: try skipZeros(offset + written)
        case .ahead(let decoder):
          unsafe copyAhead(into: buffer, &written, decoder)
          if written > 0 { return }
        case .inside(let decoder):
          if start == end, !holdsOutput {
            if written > 0 { return }
            guard try fill(offset) else {
              if wouldBlock { return }
              throw error(
                .damagedCompression, offset,
                "expected more \(type(of: decoder).format) data after byte \(used) of the compressed input, found the end"
              )
            }
          }
          let step = unsafe decoder.step(
            UnsafeRawBufferPointer(rebasing: input[start..<end]),
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[written...]))
          try take(step, decoder, roomFor: buffer.count, &written, offset)
        }
      }
    }

    /// Detects the format from the first bytes. Reads as many as needed, in chunks of any size.
    func begin(_ offset: Int) throws(JSONError) {
      var head = unsafe UnsafeRawBufferPointer(rebasing: input[..<end])
      while decoders.contains(where: { unsafe $0.format.mayBegin(head) }), try fill(offset) {
        unsafe head = UnsafeRawBufferPointer(rebasing: input[..<end])
      }
      if wouldBlock { return }
      if let type = decoders.first(where: { unsafe $0.format.begins(head) }) {
        state = .inside(try makeDecoder(type))
        decoderType = type
        beginMember(at: 0)
      } else if unsafe head.first == 0x1F, head.count == 1 {
        throw error(
          .damagedCompression, offset, "expected more gzip data after byte 1 of the compressed input, found the end")
      } else if head.count == 0, !source.mayGrow, let format = formatOfName {
        throw error(.damagedCompression, offset, "expected \(format) data in the compressed input, found an empty file")
      } else {
        state = .plain
      }
    }

    private func copy(
      into buffer: UnsafeMutableRawBufferPointer, _ written: inout Int, _ offset: Int
    ) throws(JSONError) {
      let held = min(end - start, buffer.count)
      if held > 0 {
        unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: input[start..<start + held]))
        start += held
        written = held
      } else {
        written = try unsafe source.read(into: buffer, at: offset)
        wouldBlock = written == 0 && source.wouldBlock
      }
      used += written
    }

    private func skipZeros(_ offset: Int) throws(JSONError) {
      while true {
        while start < end {
          guard unsafe input[start] == 0 else {
            throw error(
              .damagedCompression, offset,
              "expected only zeros from byte \(used) of the compressed input on, found other data")
          }
          start += 1
          used += 1
        }
        guard try fill(offset) else {
          if !wouldBlock { endInput() }
          return
        }
      }
    }

    private func beginMember(at offset: Int) {
      let isBlock = unsafe GzipDecoder.beginsBlock(UnsafeRawBufferPointer(rebasing: input[start..<end]))
      blockStart = isBlock ? offset : nil
    }

    private func endInput() {
      if endsWithText { whenCut?() }
      state = .ended
    }

    /// Applies the result of a step to the cursors and the state.
    private func take(
      _ step: DecodingStep, _ decoder: any Decoder, roomFor room: Int, _ written: inout Int, _ offset: Int
    ) throws(JSONError) {
      // SAFETY of the cursors: clamped, because a decoder that reports more than it was given would move them out of
      // the buffers.
      let consumed = min(max(step.consumed, 0), end - start)
      start += consumed
      used += consumed
      let before = written
      written += min(max(step.produced, 0), room - written)
      holdsOutput = written == room
      try checkLimits(&written, before, offset)
      switch step.outcome {
      case .unfinished: break
      case .ended:
        holdsOutput = false
        endsWithText = blockStart.map { produced + written > $0 } ?? false
        state = .between(decoder)
      case .damaged(let words):
        throw error(
          .damagedCompression, offset + written,
          "expected valid \(type(of: decoder).format) data up to byte \(used) in the compressed input, found damage: "
            + words)
      case .windowTooLarge:
        throw error(
          .decompressionWindow, offset + written,
          "expected \(type(of: decoder).format) data with a window of at most \(limits.windowBytes) bytes at byte \(used) of the "
            + "compressed input, found a larger one")
      }
    }

    private func checkLimits(_ written: inout Int, _ before: Int, _ offset: Int) throws(JSONError) {
      let total = produced + written
      if total > limits.bytes {
        written = max(limits.bytes - produced, before)
        throw error(
          .decompressionLimit, offset + written,
          "expected at most \(limits.bytes) decompressed bytes from the compressed input, found more at its compressed byte \(used)"
        )
      }
      // A quotient, because a product could overflow.
      if total > DecompressionLimits.freeBytes, (total - 1) / max(used - origin, 1) >= max(limits.ratio, 1) {
        throw error(
          .decompressionLimit, offset + written,
          "expected at most \(limits.ratio) decompressed bytes for each byte of the compressed input, found more up to its byte "
            + "\(used)")
      }
    }

    /// Appends the bytes of one read to the buffered input. Returns `false` at the end, or if the read would block.
    private func fill(_ offset: Int) throws(JSONError) -> Bool {
      if start == end {
        start = 0
        end = 0
      }
      guard !isAtEnd, end < Self.inputBytes else { return false }
      let room = unsafe UnsafeMutableRawBufferPointer(rebasing: input[end...])
      let count = try unsafe readInput(into: room, offset)
      wouldBlock = count == 0 && source.wouldBlock
      isAtEnd = count == 0 && !wouldBlock
      end += count
      return count > 0
    }

    /// Reads compressed bytes. The message of an error contains the offset in the input; its byte offset counts
    /// decompressed bytes.
    private func readInput(into room: UnsafeMutableRawBufferPointer, _ offset: Int) throws(JSONError) -> Int {
      do throws(JSONError) {
        let next = used + end - start
        if let positional { return try unsafe source.read(positional, into: room, at: next) }
        return try unsafe source.read(into: room, at: next)
      } catch {
        throw self.error(error.code, offset, error.message)
      }
    }

    func makeDecoder(_ type: any Decoder.Type) throws(JSONError) -> any Decoder {
      if let decoder = type.init(limits) { return decoder }
      throw JSONError(code: .unreadable, byteOffset: 0, reason: "there is no memory to decompress \(type.format) data")
    }

    func error(_ code: JSONError.Code, _ offset: Int, _ words: String) -> JSONError {
      JSONError(code: code, byteOffset: offset, reason: words)
    }
  }
#endif
