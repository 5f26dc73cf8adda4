/// One value that a path has selected in a stream.
public struct JSONMatch: Sendable {
  /// The value. It holds its own bytes, or its record.
  public let value: JSON
  /// Its bytes in the input.
  public let byteRange: Range<Int>
}

/// Reads the values that a path selects in a stream, in the order of the stream.
///
/// ```swift
/// var matches = try JSONMatches(of: "$.records[*].user.id", in: .path("huge.json"))
/// while let match = try matches.next() { total += match.value.intValue }
/// ```
///
/// In one document every byte is checked, and nothing is built but the matches: memory is bounded by the largest match and
/// the depth. A path without a wildcard, other than `$`, stops the reading when it is answered; bytes after that are not
/// checked. In records the path starts at each record, and a bad record is thrown as ``JSONRecordReader/next()`` does.
public struct JSONMatches: ~Copyable {
  // One of the two.
  private var document: DocumentMatches?
  private var records: RecordMatches?
  /// How the stream is cut into records.
  public let framing: JSONFraming

  /// - Throws: ``JSONError/Code/unreadable`` if the source cannot be opened, ``JSONError/Code/invalidPath`` if the path is a
  ///   literal that is none, or one that cannot be streamed yet.
  public init(
    of path: JSONPath, in source: JSONSource, framing: JSONFraming = .document, options: JSONOptions = JSONOptions()
  ) throws(JSONError) {
    _ = try path.streamedSegments()
    var window = try ReadWindow(source)
    self.framing = framing == .automatic ? try window.guessFraming(name: source.name) : framing
    if self.framing == .document {
      document = DocumentMatches(path, window, options)
      records = nil
    } else {
      document = nil
      records = RecordMatches(path, JSONRecordReader(window, framing: self.framing, options: options))
    }
  }

  /// Compiles the path and starts.
  ///
  /// - Throws: ``JSONError/Code/invalidPath`` too.
  public init(
    of path: String, in source: JSONSource, framing: JSONFraming = .document, options: JSONOptions = JSONOptions()
  ) throws(JSONError) {
    try self.init(of: JSONPath(path), in: source, framing: framing, options: options)
  }

  /// The next match, or `nil` when there is none left.
  ///
  /// - Throws: ``JSONError``. Matches before the error have been handed out before.
  public mutating func next() throws(JSONError) -> JSONMatch? {
    if let match = try document?.next() { return match }
    return try records?.next()
  }

  /// Line and column of an error that the last call threw.
  public func position(of error: JSONError) -> SourcePosition {
    switch document {
    case .some(let matches): return matches.position(of: error)
    case .none: break
    }
    switch records {
    case .some(let matches): return matches.reader.position(of: error)
    case .none: return SourcePosition(byteOffset: error.byteOffset, line: 1, column: 1)
    }
  }

  /// The text around an error that the last call threw, if it is still in memory.
  public func excerpt(of error: JSONError) -> SourceExcerpt? {
    switch document {
    case .some(let matches): return matches.excerpt(of: error)
    case .none: break
    }
    switch records {
    case .some(let matches): return matches.reader.excerpt(of: error)
    case .none: return nil
    }
  }
}

/// The matches of a path in one document.
struct DocumentMatches: ~Copyable {
  private var window: ReadWindow
  private var parser: ChunkedParser
  private var matcher: PathMatcher
  private var spare: Document?
  private var isFinished = false
  private var failure: JSONError?

  // Where the window begins, for the position of an error: lines before it, the offset after the last line feed, and
  // some bytes.
  private var linesBefore = 0
  private var lineStart = 0
  private var bytesBefore: [UInt8] = []
  /// The position of a match that is open at the end of a window.
  private var openMatch: SourcePosition?

  init(_ path: JSONPath, _ window: consuming ReadWindow, _ options: JSONOptions) {
    self.window = window
    parser = ChunkedParser(options: options)
    matcher = PathMatcher(path, limits: options.limits)
  }

  /// The bytes of matches that are in memory.
  var queuedBytes: Int { matcher.queue.byteCount }

  mutating func next() throws(JSONError) -> JSONMatch? {
    while true {
      if let match = matcher.queue.pop(reusing: &spare) {
        return JSONMatch(value: JSON(match.document, Document.root), byteRange: match.range)
      }
      if let failure { throw failure }
      if isFinished { return nil }
      do throws(JSONError) {
        try advance()
      } catch {
        // Matches before the error come first.
        failure = error
      }
    }
  }

  private mutating func advance() throws(JSONError) {
    var hasBytes = window.count > 0
    if !hasBytes { hasBytes = try window.fill() }
    guard hasBytes else {
      isFinished = true
      return try parser.finish(into: &matcher)
    }
    // After a guess there can be more in the window than is read at once.
    let piece = unsafe UnsafeRawBufferPointer(rebasing: window.bytes.prefix(ReadWindow.readBytes))
    try unsafe parser.feed(piece, into: &matcher)
    isFinished = parser.isStopped
    unsafe leave(piece)
  }

  /// Goes past bytes that are parsed, and remembers what tells the position of an error.
  private mutating func leave(_ bytes: UnsafeRawBufferPointer) {
    if let start = matcher.openMatchStart {
      if start >= window.offset { openMatch = position(at: start) }
    } else {
      openMatch = nil
    }
    linesBefore += unsafe ByteScan.countLineFeeds(bytes)
    if let last = unsafe bytes.lastIndex(of: ASCII.lineFeed) { lineStart = window.offset + last + 1 }
    bytesBefore = unsafe Array(bytes.suffix(Self.excerptBytes))
    window.use(bytes.count)
  }

  private static let excerptBytes = 128

  /// The position of an offset in the window, or in the token that was open at its start: no token holds a line feed.
  private func position(at offset: Int) -> SourcePosition {
    let before = unsafe UnsafeRawBufferPointer(
      rebasing: window.bytes.prefix(max(offset - window.offset, 0)))
    let lines = unsafe ByteScan.countLineFeeds(before)
    let start = unsafe before.lastIndex(of: ASCII.lineFeed).map { window.offset + $0 + 1 } ?? lineStart
    return SourcePosition(byteOffset: offset, line: 1 + linesBefore + lines, column: offset - start + 1)
  }

  func position(of error: JSONError) -> SourcePosition {
    if let openMatch, openMatch.byteOffset == error.byteOffset { return openMatch }
    return position(at: error.byteOffset)
  }

  func excerpt(of error: JSONError) -> SourceExcerpt? {
    let start = window.offset - bytesBefore.count
    guard error.byteOffset >= start else { return nil }
    let place = error.byteOffset - start
    let bytes = unsafe bytesBefore + window.bytes.prefix(max(place - bytesBefore.count, 0) + Self.excerptBytes)
    return SourceExcerpt(around: place, in: bytes)
  }
}

/// The matches of a path in each record.
struct RecordMatches: ~Copyable {
  private(set) var reader: JSONRecordReader
  private let path: JSONPath
  private var document: Document?
  private var positions: [UInt32] = []
  private var position = 0

  init(_ path: JSONPath, _ reader: consuming JSONRecordReader) {
    self.reader = reader
    self.path = path
  }

  mutating func next() throws(JSONError) -> JSONMatch? {
    while true {
      if position < positions.count, let document {
        defer { position += 1 }
        let value = JSON(document, positions[position])
        return JSONMatch(value: value, byteRange: value.byteRange ?? 0..<0)
      }
      positions.removeAll(keepingCapacity: true)
      position = 0
      // The reader uses the record again only if nobody holds it.
      document = nil
      guard let record = try reader.next(), case .node(let next, let root) = record.value.storage else { return nil }
      document = next
      next.matches(of: (path.linearSegments ?? [])[...], from: root) { positions.append($0) }
    }
  }
}
