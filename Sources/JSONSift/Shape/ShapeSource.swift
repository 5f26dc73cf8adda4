/// The bytes of a record, and what a shape asks of them: eight at a time.
///
/// SAFETY: the bytes are there as long as the call that lends them. Each load checks that its bytes are inside, or says what
/// its caller has checked.
@safe struct ShapeSource: BitwiseCopyable {
  let base: UnsafeRawPointer
  let count: Int

  /// The eight bytes from a place on, the first in the lowest bits. The caller has seen that they are inside.
  @inline(__always)
  func load(at start: Int) -> UInt64 {
    unsafe UInt64(littleEndian: base.loadUnaligned(fromByteOffset: start, as: UInt64.self))
  }

  /// The same; behind the end there are zeros.
  @inline(__always)
  func eightBytes(at start: Int) -> UInt64 { start &+ 8 <= count ? load(at: start) : lastBytes(at: start) }

  @inline(never)
  private func lastBytes(at start: Int) -> UInt64 {
    unsafe UnsafeRawBufferPointer(start: base, count: count).dropFirst(start).reversed().reduce(0) {
      $0 &<< 8 | UInt64($1)
    }
  }

  /// How many characters so many bytes of UTF-8 are: Unicode scalar values. The caller has seen that they are inside.
  @inline(never)
  func characterCount(at start: Int, _ length: Int) -> Int {
    if length <= 16 {
      if length >= 8 {
        // The bytes that the second eight have with the first are left out.
        let tail = load(at: start &+ length &- 8) &>> UInt64(truncatingIfNeeded: (16 &- length) &* 8)
        let sum = Self.goingOn(load(at: start)) &+ (length == 8 ? 0 : Self.goingOn(tail))
        return length &- Self.sum(sum)
      }
      guard length > 0 else { return 0 }
      return length &- Self.sum(Self.goingOn(eightBytes(at: start) &<< UInt64(truncatingIfNeeded: (8 &- length) &* 8)))
    }
    var all = load(at: start &+ length &- 8) | load(at: start &+ length &- 16)
    if length <= 32 {
      all |= load(at: start) | load(at: start &+ 8)
      if all & 0x8080_8080_8080_8080 == 0 { return length }
    }
    var index = start
    let last = start &+ length &- 16
    while index < last {
      all |= load(at: index) | load(at: index &+ 8)
      index &+= 16
    }
    if all & 0x8080_8080_8080_8080 == 0 { return length }
    return unsafe UnsafeRawBufferPointer(start: base + start, count: length).characterCount
  }

  /// The lowest bit of each byte that goes on with a character: its first bit is set, and its second not.
  @inline(__always)
  static func goingOn(_ bytes: UInt64) -> UInt64 { bytes &>> 7 & ~(bytes &>> 6) & 0x0101_0101_0101_0101 }

  /// The sum of eight bytes, up to 255.
  @inline(__always)
  static func sum(_ bytes: UInt64) -> Int { Int(truncatingIfNeeded: (bytes &* 0x0101_0101_0101_0101) &>> 56) }
}

extension UnsafeRawBufferPointer {
  /// How many characters these bytes of UTF-8 are. All bytes but those that go on with a character begin one.
  var characterCount: Int {
    var goingOn = 0
    var index = 0
    while count &- index >= 8 {
      // A byte of the sum holds that of one byte of 31 words.
      let end = Swift.min(count &- 7, index &+ 31 &* 8)
      var sum: UInt64 = 0
      while index < end {
        let word = unsafe loadUnaligned(fromByteOffset: index, as: UInt64.self)
        sum &+= ShapeSource.goingOn(word)
        index &+= 8
      }
      goingOn &+= ShapeSource.sum(sum)
    }
    while index < count {
      if unsafe self[index] & 0xC0 == 0x80 { goingOn &+= 1 }
      index &+= 1
    }
    return count &- goingOn
  }
}

extension EscapedText {
  /// How many characters a text with escapes is when it is decoded.
  static func characterCount(_ raw: UnsafeRawBufferPointer) -> Int {
    var characters = unsafe raw.characterCount
    var index = 0
    while index < raw.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: raw[index...])
      // A backslash at the very end escapes nothing.
      guard let run = unsafe rest.place(of: ASCII.backslash), run < rest.count &- 1 else { break }
      index &+= run
      guard let unit = unsafe SurrogateEscapes.codeUnit(in: raw, at: index) else {
        characters &-= 1
        index &+= 2
        continue
      }
      characters &-= 5
      index &+= 6
      if case 0xD800...0xDBFF = unit, let low = unsafe SurrogateEscapes.codeUnit(in: raw, at: index),
        0xDC00...0xDFFF ~= low
      {
        characters &-= 6
        index &+= 6
      }
    }
    return characters
  }
}
