/// Matches that wait to be taken: their bytes and words side by side in two buffers, which are used again. So a match
/// costs no allocation until somebody keeps it.
struct MatchQueue {
  private struct Entry {
    let start: Int
    var end: Int
    let firstByte: Int
    let firstWord: Int
    var wordCount: Int
  }

  private var bytes: [UInt8] = []
  private var words: [UInt64] = []
  private var entries: [Entry] = []
  private var next = 0
  private var writer = TapeWriter()

  var isEmpty: Bool { next >= entries.count }

  /// Begins a match at an offset of the input.
  mutating func begin(at start: Int) {
    if isEmpty {
      bytes.removeAll(keepingCapacity: true)
      words.removeAll(keepingCapacity: true)
      entries.removeAll(keepingCapacity: true)
      next = 0
    }
    writer.reset()
    pending = Entry(start: start, end: start, firstByte: bytes.count, firstWord: words.count, wordCount: 0)
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
    let count = entry.end - entry.start
    let object = spare != nil && isKnownUniquelyReferenced(&spare) ? spare : nil
    var tape = object?.takeTape() ?? RawMemory(capacity: entry.wordCount * 8)
    tape.grow(to: entry.wordCount * 8, keeping: 0)
    let store = object?.store ?? ByteStore(capacity: count)
    unsafe bytes.withUnsafeBytes {
      unsafe store.assign(UnsafeRawBufferPointer(rebasing: $0[entry.firstByte..<entry.firstByte + count]))
    }
    unsafe words.withUnsafeBytes {
      let words = unsafe UnsafeRawBufferPointer(rebasing: $0[(entry.firstWord * 8)...].prefix(entry.wordCount * 8))
      if let base = words.baseAddress { unsafe tape.base.copyMemory(from: base, byteCount: words.count) }
    }
    if let object {
      object.replace(source: .bytes(store), origin: entry.start, tape: tape, wordCount: entry.wordCount)
      return (object, entry.start..<entry.end)
    }
    let document = Document(source: .bytes(store), origin: entry.start, tape: tape, wordCount: entry.wordCount)
    spare = document
    return (document, entry.start..<entry.end)
  }
}
