#if Compression
  private import CZlib
  internal import JSONSift

  /// Decodes consecutive gzip members with zlib, which verifies the CRC and length of each.
  @safe final class GzipDecoder: Decoder {
    static let format = CompressedFormat.gzip
    static let allowsPadding = true

    // zlib stores the address of the stream, so the stream has an allocation of its own.
    private let stream: UnsafeMutablePointer<z_stream>
    private var needsReset = false

    init?(_ limits: DecompressionLimits) {
      unsafe stream = .allocate(capacity: 1)
      unsafe stream.initialize(to: z_stream())
      guard unsafe czlib_begin_gzip_inflate(stream) == Z_OK else {
        unsafe stream.deallocate()
        return nil
      }
    }

    /// SAFETY: zlib accesses only the two buffers, and their addresses are removed from the stream before this returns.
    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
      if needsReset { _ = unsafe inflateReset(stream) }
      needsReset = false
      let given = min(input.count, Int(Int32.max))
      let room = min(output.count, Int(Int32.max))
      unsafe stream.pointee.next_in = UnsafeMutablePointer(
        mutating: input.baseAddress?.assumingMemoryBound(to: UInt8.self))
      unsafe stream.pointee.avail_in = UInt32(given)
      unsafe stream.pointee.next_out = output.baseAddress?.assumingMemoryBound(to: UInt8.self)
      unsafe stream.pointee.avail_out = UInt32(room)
      let result = unsafe inflate(stream, Z_NO_FLUSH)
      let consumed = unsafe given - Int(stream.pointee.avail_in)
      let produced = unsafe room - Int(stream.pointee.avail_out)
      unsafe stream.pointee.next_in = nil
      unsafe stream.pointee.next_out = nil
      return DecodingStep(
        consumed: consumed, produced: produced,
        outcome: outcome(result, isStuck: given > 0 && room > 0 && consumed + produced == 0))
    }

    private func outcome(_ result: Int32, isStuck: Bool) -> DecodingStep.Outcome {
      switch result {
      case Z_OK, Z_BUF_ERROR: return isStuck ? .damaged("it leads nowhere") : .unfinished
      case Z_STREAM_END:
        needsReset = true
        return .ended
      case Z_MEM_ERROR: return .damaged("there is no memory for it")
      default:
        guard let words = unsafe stream.pointee.msg else { return .damaged("error \(result)") }
        return unsafe .damaged(String(cString: words))
      }
    }

    deinit {
      _ = unsafe inflateEnd(stream)
      unsafe stream.deallocate()
    }
  }
#endif
