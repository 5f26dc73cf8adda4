/// The tape of one record that contains only the values found, and the objects that lead to them.
///
/// The end offsets of objects in the record are wrong, and the record's last bytes are missing: no caller reads them. A
/// scalar or array where the queries expect an object is replaced by null.
struct ProjectedRecord: ~Copyable {
  private struct Open: BitwiseCopyable {
    /// The number of the object, and the index of its first tape word.
    let number, word: Int
    var children = 0
  }

  /// The tape words, with the header.
  private var words = PlainVector<UInt64>()
  private var outer = PlainVector<Open>()
  private var open = Open(number: 0, word: 0)
  /// The end index of the last source byte that the tape refers to.
  private(set) var sourceEnd = 0

  var tapeBytes: Int { words.byteCount }

  func withTape(_ body: (UnsafeRawBufferPointer) -> Void) { unsafe words.withBytes { unsafe body($0) } }

  mutating func begin(at index: Int) {
    words.removeAll()
    outer.removeAll()
    for _ in 0..<Int(Document.root) { words.append(0) }
    start(0, at: index)
  }

  private mutating func start(_ number: Int, at index: Int) {
    open = Open(number: number, word: words.count)
    words.append(TapeWord(.objectStart, at: index).bits)
    words.append(0)
    sourceEnd = index + 1
  }

  private mutating func close(at index: Int) {
    words.append(TapeWord(.objectEnd, at: index).bits)
    words[open.word + 1] =
      UInt64(truncatingIfNeeded: open.children) &<< 32 | UInt64(truncatingIfNeeded: words.count)
  }

  /// Ends the record, whose text ends before an index.
  mutating func end(before end: Int) {
    while let next = outer.popLast() {
      close(at: sourceEnd - 1)
      open = next
    }
    close(at: end - 1)
  }

  /// Appends a value found in the object of its branch. Returns false if the parser rejects it.
  mutating func append(
    _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>, _ branch: QueryTrie.Branch, _ values: inout SubtreeParser
  ) -> Bool {
    while open.number != branch.owner, let next = outer.popLast() {
      close(at: sourceEnd - 1)
      open = next
    }
    open.children += 1
    let key = unsafe Self.keyStart(bytes, before: range.lowerBound, branch.nameCount)
    words.append(TapeWord(.key, at: key, length: branch.nameCount).bits)
    if range.isEmpty {
      outer.append(open)
      start(branch.object, at: range.lowerBound)
      return true
    }
    sourceEnd = range.upperBound
    if branch.object > 0 {
      words.append(TapeWord(.null, at: range.lowerBound).bits)
    } else if unsafe bytes[range.lowerBound].opensContainer {
      guard unsafe values.parse(bytes, range, at: 0) else { return false }
      append(values.batch, at: range.lowerBound)
    } else {
      words.append(unsafe TapeWord(scalarIn: bytes, range).bits)
    }
    return true
  }

  /// Appends the tape words of a container, whose offsets and links count from its own first byte and word.
  private mutating func append(_ batch: TapeWordBatch, at start: Int) {
    let found = unsafe batch.words
    let shift = UInt64(truncatingIfNeeded: start) &<< TapeWord.offsetShift
    let links = UInt64(truncatingIfNeeded: words.count &- YajlContext.headerWords)
    var index = YajlContext.headerWords
    while index < found.count {
      let word = unsafe TapeWord(bits: found[index])
      words.append(word.bits &+ shift)
      index &+= 1
      guard word.kind.isStart, index < found.count else { continue }
      words.append(unsafe found[index] &+ links)
      index &+= 1
    }
  }

  /// Returns the index of a key from the index of its value: the kernel has matched the key, white space, a colon, and white
  /// space.
  private static func keyStart(_ bytes: UnsafeRawBufferPointer, before index: Int, _ nameCount: Int) -> Int {
    var index = index
    while index > 0, unsafe bytes[index &- 1] <= ASCII.space { index &-= 1 }
    index &-= 1
    while index > 0, unsafe bytes[index &- 1] <= ASCII.space { index &-= 1 }
    return max(index &- nameCount &- 2, 0)
  }
}
