#if Compression
  internal import JSONSift

  /// What one call of a decoder has done.
  struct DecodingStep {
    enum Outcome {
      /// It goes on with more input, or with more room.
      case unfinished
      /// A member or frame has ended, and its check sum fits.
      case ended
      case damaged(String)
      case windowTooLarge
    }

    var consumed: Int
    var produced: Int
    var outcome: Outcome
  }

  /// The library that reads a format.
  enum Decoder {
    case gzip(GzipDecoder)
    case zstd(ZstdDecoder)

    /// - Throws: ``JSONError/Code/unreadable`` if there is no memory.
    init(_ format: CompressedFormat, _ limits: DecompressionLimits) throws(JSONError) {
      let made: Decoder? =
        switch format {
        case .gzip: GzipDecoder().map(Decoder.gzip)
        case .zstd: ZstdDecoder(windowBytes: limits.windowBytes).map(Decoder.zstd)
        }
      guard let made else {
        throw JSONError(code: .unreadable, byteOffset: 0, reason: "there is no memory to decompress \(format) data")
      }
      self = made
    }

    /// Decodes some of `input`.
    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep {
      switch self {
      case .gzip(let decoder): unsafe decoder.step(input, into: output)
      case .zstd(let decoder): unsafe decoder.step(input, into: output)
      }
    }
  }
#endif
