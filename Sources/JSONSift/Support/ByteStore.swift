/// Source bytes that many values share: owned memory or a mapped file.
///
/// Unchecked `Sendable`: the bytes are written before the object is shared, and only read afterwards. A mapped file is an
/// unavoidable exception, because another process may write to it. So code that reads these bytes must check its bounds, and
/// must not rely on earlier validation for memory safety.
@safe final class ByteStore: @unchecked Sendable {
  private var memory: RawMemory
  private var mapping: UnsafeRawBufferPointer?
  private(set) var count: Int

  init(capacity: Int) {
    memory = RawMemory(capacity: capacity)
    unsafe mapping = nil
    count = 0
  }

  /// Whether the bytes are a mapped file, which another process may change.
  var isMapped: Bool { unsafe mapping != nil }

  /// The bytes. The pointer is valid as long as this object lives.
  var bytes: UnsafeRawBufferPointer {
    if let mapping = unsafe mapping { return unsafe mapping }
    return unsafe UnsafeRawBufferPointer(start: memory.base, count: count)
  }

  /// Creates a store with a copy of `bytes`.
  convenience init(copying bytes: UnsafeRawBufferPointer) {
    self.init(capacity: bytes.count)
    unsafe refill(bytes)
  }

  /// Replaces the owned bytes by a copy of `bytes`. Only for an object without other references.
  func refill(_ bytes: UnsafeRawBufferPointer) {
    memory.fit(bytes.count)
    count = 0
    _ = unsafe append(room: bytes.count) { room in
      unsafe room.copyMemory(from: bytes)
      return bytes.count
    }
  }

  /// Appends at most `room` bytes. `body` writes them into the buffer that it receives, and returns their number.
  func append<Failure: Error>(
    room: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    if memory.capacity < count + room { memory.grow(to: max(count + room, memory.capacity * 2), keeping: count) }
    let written = try unsafe body(UnsafeMutableRawBufferPointer(start: memory.base + count, count: room))
    count += min(max(written, 0), room)
    return written
  }

  /// Maps the first `count` bytes of an open file. Returns `nil` if `count` is 0 or the system refuses.
  init?(mapping descriptor: Int32, count: Int) {
    memory = RawMemory(capacity: 0)
    self.count = count
    guard count > 0, let mapped = unsafe System.of(descriptor).map(descriptor, count) else { return nil }
    unsafe mapping = mapped
  }

  deinit {
    if let mapping = unsafe mapping { unsafe OperatingSystem.unmap(mapping) }
  }
}
