/// The bytes of a stream that are in memory: what is not used yet, and room to read more. It grows only for a record that
/// is longer than it.
struct ReadWindow: ~Copyable {
  /// How much is read at once: small enough for the processor's cache, large enough that the calls do not count.
  static let readBytes = 1 << 18

  private var source: ByteSource
  private var memory: RawMemory
  private var start = 0
  private var end = 0
  /// The offset in the input of the first byte that is not used.
  private(set) var offset = 0
  private(set) var isAtEnd = false

  init(_ source: JSONSource, readBytes: Int = Self.readBytes) throws(JSONError) {
    self.source = try ByteSource(source)
    memory = RawMemory(capacity: readBytes)
  }

  /// The bytes that are not used yet. Good until the next `fill`.
  var bytes: UnsafeRawBufferPointer {
    unsafe UnsafeRawBufferPointer(start: memory.base + start, count: end - start)
  }

  var count: Int { end - start }

  /// Reads the first line, or as much of it as fits, and guesses how the stream is cut.
  mutating func guessFraming(name: String?) throws(JSONError) -> JSONFraming {
    while unsafe ByteScan.lineFeed(bytes) == nil, count < Self.readBytes, try fill() {}
    return unsafe JSONFraming.guess(name: name, head: Array(bytes), isWhole: isAtEnd)
  }

  /// Goes past `count` bytes.
  mutating func use(_ count: Int) {
    start += count
    offset += count
  }

  /// Reads once more behind the bytes that are there. Returns false at the end of the input.
  mutating func fill() throws(JSONError) -> Bool {
    guard !isAtEnd else { return false }
    if start > 0, start == end || end == memory.capacity {
      unsafe memory.base.copyMemory(from: memory.base + start, byteCount: end - start)
      end -= start
      start = 0
    }
    if end == memory.capacity { memory.grow(to: memory.capacity * 2, keeping: end) }
    let room = unsafe UnsafeMutableRawBufferPointer(start: memory.base + end, count: memory.capacity - end)
    let count = try unsafe source.read(into: room, at: offset + self.count)
    guard count > 0 else {
      isAtEnd = true
      return false
    }
    end += count
    return true
  }
}
