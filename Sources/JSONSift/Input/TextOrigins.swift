/// Where the text that a step makes lies in the input: see ``JSONRecordStep``.
///
/// The text is made chunk by chunk. A chunk keeps the bytes that it was made of, so that an error in it has the line and the
/// byte of the input, and a bad record the bytes that were read. It is dropped when its text has been used.
package final class TextOrigins {
  private var chunks: [OriginChunk] = []
  /// The error that ended the input, with what is known about it. It is not an error of the text.
  var failure: Failure?

  struct Failure {
    let error: JSONError
    let position: JSONError.Position
    let stopReason: String?
  }

  init(_ chunks: [OriginChunk] = []) { self.chunks = chunks }

  func append(_ chunk: OriginChunk) { chunks.append(chunk) }

  /// Drops the chunks whose text ends before an offset.
  func forget(before offset: Int) {
    guard let first = chunks.first, first.range.upperBound < offset else { return }
    chunks.removeAll { $0.range.upperBound < offset }
  }

  /// Returns the chunks that hold a part of a range.
  func chunks(in range: Range<Int>) -> [OriginChunk] {
    chunks.filter { $0.range.lowerBound < range.upperBound && $0.range.upperBound > range.lowerBound }
  }

  /// Returns the chunk of an offset, or the last one before it.
  private func chunk(of offset: Int) -> OriginChunk? {
    chunks.last { $0.range.lowerBound <= offset } ?? chunks.first
  }

  /// Returns where a byte of the text lies in the input.
  func place(of offset: Int) -> OriginChunk.Place? { chunk(of: offset)?.place(of: offset) }

  /// Returns the record of the input that contains a byte of the text.
  func record(of offset: Int) -> OriginChunk.Record? { chunk(of: offset)?.record(of: offset) }

  /// Returns the text around a byte.
  func excerpt(of offset: Int) -> JSONError.Excerpt? { chunk(of: offset)?.excerpt(of: offset) }
}

/// A part of the text that a step makes, and the bytes that it was made of.
///
/// Unchecked Sendable: nothing changes the block after the chunk has been made.
final class OriginChunk: @unchecked Sendable {
  /// A run of bytes that were copied from the input, or decoded from the inside of a string.
  struct Piece: BitwiseCopyable {
    /// The offset in the text.
    let start: Int
    /// The offset in the input of the step.
    let origin: Int
    /// The offset in the bytes of the block.
    let index: Int
    let line: Int32
    let kind: Kind

    enum Kind: UInt8, BitwiseCopyable {
      /// The bytes of the input.
      case copied
      /// The decoded bytes of a string.
      case decoded
      /// Text that the step has added.
      case added
      /// Text that stands for a record in which the step has found none.
      case missing
    }

    func moved(by distance: Int) -> Piece {
      Piece(start: start + distance, origin: origin, index: index, line: line, kind: kind)
    }
  }

  /// A position in the input.
  struct Place {
    var offset: Int
    var line: Int
    /// The number of bytes before it on its line.
    var column: Int
    var isMissing = false
  }

  /// A record of the input.
  struct Record {
    let line: Int
    let range: Range<Int>
    let bytes: [UInt8]
  }

  /// The range of the text.
  let range: Range<Int>
  private let block: LineBlock
  /// Whether the block holds the lines of the input, and not only the texts that were taken from it.
  private let holdsLines: Bool
  private let pieces: PlainVector<Piece>

  init(_ range: Range<Int>, of block: LineBlock, holdsLines: Bool, _ pieces: consuming PlainVector<Piece>) {
    self.range = range
    self.block = block
    self.holdsLines = holdsLines
    self.pieces = pieces
  }

  private var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: block.memory.base + block.range.lowerBound, count: block.range.count)
  }

  /// Returns the index in ``bytes`` of a byte of the text, and its piece.
  private func index(of offset: Int) -> (Int, Piece)? {
    var (low, high) = (0, pieces.count)
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].start <= offset { low = middle + 1 } else { high = middle }
    }
    guard low > 0 || pieces.count > 0 else { return nil }
    let piece = pieces[max(low - 1, 0)]
    let distance = max(offset - piece.start, 0)
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[min(piece.index, bytes.count)...])
    switch piece.kind {
    case .copied: return (piece.index + min(distance, rest.count), piece)
    case .decoded: return unsafe (piece.index + EscapedText.rawCount(of: distance, in: rest), piece)
    case .added, .missing: return (piece.index, piece)
    }
  }

  func place(of offset: Int) -> Place? {
    guard let (index, piece) = index(of: offset) else { return nil }
    let origin = piece.origin + index - piece.index
    if let outer = block.origins {
      var place = outer.place(of: origin)
      if piece.kind == .missing { place?.isMissing = true }
      return place
    }
    let before = unsafe UnsafeRawBufferPointer(rebasing: bytes[piece.index..<index])
    let line = unsafe Int(piece.line) + ByteScan.countLineFeeds(before)
    let known = unsafe UnsafeRawBufferPointer(rebasing: bytes[(holdsLines ? 0 : piece.index)..<index])
    let start = unsafe ByteScan.lastLineFeed(known).map { $0 + 1 } ?? 0
    return Place(offset: origin, line: line, column: known.count - start, isMissing: piece.kind == .missing)
  }

  func record(of offset: Int) -> Record? {
    guard let (index, piece) = index(of: offset) else { return nil }
    guard holdsLines else {
      let (start, end) = (place(of: piece.start), place(of: offset))
      guard let start, let end else { return nil }
      return unsafe Record(
        line: start.line, range: start.offset..<max(end.offset, start.offset),
        bytes: Array(bytes[min(piece.index, index)..<index]))
    }
    let line = unsafe bytes.rangeOfLine(around: index)
    if let outer = block.origins { return outer.record(of: block.offset + line.lowerBound) }
    let skipped = unsafe line.upperBound == bytes.count ? block.skippedBytes : 0
    let start = block.offset + line.lowerBound
    return unsafe Record(
      line: Int(piece.line), range: start..<(block.offset + line.upperBound + skipped), bytes: Array(bytes[line]))
  }

  func excerpt(of offset: Int) -> JSONError.Excerpt? {
    guard let (index, piece) = index(of: offset) else { return nil }
    if let outer = block.origins { return outer.excerpt(of: piece.origin + index - piece.index) }
    let begin = max(index - 2 * ReadWindow.keptBytes, 0)
    let near = unsafe UnsafeRawBufferPointer(rebasing: bytes[begin...].prefix(4 * ReadWindow.keptBytes))
    return unsafe JSONError.Excerpt(around: index - begin, in: near, beginsInLine: begin > 0)
  }
}

extension UnsafeRawBufferPointer {
  /// Returns the range of the line that contains an index, without its line feed.
  fileprivate func rangeOfLine(around index: Int) -> Range<Int> {
    let index = Swift.min(index, count)
    let start = unsafe ByteScan.lastLineFeed(UnsafeRawBufferPointer(rebasing: self[..<index])).map { $0 + 1 } ?? 0
    let end = unsafe ByteScan.lineFeed(UnsafeRawBufferPointer(rebasing: self[index...])).map { index + $0 } ?? count
    return start..<end
  }
}
