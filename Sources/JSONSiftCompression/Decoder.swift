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

  /// Reads one compressed format with the library that knows it. A decoder is one file and one line of ``Decoders/all``.
  protocol Decoder: AnyObject, SendableMetatype {
    static var format: CompressedFormat { get }
    /// Zeros may stand behind the last member, as tapes and block devices leave them.
    static var allowsPadding: Bool { get }
    /// `nil` if there is no memory.
    init?(_ limits: DecompressionLimits)
    /// Decodes some of `input`.
    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep
  }

  enum Decoders {
    static let all: [any Decoder.Type] = [GzipDecoder.self, ZstdDecoder.self]
  }
#endif
