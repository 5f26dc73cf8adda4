/// The keys of an object with at most 64 members, if they have no escapes and are distinct.
///
/// The cache survives its object: the next object of the same decoder usually has the same keys, and then only the
/// indices of the keys in the tape are updated. The order in which keys are looked up is kept too.
///
/// SAFETY: the memory has room for a count, 64 likely indices, a set of 1024 bits and 64 entries, in this order, and is
/// freed with its owner. Each index is below 64, which the methods that write ensure, and only entries that were
/// written are read. Worth it: three arrays in a variable of the decoder take 21 % more instructions
/// (Scripts/measure instructions, decode).
@safe struct ObjectShapeCache: ~Copyable {
  private struct Entry {
    var name: ShortName
    /// The bytes of `name.low` that belong to the key.
    var mask: UInt64
    /// The tape word of the key without its offset: kind and length.
    var form: UInt32
    var hash: UInt32
    /// The index of the key in the tape.
    var key: UInt32
  }

  private let memory: UnsafeMutableRawPointer
  private static let capacity = Document.maxScannedChildren
  private static let bitWords = 16
  private static let formMask: UInt64 = 0xFF_FFFF
  private static let likelyOffset = 64
  private static let bitOffset = likelyOffset + capacity
  private static let entryOffset = bitOffset + 8 * bitWords

  init() {
    unsafe memory = .allocate(byteCount: Self.entryOffset + Self.capacity * MemoryLayout<Entry>.stride, alignment: 64)
    unsafe memory.initializeMemory(as: UInt32.self, repeating: 0, count: 1)
    unsafe (memory + Self.bitOffset).initializeMemory(as: UInt64.self, repeating: 0, count: Self.bitWords)
    unsafe (memory + Self.entryOffset).bindMemory(to: Entry.self, capacity: Self.capacity)
    unsafe (memory + Self.likelyOffset).initializeMemory(as: UInt8.self, repeating: 0, count: Self.capacity)
    // Most types look keys up in the order of the text.
    for index in 0..<Self.capacity { unsafe likely[index] = UInt8(truncatingIfNeeded: index) }
  }

  deinit { unsafe memory.deallocate() }

  private var entries: UnsafeMutablePointer<Entry> {
    get { unsafe (memory + Self.entryOffset).assumingMemoryBound(to: Entry.self) }
  }

  /// A set of hash bits: a bit that is clear proves that a hash is new.
  private var bits: UnsafeMutablePointer<UInt64> {
    get { unsafe (memory + Self.bitOffset).assumingMemoryBound(to: UInt64.self) }
  }

  /// The index of the key that was looked up first, second, and so on.
  private var likely: UnsafeMutablePointer<UInt8> {
    get { unsafe (memory + Self.likelyOffset).assumingMemoryBound(to: UInt8.self) }
  }

  /// The number of keys that are known to be distinct.
  private(set) var count: UInt32 {
    get { unsafe memory.load(as: UInt32.self) }
    nonmutating set { unsafe memory.storeBytes(of: newValue, as: UInt32.self) }
  }

  // MARK: Lookup

  func key(at index: UInt32) -> UInt32 {
    assert(index < Self.capacity)
    return unsafe entries[Int(index)].key
  }

  /// Returns whether the length and the first and last eight bytes of a key are equal: for a key of at most 16 bytes,
  /// all of it.
  func isName(at index: UInt32, _ name: ShortName, count: Int) -> Bool {
    assert(index < Self.capacity)
    let entry = unsafe entries + Int(index)
    return unsafe Int(entry.pointee.form &>> 4) == count && entry.pointee.name == name
  }

  func index(of hash: UInt32, from start: UInt32, to end: UInt32) -> UInt32? {
    var index = start
    while index < end {
      if unsafe entries[Int(index)].hash == hash { return index }
      index &+= 1
    }
    return nil
  }

  /// Returns the index of the key that the lookup with this number found last time.
  func likelyIndex(of lookupNumber: UInt32) -> UInt32 { unsafe UInt32(likely[Int(lookupNumber) % Self.capacity]) }

  func expect(_ index: UInt32, at lookupNumber: UInt32) {
    unsafe likely[Int(lookupNumber) % Self.capacity] = UInt8(truncatingIfNeeded: index)
  }

  // MARK: Reuse

  // Forced inlining in this file saves 1.0 % of `decode` (Scripts/measure instructions).
  /// Advances `key` over the members whose keys are equal to the cached ones, as far as the cache can determine: only
  /// the first and last eight bytes are compared. Returns the number of members.
  @inline(__always)
  func follow(_ reader: TapeReader, _ key: inout UInt32, to end: UInt32) -> UInt32 {
    let known = count
    var index: UInt32 = 0
    var entry = unsafe entries
    while key < end, index < known {
      let word = reader.word(key)
      guard unsafe UInt32(truncatingIfNeeded: word.bits & Self.formMask) == entry.pointee.form else { break }
      if let first = reader.firstEight(ofKey: word) {
        guard unsafe first & entry.pointee.mask == entry.pointee.name.low else { break }
        if unsafe entry.pointee.mask == .max {
          guard unsafe ShortName(reader.text(word)) == entry.pointee.name else { break }
        }
      } else {
        guard unsafe ShortName(reader.text(word)) == entry.pointee.name else { break }
      }
      unsafe entry.pointee.key = key
      unsafe entry += 1
      index &+= 1
      key = reader.after(key &+ 1)
    }
    return index
  }

  /// Does the work of `follow` for an object with only scalar values, where every second tape word is a key. Half the
  /// work, for types that read few of many members.
  @inline(__always)
  func followScalars(_ reader: TapeReader, _ key: inout UInt32, to end: UInt32) -> UInt32 {
    guard end &- key >= 2, reader.firstEight(ofKey: reader.word(end &- 2)) != nil else {
      return follow(reader, &key, to: end)
    }
    let known = min(count, (end &- key) / 2)
    var index: UInt32 = 0
    var entry = unsafe entries
    while index < known {
      let word = reader.word(key)
      guard unsafe UInt32(truncatingIfNeeded: word.bits & Self.formMask) == entry.pointee.form else { break }
      guard unsafe reader.eight(ofEarlierKey: word) & entry.pointee.mask == entry.pointee.name.low else { break }
      if word.length > 8 {
        guard unsafe ShortName(reader.text(word)) == entry.pointee.name else { break }
      }
      unsafe entry.pointee.key = key
      unsafe entry += 1
      index &+= 1
      key &+= 2
    }
    return index
  }

  // MARK: Changed keys

  /// Drops the entries from `index` on.
  func beginChange(at index: UInt32) {
    count = index
    for word in 0..<Self.bitWords { unsafe bits[word] = 0 }
    for earlier in 0..<Int(index) { unsafe insert(entries[earlier].hash) }
  }

  /// Sets the bit of a hash. Returns whether it was set before.
  @discardableResult
  private func insert(_ hash: UInt32) -> Bool {
    let word = Int(hash &>> 28)
    let bit: UInt64 = 1 &<< UInt64(hash &>> 22 & 63)
    let old = unsafe bits[word]
    unsafe bits[word] = old | bit
    return old & bit != 0
  }

  /// Appends a key. Returns false if an entry has the same hash. Different keys with equal hashes are so rare that they
  /// take the slow path of duplicate keys.
  func append(_ name: ShortName, _ word: TapeWord, _ key: UInt32, at index: UInt32) -> Bool {
    guard index < Self.capacity else { return false }
    let hash = name.hash(count: word.length)
    if insert(hash), self.index(of: hash, from: 0, to: index) != nil { return false }
    let mask = word.length < 8 ? 1 &<< UInt64(8 &* word.length) &- 1 : UInt64.max
    let form = UInt32(truncatingIfNeeded: word.bits & Self.formMask)
    unsafe (entries + Int(index)).initialize(to: Entry(name: name, mask: mask, form: form, hash: hash, key: key))
    count = index &+ 1
    return true
  }
}

/// The first eight and the last eight bytes of a key: all bytes of a key of at most 16 bytes.
struct ShortName: Equatable {
  var low: UInt64
  var high: UInt64

  /// SAFETY: each load is inside the key, whose length was checked. Worth it: see `TapeReader`.
  @inline(__always)
  init(_ name: UnsafeRawBufferPointer) {
    let count = name.count
    high = 0
    guard let base = name.baseAddress, count > 0 else {
      low = 0
      return
    }
    if count >= 8 {
      low = unsafe UInt64(littleEndian: base.loadUnaligned(as: UInt64.self))
      high = unsafe base.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self)
    } else if count >= 4 {
      // Bytes that both loads contain are equal.
      let last = unsafe UInt32(littleEndian: base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
      low = unsafe UInt64(UInt32(littleEndian: base.loadUnaligned(as: UInt32.self)))
      low |= UInt64(last) &<< UInt64(8 &* (count &- 4))
    } else {
      low = unsafe UInt64(name[0]) | UInt64(name[count / 2]) &<< UInt64(8 &* (count / 2))
      low |= unsafe UInt64(name[count &- 1]) &<< UInt64(8 &* (count &- 1))
    }
  }

  /// Returns a hash of the key. It is not seeded: keys made to collide only make the document search for them.
  func hash(count: Int) -> UInt32 {
    var bits = (low ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits &>> 29 ^ high) &* 0xFF51_AFD7_ED55_8CCD
    return UInt32(truncatingIfNeeded: bits &>> 32)
  }
}
