extension JSONFraming {
  /// The elements of one array or the members of one object, each returned as soon as it is complete. The container may be
  /// of any size and need not end. The path consists of names and indexes only. The text before and after the container is
  /// validated too. Reading cannot continue after an error.
  public static func children(of path: JSONPath) -> JSONFraming { JSONFraming(ChildFramer.self, path: path) }

  /// The framing of a checkpoint whose container is not known yet.
  package static var children: JSONFraming { JSONFraming(ChildFramer.self) }
}

final class ChildFramer: Framer {
  static let name = "children"
  static let stopReason: String? =
    "after an error in one document, the start of the next element or member is unknown"

  private(set) var children: ChildReader?

  init() {}

  func begin(_ reader: inout JSONRecordReader, at checkpoint: JSONCheckpoint?) throws(JSONError) {
    guard let path = reader.framing.path else { return }
    children = try ChildReader(of: path, options: reader.options, at: checkpoint)
  }

  func nextRecord(of reader: inout JSONRecordReader) throws(JSONError) -> JSONRecord? {
    guard let children, let (match, line) = try children.next(&reader.window) else { return nil }
    reader.textLine = line
    reader.recordOffset = match.byteRange.lowerBound
    return JSONRecord(value: match.value, line: line)
  }

  func checkpoint(of reader: borrowing JSONRecordReader, at offset: Int) -> JSONCheckpoint {
    children?.checkpoint ?? JSONCheckpoint(byteOffset: offset)
  }
}

/// Reads the elements of one array or the members of one object while the text of the document arrives.
///
/// Validates every byte of the document. It parses one chunk of the window at a time; the chunk stays in the window until
/// all children that end in it are returned, because their lines are counted in it.
final class ChildReader {
  private let container: JSONPath.Location
  /// The text of the container's path, for checkpoints.
  private lazy var containerPath = container.description
  private let options: JSONRecordOptions
  private var parser: ChunkedParser
  private var matcher: PathMatcher
  private var progress = DocumentProgress.reading
  /// Whether the first child is a placeholder for the children read before the checkpoint.
  private var dropsFirst: Bool
  /// The number of bytes of the window that are parsed.
  private var chunkCount = 0

  /// Lines are counted up to this offset.
  private var cursor = Cursor(offset: 0, lines: LineCount(feeds: 1, lastStart: 0))
  /// The start of a child that began before the window.
  private var open: Cursor?
  /// The first bytes of that child.
  private var openBytes: [UInt8] = []
  /// The position after the last child.
  private var last: Cursor
  private var childCount: Int
  /// The offset of the line on which the last child began.
  private(set) var lineStart = 0
  private var isObject: Bool

  private struct Cursor {
    var offset: Int
    /// The number of the line, and its start.
    var lines: LineCount
  }

  /// - Throws: ``JSONError/Code/invalidPath`` if the path can select several values, or counts from the end.
  init(of path: JSONPath, options: JSONRecordOptions, at checkpoint: JSONCheckpoint?) throws(JSONError) {
    container = try Self.steps(path.checked())
    self.options = options
    // Before the first child no container is open.
    let done = checkpoint?.openContainer.flatMap { $0.childCount > 0 ? $0 : nil }
    var text: [UInt8] = []
    var steps = container.steps
    if let done { text = try Self.opening(&steps, isObject: done.isObject) }
    let offset = checkpoint?.byteOffset ?? 0
    let query = try JSONPath(JSONPath.Location(steps: steps).description + "[*]").checked()
    matcher = try PathMatcher([query], limits: options.reading.limits)
    parser = ChunkedParser(options: options.reading, origin: offset - text.count)
    dropsFirst = done != nil
    childCount = min(max(done?.childCount ?? 0, 0), 1 << 62)
    isObject = done?.isObject ?? false
    cursor = Cursor(
      offset: offset, lines: LineCount(feeds: checkpoint?.line ?? 1, lastStart: checkpoint?.lineOffset ?? offset))
    last = cursor
    try unsafe text.span.withUnsafeBytes { (text) throws(JSONError) in try unsafe parser.feed(text, into: &matcher) }
  }

  private static func steps(_ query: PathQuery) throws(JSONError) -> JSONPath.Location {
    var steps: [JSON.Step] = []
    for segment in query.segments {
      switch segment.isSingular ? segment.selectors.first : nil {
      case .name(let name): steps.append(.key(name.string))
      case .index(let index) where index >= 0: steps.append(.index(index))
      default:
        throw JSONError(.invalidPath, at: 0, .unanswerablePath(.notOneContainer))
      }
    }
    return JSONPath.Location(steps: steps)
  }

  /// Returns a text that opens the same kinds of containers as the document did, up to a child of the last one. Changes the
  /// steps to the path of that container in the new text.
  private static func opening(_ steps: inout [JSON.Step], isObject: Bool) throws(JSONError) -> [UInt8] {
    var text: [UInt8] = []
    for (index, step) in steps.enumerated() {
      switch step {
      case .key(let key):
        text.append(ASCII.openBrace)
        text += try JSON(string: key).bytes()
        text.append(ASCII.colon)
      case .index:
        text.append(ASCII.openBracket)
        steps[index] = .index(0)
      }
    }
    text += (isObject ? #"{"":null"# : "[null").utf8
    return text
  }

  // MARK: Reading

  /// Returns the next child and its line; `nil` at the end, or if its bytes are not complete yet.
  func next(_ window: inout ReadWindow) throws(JSONError) -> (match: JSONMatch, line: Int)? {
    while true {
      if let match = try matcher.next() {
        if dropsFirst {
          dropsFirst = false
          continue
        }
        return (match, unsafe locate(match, window.bytes, at: window.offset))
      }
      guard try progress.isReading() else { return nil }
      unsafe finishChunk(window.bytes, at: window.offset)
      window.use(chunkCount)
      chunkCount = 0
      if window.count == 0, try !window.fill() {
        guard window.isAtEnd else { return nil }
        progress = .finished
        keepingFailure(&window) { () throws(JSONError) in try parser.finish(into: &matcher) }
        continue
      }
      let chunk = unsafe UnsafeRawBufferPointer(rebasing: window.bytes.prefix(ReadWindow.readBytes))
      chunkCount = chunk.count
      keepingFailure(&window) { () throws(JSONError) in try unsafe parser.feed(chunk, into: &matcher) }
      if parser.isStopped, case .reading = progress { progress = .finished }
    }
  }

  /// Keeps the error of `body` until the children before it are returned.
  private func keepingFailure(_ window: inout ReadWindow, _ body: () throws(JSONError) -> Void) {
    do throws(JSONError) {
      try body()
    } catch {
      progress = .failed(error)
      window.completeLine(of: error.byteOffset)
    }
  }

  /// Returns the line of a child, and updates the positions.
  private func locate(_ match: JSONMatch, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Int {
    let range = match.byteRange
    if childCount == 0, case .key? = match.location.steps.last { isObject = true }
    childCount += 1
    var start = cursor
    if range.lowerBound >= offset {
      unsafe move(to: range.lowerBound, bytes, at: offset)
      start = cursor
    } else if let open, open.offset == range.lowerBound {
      start = open
    }
    unsafe move(to: range.upperBound, bytes, at: offset)
    last = cursor
    lineStart = start.lines.lastStart
    return start.lines.feeds
  }

  private func move(to target: Int, _ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard target > cursor.offset, cursor.offset >= offset, target - offset <= bytes.count else { return }
    cursor = unsafe position(of: target, bytes, at: offset)
  }

  /// Counts lines from the cursor on. An offset before the window is in an open token, and no token contains a line feed.
  private func position(of target: Int, _ bytes: UnsafeRawBufferPointer, at offset: Int) -> Cursor {
    var result = cursor
    result.offset = target
    guard target > cursor.offset, cursor.offset >= offset, target - offset <= bytes.count else { return result }
    let passed = unsafe UnsafeRawBufferPointer(rebasing: bytes[(cursor.offset - offset)..<(target - offset)])
    unsafe result.lines.add(LineCount(of: passed, at: cursor.offset))
    return result
  }

  /// Updates the positions for the end of the chunk, before the window drops it.
  private func finishChunk(_ bytes: UnsafeRawBufferPointer, at offset: Int) {
    guard chunkCount > 0 else { return }
    let chunk = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<chunkCount])
    if let start = matcher.openMatchStart {
      if start >= offset {
        open = unsafe position(of: start, chunk, at: offset)
        openBytes.removeAll(keepingCapacity: true)
      }
      let begin = max(start - offset, 0)
      let room = max(options.rawByteLimit - openBytes.count, 0)
      unsafe openBytes.append(contentsOf: chunk[begin...].prefix(room))
    } else {
      open = nil
      openBytes.removeAll(keepingCapacity: true)
    }
    unsafe move(to: offset + chunkCount, chunk, at: offset)
  }
}

extension ChildReader {
  var checkpoint: JSONCheckpoint {
    JSONCheckpoint(
      byteOffset: last.offset, line: last.lines.feeds, lineOffset: last.lines.lastStart, framing: .children,
      openContainer: JSONCheckpoint.OpenContainer(path: containerPath, isObject: isObject, childCount: childCount))
  }

  func position(of error: JSONError, in bytes: UnsafeRawBufferPointer, at offset: Int) -> JSONError.Position {
    var start = unsafe position(of: error.byteOffset, bytes, at: offset)
    if let open, open.offset == error.byteOffset { start = open }
    return start.lines.position(of: error.byteOffset)
  }

  /// Returns where the child that contains an error begins. If the error is between two children or in a scalar, that is the
  /// error's own offset.
  func openChild(before error: JSONError, in bytes: UnsafeRawBufferPointer, at offset: Int) -> (offset: Int, line: Int)
  {
    if let start = matcher.openMatchStart, start <= error.byteOffset {
      if let open, open.offset == start { return (start, open.lines.feeds) }
      if start >= cursor.offset { return unsafe (start, position(of: start, bytes, at: offset).lines.feeds) }
    }
    return unsafe (error.byteOffset, position(of: error, in: bytes, at: offset).line)
  }

  /// Returns the bytes from the start of a child up to and including the erroneous byte: the first ones, up to the limit for
  /// raw bytes, and the total number.
  func bytes(
    from start: Int, to error: JSONError, in bytes: UnsafeRawBufferPointer, at offset: Int
  ) -> (first: [UInt8], count: Int) {
    let end = min(error.byteOffset + 1, offset + bytes.count)
    guard end > start else { return ([], 0) }
    var first: [UInt8] = []
    if start < offset {
      // The parser may reject a token that was cut because of a byte in a chunk that is no longer in memory.
      first =
        open?.offset == start ? openBytes : start == error.byteOffset ? parser.rejectedByte.map { [$0] } ?? [] : []
    }
    let begin = max(start, offset)
    let room = min(options.rawByteLimit - first.count, end - begin)
    if room > 0 { unsafe first.append(contentsOf: bytes[(begin - offset)...].prefix(room)) }
    return (Array(first.prefix(end - start)), end - start)
  }
}

extension JSONRecord {
  /// The key of a member, for records that are ``JSONFraming/children(of:)`` an object; `nil` for all others.
  public var key: String? {
    guard case .node(let document, let index) = value.storage, index == Document.root else { return nil }
    guard case .key(let key)? = MatchLocation.location(document.packedLocation).steps.last else { return nil }
    return key
  }
}
