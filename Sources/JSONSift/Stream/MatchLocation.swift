/// The steps to a match, packed into bytes, so that a match of a stream costs no allocation for them.
///
/// A step is a number in groups of seven bits, the lowest first, and the eighth bit says that there are more. Its lowest
/// bit is 0 for an index, which the rest of it is, and 1 for a name, whose length it is; the name follows, with escapes
/// decoded.
struct MatchLocation {
  /// Bytes from `count` on are of places that were left: going up and down again costs no allocation.
  private var storage: [UInt8] = []
  private(set) var count = 0

  init() {}

  /// The place that some bytes are, which were packed here.
  init(_ bytes: [UInt8]) {
    storage = bytes
    count = bytes.count
  }

  /// A copy of the bytes.
  func copy() -> [UInt8] { Array(storage.prefix(count)) }

  /// Lends the bytes.
  @inline(__always)
  func withBytes<Result>(_ body: (UnsafeRawBufferPointer) -> Result) -> Result {
    unsafe storage.withUnsafeBytes { unsafe body(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
  }

  mutating func append(index: Int) { unsafe append(index &<< 1, UnsafeRawBufferPointer(start: nil, count: 0)) }

  mutating func append(name: UnsafeRawBufferPointer) { unsafe append(name.count &<< 1 | 1, name) }

  private mutating func append(_ number: Int, _ bytes: UnsafeRawBufferPointer) {
    // A number has at most ten groups of seven bits.
    if storage.count &- count < bytes.count &+ 10 { grow(bytes.count) }
    unsafe storage.withUnsafeMutableBytes { storage in
      var rest = UInt(bitPattern: number)
      while rest >= 0x80 {
        unsafe storage[count] = UInt8(truncatingIfNeeded: rest) | 0x80
        count &+= 1
        rest &>>= 7
      }
      unsafe storage[count] = UInt8(truncatingIfNeeded: rest)
      count &+= 1
      guard let target = storage.baseAddress, let source = bytes.baseAddress else { return }
      unsafe (target + count).copyMemory(from: source, byteCount: bytes.count)
      count &+= bytes.count
    }
  }

  mutating func append(_ location: PathLocation) {
    for step in location.steps {
      switch step {
      case .index(let index): append(index: index)
      case .key(var key): key.withUTF8 { unsafe append(name: UnsafeRawBufferPointer($0)) }
      }
    }
  }

  /// Appends a step that is packed.
  @inline(__always)
  mutating func append(packed bytes: UnsafeRawBufferPointer) {
    let count = count
    if storage.count &- count < bytes.count { grow(bytes.count) }
    unsafe storage.withUnsafeMutableBytes { storage in
      guard let target = storage.baseAddress, let source = bytes.baseAddress else { return }
      unsafe (target + count).copyMemory(from: source, byteCount: bytes.count)
    }
    self.count = count &+ bytes.count
  }

  /// The packed form of a name as a step.
  static func packed(_ name: some Collection<UInt8>) -> [UInt8] {
    var place = MatchLocation()
    unsafe Array(name).withUnsafeBytes { unsafe place.append(name: $0) }
    return Array(place.storage.prefix(place.count))
  }

  @inline(never)
  private mutating func grow(_ more: Int) {
    storage += repeatElement(0, count: max(more + 64, storage.count))
  }

  mutating func removeLast(to count: Int) { self.count = min(self.count, count) }

  /// Where the name of a packed step stands that begins at an index; as far as there are bytes.
  static func firstName(of steps: UnsafeRawBufferPointer, from start: Int) -> Range<Int> {
    var index = start
    var number: UInt = 0
    var shift: UInt = 0
    while index < steps.count {
      let byte = unsafe steps[index]
      index += 1
      number |= UInt(byte & 0x7F) << shift
      shift += 7
      if byte < 0x80 { break }
    }
    return index..<(index + min(Int(number >> 1), steps.count - index))
  }

  /// The last of some packed steps, if it is a name.
  static func lastName(of steps: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer? {
    var start = 0
    var last: UnsafeRawBufferPointer?
    while start < steps.count {
      let isName = unsafe steps[start] & 1 == 1
      let name = unsafe isName ? firstName(of: steps, from: start) : numberEnd(of: steps, from: start)
      unsafe last = isName ? UnsafeRawBufferPointer(rebasing: steps[name]) : nil
      start = name.upperBound
    }
    return unsafe last
  }

  /// The empty range behind the number with which a packed step begins.
  private static func numberEnd(of steps: UnsafeRawBufferPointer, from start: Int) -> Range<Int> {
    var end = start
    while end < steps.count, unsafe steps[end] >= 0x80 { end += 1 }
    end = min(end + 1, steps.count)
    return end..<end
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
