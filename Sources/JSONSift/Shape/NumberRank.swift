/// Where a number stands among others, as far as the first bytes of its text tell it.
///
/// Of two numbers without a sign or exponent the larger one has more digits before the point, or as many and comes behind
/// the other in the order of their bytes. So a rank is the number of these digits and then the first seven bytes; of a
/// longer text it is only known that it lies below the next rank.
struct NumberRank: BitwiseCopyable {
  /// The number is at least what has this rank.
  var lower: Int64
  /// And at most what has this one.
  var upper: Int64

  /// Of a number that can be any.
  static var none: NumberRank { NumberRank(lower: .min, upper: .max) }

  private init(lower: Int64, upper: Int64) {
    self.lower = lower
    self.upper = upper
  }

  /// Whether a number changes no bound. No is no answer.
  @inline(never)
  static func isInside(_ word: TapeWord, _ source: ShapeSource, _ node: UnsafePointer<ShapeNode>) -> Bool {
    let start = word.offset
    let count = word.length
    // Most numbers are short: the same as below, with nothing to decide.
    if count <= 8, count > 0, start &+ 8 <= source.count {
      let unused = UInt64(truncatingIfNeeded: (8 &- count) &* 8)
      let text = (source.load(at: start) &<< unused) &>> unused
      if UInt8(truncatingIfNeeded: text) != ASCII.minus, text & 0x4040_4040_4040_4040 == 0 {
        let digits = Int64(truncatingIfNeeded: (~text & 0x1010_1010_1010_1010).trailingZeroBitCount &>> 3)
        let rank = digits &<< 56 | Int64(truncatingIfNeeded: text.byteSwapped &>> 8)
        let above = rank &+ Int64(truncatingIfNeeded: count &>> 3)
        return unsafe rank >= node.pointee.minRank && above <= node.pointee.maxRank
      }
    }
    // A long one has no rank, whatever its length.
    let rank = NumberRank(source, start, count)
    return unsafe rank.lower >= node.pointee.minRank && rank.upper <= node.pointee.maxRank
  }

  init(_ text: UnsafeRawBufferPointer) {
    self = .none
    guard let base = text.baseAddress else { return }
    self = unsafe NumberRank(ShapeSource(base: base, count: text.count), 0, text.count)
  }

  @inline(__always)
  private init(_ source: ShapeSource, _ start: Int, _ count: Int) {
    (lower, upper) = (.min, .max)
    guard start &+ count <= source.count else { return }
    var start = start
    var count = count
    var head = source.eightBytes(at: start)
    let isNegative = UInt8(truncatingIfNeeded: head) == ASCII.minus
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
    // Of the bytes of numbers only E and e have this bit.
    guard (head | tail) & 0x4040_4040_4040_4040 == 0 else { return }
    let digits = Self.digits(head, tail)
    let rank = Int64(digits) &<< 56 | Int64(truncatingIfNeeded: head.byteSwapped &>> 8)
    let above = rank &+ (count > 7 ? 1 : 0)
    (lower, upper) = isNegative ? (0 &- above, 0 &- rank) : (rank, above)
  }

  /// How many digits there are before the first byte that is none. All of them have the fifth bit, and no other has.
  @inline(__always)
  private static func digits(_ head: UInt64, _ tail: UInt64) -> Int {
    let others = ~head & 0x1010_1010_1010_1010
    if others != 0 { return others.trailingZeroBitCount &>> 3 }
    return 8 &+ (~tail & 0x1010_1010_1010_1010).trailingZeroBitCount &>> 3
  }
}
