#if Compression
  import Synchronization

  /// How far the reading of a compressed input has come, for a progress bar: of the compressed bytes the size is known.
  ///
  /// May be asked from any thread while another one reads.
  public final class DecompressionProgress: Sendable {
    private let input = Atomic(0)
    private let output = Atomic(0)

    /// Nothing has been read.
    public init() {}

    /// Bytes of the input that are used. Equal to ``decompressedBytes`` if it is not compressed.
    public var compressedBytes: Int { input.load(ordering: .relaxed) }
    /// Bytes that have come out.
    public var decompressedBytes: Int { output.load(ordering: .relaxed) }

    func set(compressed: Int, decompressed: Int) {
      input.store(compressed, ordering: .relaxed)
      output.store(decompressed, ordering: .relaxed)
    }
  }
#endif
