#if Compression
  package import JSONSift

  /// The times of the lines in a file compressed in frames. A step decompresses the text of one frame up to the first record
  /// with a time, or of the next frames if it has none.
  package final class FrameTimes: TimedInput {
    package var source: JSONSource { compressed.decompressing(limits) }
    package let window: JSONTimeWindow
    package let options: JSONRecordOptions
    package let size: Int
    package let framing: JSONFraming

    private let compressed: JSONSource
    private let limits: DecompressionLimits
    /// Keeps the file open that the walks read.
    private let file: Decompressor
    /// Walks to the frames at which steps have begun, in order. A step walks on from the nearest one before, so that a search
    /// reads each header about twice.
    private var walks: [FrameWalk]

    /// Opens a file.
    ///
    /// - Parameters:
    ///   - path: The file.
    ///   - window: The window.
    ///   - options: How records are read, and the range of the file in compressed bytes.
    /// - Returns: `nil` if the file is not compressed, is not a regular file, or has no frames that can be found.
    /// - Throws: `JSONError.Code.unreadable`; an error of decompressing its first bytes.
    package init?(
      _ path: [UInt8], _ window: JSONTimeWindow, _ options: JSONRecordOptions, _ limits: DecompressionLimits
    ) throws(JSONError) {
      compressed = .path(bytes: path)
      file = try Decompressor(compressed, limits, DecompressionProgress(), Decoders.all)
      guard let (input, decoder) = try file.frameInput() else { return nil }
      var walk = try FrameWalk(input, decoder)
      walks = [walk]
      // The first frame for a decoder is all of the file if no header says where it ends.
      while walk.dataFrames == 0, !walk.isAtEnd { _ = try walk.next() }
      guard !walk.isAtEnd else { return nil }
      size = input.size
      framing = try SearchedFile.framing(of: compressed.decompressing(limits), options.knownFraming)
      self.window = window
      self.options = options
      self.limits = limits
    }

    package func firstTime(from start: Int, before end: Int) throws(JSONError) -> TimedRecord? {
      let nearest = walks.lastIndex { $0.position.byte <= start } ?? 0
      var walk = walks[nearest]
      try walk.advance(to: start)
      if walk.position.byte > walks[nearest].position.byte { walks.insert(walk, at: nearest + 1) }
      while walk.position.byte < end, !walk.isAtEnd {
        let frame = walk.position
        let source = compressed.decompressing(limits, from: walk)
        let range = JSONInputRange(frame.byte..<(frame.byte + 1))
        if case .some((var first, var second)) = try window.firstTimes(in: source, range, options) {
          if frame.text == nil {
            first.frame = frame.byte
            second?.frame = frame.byte
          }
          return TimedRecord(first, start: frame.byte, end: frame.byte, before: second)
        }
        _ = try walk.next()
      }
      return nil
    }
  }
#endif
