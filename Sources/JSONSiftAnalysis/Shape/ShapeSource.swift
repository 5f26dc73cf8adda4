import JSONSift

/// The bytes of a record, read eight at a time.
///
/// SAFETY: the bytes exist for the duration of the call that passes them. Each load checks that its bytes are inside, or
/// states what its caller has checked. Worth it: a check of each load takes 1 % more instructions (Scripts/measure instructions,
/// shape).
@safe struct ShapeSource: BitwiseCopyable {
  let base: UnsafeRawPointer
  let count: Int

  /// Returns the eight bytes from `start`, the first in the lowest bits. The caller has checked that they are inside.
  func load(at start: Int) -> UInt64 {
    unsafe UInt64(littleEndian: base.loadUnaligned(fromByteOffset: start, as: UInt64.self))
  }

  /// Returns the eight bytes from `start`, padded with zeros after the end.
  func eightBytes(at start: Int) -> UInt64 { start &+ 8 <= count ? load(at: start) : lastBytes(at: start) }

  @inline(never)
  private func lastBytes(at start: Int) -> UInt64 {
    unsafe UnsafeRawBufferPointer(start: base, count: count).dropFirst(start).reversed().reduce(0) {
      $0 &<< 8 | UInt64($1)
    }
  }

  /// Returns the number of characters, Unicode scalar values, in `length` bytes of UTF-8. The caller has checked that
  /// they are inside.
  @inline(never)
  func characterCount(at start: Int, _ length: Int) -> Int {
    if length <= 16 {
      if length >= 8 {
        // Shifts out the bytes that the first load contains too.
        let tail = load(at: start &+ length &- 8) &>> UInt64(truncatingIfNeeded: (16 &- length) &* 8)
        let sum = Self.continuationBits(load(at: start)) &+ (length == 8 ? 0 : Self.continuationBits(tail))
        return length &- Self.sum(sum)
      }
      guard length > 0 else { return 0 }
      return length
        &- Self.sum(Self.continuationBits(eightBytes(at: start) &<< UInt64(truncatingIfNeeded: (8 &- length) &* 8)))
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

  /// Returns a 1 in the lowest bit of each continuation byte of UTF-8: a byte whose highest bits are 10.
  static func continuationBits(_ bytes: UInt64) -> UInt64 { bytes &>> 7 & ~(bytes &>> 6) & 0x0101_0101_0101_0101 }

  /// Returns the sum of the eight bytes, at most 255.
  static func sum(_ bytes: UInt64) -> Int { Int(truncatingIfNeeded: (bytes &* 0x0101_0101_0101_0101) &>> 56) }
}

extension UnsafeRawBufferPointer {
  /// The number of characters in these bytes of UTF-8: all bytes except continuation bytes begin one.
  var characterCount: Int {
    var continuations = 0
    var index = 0
    while count &- index >= 8 {
      // 31 words cannot overflow: their sum, over all eight bytes, is at most 248.
      let end = Swift.min(count &- 7, index &+ 31 &* 8)
      var sum: UInt64 = 0
      while index < end {
        let word = unsafe loadUnaligned(fromByteOffset: index, as: UInt64.self)
        sum &+= ShapeSource.continuationBits(word)
        index &+= 8
      }
      continuations &+= ShapeSource.sum(sum)
    }
    while index < count {
      if unsafe self[index] & 0xC0 == 0x80 { continuations &+= 1 }
      index &+= 1
    }
    return count &- continuations
  }
}

extension EscapedText {
  /// Returns the number of characters of a text with escapes after decoding.
  static func characterCount(_ raw: UnsafeRawBufferPointer) -> Int {
    var characters = unsafe raw.characterCount
    var index = 0
    while index < raw.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: raw[index...])
      // A backslash at the end of the text escapes nothing.
      guard let run = unsafe rest.firstOffset(of: UInt8(ascii: "\\")), run < rest.count &- 1 else { break }
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
