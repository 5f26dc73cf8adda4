/// A growing buffer of bytes for output.
///
/// One byte costs a comparison and a store: an `Array` asks for each append whether it is shared.
@safe struct ByteBuffer: ~Copyable {
  private var memory: RawMemory
  private(set) var count = 0

  init(capacity: Int) { memory = RawMemory(capacity: capacity) }

  /// Forgets the bytes and keeps the memory.
  mutating func removeAll() { count = 0 }

  /// Forgets the bytes, and keeps the memory if it is at most `kept` bytes.
  mutating func removeAll(keepingAtMost kept: Int) {
    count = 0
    if memory.capacity > kept { memory = RawMemory(capacity: 0) }
  }

  /// Moves the bytes behind the first `number` to the front.
  mutating func removeFirst(_ number: Int) {
    let number = min(max(number, 0), count)
    count -= number
    // SAFETY: both ranges are inside the bytes; `copyMemory` allows that they overlap.
    unsafe memory.base.copyMemory(from: memory.base + number, byteCount: count)
  }

  /// Lets `body` write `room` bytes, all of them.
  @inline(__always)
  mutating func append(room: Int, _ body: (UnsafeMutableRawPointer) -> Void) {
    reserve(room)
    unsafe body(memory.base + count)
    count &+= room
  }

  /// Forgets all but the first bytes.
  mutating func truncate(to count: Int) { self.count = min(self.count, max(count, 0)) }

  /// SAFETY: `reserve` made room for the byte.
  @inline(__always)
  mutating func append(_ byte: UInt8) {
    reserve(1)
    unsafe memory.base.storeBytes(of: byte, toByteOffset: count, as: UInt8.self)
    count &+= 1
  }

  /// SAFETY: `reserve` made room for the bytes, which are somebody else's.
  @inline(__always)
  mutating func append(_ bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    reserve(bytes.count)
    unsafe (memory.base + count).copyMemory(from: base, byteCount: bytes.count)
    count &+= bytes.count
  }

  /// Lets `body` write at most `room` bytes; it returns how many it wrote.
  @inline(__always)
  mutating func append(upTo room: Int, _ body: (UnsafeMutableRawPointer) -> Int) {
    reserve(room)
    count &+= unsafe min(max(body(memory.base + count), 0), room)
  }

  /// The last byte, if there is one.
  var last: UInt8? {
    // SAFETY: the byte is one of those that were written.
    count > 0 ? unsafe memory.base.load(fromByteOffset: count - 1, as: UInt8.self) : nil
  }

  /// Puts bytes in the place of others. What would stand behind the end is left out.
  mutating func overwrite(at start: Int, with bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress, start >= 0, start <= count else { return }
    // SAFETY: the range ends inside the bytes that were written.
    unsafe (memory.base + start).copyMemory(from: base, byteCount: min(bytes.count, count - start))
  }

  mutating func append(_ text: StaticString) {
    text.withUTF8Buffer { unsafe append(UnsafeRawBufferPointer($0)) }
  }

  mutating func append(repeating byte: UInt8, count: Int) {
    for _ in 0..<count { append(byte) }
  }

  @inline(__always)
  private mutating func reserve(_ more: Int) {
    if memory.capacity &- count < more { grow(more) }
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    memory.grow(to: max(count + more, memory.capacity * 2), keeping: count)
  }

  /// Lends the bytes.
  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe body(UnsafeRawBufferPointer(start: memory.base, count: count))
  }
}
