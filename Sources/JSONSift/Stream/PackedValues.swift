/// A value in ``PackedValues``, described by its first event: the kind, the length and, as offset, the offset in the store.
struct PackedValue: BitwiseCopyable {
  fileprivate(set) var event: TapeWord
  /// The offset of the value's first byte in the input. For a mark, a number that its owner has chosen.
  let start: Int

  /// Whether the value is stored as its text alone. Every other value is a block of counts, tape words and text.
  fileprivate var isPlain: Bool { !event.kind.isStart && !event.isLong }

  /// Returns the same value after `count` bytes before it were removed.
  func moved(back count: Int) -> PackedValue {
    let bits = event.bits &- UInt64(truncatingIfNeeded: count) &<< TapeWord.offsetShift
    return PackedValue(event: TapeWord(bits: bits), start: start)
  }

  /// The offset in the store.
  var offset: Int { event.offset }
}

/// Values that were copied out of a stream, side by side in one block of memory: a scalar as its text, a container as its
/// text and tape. A value needs no object and no allocation until a caller requests it.
///
/// SAFETY: a `PackedValue` is only used with the store that returned it, and is not used after its bytes are removed; its
/// counts have not changed since they were written. Each range of bytes is compared with their number all the same.
struct PackedValues: ~Copyable {
  private var bytes = ByteBuffer(capacity: 0)

  var byteCount: Int { bytes.count }

  /// The number of bytes at the front that belong to dropped values.
  private(set) var droppedBytes = 0

  /// The size in bytes of the counts before a block: the length of the text, and the size of the tape.
  private static let headBytes = 16

  // MARK: Adding

  // Forced inlining in this file saves 1.0 % of `fields` (Scripts/measure instructions).
  @inline(__always)
  mutating func append(scalar word: TapeWord, _ text: UnsafeRawBufferPointer, at start: Int) -> PackedValue {
    let value = PackedValue(event: TapeWord(word.kind, at: bytes.count, length: word.length), start: start)
    unsafe bytes.append(text)
    return value
  }

  /// Copies a value: `source` contains its bytes, which begin at an offset in the input.
  mutating func append(_ slice: TapeWordSlice, _ source: UnsafeRawBufferPointer, at start: Int) -> PackedValue {
    let value = PackedValue(
      event: TapeWord(slice.first.kind, at: bytes.count, length: slice.first.length), start: start)
    if !value.isPlain {
      appendHead(source.count, slice.tapeBytes)
      bytes.append(room: slice.tapeBytes) { slice.write(to: &$0) }
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
  ///
  /// SAFETY: the tape words of a value are inside the tape, which has `wordCount` words.
  mutating func append(_ index: UInt32, of document: Document) -> PackedValue {
    let range = document.range(of: index)
    let slice = unsafe TapeWordSlice(words: document.words(of: index), index: Int(index), offset: range.lowerBound)
    return unsafe document.withSource { source in
      let text = unsafe UnsafeRawBufferPointer(rebasing: source[range.clamped(to: 0..<source.count)])
      return unsafe append(slice, text, at: document.origin &+ range.lowerBound)
    }
  }

  /// Copies a value of another store, and the given number of bytes after it.
  mutating func append(_ value: PackedValue, with more: Int, of other: borrowing PackedValues) -> PackedValue {
    let count = other.count(value) + more
    let moved = PackedValue(
      event: TapeWord(value.event.kind, at: bytes.count, length: value.event.length), start: value.start)
    unsafe other.bytes.withBytes(in: value.offset..<(value.offset + count)) { unsafe bytes.append($0) }
    return moved
  }

  /// Appends a mark: an entry after which its owner appends bytes, without a value.
  mutating func mark(_ number: Int) -> PackedValue {
    // A mark occupies bytes, so that no two marks have the same offset.
    let mark = PackedValue(event: TapeWord(.null, at: bytes.count), start: number)
    bytes.append(UInt8(ascii: "n"))
    bytes.append("ull")
    return mark
  }

  /// Returns a mark at the same offset with another number.
  func mark(_ number: Int, sharing mark: PackedValue) -> PackedValue { PackedValue(event: mark.event, start: number) }

  /// Appends bytes after the last value.
  @inline(__always)
  mutating func append(after more: UnsafeRawBufferPointer) { unsafe bytes.append(more) }

  private mutating func appendHead(_ textBytes: Int, _ tapeBytes: Int) {
    append(word: UInt64(truncatingIfNeeded: textBytes))
    append(word: UInt64(truncatingIfNeeded: tapeBytes))
  }

  private mutating func append(word: UInt64) { bytes.append(room: 8) { $0.storeBytes(of: word, as: UInt64.self) } }

  // MARK: Removing

  mutating func removeAll() {
    bytes.removeAll(keepingAtMost: 1 << 20)
    droppedBytes = 0
  }

  /// Marks a value as dropped. It must be the first value that is not dropped yet.
  mutating func drop(_ value: PackedValue) { droppedBytes += count(value) }

  /// Removes the dropped values. Returns the number of bytes by which the other values move to the front.
  mutating func removeDropped() -> Int {
    defer { droppedBytes = 0 }
    bytes.removeFirst(droppedBytes)
    return droppedBytes
  }

  // MARK: Reading

  /// Returns the length of the text in bytes.
  func textCount(_ value: PackedValue) -> Int {
    value.isPlain ? value.event.end &- value.event.offset : head(value).text
  }

  /// Returns the number of bytes that the value occupies in the store.
  func count(_ value: PackedValue) -> Int {
    guard !value.isPlain else { return textCount(value) }
    let (text, tape) = head(value)
    return Self.headBytes + tape + text
  }

  private func head(_ value: PackedValue) -> (text: Int, tape: Int) {
    unsafe bytes.withBytes(in: value.offset..<(value.offset + Self.headBytes)) {
      unsafe (
        Int(truncatingIfNeeded: $0.loadUnaligned(as: UInt64.self)),
        Int(truncatingIfNeeded: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
      )
    }
  }

  /// Fills a document with a value and the packed location after it. Returns the length of the text.
  @inline(__always)
  func fill(_ document: Document, _ value: PackedValue, locationCount: Int = 0) -> Int {
    let event = value.event
    guard value.isPlain else { return fill(document, block: value, locationCount) }
    let count = event.end &- event.offset
    unsafe bytes.withBytes(in: event.offset..<(event.offset &+ count &+ locationCount)) { all in
      unsafe document.setSource(copying: all, origin: value.start, locationCount: locationCount)
    }
    document.setTape(scalar: TapeWord(event.kind, at: 0, length: event.length).bits)
    return count
  }

  private func fill(_ document: Document, block value: PackedValue, _ locationCount: Int) -> Int {
    let (text, tape) = head(value)
    let first = value.offset + Self.headBytes
    unsafe bytes.withBytes(in: first..<(first + tape)) { unsafe document.setTape(copying: $0) }
    unsafe bytes.withBytes(in: (first + tape)..<(first + tape + text + locationCount)) { all in
      unsafe document.setSource(copying: all, origin: value.start, locationCount: locationCount)
    }
    return text
  }

  /// Calls a closure with the text of a value and the packed location after it.
  func withText(
    _ value: PackedValue, locationCount: Int,
    _ body: (UnsafeRawBufferPointer, _ location: UnsafeRawBufferPointer) -> Void
  ) {
    var start = value.offset
    var count = value.event.end &- value.event.offset
    if !value.isPlain {
      let (text, tape) = head(value)
      start += Self.headBytes + tape
      count = text
    }
    let end = start + count
    unsafe bytes.withBytes(in: start..<end) { text in
      unsafe bytes.withBytes(in: end..<(end + locationCount)) { unsafe body(text, $0) }
    }
  }

  /// Calls a closure with bytes that were appended after a value.
  func withBytes<Result>(after value: PackedValue, _ count: Int, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    let start = value.offset + self.count(value)
    return unsafe bytes.withBytes(in: start..<(start + count), body)
  }
}
