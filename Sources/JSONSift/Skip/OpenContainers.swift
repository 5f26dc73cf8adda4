/// The containers that are open around a place: of each, whether it is an object. A bit each, so that going in and out
/// costs no reference.
struct OpenContainers {
  /// The innermost ones, the lowest bit first.
  private var bits: UInt64 = 0
  /// Those around them, 64 a word, the outermost first.
  private var outer: [UInt64] = []
  private(set) var count = 0

  /// Whether the innermost is an object; `false` if none is open.
  @inline(__always)
  var isInObject: Bool { bits & 1 == 1 }

  @inline(__always)
  mutating func append(isObject: Bool) {
    if count & 63 == 0, count > 0 { outer.append(bits) }
    bits = bits &<< 1 | (isObject ? 1 : 0)
    count &+= 1
  }

  /// Leaves so many.
  @inline(__always)
  mutating func removeLast(_ number: Int) {
    // Most often they are of one word.
    if (count &- 1) & 63 >= number {
      bits &>>= UInt64(number)
      count &-= number
    } else {
      for _ in 0..<number { removeLast() }
    }
  }

  private mutating func removeLast() {
    guard count > 0 else { return }
    count -= 1
    bits = count & 63 == 0 ? outer.popLast() ?? 0 : bits >> 1
  }

  /// How many of the innermost are objects.
  @inline(__always)
  func objects(among number: Int) -> Int {
    // Those of one word; of a whole word the mask would be empty.
    number < 64 && number <= (count &- 1) & 63 &+ 1
      ? (bits & (1 &<< UInt64(number) &- 1)).nonzeroBitCount : all.suffix(number).count { $0 }
  }

  /// All of them, the outermost first.
  var all: [Bool] {
    var all: [Bool] = []
    for word in outer { for place in (0..<64).reversed() { all.append(word >> UInt64(place) & 1 == 1) } }
    let inner = count - all.count
    for place in (0..<max(inner, 0)).reversed() { all.append(bits >> UInt64(place) & 1 == 1) }
    return all
  }
}
