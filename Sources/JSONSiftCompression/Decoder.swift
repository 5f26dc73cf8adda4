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
    /// The minimum number of threads for which decompressing frames in parallel is faster than one decoder.
    static var minThreads: Int { get }
    /// Returns `nil` if memory cannot be allocated.
    init?(_ limits: DecompressionLimits)
    /// Returns the extent of the frame or member at an offset of a file, from headers only; the rest of the file if they do
    /// not say where it ends. `nil` if none begins there, or if it is not complete.
    static func frame(at offset: Int, of input: inout HeaderReader) throws(JSONError) -> Frame?
    /// Decodes a part of `input`, and returns the number of bytes consumed and produced.
    func step(_ input: UnsafeRawBufferPointer, into output: UnsafeMutableRawBufferPointer) -> DecodingStep
  }

  extension Decoder {
    static var minThreads: Int { 2 }

    static func frame(at offset: Int, of input: inout HeaderReader) throws(JSONError) -> Frame? {
      .rest(input.size - offset)
    }
  }

  enum Decoders {
    static let all: [any Decoder.Type] = [GzipDecoder.self, ZstdDecoder.self]
  }
#endif
