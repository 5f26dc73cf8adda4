#if Compression
  import JSONSift
  import JSONSiftAnalysis
  import JSONSiftCompression

  /// The times of the lines in a file compressed in frames. A step decompresses the text of one frame up to the first record
  /// with a time, or of the next frames if it has none.
  final class FrameTimes: TimedInput {
    let window: JSONTimeWindow
    let options: JSONRecordOptions
    let framing: JSONFraming
    private let frames: CompressedFrames

    var source: JSONSource { frames.source }
    var size: Int { frames.size }

    /// - Parameter options: How records are read, and the range of the file in compressed bytes.
    /// - Returns: `nil` for a file without frames that can be found.
    /// - Throws: `JSONError.Code.unreadable`; an error of decompressing the first bytes.
    init?(
      _ path: [UInt8], _ window: JSONTimeWindow, _ options: JSONRecordOptions, _ limits: DecompressionLimits
    ) throws(JSONError) {
      guard let frames = try CompressedFrames(of: path, limits) else { return nil }
      framing = try SearchedFile.framing(of: frames.source, options.knownFraming)
      self.frames = frames
      self.window = window
      self.options = options
    }

    func firstTime(from start: Int, before end: Int) throws(JSONError) -> TimedRecord? {
      guard start < end else { return nil }
      return try frames.first(in: start..<end) { (source, frame, countsFromStart) throws(JSONError) in
        let range = JSONInputRange(frame..<(frame + 1))
        guard var (first, second) = try window.firstTimes(in: source, range, options) else { return nil }
        if !countsFromStart {
          first.frame = frame
          second?.frame = frame
        }
        return TimedRecord(first, start: frame, end: frame, before: second)
      }
    }
  }
#endif
