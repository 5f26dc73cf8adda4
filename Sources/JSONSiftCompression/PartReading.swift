#if Compression
  internal import JSONSift

  /// The state of a ``Decompressor`` that reads a part of its input: the frames that begin in a range, and after them the
  /// rest of a record.
  struct PartReading {
    let cut: FrameCut
    let input: PositionalInput
    private let separator: RecordSeparator
    /// Whether a record begins in the part. If none does, no text after the frames is needed.
    var hasRecord: Bool
    /// Whether the text of the frames has been read.
    private(set) var isAfterFrames = false

    init(_ cut: FrameCut, _ separator: RecordSeparator, _ input: PositionalInput) {
      self.cut = cut
      self.separator = separator
      self.input = input
      hasRecord = cut.start.byte == 0
    }

    /// Returns the number of bytes of the frames from an offset on.
    func rest(from used: Int) -> Int { max((cut.failure == nil ? cut.end.byte : input.size) - used, 0) }

    /// Returns whether the frames end with the one that has ended at `used`.
    ///
    /// - Parameters:
    ///   - text: The number of bytes of text from the first frame on.
    ///   - isRead: Whether that text has been returned, so that the next text is after the frames. Otherwise this is called
    ///     again.
    /// - Throws: `JSONError.Code.damagedCompression` if headers or seek table do not agree with what was decompressed.
    mutating func ends(at used: Int, text: Int, isRead: Bool, _ format: CompressedFormat) throws(JSONError) -> Bool {
      guard !isAfterFrames else { return false }
      if let failure = cut.failure {
        // The decoder reports the damage of a frame before its end.
        if used > cut.end.byte { throw failure }
        return false
      }
      guard used >= cut.end.byte else { return false }
      guard used == cut.end.byte else {
        throw .damagedInput(
          "expected a \(format) frame that ends at byte \(cut.end.byte) of the compressed input, as its header says, found one that "
            + "ends at byte \(used)")
      }
      if let count = cut.textCount, count != text {
        throw .damagedInput(
          "expected \(count) bytes of text from byte \(cut.start.byte) to byte \(used) of the compressed input, as the headers of "
            + "its frames or the seek table say, found \(text)")
      }
      isAfterFrames = isRead
      return true
    }

    /// Returns the number of bytes up to the end of the last record, if `bytes` contain it. They begin after the
    /// frames.
    func endOfText(in bytes: UnsafeRawBufferPointer) -> Int? {
      isAfterFrames ? unsafe separator.nextStart(in: bytes) : nil
    }

  }
#endif
