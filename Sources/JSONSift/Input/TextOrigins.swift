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
    var (low, high) = (0, chunks.count)
    while low < high {
      let middle = (low + high) / 2
      if chunks[middle].range.lowerBound <= offset { low = middle + 1 } else { high = middle }
    }
    return low > 0 ? chunks[low - 1] : chunks.first
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
      /// The bytes of another line, in the same record.
      case continued
      /// Text that stands for a record of several lines whose last one is missing: it belongs to the end of the last known one.
      case unended

      /// Whether the record began in an earlier piece.
      var continues: Bool { self == .continued || self == .unended }
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
    /// Whether the byte is one of the input, or stands for a record that is not there.
    var kind = Piece.Kind.copied
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

  /// Returns the number of the piece that holds a byte of the text.
  private func number(of offset: Int) -> Int {
    var (low, high) = (0, pieces.count)
    while low < high {
      let middle = (low + high) / 2
      if pieces[middle].start <= offset { low = middle + 1 } else { high = middle }
    }
    return max(low - 1, 0)
  }

  /// Returns the index in ``bytes`` of a byte of the text, and its piece.
  private func index(of offset: Int) -> (Int, Piece)? {
    guard pieces.count > 0 else { return nil }
    let piece = pieces[number(of: offset)]
    let distance = max(offset - piece.start, 0)
    let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[min(piece.index, bytes.count)...])
    switch piece.kind {
    case .copied, .continued: return (piece.index + min(distance, rest.count), piece)
    case .decoded: return unsafe (piece.index + EscapedText.rawCount(of: distance, in: rest), piece)
    case .added, .missing, .unended: return (piece.index, piece)
    }
  }

  func place(of offset: Int) -> Place? {
    guard let (index, piece) = index(of: offset) else { return nil }
    let origin = piece.origin + index - piece.index
    if let outer = block.origins {
      var place = outer.place(of: origin)
      if piece.kind == .missing || piece.kind == .unended { place?.kind = piece.kind }
      return place
    }
    let before = unsafe UnsafeRawBufferPointer(rebasing: bytes[piece.index..<index])
    let line = unsafe Int(piece.line) + ByteScan.countLineFeeds(before)
    let known = unsafe UnsafeRawBufferPointer(rebasing: bytes[(holdsLines ? 0 : piece.index)..<index])
    let start = unsafe ByteScan.lastLineFeed(known).map { $0 + 1 } ?? 0
    return Place(offset: origin, line: line, column: known.count - start, kind: piece.kind)
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
    if let record = joinedRecord(of: offset) { return record }
    let line = unsafe bytes.rangeOfLine(around: index)
    let start = piece.origin - piece.index + line.lowerBound
    if let outer = block.origins { return outer.record(of: start) }
    let skipped = unsafe line.upperBound == bytes.count ? block.skippedBytes : 0
    return unsafe Record(
      line: Int(piece.line), range: start..<(start + line.count + skipped), bytes: Array(bytes[line]))
  }

  /// Returns the record of several lines that contains a byte of the text; `nil` if the record is one line. The lines of a
  /// record lie in the block one after another, also if others lie between them in the input.
  private func joinedRecord(of offset: Int) -> Record? {
    let number = number(of: offset)
    var (first, last) = (number, number)
    while first > 0, pieces[first].kind.continues { first -= 1 }
    while last + 1 < pieces.count, pieces[last + 1].kind.continues { last += 1 }
    guard first < last else { return nil }
    var records: [Record] = []
    for piece in (first...last).map({ pieces[$0] }) {
      let line = unsafe bytes.rangeOfLine(around: piece.index)
      let start = piece.origin - piece.index + line.lowerBound
      let own = unsafe Record(line: Int(piece.line), range: start..<(start + line.count), bytes: Array(bytes[line]))
      let record = block.origins?.record(of: piece.origin) ?? own
      if records.last?.range != record.range, records.first?.range != record.range { records.append(record) }
    }
    let start = records.map(\.range.lowerBound).min() ?? 0
    return Record(
      line: records.first?.line ?? 0, range: start..<max(records.map(\.range.upperBound).max() ?? 0, start),
      bytes: Array(records.map(\.bytes).joined(separator: [ASCII.lineFeed])))
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
