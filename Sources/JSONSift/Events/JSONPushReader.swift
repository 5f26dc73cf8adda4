/// Reads one JSON text that arrives in chunks, and reports its events to a handler.
///
/// ```swift
/// var reader = JSONPushReader(Counter())
/// for chunk in chunks { try reader.feed(chunk) }
/// try reader.finish()
/// print(reader.handler.count)
/// ```
///
/// Memory is bounded by the longest string, the depth, and one chunk. The events, their offsets and the error do not depend
/// on how the text is divided into chunks. After an error every call throws that error.
public struct JSONPushReader<Handler: JSONEventHandler>: ~Copyable {
  private var parser: ChunkedParser
  private var sink: EventSink<Handler>

  /// Creates a reader that reports the events of one text to `handler`.
  public init(_ handler: Handler, options: JSONOptions = JSONOptions()) {
    parser = ChunkedParser(options: options)
    sink = EventSink(handler: handler)
  }

  /// The handler in its current state.
  public var handler: Handler { sink.handler }

  /// Whether the handler has stopped the reader, or the text is finished.
  public var isStopped: Bool { parser.isStopped }

  /// The number of bytes that have been fed.
  public var bytesFed: Int { parser.bytesFed }

  /// Feeds the next bytes. A chunk may end anywhere, even inside a character.
  ///
  /// - Throws: ``JSONError`` if the text is invalid, or the error of the handler. After ``finish()`` any byte is trailing
  ///   content.
  public mutating func feed(_ chunk: RawSpan) throws(JSONError) {
    let end = chunk.byteCount
    var start = 0
    // A huge chunk is fed in parts, so that the tape words of one stay in the processor's cache.
    while start < end {
      let count = min(end - start, Self.chunkBytes)
      try unsafe chunk.withUnsafeBytes { (bytes) throws(JSONError) in
        let part = unsafe UnsafeRawBufferPointer(rebasing: bytes[start..<start + count])
        try unsafe parser.feed(part, into: &sink)
      }
      start += count
    }
  }

  /// Feeds the next bytes from any collection. Copies a collection that is not contiguous.
  ///
  /// - Throws: ``JSONError`` if the text is invalid, or the error of the handler.
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

  /// Ends the text.
  ///
  /// - Throws: ``JSONError`` if the text is incomplete.
  public mutating func finish() throws(JSONError) { try parser.finish(into: &sink) }

  private static var chunkBytes: Int { Sizes.of(1 << 18, fuzzing: 40) }
}

/// Reports batches of tape words as events to a handler.
private struct EventSink<Handler: JSONEventHandler>: TapeWordSink {
  var handler: Handler

  mutating func take(_ batch: TapeWordBatch) throws(JSONError) -> Bool {
    var index = YajlContext.headerWords
    let words = unsafe batch.words
    while index < words.count {
      let word = unsafe TapeWord(bits: words[index])
      let start = batch.origin &+ word.offset
      let continues: Bool
      switch word.kind {
      case .arrayStart: continues = try handler.startArray(at: start)
      case .objectStart: continues = try handler.startObject(at: start)
      case .arrayEnd: continues = try handler.endArray(at: start)
      case .objectEnd: continues = try handler.endObject(at: start)
      case .true: continues = try handler.bool(true, byteRange: start..<start &+ 4)
      case .false: continues = try handler.bool(false, byteRange: start..<start &+ 5)
      case .null: continues = try handler.null(byteRange: start..<start &+ 4)
      default: continues = try text(word, in: batch)
      }
      guard continues else { return false }
      index &+= word.kind.isStart ? 2 : 1
    }
    return true
  }

  private mutating func text(_ word: TapeWord, in batch: TapeWordBatch) throws(JSONError) -> Bool {
    let range = batch.textRange(of: word)
    let quotes = word.kind == .number ? 0 : 1
    let bounds = batch.origin &+ range.lowerBound &- quotes..<batch.origin &+ range.upperBound &+ quotes
    let bytes = unsafe UnsafeRawBufferPointer(rebasing: batch.window[range])
    let text = unsafe JSONText(bytes.bytes, isEscaped: word.kind != .number && word.kind.isEscaped, byteRange: bounds)
    switch word.kind {
    case .number: return try handler.number(text)
    case .key, .escapedKey: return try handler.key(text)
    default: return try handler.string(text)
    }
  }
}
