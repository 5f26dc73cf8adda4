/// A growable buffer of bytes for output.
///
/// Appending a byte costs a comparison and a store. Worth it: an `Array`, which checks before each append whether its storage
/// is shared, takes 54 % more instructions (Scripts/measure instructions, write).
@usableFromInline @safe package struct ByteBuffer: ~Copyable {
  @usableFromInline var memory: RawMemory
  @usableFromInline package private(set) var count = 0

  package init(capacity: Int) { memory = RawMemory(capacity: capacity) }

  /// Removes all bytes and keeps the memory.
  package mutating func removeAll() { count = 0 }

  /// Removes all bytes, and keeps the memory if its capacity is at most `kept` bytes.
  mutating func removeAll(keepingAtMost kept: Int) {
    count = 0
    if memory.capacity > kept { memory = RawMemory(capacity: 0) }
  }

  /// Removes the first `number` bytes, and moves the others to the front.
  mutating func removeFirst(_ number: Int) {
    let number = min(max(number, 0), count)
    count -= number
    // SAFETY: both ranges are inside the bytes; `copyMemory` allows that they overlap.
    unsafe memory.base.copyMemory(from: memory.base + number, byteCount: count)
  }

  // Forced inlining in this file saves 3.0 % of `write` (Scripts/measure instructions).
  /// Appends exactly `room` bytes, which `body` must write.
  ///
  /// SAFETY: `reserve` made room for the bytes.
  @inline(__always)
  mutating func append(room: Int, _ body: (inout MutableRawSpan) -> Void) {
    reserve(room)
    var span = unsafe MutableRawSpan(_unsafeStart: memory.base + count, byteCount: room)
    body(&span)
    count &+= room
  }

  /// Removes all bytes after the first `count`.
  package mutating func truncate(to count: Int) { self.count = min(self.count, max(count, 0)) }

  /// Appends a byte.
  ///
  /// SAFETY: `reserve` made room for the byte.
  @inline(__always)
  package mutating func append(_ byte: UInt8) {
    reserve(1)
    unsafe memory.base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  /// Appends a copy of `bytes`.
  ///
  /// SAFETY: `reserve` made room for the bytes, and `bytes` are not part of this buffer.
  @inline(__always)
  package mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    reserve(bytes.count)
    unsafe (memory.base + count).copyMemory(from: base, byteCount: bytes.count)
    count &+= bytes.count
  }

  /// Appends at most `room` bytes. `body` writes them and returns their number.
  @inline(__always)
  mutating func append(upTo room: Int, _ body: (UnsafeMutableRawPointer) -> Int) {
    reserve(room)
    count &+= unsafe min(max(body(memory.base + count), 0), room)
  }

  /// The last byte, or `nil` if the buffer is empty.
  var last: UInt8? {
    // SAFETY: the byte has been written, because its offset is below `count`.
    count > 0 ? unsafe memory.base.load(fromByteOffset: count - 1, as: UInt8.self) : nil
  }

  /// Overwrites the bytes from `start` on. Ignores the part of `bytes` that would exceed the end.
  package mutating func overwrite(at start: Int, with bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, start >= 0, start <= count else { return }
    // SAFETY: the range ends inside the bytes that were written.
    unsafe (memory.base + start).copyMemory(from: base, byteCount: min(bytes.count, count - start))
  }

  /// Replaces the line feeds from `start` on by carriage returns. Both are blanks between tokens, and errors in a string.
  mutating func replaceLineFeeds(from start: Int) {
    var index = max(start, 0)
    while index < count {
      let rest = unsafe UnsafeRawBufferPointer(start: memory.base + index, count: count - index)
      guard let found = unsafe rest.firstOffset(of: ASCII.lineFeed) else { return }
      unsafe memory.base.storeBytes(of: ASCII.carriageReturn, toByteOffset: index + found, as: UInt8.self)
      index += found + 1
    }
  }

  /// Exchanges the memory with the bytes for other memory, and removes them.
  mutating func exchange(_ other: inout RawMemory) {
    swap(&other, &memory)
    count = 0
  }

  /// Returns the memory with the bytes, and removes them.
  mutating func takeMemory() -> RawMemory {
    var taken = RawMemory(capacity: 0)
    swap(&taken, &memory)
    count = 0
    return taken
  }

  mutating func append(_ text: StaticString) { text.withUTF8Buffer { unsafe append(UnsafeRawBufferPointer($0)) } }

  package mutating func append(repeating byte: UInt8, count: Int) {
    for _ in 0..<count { append(byte) }
  }

  private mutating func reserve(_ more: Int) {
    if memory.capacity &- count < more { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) { memory.grow(to: max(count + more, memory.capacity * 2), keeping: count) }

  /// Calls `body` with the bytes in a range.
  ///
  /// SAFETY: the range is compared with the count. A slice of an unsafe buffer is checked only in a debug build.
  @inlinable package func withBytes<Result, Failure: Error>(
    in range: Range<Int>, _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    precondition(range.lowerBound >= 0 && range.upperBound <= count)
    return try unsafe body(UnsafeRawBufferPointer(start: memory.base + range.lowerBound, count: range.count))
  }

  /// Calls `body` with the bytes.
  @inlinable package func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeRawBufferPointer(start: memory.base, count: count))
  }
}
