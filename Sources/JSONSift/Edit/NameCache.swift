/// The steps of members, by the state of their container and their key. Bounded: keys that find no room are not cached.
///
/// The members of most records have one order, so the key that followed the last one before is tried first.
struct NameCache: ~Copyable {
  private struct Entry: BitwiseCopyable {
    let start: Int
    let count: Int
    let state: Int32
    let step: Int32
    /// The entry of the key that followed.
    var next: Int32 = 0
  }

  private var slots = HashSlots<UInt32>(64)
  private var entries = PlainVector<Entry>()
  /// By entry.
  private var hashes: [Int] = []
  private var bytes = ByteBuffer(capacity: 256)
  /// The entry of the last key.
  private var last = 0

  private static let maxEntries = Sizes.of(1 << 14, fuzzing: 3)
  private static let maxKeyBytes = 256
  /// Keys of the input can collide on purpose.
  private static let maxDistance = 16

  mutating func step(_ state: Int32, _ key: UnsafeRawBufferPointer) -> Int32? {
    guard entries.count > 0 else { return nil }
    let next = Int(entries[last].next)
    if unsafe matches(next, state, key) {
      last = next
      return entries[next].step
    }
    let hash = unsafe Self.hash(state, key)
    let slot = slots.slot(hash, maxDistance: Self.maxDistance) { unsafe matches(Int($0), state, key) }
    guard let found = slots[slot].map({ Int($0) }), unsafe matches(found, state, key) else { return nil }
    entries[last].next = Int32(truncatingIfNeeded: found)
    last = found
    return entries[found].step
  }

  /// Compares eight or four bytes at a time, because most keys are short: `memcmp` takes 5 % of the time of a mask by name.
  @inline(__always)
  private func matches(_ index: Int, _ state: Int32, _ key: UnsafeRawBufferPointer) -> Bool {
    let entry = entries[index]
    guard entry.state == state, entry.count == key.count else { return false }
    return unsafe bytes.withBytes(in: entry.start..<entry.start &+ entry.count) { known in
      var index = 0
      while index &+ 8 <= known.count {
        guard unsafe Self.equal(UInt64.self, known, key, index) else { return false }
        index &+= 8
      }
      // The last bytes, with some that are equal already.
      if known.count >= 8 { return unsafe Self.equal(UInt64.self, known, key, known.count &- 8) }
      if known.count >= 4 {
        return unsafe Self.equal(UInt32.self, known, key, 0) && Self.equal(UInt32.self, known, key, known.count &- 4)
      }
      while index < known.count {
        guard unsafe Self.equal(UInt8.self, known, key, index) else { return false }
        index &+= 1
      }
      return true
    }
  }

  /// Reads in the bounds of both buffers: the caller has checked the offset, and they have one length.
  @inline(__always)
  private static func equal<Word: FixedWidthInteger & BitwiseCopyable>(
    _ type: Word.Type, _ left: UnsafeRawBufferPointer, _ right: UnsafeRawBufferPointer, _ offset: Int
  ) -> Bool {
    unsafe left.loadUnaligned(fromByteOffset: offset, as: type) == right.loadUnaligned(fromByteOffset: offset, as: type)
  }

  mutating func insert(_ state: Int32, _ key: UnsafeRawBufferPointer, _ step: Int32) {
    guard entries.count < Self.maxEntries, key.count <= Self.maxKeyBytes else { return }
    let hash = unsafe Self.hash(state, key)
    let slot = slots.slot(hash, maxDistance: Self.maxDistance) { _ in false }
    guard slots[slot] == nil else { return }
    entries.append(Entry(start: bytes.count, count: key.count, state: state, step: step))
    unsafe bytes.append(key)
    hashes.append(hash)
    let hashes = hashes
    slots.fill(slot, UInt32(truncatingIfNeeded: entries.count - 1)) { hashes[Int($0)] }
  }

  /// A hash of eight bytes at a time.
  private static func hash(_ state: Int32, _ key: UnsafeRawBufferPointer) -> Int {
    var hash = UInt64(truncatingIfNeeded: state) &* 0x9E37_79B9_7F4A_7C15 ^ UInt64(key.count)
    var index = 0
    while index &+ 8 <= key.count {
      hash = unsafe mixed(hash ^ key.loadUnaligned(fromByteOffset: index, as: UInt64.self))
      index &+= 8
    }
    if index < key.count {
      var rest: UInt64 = 0
      while index < key.count {
        rest = unsafe rest &<< 8 | UInt64(key[index])
        index &+= 1
      }
      hash = mixed(hash ^ rest)
    }
    return Int(truncatingIfNeeded: hash ^ hash &>> 32)
  }

  private static func mixed(_ value: UInt64) -> UInt64 {
    let product = value &* 0xD6E8_FEB8_6659_FD93
    return product ^ product &>> 32
  }
}
