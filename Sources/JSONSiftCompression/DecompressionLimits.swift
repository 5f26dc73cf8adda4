#if Compression
  /// How much may come out of compressed data. A few kilobytes can be made to give terabytes.
  ///
  /// `JSONLimits` hold for what comes out as for any other input: a record is never larger than it may be.
  public struct DecompressionLimits: Sendable, Hashable {
    /// Bytes that may come out of one input. The default is no limit.
    public var bytes = Int.max
    /// Bytes that may come out of each byte of the input, once there are more than 64 MiB of them. The default is 1000:
    /// gzip cannot give more than 1032, and logs that are all alike give less than 200.
    public var ratio = 1000
    /// The largest window that zstd data may ask for, as a power of two. The default is 128 MiB, that of the zstd tool.
    public var windowBytes = 128 << 20

    /// Up to here no ratio is too large: it does no harm.
    static let freeBytes = 64 << 20

    /// The defaults.
    public init() {}
  }
#endif
