/// The names of an object with few members, as far as they stand in the source as they are and differ.
///
/// They stay when the object is done with: the next one that its decoder sees is most often of the same form, and then only
/// the places of its keys are new. Which name is asked for first, second and so on stays too.
///
/// SAFETY: the memory has room for a count, 64 places, a set of 1024 bits and 64 entries one behind another, and is freed with
/// its owner; a place is below 64, which the methods that write see to, and only entries that were written are read.
@safe struct ObjectShapeCache: ~Copyable {
  private struct Entry {
    var name: ShortName
    /// Of eight bytes those that the name has.
    var mask: UInt64
    /// The word of the key without its offset: kind and length.
    var form: UInt32
    var hash: UInt32
    /// The word of the key in the tape.
    var key: UInt32
  }

  private let memory: UnsafeMutableRawPointer
  private static let room = Document.smallContainer
  private static let bitWords = 16
  private static let formMask: UInt64 = 0xFF_FFFF
  private static let likelyOffset = 64
  private static let bitOffset = likelyOffset + room
  private static let entryOffset = bitOffset + 8 * bitWords

  init() {
    unsafe memory = .allocate(byteCount: Self.entryOffset + Self.room * MemoryLayout<Entry>.stride, alignment: 64)
    unsafe memory.initializeMemory(as: UInt32.self, repeating: 0, count: 1)
    unsafe (memory + Self.bitOffset).initializeMemory(as: UInt64.self, repeating: 0, count: Self.bitWords)
    unsafe (memory + Self.entryOffset).bindMemory(to: Entry.self, capacity: Self.room)
    unsafe (memory + Self.likelyOffset).initializeMemory(as: UInt8.self, repeating: 0, count: Self.room)
    // Most types ask in the order of the text.
    for place in 0..<Self.room { unsafe likely[place] = UInt8(truncatingIfNeeded: place) }
  }

  deinit { unsafe memory.deallocate() }

  private var entries: UnsafeMutablePointer<Entry> {
    @inline(__always) get { unsafe (memory + Self.entryOffset).assumingMemoryBound(to: Entry.self) }
  }

  /// Bits of the hashes that are there.
  private var bits: UnsafeMutablePointer<UInt64> {
    @inline(__always) get { unsafe (memory + Self.bitOffset).assumingMemoryBound(to: UInt64.self) }
  }

  /// Where the name stood that was asked for as the first, the second, …
  private var likely: UnsafeMutablePointer<UInt8> {
    @inline(__always) get { unsafe (memory + Self.likelyOffset).assumingMemoryBound(to: UInt8.self) }
  }

  /// How many names are known to differ.
  private(set) var count: UInt32 {
    @inline(__always) get { unsafe memory.load(as: UInt32.self) }
    @inline(__always) nonmutating set { unsafe memory.storeBytes(of: newValue, as: UInt32.self) }
  }

  // MARK: Reading

  @inline(__always)
  func key(at place: UInt32) -> UInt32 {
    assert(place < Self.room)
    return unsafe entries[Int(place)].key
  }

  /// Whether length, first and last bytes of a name are these: all of a name of at most 16 bytes.
  @inline(__always)
  func isName(at place: UInt32, _ name: ShortName, count: Int) -> Bool {
    assert(place < Self.room)
    let entry = unsafe entries + Int(place)
    return unsafe Int(entry.pointee.form &>> 4) == count && entry.pointee.name == name
  }

  @inline(__always)
  func place(of hash: UInt32, from start: UInt32, to end: UInt32) -> UInt32? {
    var place = start
    while place < end {
      if unsafe entries[Int(place)].hash == hash { return place }
      place &+= 1
    }
    return nil
  }

  /// Where the name stands that is asked for after so many others.
  @inline(__always)
  func likelyPlace(of asked: UInt32) -> UInt32 {
    unsafe UInt32(likely[Int(asked) % Self.room])
  }

  @inline(__always)
  func expect(_ place: UInt32, at asked: UInt32) {
    unsafe likely[Int(asked) % Self.room] = UInt8(truncatingIfNeeded: place)
  }

  // MARK: The same names again

  /// Goes over members from the one at `key` on, as long as their names are the known ones, or such that a table could not
  /// tell from them. Returns how many there are.
  @inline(__always)
  func follow(_ reader: TapeReader, _ key: inout UInt32, to end: UInt32) -> UInt32 {
    let known = count
    var place: UInt32 = 0
    var entry = unsafe entries
    while key < end, place < known {
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
      place &+= 1
      key = reader.after(key &+ 1)
    }
    return place
  }

  /// The same where all values are scalars, so that every second word is a key: half the work, for types that want few of
  /// many members.
  @inline(__always)
  func followScalars(_ reader: TapeReader, _ key: inout UInt32, to end: UInt32) -> UInt32 {
    guard end &- key >= 2, reader.firstEight(ofKey: reader.word(end &- 2)) != nil else {
      return follow(reader, &key, to: end)
    }
    let known = min(count, (end &- key) / 2)
    var place: UInt32 = 0
    var entry = unsafe entries
    while place < known {
      let word = reader.word(key)
      guard unsafe UInt32(truncatingIfNeeded: word.bits & Self.formMask) == entry.pointee.form else { break }
      guard unsafe reader.eight(ofEarlierKey: word) & entry.pointee.mask == entry.pointee.name.low else { break }
      if word.length > 8 {
        guard unsafe ShortName(reader.text(word)) == entry.pointee.name else { break }
      }
      unsafe entry.pointee.key = key
      unsafe entry += 1
      place &+= 1
      key &+= 2
    }
    return place
  }

  // MARK: Other names

  /// From this place on the names are others.
  func beginChange(at place: UInt32) {
    count = place
    for word in 0..<Self.bitWords { unsafe bits[word] = 0 }
    for earlier in 0..<Int(place) { unsafe insert(entries[earlier].hash) }
  }

  /// Sets the bit of a hash. Whether it was set before.
  @inline(__always) @discardableResult
  private func insert(_ hash: UInt32) -> Bool {
    let word = Int(hash &>> 28)
    let bit: UInt64 = 1 &<< UInt64(hash &>> 22 & 63)
    let old = unsafe bits[word]
    unsafe bits[word] = old | bit
    return old & bit != 0
  }

  /// Appends a name. False if there is one with the same hash: two different names with one are so rare that the slow way
  /// is taken for them too.
  @inline(__always)
  func append(_ name: ShortName, _ word: TapeWord, _ key: UInt32, at place: UInt32) -> Bool {
    guard place < Self.room else { return false }
    let hash = name.hash(count: word.length)
    if insert(hash), self.place(of: hash, from: 0, to: place) != nil { return false }
    let mask = word.length < 8 ? 1 &<< UInt64(8 &* word.length) &- 1 : UInt64.max
    let form = UInt32(truncatingIfNeeded: word.bits & Self.formMask)
    unsafe (entries + Int(place)).initialize(to: Entry(name: name, mask: mask, form: form, hash: hash, key: key))
    count = place &+ 1
    return true
  }
}

/// The first eight bytes of a name and its last eight: all of one that is no longer than 16.
struct ShortName: Equatable {
  var low: UInt64
  var high: UInt64

  /// SAFETY: each load stays within the name, as its length says. Worth it: see `TapeReader`.
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
      // The bytes that both loads have are the same.
      let last = unsafe UInt32(littleEndian: base.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self))
      low = unsafe UInt64(UInt32(littleEndian: base.loadUnaligned(as: UInt32.self)))
      low |= UInt64(last) &<< UInt64(8 &* (count &- 4))
    } else {
      low = unsafe UInt64(name[0]) | UInt64(name[count / 2]) &<< UInt64(8 &* (count / 2))
      low |= unsafe UInt64(name[count &- 1]) &<< UInt64(8 &* (count &- 1))
    }
  }

  /// The same, with one load for a short name if eight bytes are there.
  ///
  /// SAFETY: `end` is that of the source in which the name stands.
  @inline(__always)
  init(_ name: UnsafeRawBufferPointer, before end: UnsafeRawPointer?) {
    let count = name.count
    guard count < 8, count > 0, let base = name.baseAddress, let end = unsafe end, unsafe base + 8 <= end else {
      unsafe self.init(name)
      return
    }
    let bytes = unsafe UInt64(littleEndian: base.loadUnaligned(as: UInt64.self))
    self.init(low: bytes & (UInt64.max &>> UInt64(64 &- 8 &* count)), high: 0)
  }

  init(low: UInt64, high: UInt64) {
    self.low = low
    self.high = high
  }

  /// Something that most other names have not. Whoever makes names that agree in it makes the document look for them.
  @inline(__always)
  func hash(count: Int) -> UInt32 {
    var bits = (low ^ UInt64(truncatingIfNeeded: count)) &* 0x9E37_79B9_7F4A_7C15
    bits = (bits ^ bits &>> 29 ^ high) &* 0xFF51_AFD7_ED55_8CCD
    return UInt32(truncatingIfNeeded: bits &>> 32)
  }
}
