import JSONSift

/// A lower and an upper bound of a number, computed from the first bytes of its text.
///
/// Two numbers without sign and exponent compare by the number of digits before the point, and then by their bytes. So
/// a *rank* is that number of digits, followed by the first seven bytes. A number of more than seven bytes lies between
/// its rank and the next one.
struct NumberRank: BitwiseCopyable {
  /// The number is at least as large as the numbers of this rank.
  var lower: Int64
  /// The number is at most as large as the numbers of this rank.
  var upper: Int64

  /// The bounds of an unknown number.
  static var none: NumberRank { NumberRank(lower: .min, upper: .max) }

}

extension NumberRank {
  /// Returns whether a number is certainly inside the bounds of a node. False means unknown.
  @inline(never)
  static func isInside(_ word: TapeWord, _ source: ShapeSource, _ node: UnsafePointer<ShapeNode>) -> Bool {
    let start = word.offset
    let count = word.length
    // A fast path for short numbers: the same computation without branches for signs and lengths.
    if count <= 8, count > 0, start &+ 8 <= source.count {
      let unused = UInt64(truncatingIfNeeded: (8 &- count) &* 8)
      let text = (source.load(at: start) &<< unused) &>> unused
      if UInt8(truncatingIfNeeded: text) != UInt8(ascii: "-"), text & 0x4040_4040_4040_4040 == 0 {
        let digits = Int64(truncatingIfNeeded: (~text & 0x1010_1010_1010_1010).trailingZeroBitCount &>> 3)
        let rank = digits &<< 56 | Int64(truncatingIfNeeded: text.byteSwapped &>> 8)
        let above = rank &+ Int64(truncatingIfNeeded: count &>> 3)
        return unsafe rank >= node.pointee.minimum.rank && above <= node.pointee.maximum.rank
      }
    }
    // A text of more than 16 bytes has no rank.
    let rank = NumberRank(source, start, count)
    return unsafe rank.lower >= node.pointee.minimum.rank && rank.upper <= node.pointee.maximum.rank
  }

  init(_ text: UnsafeRawBufferPointer) {
    self = .none
    guard let base = text.baseAddress else { return }
    self = unsafe NumberRank(ShapeSource(base: base, count: text.count), 0, text.count)
  }

  private init(_ source: ShapeSource, _ start: Int, _ count: Int) {
    (lower, upper) = (.min, .max)
    guard start &+ count <= source.count else { return }
    var start = start
    var count = count
    var head = source.eightBytes(at: start)
    let isNegative = UInt8(truncatingIfNeeded: head) == UInt8(ascii: "-")
    if isNegative {
      start &+= 1
      count &-= 1
      head = source.eightBytes(at: start)
    }
    guard count > 0, count <= 16 else { return }
    var tail: UInt64 = 0
    if count <= 8 {
      head &= .max &>> UInt64(truncatingIfNeeded: (8 &- count) &* 8)
    } else {
      tail = source.eightBytes(at: start &+ 8)
      tail &= .max &>> UInt64(truncatingIfNeeded: (16 &- count) &* 8)
    }
    // Only `E` and `e` have this bit, of all bytes in numbers.
    guard (head | tail) & 0x4040_4040_4040_4040 == 0 else { return }
    let digits = Self.digits(head, tail)
    let rank = Int64(digits) &<< 56 | Int64(truncatingIfNeeded: head.byteSwapped &>> 8)
    let above = rank &+ (count > 7 ? 1 : 0)
    (lower, upper) = isNegative ? (0 &- above, 0 &- rank) : (rank, above)
  }

  /// Returns the number of leading digits. All digits have the bit 0x10, and no other byte of a number has.
  private static func digits(_ head: UInt64, _ tail: UInt64) -> Int {
    let others = ~head & 0x1010_1010_1010_1010
    if others != 0 { return others.trailingZeroBitCount &>> 3 }
    return 8 &+ (~tail & 0x1010_1010_1010_1010).trailingZeroBitCount &>> 3
  }
}
