/// A stack of the open containers at a position in a text. It stores one bit for each, whether it is an object, so that
/// entering and leaving a container costs no reference counting.
struct OpenContainers {
  /// The innermost containers, the innermost in the lowest bit.
  private var bits: UInt64 = 0
  /// The containers around those in ``bits``, 64 in each element, the outermost first.
  private var outer: [UInt64] = []
  private(set) var count = 0

  /// Whether the innermost container is an object; `false` if no container is open.
  var isInObject: Bool { bits & 1 == 1 }

  mutating func append(isObject: Bool) {
    if count & 63 == 0, count > 0 { outer.append(bits) }
    bits = bits &<< 1 | (isObject ? 1 : 0)
    count &+= 1
  }

  /// Leaves `number` containers.
  mutating func removeLast(_ number: Int) {
    // Fast path: all of them are in `bits`.
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

  /// Returns the number of objects among the `number` innermost containers.
  func objects(among number: Int) -> Int {
    // All of them are in `bits`. For 64 containers the mask would be empty.
    number < 64 && number <= (count &- 1) & 63 &+ 1
      ? (bits & (1 &<< UInt64(number) &- 1)).nonzeroBitCount : all.suffix(number).count { $0 }
  }

  /// Whether each open container is an object, the outermost first.
  var all: [Bool] {
    var all: [Bool] = []
    for group in outer { for bit in (0..<64).reversed() { all.append(group >> UInt64(bit) & 1 == 1) } }
    let inner = count - all.count
    for bit in (0..<max(inner, 0)).reversed() { all.append(bits >> UInt64(bit) & 1 == 1) }
    return all
  }
}
