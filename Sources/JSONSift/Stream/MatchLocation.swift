/// The steps to a match, packed into bytes, so that a match of a stream needs no allocation for its location.
///
/// A step begins with a number in groups of seven bits, lowest group first; the eighth bit of a byte means that more groups
/// follow. If the lowest bit of the number is 0, the other bits are an index. If it is 1, the other bits are the length of a
/// name, and the name follows with escapes decoded.
struct MatchLocation {
  /// The bytes from `count` on belong to removed steps and stay allocated, so that appending steps again needs no
  /// allocation.
  private var storage: [UInt8] = []
  private(set) var count = 0

  init() {}

  /// Creates a location from packed bytes.
  init(_ bytes: [UInt8]) {
    storage = bytes
    count = bytes.count
  }

  /// Returns a copy of the packed bytes.
  func copy() -> [UInt8] { Array(storage.prefix(count)) }

  /// Calls a closure with the packed bytes.
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

  mutating func append(_ location: JSONPath.Location) {
    for step in location.steps {
      switch step {
      case .index(let index): append(index: index)
      case .key(var key): key.withUTF8 { unsafe append(name: UnsafeRawBufferPointer($0)) }
      }
    }
  }

  /// Appends steps that are packed already.
  mutating func append(packed bytes: UnsafeRawBufferPointer) {
    let count = count
    if storage.count &- count < bytes.count { grow(bytes.count) }
    unsafe storage.withUnsafeMutableBytes { storage in
      guard let target = storage.baseAddress, let source = bytes.baseAddress else { return }
      unsafe (target + count).copyMemory(from: source, byteCount: bytes.count)
    }
    self.count = count &+ bytes.count
  }

  /// Returns a name as a packed step.
  static func packed(_ name: some Collection<UInt8>) -> [UInt8] {
    var location = MatchLocation()
    unsafe Array(name).withUnsafeBytes { unsafe location.append(name: $0) }
    return Array(location.storage.prefix(location.count))
  }

  @inline(never)
  private mutating func grow(_ more: Int) { storage += repeatElement(0, count: max(more + 64, storage.count)) }

  mutating func removeLast(to count: Int) { self.count = min(self.count, count) }

  /// Returns the range of the name in the packed step that begins at an index, clamped to the bytes.
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

  /// Returns the name of the last packed step; `nil` if that step is an index.
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

  /// Returns the empty range after the number at the start of a packed step.
  private static func numberEnd(of steps: UnsafeRawBufferPointer, from start: Int) -> Range<Int> {
    var end = start
    while end < steps.count, unsafe steps[end] >= 0x80 { end += 1 }
    end = min(end + 1, steps.count)
    return end..<end
  }

  /// Returns the location that packed bytes describe.
  static func location(_ bytes: some Collection<UInt8>) -> JSONPath.Location {
    var steps: [JSON.Step] = []
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
    return JSONPath.Location(steps: steps)
  }
}
