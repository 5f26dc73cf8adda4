/// Matches that wait to be taken: their bytes and words side by side in two buffers, which are used again. So a match
/// costs no allocation until somebody keeps it.
struct MatchQueue {
  private struct Entry {
    let start: Int
    var end: Int
    var firstByte: Int
    var firstWord: Int
    var wordCount: Int
  }

  private var bytes: [UInt8] = []
  private var words: [UInt64] = []
  private var entries: [Entry] = []
  private var next = 0
  private var writer = TapeWriter()

  var byteCount: Int { bytes.count }

  var isEmpty: Bool { next >= entries.count }

  /// Adds a match that is one event.
  mutating func append(scalar word: EventWord, _ source: UnsafeRawBufferPointer, at start: Int) {
    entries.append(
      Entry(
        start: start, end: start + source.count, firstByte: bytes.count, firstWord: words.count,
        wordCount: YajlContext.headerWords + 1))
    unsafe bytes.append(contentsOf: source)
    for _ in 0..<YajlContext.headerWords { words.append(0) }
    words.append(EventWord(word.kind, at: 0, length: word.length).bits)
  }

  /// Begins a match that is a container, at an offset of the input.
  mutating func begin(at start: Int) {
    writer.reset()
    pending = Entry(start: start, end: start, firstByte: bytes.count, firstWord: words.count, wordCount: 0)
  }

  /// Forgets matches that are taken, when all are. A match that is open keeps what it has.
  mutating func compact() {
    guard isEmpty, next > 0 else { return }
    entries.removeAll(keepingCapacity: true)
    words.removeAll(keepingCapacity: true)
    next = 0
    bytes.removeSubrange(0..<(pending?.firstByte ?? bytes.count))
    pending?.firstByte = 0
    pending?.firstWord = 0
  }

  private var pending: Entry?

  mutating func append(_ word: EventWord, origin: Int) {
    guard let start = pending?.start else { return }
    writer.append(word, shiftedBy: origin &- start)
  }

  mutating func append(_ source: UnsafeRawBufferPointer) { unsafe bytes.append(contentsOf: source) }

  mutating func end(at end: Int) {
    guard var entry = pending else { return }
    entry.end = end
    entry.wordCount = writer.words.count
    words.append(contentsOf: writer.words)
    entries.append(entry)
    pending = nil
  }

  /// How large the tape of the match that was begun is so far.
  var pendingTapeBytes: Int { pending == nil ? 0 : max(writer.words.count * 8, 4096) }

  /// Forgets the match that was begun.
  mutating func drop() {
    if let entry = pending { bytes.removeLast(bytes.count - entry.firstByte) }
    pending = nil
  }

  /// Takes the first match. `spare` is an object to use again, if nobody else holds it.
  mutating func pop(reusing spare: inout Document?) -> (document: Document, range: Range<Int>)? {
    guard next < entries.count else { return nil }
    let entry = entries[next]
    next += 1
    let document = Document.reusing(&spare)
    unsafe bytes.withUnsafeBytes {
      let text = unsafe UnsafeRawBufferPointer(rebasing: $0[entry.firstByte...].prefix(entry.end - entry.start))
      unsafe document.setSource(copying: text, origin: entry.start)
    }
    unsafe words.withUnsafeBytes {
      let words = unsafe UnsafeRawBufferPointer(rebasing: $0[(entry.firstWord * 8)...].prefix(entry.wordCount * 8))
      unsafe document.setTape(copying: words)
    }
    return (document, entry.start..<entry.end)
  }
}
