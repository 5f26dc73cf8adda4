#if Compression
  package import JSONSift

  /// The frames of a compressed file. Each frame can be read without the frames before it.
  package final class CompressedFrames {
    /// The number of compressed bytes.
    package let size: Int
    /// The file, decompressed.
    package var source: JSONSource { compressed.decompressing(limits) }

    private let compressed: JSONSource
    private let limits: DecompressionLimits
    /// Keeps the file open that the walks read.
    private let file: Decompressor
    /// Walks to the frames from which searches have begun, in order. A search walks on from the nearest one before, so that
    /// many searches read each header about twice.
    private var walks: [FrameWalk]

    /// Opens a file.
    ///
    /// - Returns: `nil` if the file is not compressed, is not a regular file, or has no frames that can be found.
    /// - Throws: `JSONError.Code.unreadable`; an error of decompressing its first bytes.
    package init?(of path: [UInt8], _ limits: DecompressionLimits) throws(JSONError) {
      compressed = .path(bytes: path)
      file = try Decompressor(compressed, limits, DecompressionProgress(), Decoders.all)
      guard let (input, decoder) = try file.frameInput() else { return nil }
      var walk = try FrameWalk(input, decoder)
      walks = [walk]
      // The first frame for a decoder is all of the file if no header says where it ends.
      while walk.dataFrames == 0, !walk.isAtEnd { _ = try walk.next() }
      guard !walk.isAtEnd else { return nil }
      size = input.size
      self.limits = limits
    }

    /// Returns the first result of `body` that is not `nil`, for the frames that begin in a range of compressed bytes.
    ///
    /// - Parameter body: Takes the text from a frame on, the offset of the frame, and whether offsets in the text count from the
    ///   start of the file; otherwise they count from the frame.
    package func first<Result>(
      in range: Range<Int>, _ body: (JSONSource, _ frame: Int, _ countsFromStart: Bool) throws(JSONError) -> Result?
    ) throws(JSONError) -> Result? {
      let nearest = walks.lastIndex { $0.position.byte <= range.lowerBound } ?? 0
      var walk = walks[nearest]
      try walk.advance(to: range.lowerBound)
      if walk.position.byte > walks[nearest].position.byte { walks.insert(walk, at: nearest + 1) }
      while walk.position.byte < range.upperBound, !walk.isAtEnd {
        let frame = walk.position
        let source = compressed.decompressing(limits, decoders: Decoders.all, from: walk)
        if let found = try body(source, frame.byte, frame.text != nil) { return found }
        _ = try walk.next()
      }
      return nil
    }
  }
#endif
