/// A text that is being written: the whole value, or a nested container that is filled while others are open.
final class EncodedPart {
  /// SAFETY of the disabled exclusivity checks: no part of this object is passed to code that can reach it. Worth it: the
  /// checks take 35 % more instructions (Scripts/measure instructions, encode).
  @exclusivity(unchecked) private var buffer = ByteBuffer(capacity: 256)
  /// Texts to insert between the bytes, and ranges of bytes to drop, each sorted by offset.
  @exclusivity(unchecked) private var inserts: [(offset: Int, part: EncodedPart)] = []
  @exclusivity(unchecked) private var skips: [Range<Int>] = []
  /// The closing bracket, appended when all texts are joined.
  var closing: UInt8?
  /// Whether an empty text represents an empty object, `{}`.
  var isValue = false

  var count: Int { unsafe buffer.count }

  func clear() {
    unsafe buffer.removeAll()
    if unsafe !inserts.isEmpty { unsafe inserts.removeAll() }
    if unsafe !skips.isEmpty { unsafe skips.removeAll() }
    closing = nil
    isValue = false
  }

  func withBytes<Result, Failure: Error>(
    _ body: (UnsafeRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    try unsafe buffer.withBytes(body)
  }

  // MARK: Insertions and removals

  /// A state of the text to which later writes can be rolled back.
  struct Mark {
    fileprivate let count: Int
    fileprivate let inserts: Int
    fileprivate let skips: [Range<Int>]
  }

  var mark: Mark { unsafe Mark(count: buffer.count, inserts: inserts.count, skips: skips) }

  func rollBack(to mark: Mark) {
    unsafe buffer.truncate(to: mark.count)
    unsafe inserts.removeLast(max(inserts.count - mark.inserts, 0))
    unsafe skips = mark.skips
  }

  /// Inserts a text at the current end.
  func insert(_ part: EncodedPart) { unsafe inserts.append((buffer.count, part)) }

  /// Appends a text with its inserted texts and dropped ranges.
  func append(_ other: EncodedPart) {
    let start = count
    other.copy(0..<other.count, to: self)
    unsafe inserts += other.inserts.map { (start + $0.offset, $0.part) }
    unsafe skips += other.skips.map { start + $0.lowerBound..<start + $0.upperBound }
  }

  /// Drops bytes that are written already, with the texts inserted between them.
  func skip(_ range: Range<Int>) {
    let index = unsafe skips.firstIndex { $0.lowerBound > range.lowerBound }
    unsafe skips.insert(range, at: index ?? skips.endIndex)
  }

  /// Returns the text with all insertions and without the dropped bytes: this part itself if there are none.
  func joined() -> EncodedPart {
    if unsafe inserts.isEmpty, unsafe skips.isEmpty, closing == nil { return self }
    let result = EncodedPart()
    // A stack of open parts, each with the offset up to which it is copied, and the indices of its next insert and next
    // skip.
    var open: [(part: EncodedPart, done: Int, insert: Int, skip: Int)] = [(self, 0, 0, 0)]
    while var top = open.popLast() {
      let part = top.part
      while unsafe top.skip < part.skips.count, unsafe part.skips[top.skip].upperBound <= top.done { top.skip += 1 }
      let skip = unsafe top.skip < part.skips.count ? part.skips[top.skip] : part.count..<part.count
      let insert = unsafe top.insert < part.inserts.count ? part.inserts[top.insert].offset : part.count
      if unsafe top.insert < part.inserts.count, insert <= skip.lowerBound || skip.isEmpty {
        part.copy(top.done..<max(top.done, insert), to: result)
        let inner = unsafe part.inserts[top.insert].part
        top.done = max(top.done, insert)
        top.insert += 1
        open.append(top)
        open.append((inner, 0, 0, 0))
      } else if !skip.isEmpty {
        part.copy(top.done..<max(top.done, skip.lowerBound), to: result)
        top.done = max(top.done, skip.upperBound)
        while unsafe top.insert < part.inserts.count, unsafe part.inserts[top.insert].offset < top.done {
          top.insert += 1
        }
        top.skip += 1
        open.append(top)
      } else {
        part.copy(top.done..<part.count, to: result)
        if part.count == 0, unsafe part.inserts.isEmpty, part.isValue { result.append("{}") }
        if let closing = part.closing { result.append(byte: closing) }
      }
    }
    return result
  }

  private func copy(_ range: Range<Int>, to result: EncodedPart) {
    guard !range.isEmpty else { return }
    unsafe buffer.withBytes { bytes in
      unsafe result.append(UnsafeRawBufferPointer(rebasing: bytes[range.clamped(to: 0..<bytes.count)]))
    }
  }

  // MARK: Text

  // Forced inlining in this file saves 1.6 % of `encode` (Scripts/measure instructions).
  @inline(__always)
  func append(byte: UInt8) { unsafe buffer.append(byte) }

  func append(_ bytes: UnsafeRawBufferPointer) { unsafe buffer.append(bytes) }

  func append(_ text: StaticString) { unsafe buffer.append(text) }

  func append(_ value: Bool) {
    if value { append("true") } else { append("false") }
  }

  /// Appends characters without escaping any.
  func append(plain text: String) {
    var text = text
    text.withUTF8 { unsafe buffer.append(UnsafeRawBufferPointer($0)) }
  }

  func append<Integer: FixedWidthInteger>(_ value: Integer) {
    if let small = Int64(exactly: value) { return append(small: small) }
    append(plain: String(value))
  }

  @inline(__always)
  private func append(small value: Int64) {
    unsafe buffer.append(upTo: 20) { output in
      var magnitude = value.magnitude
      var digits = 1
      var bound: UInt64 = 10
      while digits < 19, magnitude >= bound {
        digits &+= 1
        bound &*= 10
      }
      let start = value < 0 ? 1 : 0
      if value < 0 { unsafe output.storeBytes(of: ASCII.minus, as: UInt8.self) }
      var offset = start &+ digits
      // SAFETY: at most 19 digits and a sign, so at most 20 bytes. Worth it: a `String` takes 5 % more instructions
      // (Scripts/measure instructions, encode).
      repeat {
        offset &-= 1
        unsafe output.storeBytes(
          of: ASCII.zero &+ UInt8(truncatingIfNeeded: magnitude % 10), toByteOffset: offset, as: UInt8.self)
        magnitude /= 10
      } while offset > start
      return start &+ digits
    }
  }

  /// Appends a string with its quotes.
  @inline(__always)
  func append(string: String, escapesSlashes: Bool) {
    var string = string
    string.withUTF8 { unsafe buffer.append(quoting: UnsafeRawBufferPointer($0), escapesSlashes: escapesSlashes) }
  }

  // MARK: Keys

  /// Returns whether the `count` bytes at both offsets are equal.
  func isEqual(_ first: Int, _ second: Int, count: Int) -> Bool {
    unsafe buffer.withBytes { bytes in
      guard first >= 0, second >= 0, max(first, second) + count <= bytes.count else { return false }
      return unsafe UnsafeRawBufferPointer(rebasing: bytes[first..<(first + count)])
        .elementsEqualMemory(bytes, at: second)
    }
  }

  /// Returns a hash of the bytes in 0...63.
  func bit(of start: Int, count: Int) -> UInt64 {
    unsafe buffer.withBytes { bytes in
      guard count > 0, start + count <= bytes.count else { return 0 }
      var bits = UInt64(truncatingIfNeeded: count)
      if count >= 8 {
        unsafe bits ^=
          bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self)
          ^ (bytes.loadUnaligned(fromByteOffset: start + count - 8, as: UInt64.self) &* 0x9E37_79B9_7F4A_7C15)
      } else {
        for offset in start..<(start + count) { bits = unsafe bits &* 257 &+ UInt64(bytes[offset]) }
      }
      return (bits &* 0xFF51_AFD7_ED55_8CCD) &>> 58
    }
  }
}
