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
}
