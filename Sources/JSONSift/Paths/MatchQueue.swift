/// Matches that wait to be taken. What was copied out of the stream lies side by side in buffers that are used again, so
/// that a match costs no allocation until somebody keeps it.
struct MatchQueue {
  /// What a match is made of.
  private enum Content {
    /// A piece of the text in `bytes` and of a tape in `words`.
    case copied(firstByte: Int, firstWord: Int, wordCount: Int)
    /// A piece of the text in `bytes` that is one event.
    case scalar(firstByte: Int, word: UInt64)
    /// A place in a value that is there.
    case value(JSON)
  }

  private struct Entry {
    let plan: Int
    let range: Range<Int>
    let content: Content
    let place: Range<Int>
  }

  private var bytes: [UInt8] = []
  private var words: [UInt64] = []
  private var places: [UInt8] = []
  private var entries: [Entry] = []
  private var next = 0
  /// Matches that must come after others that are not there yet: by plan, each with the order that it has.
  private var held: [[(order: Int, entry: Entry)]]
  private var heldCount = 0

  init(planCount: Int) { held = Array(repeating: [], count: planCount) }

  /// The bytes of matches that are in memory.
  var byteCount: Int { bytes.count }

  var isEmpty: Bool { next >= entries.count }

  /// Forgets matches that are taken, when all are.
  mutating func compact() {
    guard isEmpty, next > 0 else { return }
    entries.removeAll(keepingCapacity: true)
    next = 0
    guard heldCount == 0 else { return }
    words.removeAll(keepingCapacity: true)
    bytes.removeAll(keepingCapacity: true)
    places.removeAll(keepingCapacity: true)
  }

  // MARK: Adding

  /// Adds a match that is copied: `words` are those of the value alone, and refer to `source`.
  ///
  /// - Parameter order: Matches of a plan with a smaller order, which are not there yet, come before; `nil` if there are
  ///   none.
  mutating func append(
    _ plan: Int, _ slice: WordSlice, _ source: UnsafeRawBufferPointer, at start: Int, _ place: borrowing MatchPlace,
    order: Int?
  ) {
    let firstByte = bytes.count
    let firstWord = words.count
    unsafe bytes.append(contentsOf: source)
    slice.append(to: &words)
    add(
      plan, start..<(start + source.count),
      .copied(firstByte: firstByte, firstWord: firstWord, wordCount: words.count - firstWord), place, order)
  }

  /// Adds a match that is one event and waits for none.
  mutating func append(
    _ plan: Int, scalar word: EventWord, _ source: UnsafeRawBufferPointer, at start: Int, _ place: borrowing MatchPlace
  ) {
    let (firstByte, firstPlace) = (bytes.count, places.count)
    unsafe bytes.append(contentsOf: source)
    unsafe place.withBytes { unsafe places.append(contentsOf: $0) }
    entries.append(
      Entry(
        plan: plan, range: start..<(start &+ source.count),
        content: .scalar(firstByte: firstByte, word: EventWord(word.kind, at: 0, length: word.length).bits),
        place: firstPlace..<places.count))
  }

  /// Adds a match that is a value.
  mutating func append(
    _ plan: Int, _ value: JSON, _ place: borrowing MatchPlace, order: Int?
  ) {
    add(plan, value.byteRange ?? 0..<0, .value(value), place, order)
  }

  private mutating func add(
    _ plan: Int, _ range: Range<Int>, _ content: Content, _ place: borrowing MatchPlace, _ order: Int?
  ) {
    let first = places.count
    unsafe place.withBytes { unsafe places.append(contentsOf: $0) }
    let entry = Entry(plan: plan, range: range, content: content, place: first..<places.count)
    guard let order else { return entries.append(entry) }
    held[plan].append((order, entry))
    heldCount += 1
  }

  /// Lets go of the matches of a plan that were held, in their order; of one order in that of the text.
  mutating func release(_ plan: Int) {
    guard !held[plan].isEmpty else { return }
    // By the place in the list where the order is the same: matches were added as the text has them.
    let sorted = held[plan].enumerated().sorted { left, right in
      left.element.order == right.element.order ? left.offset < right.offset : left.element.order < right.element.order
    }
    entries.append(contentsOf: sorted.map { $0.element.entry })
    heldCount -= sorted.count
    held[plan] = []
  }

  // MARK: Taking

  /// Takes the first match. `spare` is an object to use again, if nobody else holds it.
  mutating func pop(reusing spare: inout Document?) -> JSONMatch? {
    guard next < entries.count else { return nil }
    let entry = entries[next]
    next += 1
    switch entry.content {
    case .value(let value):
      return JSONMatch(value: value, byteRange: entry.range, path: entry.plan, place: Array(places[entry.place]))
    case .scalar(let firstByte, let word):
      let document = copy(entry, firstByte, &spare)
      document.setTape(scalar: word)
      return JSONMatch(value: JSON(document, Document.root), byteRange: entry.range, path: entry.plan, place: nil)
    case .copied(let firstByte, let firstWord, let wordCount):
      let document = copy(entry, firstByte, &spare)
      unsafe words.withUnsafeBytes { words in
        unsafe document.setTape(
          copying: UnsafeRawBufferPointer(rebasing: words[(firstWord &* 8)..<((firstWord &+ wordCount) &* 8)]))
      }
      return JSONMatch(value: JSON(document, Document.root), byteRange: entry.range, path: entry.plan, place: nil)
    }
  }

  /// A document with the text and place of a match.
  @inline(__always)
  private func copy(_ entry: Entry, _ firstByte: Int, _ spare: inout Document?) -> Document {
    let document = Document.reusing(&spare)
    unsafe bytes.withUnsafeBytes { bytes in
      let text = unsafe UnsafeRawBufferPointer(rebasing: bytes[firstByte..<(firstByte &+ entry.range.count)])
      unsafe places.withUnsafeBytes { places in
        unsafe document.setSource(
          copying: text, origin: entry.range.lowerBound, place: UnsafeRawBufferPointer(rebasing: places[entry.place]))
      }
    }
    return document
  }
}

/// The words of one value in a larger run of words.
@safe struct WordSlice {
  /// The first word of the value, and those behind it up to its end.
  let words: UnsafeBufferPointer<UInt64>
  /// The index of the first word in the run that links count in.
  let index: Int
  /// What the offset of the value's first byte is there.
  let offset: Int

  /// Fills a document with the value: `source` are its bytes, which begin at an offset in the input.
  func fill(_ document: Document, _ source: UnsafeRawBufferPointer, at start: Int) {
    unsafe document.setSource(copying: source, origin: start)
    var tape: [UInt64] = []
    unsafe tape.reserveCapacity(words.count + YajlContext.headerWords)
    append(to: &tape)
    unsafe tape.withUnsafeBytes { unsafe document.setTape(copying: $0) }
  }

  /// Appends the words as a tape of their own, header and all.
  func append(to tape: inout [UInt64]) {
    for _ in 0..<YajlContext.headerWords { tape.append(0) }
    let shift = UInt64(truncatingIfNeeded: index - YajlContext.headerWords)
    let back = UInt64(truncatingIfNeeded: offset) &<< EventWord.offsetShift
    var position = 0
    while unsafe position < words.count {
      let word = unsafe EventWord(bits: words[position])
      tape.append(word.bits &- back)
      position += 1
      guard word.kind.isStart, unsafe position < words.count else { continue }
      unsafe tape.append(words[position] &- shift)
      position += 1
    }
  }
}
