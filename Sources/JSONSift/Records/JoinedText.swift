/// Puts the lines of an input together.
protocol LineJoiner: AnyObject {
  /// Takes the next line, without its line feed.
  ///
  /// - Parameter isCut: Whether the line is too long for a record, and only its first bytes are known.
  func take(_ line: UnsafeRawBufferPointer, _ place: LinePosition, isCut: Bool, into writer: inout LineWriter)
  /// Ends the input.
  func finish(into writer: inout LineWriter)
  /// The offset in the input of the first line that waits for others.
  var heldOffset: Int? { get }
}

/// The text that a step makes of the lines of an input: lines that belong together are one line.
final class JoinedText: ByteReader {
  let origins: TextOrigins?
  private(set) var wouldBlock = false
  private let options: JSONRecordOptions
  private let checkpoint: JSONCheckpoint?
  private let joiner: any LineJoiner
  private var writer = LineWriter()
  private var state: State
  private let block = LineBlock()
  /// Where the lines lie in the input, if another step has made them.
  private var outer: [OriginChunk] = []

  private enum State: ~Copyable {
    case unopened(ReadWindow)
    case lines(LineCutter)
    case ended(JSONError?)
  }

  init(
    _ joiner: any LineJoiner, _ source: JSONSource, _ options: JSONRecordOptions, _ checkpoint: JSONCheckpoint?
  ) throws(JSONError) {
    guard options.range == nil else {
      throw JSONError(.unreadable, at: 0, .reason("the lines of a record may lie in several ranges: expected no range"))
    }
    self.options = options
    self.checkpoint = checkpoint
    self.joiner = joiner
    origins = TextOrigins()
    state = .unopened(try ReadWindow(source))
  }

  var canReadAtOnce: Bool { !writer.text.isUsed }

  func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int) throws(JSONError) -> Int {
    wouldBlock = false
    while writer.text.isUsed {
      writer.text.begin(at: offset)
      guard try produce() else { return 0 }
    }
    return unsafe writer.text.read(into: buffer)
  }

  /// Makes more text, which may be empty. Returns `false` at the end, and if the input would block.
  private func produce() throws(JSONError) -> Bool {
    // The state is a value that cannot be copied: it is taken out, and put back.
    var taken = State.ended(nil)
    swap(&taken, &state)
    switch consume taken {
    case .ended(let error):
      state = .ended(error)
      if let error { throw error }
      return false
    case .unopened(var window):
      wouldBlock = try !window.skipToStart(options, .lines, resumingAt: checkpoint)
      state = wouldBlock ? .unopened(window) : .lines(LineCutter(window, options, at: checkpoint, isEager: true))
      return !wouldBlock
    case .lines(var cutter):
      do throws(JSONError) {
        let answer = try cutter.next(into: block)
        wouldBlock = answer == .wouldBlock
        if case .block = answer { take(block) }
        if case .end = answer { end(nil) } else { state = .lines(cutter) }
      } catch {
        // The text before the error is read first.
        end(error)
      }
      return !wouldBlock
    }
  }

  private func end(_ error: JSONError?) {
    joiner.finish(into: &writer)
    finishChunk()
    state = .ended(error)
  }

  private func take(_ block: LineBlock) {
    if let chunks = block.origins?.chunks(in: block.offset..<(block.offset + block.range.count)) {
      outer += outer.last === chunks.first ? chunks.dropFirst() : chunks[...]
    }
    // SAFETY: nothing changes the memory of the block before the next one is cut.
    let bytes = unsafe UnsafeRawBufferPointer(
      start: block.memory.base + block.range.lowerBound, count: block.range.count)
    var place = LinePosition(offset: block.offset, line: block.line)
    var start = 0
    while start < bytes.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: bytes[start...])
      let line = unsafe UnsafeRawBufferPointer(rebasing: rest[..<(ByteScan.lineFeed(rest) ?? rest.count)])
      unsafe joiner.take(line, place, isCut: block.skippedBytes > 0, into: &writer)
      start += line.count + 1
      place = LinePosition(offset: block.offset + start, line: place.line + 1)
    }
    finishChunk(skipped: block.skippedBytes)
    let held = joiner.heldOffset ?? (block.offset + block.range.count)
    outer.removeAll { $0.range.upperBound <= held }
  }

  private func finishChunk(skipped: Int = 0) {
    guard let chunk = writer.chunk(skipped: skipped, of: outer) else { return }
    origins?.append(chunk)
  }
}

/// Writes the text of a step that puts lines together. It keeps the lines, so that an error has its place in them.
struct LineWriter: ~Copyable {
  var text = StepText()
  /// The lines of the records, those of each record one after another.
  private var lines = ByteBuffer(capacity: 0)

  /// Begins a record, or continues it, with a part of a line. Returns the index of the line, for ``add(_:of:at:_:)``.
  @discardableResult
  mutating func add(
    _ line: UnsafeRawBufferPointer, _ place: LinePosition, _ content: Range<Int>,
    _ kind: OriginChunk.Piece.Kind = .copied
  ) -> Int {
    if lines.count > 0 { lines.append(ASCII.lineFeed) }
    let index = lines.count
    unsafe lines.append(line)
    unsafe add(content, of: line, place, at: index, kind)
    return index
  }

  /// Continues the record with a part of a line that was added.
  mutating func add(
    _ content: Range<Int>, of line: UnsafeRawBufferPointer, _ place: LinePosition, at index: Int,
    _ kind: OriginChunk.Piece.Kind
  ) {
    text.note(place.offset + content.lowerBound, index: index + content.lowerBound, line: place.line, kind)
    unsafe text.bytes.append(UnsafeRawBufferPointer(rebasing: line[content]))
  }

  /// Appends a byte that is none of the input.
  mutating func append(_ byte: UInt8) { text.bytes.append(byte) }

  /// Appends a whole record of one line.
  mutating func addRecord(_ line: UnsafeRawBufferPointer, _ place: LinePosition, _ content: Range<Int>) {
    unsafe add(line, place, content)
    text.bytes.append(ASCII.lineFeed)
  }

  /// Returns the text that was written since the last call, and its lines.
  ///
  /// - Parameter skipped: The number of bytes of the last line that are not known.
  mutating func chunk(skipped: Int, of outer: [OriginChunk]) -> OriginChunk? {
    guard text.bytes.count > 0 else { return nil }
    let block = LineBlock()
    block.range = 0..<lines.count
    block.memory = lines.takeMemory()
    block.skippedBytes = skipped
    if !outer.isEmpty { block.origins = TextOrigins(outer) }
    return text.chunk(of: block, holdsLines: true)
  }
}
