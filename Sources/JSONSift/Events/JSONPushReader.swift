/// Reads one JSON text that comes in chunks, and tells a handler what is in it.
///
/// ```swift
/// var reader = JSONPushReader(Counter())
/// for chunk in chunks { try reader.feed(chunk) }
/// try reader.finish()
/// print(reader.handler.count)
/// ```
///
/// Memory is bounded by the longest string, the depth, and one chunk. The events, their offsets and the error are the
/// same for every way of cutting the text into chunks. After an error every call throws that error.
public struct JSONPushReader<Handler: JSONEventHandler>: ~Copyable {
  private var parser: ChunkedParser
  private var sink: EventSink<Handler>

  /// Starts a text, whose events go to `handler`.
  public init(_ handler: Handler, options: JSONOptions = JSONOptions()) {
    parser = ChunkedParser(options: options)
    sink = EventSink(handler: handler)
  }

  /// The handler, with what it has gathered.
  public var handler: Handler { sink.handler }

  /// Whether the handler has said stop, or the text is finished.
  public var isStopped: Bool { parser.isStopped }

  /// How many bytes have been fed.
  public var bytesFed: Int { parser.bytesFed }

  /// Feeds the next bytes. A chunk may end anywhere, also inside a character.
  ///
  /// - Throws: ``JSONError`` of the text, or what the handler throws. After ``finish()`` any byte is trailing content.
  public mutating func feed(_ chunk: RawSpan) throws(JSONError) {
    let pieces = chunk.byteCount
    var start = 0
    // A huge chunk goes in pieces, so that the words of one piece stay in the processor's cache.
    while start < pieces {
      let count = min(pieces - start, Self.pieceBytes)
      try unsafe chunk.withUnsafeBytes { (bytes) throws(JSONError) in
        let piece = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
        try unsafe parser.feed(piece, into: &sink)
      }
      start += count
    }
  }

  /// Feeds the next bytes from any collection. One that is not contiguous is copied.
  public mutating func feed(_ chunk: some Collection<UInt8>) throws(JSONError) {
    var failure: JSONError?
    let isFed: Void? = chunk.withContiguousStorageIfAvailable { bytes in
      do throws(JSONError) {
        unsafe try feed(bytes.span.bytes)
      } catch {
        failure = error
      }
    }
    if isFed == nil { unsafe try feed(Array(chunk).span.bytes) }
    if let failure { throw failure }
  }

  /// Says that the text is complete.
  ///
  /// - Throws: ``JSONError`` if it is not.
  public mutating func finish() throws(JSONError) { try parser.finish(into: &sink) }

  private static var pieceBytes: Int { 1 << 18 }
}

/// Reads words to a handler.
private struct EventSink<Handler: JSONEventHandler>: WordSink {
  var handler: Handler

  mutating func take(_ batch: WordBatch) throws(JSONError) -> Bool {
    var index = YajlContext.headerWords
    let words = unsafe batch.words
    while index < words.count {
      let word = unsafe TapeWord(bits: words[index])
      let start = batch.origin &+ word.offset
      let goesOn: Bool
      switch word.kind {
      case .arrayStart: goesOn = try handler.startArray(at: start)
      case .objectStart: goesOn = try handler.startObject(at: start)
      case .arrayEnd: goesOn = try handler.endArray(at: start)
      case .objectEnd: goesOn = try handler.endObject(at: start)
      case .true: goesOn = try handler.bool(true, byteRange: start..<start &+ 4)
      case .false: goesOn = try handler.bool(false, byteRange: start..<start &+ 5)
      case .null: goesOn = try handler.null(byteRange: start..<start &+ 4)
      default: goesOn = try text(word, in: batch)
      }
      guard goesOn else { return false }
      index &+= word.kind.isStart ? 2 : 1
    }
    return true
  }

  private mutating func text(_ word: TapeWord, in batch: WordBatch) throws(JSONError) -> Bool {
    let range = batch.textRange(of: word)
    let quotes = word.kind == .number ? 0 : 1
    let place = batch.origin &+ range.lowerBound &- quotes..<batch.origin &+ range.upperBound &+ quotes
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: batch.window[range])
    let text = unsafe JSONText(bytes.bytes, isEscaped: word.kind != .number && word.kind.isEscaped, byteRange: place)
    switch word.kind {
    case .number: return try handler.number(text)
    case .key, .escapedKey: return try handler.key(text)
    default: return try handler.string(text)
    }
  }
}
