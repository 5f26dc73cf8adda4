/// Where the text that a step makes lies in the input: see ``JSONRecordStep``.
///
/// The text is made chunk by chunk. A chunk keeps the bytes that it was made of, so that an error in it has the line and the
/// byte of the input, and a bad record the bytes that were read. It is dropped when its text has been used.
package final class TextOrigins {
  private var chunks: [OriginChunk] = []
  /// The error that ended the input, with what is known about it. It is not an error of the text.
  var failure: Failure?

  struct Failure {
    /// The error, with its position.
    let error: JSONError
    let stopReason: String?
    /// The text around it, if it is known.
    var excerpt: JSONError.Excerpt?
    /// The number of the input, if several were put together.
    var input = 0
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
    let next = chunks.indices.bisect { chunks[$0].range.lowerBound > offset }
    return next > 0 ? chunks[next - 1] : chunks.first
  }

  /// Returns the end of the text from an offset on that is known to be valid; `nil` if it is not known there.
  func validatedEnd(from offset: Int) -> Int? {
    guard let first = chunks.firstIndex(where: { $0.range.contains(offset) }) else { return nil }
    let valid = chunks[first...].prefix { $0.isValidated }
    return valid.last?.range.upperBound
  }

  /// Returns where a byte of the text lies in the input.
  func place(of offset: Int) -> OriginChunk.Place? { chunk(of: offset)?.place(of: offset) }

  /// Returns the number of bytes before this one on its line in the input.
  func column(of offset: Int) -> Int { chunk(of: offset)?.column(of: offset) ?? 0 }

  /// Returns the record of the input that contains a byte of the text, with at most `limit` of its bytes.
  func record(of offset: Int, limit: Int) -> OriginChunk.Record? { chunk(of: offset)?.record(of: offset, limit) }

  /// Returns the text around a byte.
  func excerpt(of offset: Int) -> JSONError.Excerpt? { chunk(of: offset)?.excerpt(of: offset) }

  /// Returns the position of the error that ended reading, or of one at an offset in the text; `nil` if there is neither.
  func position(ofError textOffset: Int?) -> JSONError.Position? {
    if let position = failure?.error.position { return position }
    guard let textOffset, let place = place(of: textOffset) else { return nil }
    return JSONError.Position(byteOffset: place.offset, line: place.line, column: column(of: textOffset) + 1)
  }

  /// Returns the text around the error that ended reading, or around one at an offset in the text; `nil` if there is neither.
  func excerpt(ofError textOffset: Int?) -> JSONError.Excerpt? {
    if let failure { return failure.excerpt ?? JSONError.Excerpt(around: 0, in: []) }
    return textOffset.flatMap(excerpt)
  }
}

/// A part of the text that a step makes, and the bytes that it was made of.
///
/// Unchecked Sendable: nothing changes the block after the chunk has been made, and what was found last is behind a lock.
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
    /// The number of the input, if several were put together.
    var input: UInt16 = 0

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
  }

  /// A position in the input.
  struct Place {
    var offset: Int
    var line: Int
    /// Whether the byte is one of the input, or stands for a record that is not there.
    var kind = Piece.Kind.copied
    /// The number of the input, if several were put together.
    var input = 0
  }

  /// A record of the input.
  struct Record {
    let line: Int
    let range: Range<Int>
    let bytes: [UInt8]
  }

  /// The range of the text.
  let range: Range<Int>
  /// Whether each line of the text is known to be JSON.
  let isValidated: Bool
  private let block: LineBlock
  /// Whether the block holds the lines of the input, and not only the texts that were taken from it.
  private let holdsLines: Bool
  private let pieces: PlainVector<Piece>
  /// The place that was found last: most questions are about one behind it. Without it each question about a long string
  /// would read the string from its start.
  private let known = Lock(Known())

  private struct Known {
    var piece = -1
    /// The number of bytes of the text behind the start of the piece, and where they end in the bytes of the block.
    var distance = 0
    var index = 0
    /// The number of line feeds in them.
    var feeds = 0
    /// The line that was found last.
    var line = -1..<(-1)
  }

  init(
    _ range: Range<Int>, of block: LineBlock, holdsLines: Bool, isValidated: Bool,
    _ pieces: consuming PlainVector<Piece>
  ) {
    self.range = range
    self.isValidated = isValidated
    self.block = block
    self.holdsLines = holdsLines
    self.pieces = pieces
  }

  private var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: block.memory.base + block.range.lowerBound, count: block.range.count)
  }

  /// Returns the number of the piece that holds a byte of the text.
  private func number(of offset: Int) -> Int { max((0..<pieces.count).bisect { pieces[$0].start > offset } - 1, 0) }

  /// Returns the index in ``bytes`` of a byte of the text, its piece, and the number of line feeds between.
  private func index(of offset: Int) -> (Int, Piece, feeds: Int)? {
    guard pieces.count > 0 else { return nil }
    let number = number(of: offset)
    let piece = pieces[number]
    guard piece.kind == .copied || piece.kind == .continued || piece.kind == .decoded else {
      return (piece.index, piece, 0)
    }
    let distance = max(offset - piece.start, 0)
    return known.withLock { last in
      // A question about the start of a record, between others, does not change what is known.
      let isBefore = last.piece == number && last.distance > distance
      var known = last
      if isBefore || last.piece != number {
        (known.piece, known.distance, known.index, known.feeds) = (number, 0, min(piece.index, unsafe bytes.count), 0)
      }
      defer { if !isBefore { last = known } }
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[known.index...])
      let more = min(distance - known.distance, rest.count)
      let step = piece.kind == .decoded ? unsafe EscapedText.rawCount(of: more, in: rest) : (raw: more, decoded: more)
      // Lines have no line feed inside.
      if !holdsLines {
        unsafe known.feeds += ByteScan.countLineFeeds(UnsafeRawBufferPointer(rebasing: rest[..<step.raw]))
      }
      known.index += step.raw
      known.distance += step.decoded
      return (known.index, piece, known.feeds)
    }
  }

  /// Returns the range of the line that contains an index, without its line feed.
  private func line(around index: Int) -> Range<Int> {
    known.withLock { known in
      if !(known.line.lowerBound...known.line.upperBound).contains(index) {
        known.line = unsafe bytes.rangeOfLine(around: index)
      }
      return known.line
    }
  }

  /// Returns the number of bytes before a byte of the text on its line in the input.
  func column(of offset: Int) -> Int {
    guard let (index, piece, _) = index(of: offset) else { return 0 }
    if let outer = block.origins { return outer.column(of: piece.origin + index - piece.index) }
    if holdsLines { return index - line(around: index).lowerBound }
    let before = unsafe UnsafeRawBufferPointer(rebasing: bytes[piece.index..<index])
    return unsafe before.count - (ByteScan.lastLineFeed(before).map { $0 + 1 } ?? 0)
  }

  func place(of offset: Int) -> Place? {
    guard let (index, piece, feeds) = index(of: offset) else { return nil }
    let origin = piece.origin + index - piece.index
    if let outer = block.origins {
      var place = outer.place(of: origin)
      if piece.kind == .missing || piece.kind == .unended { place?.kind = piece.kind }
      return place
    }
    return Place(offset: origin, line: Int(piece.line) + feeds, kind: piece.kind, input: Int(piece.input))
  }

  func record(of offset: Int, _ limit: Int) -> Record? {
    guard let (index, piece, _) = index(of: offset) else { return nil }
    guard holdsLines else {
      let (start, end) = (place(of: piece.start), place(of: offset))
      guard let start, let end else { return nil }
      return unsafe Record(
        line: start.line, range: start.offset..<max(end.offset, start.offset),
        bytes: Array(bytes[min(piece.index, index)..<index].prefix(limit)))
    }
    if let record = joinedRecord(of: offset, limit) { return record }
    let line = line(around: index)
    let start = piece.origin - piece.index + line.lowerBound
    if let outer = block.origins { return outer.record(of: start, limit: limit) }
    let skipped = unsafe line.upperBound == bytes.count ? block.skippedBytes : 0
    return unsafe Record(
      line: Int(piece.line), range: start..<(start + line.count + skipped), bytes: Array(bytes[line].prefix(limit)))
  }

  /// Returns the record of several lines that contains a byte of the text; `nil` if the record is one line. The lines of a
  /// record lie in the block one after another, also if others lie between them in the input.
  private func joinedRecord(of offset: Int, _ limit: Int) -> Record? {
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
      let record = block.origins?.record(of: piece.origin, limit: limit) ?? own
      if records.last?.range != record.range, records.first?.range != record.range { records.append(record) }
    }
    let start = records.map(\.range.lowerBound).min() ?? 0
    return Record(
      line: records.first?.line ?? 0, range: start..<max(records.map(\.range.upperBound).max() ?? 0, start),
      bytes: Array(records.map(\.bytes).joined(separator: [ASCII.lineFeed])))
  }

  func excerpt(of offset: Int) -> JSONError.Excerpt? {
    guard let (index, piece, _) = index(of: offset) else { return nil }
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
