#if Compression
  import Synchronization

  /// The progress of reading a compressed input, for a progress bar: compare ``compressedBytes`` with the size of the
  /// file.
  ///
  /// The counts can be read from any thread while another thread decompresses.
  public final class DecompressionProgress: Sendable {
    private let input = Atomic(0)
    private let output = Atomic(0)

    /// Creates a progress with both counts 0.
    public init() {}

    /// The number of input bytes consumed. Equal to ``decompressedBytes`` if the input is not compressed.
    public var compressedBytes: Int { input.load(ordering: .relaxed) }
    /// The number of bytes decompressed.
    public var decompressedBytes: Int { output.load(ordering: .relaxed) }

    func set(compressed: Int, decompressed: Int) {
      input.store(compressed, ordering: .relaxed)
      output.store(decompressed, ordering: .relaxed)
    }
  }
#endif
