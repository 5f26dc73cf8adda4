#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// Source bytes that many values share: memory of our own, or a mapped file.
///
/// Sendable without the compiler's proof: written before it is shared, and only read after that. A mapped file is the
/// exception that cannot be helped: somebody else may write to it. So whoever reads these bytes stays in bounds and
/// takes every byte as it comes.
@safe final class ByteStore: @unchecked Sendable {
  private var memory: RawMemory
  private var mapping: UnsafeRawBufferPointer?
  private(set) var count: Int

  init(capacity: Int) {
    memory = RawMemory(capacity: capacity)
    unsafe mapping = nil
    count = 0
  }

  /// The bytes are a file's, which somebody may write to.
  var isMapped: Bool { unsafe mapping != nil }

  /// The bytes. The pointer is good as long as this object is.
  var bytes: UnsafeRawBufferPointer {
    if let mapping = unsafe mapping { return unsafe mapping }
    return unsafe UnsafeRawBufferPointer(start: memory.base, count: count)
  }

  /// Copies bytes.
  convenience init(copying bytes: UnsafeRawBufferPointer) {
    self.init(capacity: bytes.count)
    _ = unsafe append(room: bytes.count) { room in
      unsafe room.copyMemory(from: bytes)
      return bytes.count
    }
  }

  /// Copies other bytes in the place of those that were copied. Only for an object that nobody else holds.
  func refill(_ bytes: UnsafeRawBufferPointer) {
    memory.fit(bytes.count)
    count = 0
    _ = unsafe append(room: bytes.count) { room in
      unsafe room.copyMemory(from: bytes)
      return bytes.count
    }
  }

  /// Lets `body` write behind the bytes, into room for `room` of them; it returns how many it wrote.
  func append<Failure: Error>(
    room: Int, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Int
  ) throws(Failure) -> Int {
    if memory.capacity < count + room { memory.grow(to: max(count + room, memory.capacity * 2), keeping: count) }
    let written = try unsafe body(UnsafeMutableRawBufferPointer(start: memory.base + count, count: room))
    count += min(max(written, 0), room)
    return written
  }

  /// Maps `count` bytes of an open file. `nil` if the system refuses.
  init?(mapping descriptor: Int32, count: Int) {
    memory = RawMemory(capacity: 0)
    self.count = count
    guard count > 0, let address = unsafe mmap(nil, count, PROT_READ, MAP_PRIVATE, descriptor, 0),
      unsafe address != MAP_FAILED
    else { return nil }
    unsafe mapping = UnsafeRawBufferPointer(start: address, count: count)
  }

  deinit {
    if let mapping = unsafe mapping {
      _ = unsafe munmap(UnsafeMutableRawPointer(mutating: mapping.baseAddress), mapping.count)
    }
  }
}
