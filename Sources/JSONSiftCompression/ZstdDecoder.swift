#if Compression
  private import CZstd

  /// libzstd, for one frame after another; it passes over frames that are to be skipped.
  @safe final class ZstdDecoder {
    private let stream: OpaquePointer

    init?(windowBytes: Int) {
      guard let made = unsafe ZSTD_createDStream() else { return nil }
      unsafe stream = made
      // The largest power of two that is allowed, of those that libzstd knows.
      let log = min(max(Int.bitWidth - 1 - max(windowBytes, 1).leadingZeroBitCount, 10), 31)
      _ = unsafe ZSTD_DCtx_setParameter(stream, ZSTD_d_windowLogMax, Int32(log))
    }

    /// SAFETY: libzstd reads and writes nothing but the two buffers, and keeps no address of them.
    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
      var given = unsafe ZSTD_inBuffer(src: input.baseAddress, size: input.count, pos: 0)
      var room = unsafe ZSTD_outBuffer(dst: output.baseAddress, size: output.count, pos: 0)
      let result = unsafe ZSTD_decompressStream(stream, &room, &given)
      return unsafe DecodingStep(consumed: given.pos, produced: room.pos, outcome: outcome(result))
    }

    private func outcome(_ result: Int) -> DecodingStep.Outcome {
      if result == 0 { return .ended }
      guard ZSTD_isError(result) != 0 else { return .unfinished }
      if ZSTD_getErrorCode(result) == ZSTD_error_frameParameter_windowTooLarge { return .windowTooLarge }
      guard let words = unsafe ZSTD_getErrorName(result) else { return .damaged("error \(result)") }
      return unsafe .damaged(String(cString: words))
    }

    deinit { _ = unsafe ZSTD_freeDStream(stream) }
  }
#endif
