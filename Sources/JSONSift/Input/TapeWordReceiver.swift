/// Receives the tape words of records, many records at once where they are validated.
package protocol TapeWordReceiver: AnyObject {
  /// Whether no more words are wanted.
  var isFull: Bool { get }

  /// Takes the tape words of records that follow each other, and the text to which they point.
  ///
  /// - Parameter header: The number of words before `words` that their links count.
  func take(records words: UnsafeBufferPointer<UInt64>, _ text: UnsafeRawBufferPointer, after header: Int)

  /// Begins a record whose words arrive in parts.
  func beginRecord()

  /// Takes a part of the record that has begun.
  func take(part words: UnsafeBufferPointer<UInt64>, _ text: UnsafeRawBufferPointer)
}

/// Passes the tape words of the records of a reader to a receiver.
final class TapeWordLines {
  let receiver: any TapeWordReceiver
  /// Memory for the words of the last lines that were validated together.
  private var tape = RawMemory(capacity: 0)

  init(to receiver: any TapeWordReceiver) { self.receiver = receiver }

  /// The number of text bytes whose tape words are written at once: enough to make the cost of a call negligible, few enough
  /// for the processor's cache.
  private static let chunkBytes = Sizes.of(1 << 16, fuzzing: 64)

  /// Passes the records of complete lines that are validated.
  func pass(lines: UnsafeRawBufferPointer) {
    var start = 0
    while start < lines.count, !receiver.isFull {
      let chunk = unsafe Self.chunk(of: lines, from: start)
      start = chunk.upperBound
      let header = YajlContext.headerWords
      // A validated record has a bounded length, so its tape is bounded too: see `RecordValidation`.
      guard
        let count = unsafe TapeWordScan.write(lines, chunk, into: &tape, after: header, limit: JSONLimits.maxTapeBytes)
      else { continue }
      // SAFETY: `TapeWordScan.write` has written `count` words, header included.
      unsafe receiver.take(
        records: UnsafeBufferPointer(
          start: tape.base.assumingMemoryBound(to: UInt64.self) + header, count: count - header),
        lines, after: header)
    }
  }

  /// Returns the range of the next complete lines: as many as fit into a chunk, or one line.
  static func chunk(of lines: UnsafeRawBufferPointer, from start: Int) -> Range<Int> {
    let rest = unsafe UnsafeRawBufferPointer(rebasing: lines[start...])
    let first = unsafe rest.firstLines(within: chunkBytes)?.count ?? ByteScan.lineFeed(rest).map { $0 + 1 }
    return start..<(start + (first ?? rest.count))
  }
}

extension JSONRecordReader {
  /// Switches to passing the words of validated lines many at a time. One null is returned for all lines of one read.
  mutating func passManyLines() {
    // Text before a value is checked line by line.
    guard cutsLines, tapeWords != nil, !skipsPrefix, validation != nil else { return }
    skipValidated()
  }

  /// Passes the tape words of a record. Returns null instead of the record.
  mutating func passRecord(
    _ bytes: UnsafeRawBufferPointer, to receiver: any TapeWordReceiver
  ) throws(JSONError) -> JSONRecord {
    try unsafe builder.parse(bytes, origin: recordOffset, trust: trust(inLine: bytes)) {
      unsafe receiver.take(records: $0, bytes, after: YajlContext.headerWords)
    }
    return JSONRecord(value: .null, line: line)
  }
}

extension JSON {
  /// Calls `body` with the tape words of a value that was parsed, with the text, and with the number of words before them that
  /// their links count. Returns `false` for a value that was built.
  package func borrowTapeWords(_ body: (UnsafeBufferPointer<UInt64>, UnsafeRawBufferPointer, Int) -> Void) -> Bool {
    guard case .node(let document, let index) = storage else { return false }
    unsafe document.withSource { unsafe body(document.words(of: index), $0, Int(index)) }
    // The words and bytes belong to the document.
    withExtendedLifetime(document) {}
    return true
  }
}
