#if Compression
  internal import JSONSift

  /// The result of one call to ``Decoder/step(_:into:)``.
  struct DecodingStep {
    enum Outcome {
      /// More input or more output space is needed.
      case unfinished
      /// A member or frame has ended, and its checksum matches.
      case ended
      case damaged(String)
      case windowTooLarge
    }

    var consumed: Int
    var produced: Int
    var outcome: Outcome
  }

  /// Decodes one compressed format with the library for it. A new decoder needs one file and one entry in
  /// ``Decoders/all``.
  protocol Decoder: AnyObject, SendableMetatype {
    static var format: CompressedFormat { get }
    /// Whether zero bytes may follow the last member, as tapes and block devices leave them.
    static var allowsPadding: Bool { get }
    /// Returns `nil` if memory cannot be allocated.
    init?(_ limits: DecompressionLimits)
    /// Decodes a part of `input`, and returns the number of bytes consumed and produced.
    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep
  }

  enum Decoders {
    static let all: [any Decoder.Type] = [GzipDecoder.self, ZstdDecoder.self]
  }
#endif
