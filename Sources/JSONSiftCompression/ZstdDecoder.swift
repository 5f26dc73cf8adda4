#if Compression
  private import CZstd
  internal import JSONSift

  /// libzstd, for one frame after another; it passes over frames that are to be skipped.
  ///
  /// When libzstd finds damage it does not report what the same call has decoded before it. So each call gets at most one
  /// unit of the format: a frame header, a block header, a block or a check sum. What comes out before damage, and the
  /// byte at which damage is found, are then the same for every way of cutting the input.
  @safe final class ZstdDecoder: Decoder {
    static let format = CompressedFormat.zstd
    static let allowsPadding = false

    private let stream: OpaquePointer
    /// The number of bytes up to the end of the block header behind the current unit, as libzstd reports it; behind a last
    /// block there is none.
    private var hint = ZstdDecoder.frameStart
    /// Bytes that are left of the first of a frame. libzstd may judge each of them as it comes, and its versions differ.
    private var startBytesLeft = ZstdDecoder.frameStart
    /// The last call filled its room: decoded bytes may be left, which a fault of the next unit would discard.
    private var holdsOutput = false

    private static let frameStart = 5
    private static let blockHeader = 3

    init?(_ limits: DecompressionLimits) {
      guard let made = unsafe ZSTD_createDStream() else { return nil }
      unsafe stream = made
      // The largest power of two that is allowed, of those that libzstd knows.
      let log = min(max(Int.bitWidth - 1 - max(limits.windowBytes, 1).leadingZeroBitCount, 10), 31)
      _ = unsafe ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Int32(log))
    }

    /// SAFETY: libzstd reads and writes nothing but the two buffers, and keeps no address of them.
    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
      let count = min(input.count, unitBytes)
      var given = unsafe ZSTD_inBuffer(src: input.baseAddress, size: count, pos: 0)
      var room = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
      let result = unsafe ZSTD_decompressStream(stream, &room, &given)
      guard ZSTD_isError(result) == 0 else {
        // libzstd reports no progress; all that it was given belongs to the damaged unit.
        return DecodingStep(consumed: count, produced: 0, outcome: failure(result))
      }
      let consumed = unsafe given.pos
      holdsOutput = unsafe room.pos == room.size
      hint = result == 0 ? Self.frameStart : result
      startBytesLeft = result == 0 ? Self.frameStart : max(startBytesLeft - consumed, 0)
      return unsafe DecodingStep(consumed: consumed, produced: room.pos, outcome: result == 0 ? .ended : .unfinished)
    }

    /// The largest number of bytes that cannot reach into a second unit.
    private var unitBytes: Int {
      if holdsOutput { return 0 }
      if startBytesLeft > 0 { return 1 }
      // Bytes of a raw block come out as they go in, but for those of the call that finds that the frame has another size.
      // So the last of a unit go alone.
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
