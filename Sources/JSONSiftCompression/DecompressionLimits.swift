#if Compression
  internal import JSONSift

  /// Limits on the size of decompressed data. A few kilobytes of input can expand to terabytes.
  ///
  /// `JSONLimits` apply to decompressed data as to any other input, for example the maximum size of a record.
  public struct DecompressionLimits: Sendable, Hashable {
    /// Maximum number of bytes decompressed from one input. The default is no limit.
    public var bytes = Int.max
    /// Maximum number of decompressed bytes per byte of input, enforced after the first 64 MiB of output. The default
    /// is 1000: gzip cannot exceed 1032, and logs of similar lines stay below 200.
    public var ratio = 1000
    /// Maximum window size, in bytes, that zstd data may request; rounded down to a power of two. The default is 128
    /// MiB, the default of the zstd tool.
    public var windowBytes = 128 << 20

    /// The ratio is not enforced for outputs of at most this many bytes, which do no harm.
    static let freeBytes = Sizes.of(64 << 20, fuzzing: 1 << 12)

    /// Creates the default limits.
    public init() {}
  }
#endif
