/// A value in ``PackedValues``, by its first event: its kind and length, and as offset where it lies there.
struct PackedValue: BitwiseCopyable {
  fileprivate(set) var event: TapeWord
  /// The offset of its first byte in the input. Where it is no value, whatever its owner likes.
  let start: Int

  /// Text alone; anything else is a block with counts, words and text.
  @inline(__always)
  fileprivate var isPlain: Bool { !event.kind.isStart && !event.isLong }

  /// The same value when what lies in front of it has gone.
  func moved(back count: Int) -> PackedValue {
    let bits = event.bits &- UInt64(truncatingIfNeeded: count) &<< TapeWord.offsetShift
    return PackedValue(event: TapeWord(bits: bits), start: start)
  }

  /// Where it lies.
  var place: Int { event.offset }
}

/// Values that were copied out of a stream, side by side in one block of memory: a scalar is its text, a container its
/// text and tape. A value costs no object and no allocation until somebody asks for it.
///
/// SAFETY: a `PackedValue` comes from the store that it is used with, and is not used after its bytes are removed; its
/// counts are those that were written with it. A slice of bytes is checked for bounds all the same.
struct PackedValues: ~Copyable {
  private var bytes = ByteBuffer(capacity: 0)

  var byteCount: Int { bytes.count }

  /// How many bytes at the front are of values that nobody needs any more.
  private(set) var droppedBytes = 0

  /// The counts in front of a block: bytes of the text, bytes of the tape.
  private static let headBytes = 16

  // MARK: Adding

  @inline(__always)
  mutating func append(scalar word: TapeWord, _ text: UnsafeRawBufferPointer, at start: Int) -> PackedValue {
    let value = PackedValue(event: TapeWord(word.kind, at: bytes.count, length: word.length), start: start)
    unsafe bytes.append(text)
    return value
  }

  /// Copies a value: `source` are its bytes, which begin at an offset in the input.
  mutating func append(_ slice: WordSlice, _ source: UnsafeRawBufferPointer, at start: Int) -> PackedValue {
    let value = PackedValue(
      event: TapeWord(slice.first.kind, at: bytes.count, length: slice.first.length), start: start)
    if !value.isPlain {
      appendHead(source.count, slice.tapeBytes)
      unsafe bytes.append(room: slice.tapeBytes) { unsafe slice.write(to: $0) }
    }
    unsafe bytes.append(source)
    return value
  }

  /// Copies the text of an array or object, without its events.
  mutating func append(text: UnsafeRawBufferPointer, _ kind: EventKind, at start: Int) -> PackedValue {
    let value = PackedValue(event: TapeWord(kind, at: bytes.count), start: start)
    appendHead(text.count, 0)
    unsafe bytes.append(text)
    return value
  }

  /// Copies a value of a document.
  mutating func append(_ index: UInt32, of document: Document) -> PackedValue {
    let first = document.word(index)
    let range = document.range(of: index)
    let value = PackedValue(
      event: TapeWord(first.kind, at: bytes.count, length: first.length), start: document.origin &+ range.lowerBound)
    if !value.isPlain {
      let end = document.after(index)
      let count = Int(end &- index)
      appendHead(range.count, (count + YajlContext.headerWords) * 8)
      for _ in 0..<YajlContext.headerWords { append(word: 0) }
      let back = UInt64(truncatingIfNeeded: range.lowerBound) &<< TapeWord.offsetShift
      var position = index
      while position < end {
        let word = document.word(position)
        append(word: word.bits &- back)
        position &+= 1
        guard word.kind.isStart else { continue }
        append(word: document.word(position).bits &- UInt64(index &- Document.root))
        position &+= 1
      }
    }
    unsafe document.withSource { source in
      unsafe bytes.append(UnsafeRawBufferPointer(rebasing: source[range.clamped(to: 0..<source.count)]))
    }
    return value
  }

  /// Copies a value of another store, with bytes that lie behind it.
  mutating func append(_ value: PackedValue, with more: Int, of other: borrowing PackedValues) -> PackedValue {
    let count = other.count(value) + more
    let moved = PackedValue(
      event: TapeWord(value.event.kind, at: bytes.count, length: value.event.length), start: value.start)
    unsafe other.bytes.withBytes {
      unsafe bytes.append(UnsafeRawBufferPointer(rebasing: $0[value.place..<(value.place + count)]))
    }
    return moved
  }

  /// A place between values, of which bytes are copied that its owner puts there.
  mutating func mark(_ number: Int) -> PackedValue {
    // One byte, so that no two places are the same.
    let mark = PackedValue(event: TapeWord(.null, at: bytes.count), start: number)
    bytes.append(UInt8(ascii: "n"))
    bytes.append("ull")
    return mark
  }

  /// The same place with another number.
  func mark(_ number: Int, sharing mark: PackedValue) -> PackedValue { PackedValue(event: mark.event, start: number) }

  /// Puts bytes behind the last value.
  @inline(__always)
  mutating func append(behind more: UnsafeRawBufferPointer) { unsafe bytes.append(more) }

  private mutating func appendHead(_ textBytes: Int, _ tapeBytes: Int) {
    append(word: UInt64(truncatingIfNeeded: textBytes))
    append(word: UInt64(truncatingIfNeeded: tapeBytes))
  }

  private mutating func append(word: UInt64) {
    unsafe bytes.append(room: 8) { unsafe $0.storeBytes(of: word, as: UInt64.self) }
  }

  // MARK: Removing

  mutating func removeAll() {
    bytes.removeAll(keepingAtMost: 1 << 20)
    droppedBytes = 0
  }

  /// Says that the first value, which nobody has dropped, is not needed any more.
  mutating func drop(_ value: PackedValue) { droppedBytes += count(value) }

  /// Forgets the values that were dropped. Those that are left move back by so many bytes.
  mutating func removeDropped() -> Int {
    defer { droppedBytes = 0 }
    bytes.removeFirst(droppedBytes)
    return droppedBytes
  }

  // MARK: Reading

  /// How long the text is.
  @inline(__always)
  func textCount(_ value: PackedValue) -> Int {
    value.isPlain ? value.event.end &- value.event.offset : head(value).text
  }

  /// How many bytes the value takes here.
  func count(_ value: PackedValue) -> Int {
    guard !value.isPlain else { return textCount(value) }
    let (text, tape) = head(value)
    return Self.headBytes + tape + text
  }

  private func head(_ value: PackedValue) -> (text: Int, tape: Int) {
    unsafe bytes.withBytes {
      unsafe (
        Int(truncatingIfNeeded: $0.loadUnaligned(fromByteOffset: value.place, as: UInt64.self)),
        Int(truncatingIfNeeded: $0.loadUnaligned(fromByteOffset: value.place + 8, as: UInt64.self))
      )
    }
  }

  /// Fills a document with a value and the packed place behind it. Returns the length of the text.
  @inline(__always)
  func fill(_ document: Document, _ value: PackedValue, placeCount: Int = 0) -> Int {
    let event = value.event
    guard value.isPlain else { return fill(document, block: value, placeCount) }
    let count = event.end &- event.offset
    unsafe bytes.withBytes { bytes in
      let all = unsafe UnsafeRawBufferPointer(rebasing: bytes[event.offset..<(event.offset &+ count &+ placeCount)])
      unsafe document.setSource(copying: all, origin: value.start, placeCount: placeCount)
    }
    document.setTape(scalar: TapeWord(event.kind, at: 0, length: event.length).bits)
    return count
  }

  private func fill(_ document: Document, block value: PackedValue, _ placeCount: Int) -> Int {
    let (text, tape) = head(value)
    unsafe bytes.withBytes { bytes in
      let first = value.place + Self.headBytes
      unsafe document.setTape(copying: UnsafeRawBufferPointer(rebasing: bytes[first..<(first + tape)]))
      let all = unsafe UnsafeRawBufferPointer(rebasing: bytes[(first + tape)..<(first + tape + text + placeCount)])
      unsafe document.setSource(copying: all, origin: value.start, placeCount: placeCount)
    }
    return text
  }

  /// Lends the text of a value, and the packed place behind it.
  @inline(__always)
  func withText(
    _ value: PackedValue, placeCount: Int, _ body: (UnsafeRawBufferPointer, _ place: UnsafeRawBufferPointer) -> Void
  ) {
    var start = value.place
    var count = value.event.end &- value.event.offset
    if !value.isPlain {
      let (text, tape) = head(value)
      start += Self.headBytes + tape
      count = text
    }
    unsafe bytes.withBytes { bytes in
      let end = start + count
      unsafe body(
        UnsafeRawBufferPointer(rebasing: bytes[start..<end]),
        UnsafeRawBufferPointer(rebasing: bytes[end..<(end + placeCount)]))
    }
  }

  /// Lends bytes that lie behind a value.
  func withBytes<Result>(behind value: PackedValue, _ count: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result
  {
    let start = value.place + self.count(value)
    return unsafe bytes.withBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[start..<(start + count)])) }
  }
}
