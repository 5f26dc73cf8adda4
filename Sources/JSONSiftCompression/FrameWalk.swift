#if Compression
  internal import JSONSift

  /// Iterates over the frames of a compressed input, by their headers.
  struct FrameWalk {
    /// An offset in the compressed input at which a frame begins, and its offset in the text; `nil` if it is not known.
    struct Position {
      var byte = 0
      var text: Int? = 0
    }

    private var input: HeaderReader
    /// A separate reader for the seek table, so that reading its entries does not discard the bytes buffered for the
    /// frames.
    private var tableInput: HeaderReader
    private let decoder: any Decoder.Type
    private let table: SeekTable?
    /// The number of frames before the position.
    private var frames = 0
    /// The number of those for a decoder.
    private(set) var dataFrames = 0
    /// The next frame.
    private(set) var position = Position()

    init(_ input: PositionalInput, _ decoder: any Decoder.Type) throws(JSONError) {
      self.input = HeaderReader(input)
      tableInput = HeaderReader(input)
      self.decoder = decoder
      table = decoder.format == .zstd ? try SeekTable(&tableInput) : nil
    }

    /// Begins at a frame in the middle of the input, whose offset in the text is not known. The seek table is not read.
    init(_ input: PositionalInput, _ decoder: any Decoder.Type, at offset: Int) {
      self.input = HeaderReader(input)
      tableInput = HeaderReader(input)
      self.decoder = decoder
      table = nil
      position = Position(byte: offset, text: nil)
    }

    var isAtEnd: Bool { position.byte >= input.size }

    /// Advances to the first frame that begins at or after `target`, or to the end of the input.
    ///
    /// - Throws: `JSONError.Code.damagedCompression` at a frame without an end, or one that a seek table contradicts. The
    ///   position is then the start of the frame.
    mutating func advance(to target: Int) throws(JSONError) {
      while position.byte < target, !isAtEnd { _ = try next() }
    }

    /// Returns the next frame, and advances to the one after it.
    mutating func next() throws(JSONError) -> Frame {
      guard var frame = try decoder.frame(at: position.byte, of: &input) else {
        throw .damagedInput(
          "expected a complete \(decoder.format) frame at byte \(position.byte) of the compressed input, found other data"
        )
      }
      try compare(&frame)
      position.text = position.text.flatMap { before in
        frame.textCount.flatMap { count in
          let (sum, overflow) = before.addingReportingOverflow(count)
          return overflow ? nil : sum
        }
      }
      position.byte += frame.byteCount
      frames += 1
      if frame.isData { dataFrames += 1 }
      return frame
    }

    /// Compares a frame with its entry of the seek table, which may know the size of its text.
    private mutating func compare(_ frame: inout Frame) throws(JSONError) {
      guard let table else { return }
      let index = frames
      let start = position.byte
      if start + frame.byteCount == input.size, !frame.isData {
        guard table.offset == start, table.count == index else {
          throw .damagedInput(
            "expected a seek table of \(index) frames in the compressed input, as there are before byte \(start), found one of "
              + "\(table.count)")
        }
        return
      }
      guard let entry = try table.entry(index, of: &tableInput) else {
        throw .damagedInput(
          "expected at most the \(table.count) frames of the seek table in the compressed input, found another at byte \(start)"
        )
      }
      guard entry.bytes == frame.byteCount else {
        throw .damagedInput(
          "expected frame \(index + 1) of the compressed input, at byte \(start), to have \(entry.bytes) bytes, as the seek table "
            + "says, found \(frame.byteCount)")
      }
      if let count = frame.textCount, count != entry.text {
        throw .damagedInput(
          "expected frame \(index + 1) of the compressed input, at byte \(start), to have \(entry.text) bytes of text, as the seek "
            + "table says, found \(count)")
      }
      frame.textCount = entry.text
    }

  }

  /// The frames of a compressed input that begin in a range.
  struct FrameCut {
    /// The first frame.
    let start: FrameWalk.Position
    /// The frame after the last one, or the end of the input. If headers are damaged, the first damaged frame.
    let end: FrameWalk.Position
    /// The error of the headers of the frame at the end.
    let failure: JSONError?
    /// Whether the input is one frame.
    let isIndivisible: Bool

    /// Finds the frames by the headers of all frames up to the end of the range.
    init(_ range: JSONInputRange, _ walk: FrameWalk) throws(JSONError) {
      var walk = walk
      try walk.advance(to: range.lowerBound)
      start = walk.position
      var failure: JSONError?
      do throws(JSONError) {
        try walk.advance(to: range.upperBound ?? .max)
      } catch {
        failure = error
      }
      end = walk.position
      self.failure = failure
      isIndivisible = walk.isAtEnd && walk.dataFrames == 1
    }

    var isEmpty: Bool { start.byte == end.byte && failure == nil }
    /// The number of bytes of the frames.
    var byteCount: Int { end.byte - start.byte }
    /// The number of bytes of their text; `nil` if it is not known.
    var textCount: Int? {
      guard let first = start.text, let last = end.text, failure == nil else { return nil }
      return last - first
    }
  }
#endif
