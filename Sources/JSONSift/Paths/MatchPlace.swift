/// The steps to a match, packed into bytes, so that a match of a stream costs no allocation for them.
///
/// A step is a number in groups of seven bits, the lowest first, and the eighth bit says that there are more. Its lowest
/// bit is 0 for an index, which the rest of it is, and 1 for a name, whose length it is; the name follows, with escapes
/// decoded.
struct MatchPlace {
  private(set) var bytes: [UInt8] = []

  @inline(__always)
  private mutating func append(number: Int) {
    var rest = UInt(bitPattern: number)
    while rest >= 0x80 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest &>>= 7
    }
    bytes.append(UInt8(truncatingIfNeeded: rest))
  }

  mutating func append(index: Int) { append(number: index &<< 1) }

  mutating func append(name: UnsafeRawBufferPointer) {
    append(number: name.count &<< 1 | 1)
    unsafe bytes.append(contentsOf: name)
  }

  mutating func append(_ location: PathLocation) {
    for step in location.steps {
      switch step {
      case .index(let index): append(index: index)
      case .key(var key): key.withUTF8 { unsafe append(name: UnsafeRawBufferPointer($0)) }
      }
    }
  }

  mutating func removeLast(to count: Int) {
    if bytes.count > count { bytes.removeLast(bytes.count - count) }
  }

  /// The steps in some bytes that were packed here.
  static func location(_ bytes: some Collection<UInt8>) -> PathLocation {
    var steps: [JSONKey] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      var number: UInt = 0
      var shift: UInt = 0
      while let byte = rest.popFirst() {
        number |= UInt(byte & 0x7F) << shift
        shift += 7
        if byte < 0x80 { break }
      }
      let value = Int(truncatingIfNeeded: number >> 1)
      if number & 1 == 0 {
        steps.append(.index(value))
      } else {
        steps.append(.key(String(decoding: rest.prefix(value), as: UTF8.self)))
        rest = rest.dropFirst(value)
      }
    }
    return PathLocation(steps: steps)
  }
}
