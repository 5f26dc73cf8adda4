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

  /// Reads the first lines, as many as a guess needs, and guesses how the stream is cut. The answer is the same however
  /// the bytes arrive.
  mutating func guessFraming(name: String?) throws(JSONError) -> JSONFraming {
    // A guess that had to wait for bytes begins again.
    if count == 0, try !fill() { return .lines }
    switch JSONFraming.ofFile(named: name) {
    case .lines: return .lines
    case .document:
      while unsafe head(lines: 2) == nil, count < Self.readBytes, try fill() {}
      return unsafe JSONFraming.guess(name: name, head: Array(head(lines: 2) ?? bytes))
    default: break
    }
    try fill(untilLine: 1)
    // A first line without an end in sight is no line.
    guard unsafe head(lines: 1) != nil || isAtEnd else { return .document }
    let first = unsafe JSONFraming.guess(name: name, head: Array(head(lines: 1) ?? bytes))
    if first == .lines { return first }
    try fill(untilLine: 3)
    return unsafe JSONFraming.guess(name: name, head: Array(head(lines: 3) ?? bytes))
  }

  /// A line longer than this is not waited for: then the input is taken for one document.
  private static let longestFirstLine = 2 << 20

  private mutating func fill(untilLine lines: Int) throws(JSONError) {
    while unsafe head(lines: lines) == nil, count < Self.longestFirstLine, try fill() {}
  }

  /// The bytes up to the line feed of a line, counted from the first that is not blank; `nil` if it is not there.
  private func head(lines: Int) -> UnsafeRawBufferPointer? {
    let bytes = unsafe bytes
    var end = unsafe ByteScan.whitespacePrefix(bytes)
    for _ in 0..<lines {
      guard let feed = unsafe ByteScan.lineFeed(UnsafeRawBufferPointer(rebasing: bytes[end...])) else { return nil }
      end += feed + 1
    }
    return unsafe UnsafeRawBufferPointer(rebasing: bytes[..<end])
  }

  /// Bytes that are used and still in memory, before `bytes`.
  var usedBytes: UnsafeRawBufferPointer { unsafe UnsafeRawBufferPointer(start: memory.base, count: start) }

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

  /// There is no room to read more.
  var isFull: Bool { end - start == memory.capacity }

  /// Takes other memory and the bytes in it, which begin at `newOffset` of the input. Gives the own in return, with the
  /// place of the bytes that are not used.
  mutating func exchange(_ other: inout RawMemory, holding range: Range<Int>, at newOffset: Int) -> Range<Int> {
    let own = start..<end
    swap(&memory, &other)
    start = range.lowerBound
    end = range.upperBound
    offset = newOffset
    return own
  }

  /// There is nothing behind what is there.
  mutating func close() { isAtEnd = true }
}
