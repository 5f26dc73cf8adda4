#if Compression
  private import CZstd
  internal import JSONSift

  /// Decodes consecutive zstd frames with libzstd, which skips the skippable frames.
  ///
  /// When libzstd detects damage, it does not report what the same call decoded before it. So each call passes at most
  /// one unit of the format: a frame header, a block header, a block or a checksum. The output before the damage, and
  /// the offset at which the damage is reported, are then the same for every chunking of the input.
  @safe final class ZstdDecoder: Decoder {
    static let format = CompressedFormat.zstd
    static let allowsPadding = false
    /// Texts of whole frames do not stay in the processor's cache: they cost a third more processor time, which is most of
    /// what a second thread gains.
    static let minThreads = 3

    private let stream: OpaquePointer
    /// The number of bytes up to the end of the block header after the current unit, as libzstd reports it; no block
    /// header follows the last block.
    private var hint = ZstdDecoder.frameStart
    /// The number of remaining bytes of the frame start. libzstd may validate each of them on arrival, and its versions
    /// differ.
    private var startBytesLeft = ZstdDecoder.frameStart
    /// Whether the last call filled its output buffer: decoded bytes may remain, and an error in the next unit would
    /// discard them.
    private var holdsOutput = false

    private static let frameStart = 5
    private static let blockHeader = 3

    init?(_ limits: DecompressionLimits) {
      guard let made = unsafe ZSTD_createDStream() else { return nil }
      unsafe stream = made
      // The largest permitted power of two, within the range that libzstd supports.
      let log = min(max(Int.bitWidth - 1 - max(limits.windowBytes, 1).leadingZeroBitCount, 10), 31)
      _ = unsafe ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Int32(log))
    }

    /// SAFETY: libzstd accesses only the two buffers, and stores neither address.
    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
      let count = min(input.count, unitBytes)
      var given = unsafe ZSTD_inBuffer(src: input.baseAddress, size: count, pos: 0)
      var room = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
      let result = unsafe ZSTD_decompressStream(stream, &room, &given)
      guard ZSTD_isError(result) == 0 else {
        // libzstd reports no progress; all bytes of this call belong to the damaged unit.
        return DecodingStep(consumed: count, produced: 0, outcome: failure(result))
      }
      let consumed = unsafe given.pos
      holdsOutput = unsafe room.pos == room.size
      hint = result == 0 ? Self.frameStart : result
      startBytesLeft = result == 0 ? Self.frameStart : max(startBytesLeft - consumed, 0)
      return unsafe DecodingStep(consumed: consumed, produced: room.pos, outcome: result == 0 ? .ended : .unfinished)
    }

    /// The largest number of bytes that cannot extend into a second unit.
    private var unitBytes: Int {
      if holdsOutput { return 0 }
      if startBytesLeft > 0 { return 1 }
      // Bytes of a raw block are output as they are input, except for those of the call that detects a wrong frame
      // size. So the last bytes of a unit are passed separately.
      return hint > Self.blockHeader ? hint - Self.blockHeader : 1
    }

    private func failure(_ result: Int) -> DecodingStep.Outcome {
      if ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge { return .windowTooLarge }
      guard let words = unsafe ZSTD_getErrorName(result) else { return .damaged("error \(result)") }
      return unsafe .damaged(String(cString: words))
    }

    deinit { _ = unsafe ZSTD_freeDStream(stream) }
  }
#endif
