import JSONSift

/// Numbers distinct keys in the order of their first occurrence. The values in a key have their canonical text.
struct GroupKeys {
  private var bytes: [UInt8] = []
  /// The end offset of each key in `bytes`.
  private var ends: [Int] = []
  private var hashes: [Int] = []
  private var slots = HashSlots<UInt32>(32)
  /// A cache of recently used keys, indexed by some of their bytes: most records belong to one of a few groups, and
  /// comparing a key is cheaper than hashing it.
  private var recent = [Int32](repeating: -1, count: recentCount)

  static let recentCount = 64
  /// By the number of a key: its values as they were spelled first, if that is not their canonical text.
  private var spellings: [Int: [UInt8]] = [:]

  /// The number of keys.
  var count: Int { ends.count }

  var byteCount: Int { bytes.count + ends.count * 24 }

  /// The bytes of a key.
  subscript(_ number: Int) -> ArraySlice<UInt8> { bytes[range(of: number)] }

  private func range(of number: Int) -> Range<Int> { (number > 0 ? ends[number - 1] : 0)..<ends[number] }

  /// Returns the values of a key as they were spelled first; `nil` if that is their canonical text.
  func spelling(of number: Int) -> ArraySlice<UInt8>? { spellings.isEmpty ? nil : spellings[number]?[...] }

  /// Returns the number of the key that the text of a value is; `nil` if its canonical text has to be found first.
  mutating func number(ofText text: UnsafeRawBufferPointer) -> Int? {
    // A text that equals a canonical text has the same value.
    let index = unsafe Self.recentIndex(of: text)
    let last = Int(recent[index])
    if last >= 0, unsafe equals(last, text) { return last }
    guard unsafe text.isCanonicalScalar else { return nil }
    let number = unsafe find(text)
    recent[index] = Int32(truncatingIfNeeded: number)
    return number
  }

  /// Returns the number of a key. Adds the key if it is new.
  ///
  /// - Parameter spelling: The values as they are spelled, if that is not their canonical text.
  mutating func number<Key: RandomAccessCollection<UInt8>>(
    of key: Key, spelled spelling: ArraySlice<UInt8>? = nil
  ) -> Int where Key.Index == Int {
    let index = Self.recentIndex(of: key)
    let last = Int(recent[index])
    if last >= 0, equals(last, key) { return last }
    let known = count
    let number = find(key)
    if number == known, let spelling { spellings[number] = Array(spelling) }
    recent[index] = Int32(truncatingIfNeeded: number)
    return number
  }

  /// Returns the number of a key; `nil` if there is none.
  func number<Key: RandomAccessCollection<UInt8>>(ofKnown key: Key) -> Int? where Key.Index == Int {
    let hash = Self.hash(of: key)
    return slots[slots.slot(hash) { hashes[Int($0)] == hash && equals(Int($0), key) }].map { Int($0) }
  }

  /// Seeded differently in each process, so that an input cannot be constructed whose keys all collide in one slot.
  private static func hash<Key: RandomAccessCollection<UInt8>>(of key: Key) -> Int {
    var hasher = Hasher()
    key.withContiguousStorageIfAvailable { unsafe hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    return hasher.finalize()
  }

  /// Returns the index at which a cache of recent texts has this one.
  static func recentIndex<Key: RandomAccessCollection<UInt8>>(of key: Key) -> Int where Key.Index == Int {
    var recentIndex = key.count &* 7
    // Strings begin and end with a quote, so these bytes distinguish more keys than the first and the last.
    if key.count > 2 {
      recentIndex = recentIndex ^ Int(key[key.startIndex &+ 1]) &* 3 ^ Int(key[key.endIndex &- 3]) &* 5
    }
    return recentIndex & (recentCount &- 1)
  }

  private mutating func find<Key: RandomAccessCollection<UInt8>>(_ key: Key) -> Int where Key.Index == Int {
    let hash = Self.hash(of: key)
    let slot = slots.slot(hash) { hashes[Int($0)] == hash && equals(Int($0), key) }
    if let number = slots[slot] { return Int(number) }
    bytes += key
    ends.append(bytes.count)
    hashes.append(hash)
    slots.fill(slot, UInt32(truncatingIfNeeded: count - 1)) { hashes[Int($0)] }
    return count - 1
  }

  // Keys are compared as memory and inline: byte by byte takes 3.4 % more instructions of `stats --by` with few groups (callgrind).
  @inline(__always)
  private func equals<Key: RandomAccessCollection<UInt8>>(_ number: Int, _ key: Key) -> Bool where Key.Index == Int {
    let range = range(of: number)
    guard range.count == key.count else { return false }
    return unsafe bytes.withUnsafeBytes { bytes in
      key.withContiguousStorageIfAvailable { key in
        unsafe UnsafeRawBufferPointer(key).elementsEqualMemory(bytes, at: range.lowerBound)
      } ?? false
    }
  }
}
