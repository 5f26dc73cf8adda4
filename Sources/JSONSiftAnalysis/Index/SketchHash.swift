import JSONSift

/// The hash of the values in an index, and of values that groups count. It is stored in files, so it never changes: it
/// does not depend on the process, the machine or the version of Swift.
///
/// It has no secret key. Values that were chosen to collide can make an index useless, but not wrong.
struct SketchHash {
  private var state: UInt64 = 0x9E37_79B9_7F4A_7C15

  init() {}

  /// The hash of everything that was added. The last steps mix the state, so that each bit of the hash depends on all of it.
  var value: UInt64 {
    var mixed = state
    mixed = (mixed ^ mixed &>> 33) &* 0xFF51_AFD7_ED55_8CCD
    mixed = (mixed ^ mixed &>> 33) &* 0xC4CE_B9FE_1A85_EC53
    return mixed ^ mixed &>> 33
  }

  /// Adds eight bytes.
  mutating func add(_ word: UInt64) {
    state = (state ^ word) &* 0x9FB2_1C65_1E98_DF25
    state ^= state &>> 32
  }

  /// Adds bytes, and their number.
  mutating func add(_ bytes: UnsafeRawBufferPointer) {
    var index = 0
    while index &+ 8 <= bytes.count {
      unsafe add(UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)))
      index &+= 8
    }
    var rest: UInt64 = 0
    for position in 0..<(bytes.count &- index) {
      rest |= unsafe UInt64(bytes[index &+ position]) &<< UInt64(8 &* position)
    }
    add(rest)
    add(UInt64(truncatingIfNeeded: bytes.count))
  }

  /// The hash of bytes.
  static func of(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = SketchHash()
    unsafe hash.add(bytes)
    return hash.value
  }

  /// The hash of a number. Equal numbers have the same nearest Double, however they are written.
  static func of(_ number: Double) -> UInt64 {
    var hash = SketchHash()
    // -0 and 0 are equal.
    hash.add(number == 0 ? 0 : number.bitPattern)
    return hash.value
  }
}

/// A Bloom filter: a set of hashes. ``mayContain(_:)`` is true for each hash in the set, and for some other hashes: for
/// about one in 300 with twelve bits per hash, and one in 70 with nine.
struct BloomFilter: Sendable, Hashable {
  /// The bits; empty for an empty set.
  private(set) var bytes: [UInt8]

  static let maxBitsPerHash = 12
  private static let probes = 8
  /// The maximum size. A filter with too many hashes for this size has more false positives.
  static let maxBytes = 1 << 14

  init() { bytes = [] }

  /// Creates a filter from stored bits.
  init(bytes: [UInt8]) { self.bytes = bytes }

  /// The set of all hashes, in one byte.
  static let all = BloomFilter(bytes: [0xFF])

  init(of hashes: HashSet, bitsPerHash: Int = maxBitsPerHash) {
    bytes = []
    guard !hashes.isFull else {
      self = .all
      return
    }
    guard hashes.count > 0 else { return }
    let wanted = (hashes.count * bitsPerHash + 7) / 8
    bytes = [UInt8](repeating: 0, count: min(max(wanted, 8), Self.maxBytes))
    hashes.forEach { hash in
      for probe in 0..<Self.probes {
        let bit = bit(probe, of: hash)
        bytes[bit / 8] |= 1 << UInt8(bit % 8)
      }
    }
  }

  func mayContain(_ hash: UInt64) -> Bool {
    guard !bytes.isEmpty else { return false }
    return (0..<Self.probes).allSatisfy { probe in
      let bit = bit(probe, of: hash)
      return bytes[bit / 8] & 1 << UInt8(bit % 8) != 0
    }
  }

  /// Returns the bit of a probe. The lower half of the hash gives the first bit, the upper half the distance to the
  /// next. A 32-bit number is scaled to the number of bits by a multiplication and a shift, because a division would
  /// take longer than everything else.
  private func bit(_ probe: Int, of hash: UInt64) -> Int {
    let step = hash >> 32 | 1
    let number = UInt32(truncatingIfNeeded: hash &+ UInt64(truncatingIfNeeded: probe) &* step)
    return Int((UInt64(number) &* UInt64(bytes.count * 8)) >> 32)
  }
}
