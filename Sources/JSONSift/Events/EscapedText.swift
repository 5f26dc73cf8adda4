/// Decodes the text of a string or key that contains escapes.
package enum EscapedText {
  /// Decodes the escapes of RFC 8259. Half of a surrogate pair becomes U+FFFD. An invalid escape loses its backslash; it
  /// must not trap, because the bytes may have changed since they were validated (a mapped file).
  ///
  /// - Complexity: O(`raw.count`).
  package static func decode(_ raw: UnsafeRawBufferPointer) -> String {
    // Decoding never lengthens text: two bytes are the shortest escape, and the six of `\uXXXX` become at most three.
    unsafe String(unsafeUninitializedCapacity: raw.count) { output in
      unsafe decode(raw, into: output)
    }
  }

  /// Calls `body` with the decoded bytes. They are strict UTF-8 if `raw` is.
  package static func withDecoded<Result>(
    _ raw: UnsafeRawBufferPointer, _ body: (UnsafeRawBufferPointer) -> Result
  ) -> Result {
    unsafe withUnsafeTemporaryAllocation(of: UInt8.self, capacity: raw.count) { buffer in
      let count = unsafe decode(raw, into: buffer)
      return unsafe body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(buffer)[..<count]))
    }
  }

  /// Writes the decoded bytes to `output`, which has room for `raw.count` bytes, and returns their number.
  package static func decode(_ raw: UnsafeRawBufferPointer, into output: UnsafeMutableBufferPointer<UInt8>) -> Int {
    var count = 0
    func put(_ byte: UInt8) {
      // SAFETY: no more bytes are written than were read (see `decode`), and the index is also compared with the count.
      if count < output.count { unsafe output[count] = byte }
      count = min(count + 1, output.count)
    }
    func put(scalar: UInt32) {
      // Half of a surrogate pair is no scalar.
      for byte in UTF8.encode(Unicode.Scalar(scalar) ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter { put(byte) }
    }
    let target = UnsafeMutableRawBufferPointer(output)
    var index = 0
    while index < raw.count {
      let rest = unsafe UnsafeRawBufferPointer(rebasing: raw[index...])
      let run = unsafe EscapeScan.decode(rest, into: UnsafeMutableRawBufferPointer(rebasing: target[count...]))
      index += run.used
      count += run.written
      guard index < raw.count else { break }
      // A backslash at the very end escapes nothing and is copied.
      guard index + 1 < raw.count else {
        unsafe put(raw[index])
        break
      }
      if let unit = unsafe SurrogateEscapes.codeUnit(in: raw, at: index) {
        index += 6
        if case 0xD800...0xDBFF = unit, let low = unsafe SurrogateEscapes.codeUnit(in: raw, at: index),
          0xDC00...0xDFFF ~= low
        {
          index += 6
          put(scalar: 0x10000 + (unit - 0xD800) << 10 + (low - 0xDC00))
        } else {
          put(scalar: unit)
        }
        continue
      }
      switch unsafe raw[index + 1] {
      case 0x62: put(0x08)
      case 0x66: put(0x0C)
      case 0x6E: put(0x0A)
      case 0x72: put(0x0D)
      case 0x74: put(0x09)
      case let other: put(other)
      }
      index += 2
    }
    return count
  }

  /// Returns how many bytes of `raw` stand before the one that was decoded to the byte `count`, and how many they mean. For a
  /// byte inside of what an escape means, those before the escape.
  static func rawCount(of count: Int, in raw: UnsafeRawBufferPointer) -> (raw: Int, decoded: Int) {
    var (index, left) = (0, count)
    while left > 0, index < raw.count {
      let next: (raw: Int, decoded: Int)
      if unsafe raw[index] != ASCII.backslash || index + 1 == raw.count {
        next = (1, 1)
      } else if let unit = unsafe SurrogateEscapes.codeUnit(in: raw, at: index) {
        let low = unsafe SurrogateEscapes.codeUnit(in: raw, at: index + 6)
        let isPair = 0xD800...0xDBFF ~= unit && low.map { 0xDC00...0xDFFF ~= $0 } == true
        next = isPair ? (12, 4) : (6, unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3)
      } else {
        next = (2, 1)
      }
      guard next.decoded <= left else { break }
      index += next.raw
      left -= next.decoded
    }
    return (index, count - left)
  }
}
