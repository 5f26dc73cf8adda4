// All conversions of bytes to a `String` are in this file.

extension String {
  /// Decodes UTF-8. Ill-formed bytes become U+FFFD: a mapped file can change after it was validated, and a reader must not
  /// trap on it.
  package init(utf8 bytes: UnsafeRawBufferPointer) { self = unsafe String(decoding: bytes, as: UTF8.self) }
}

extension String {
  /// Decodes UTF-8 without validating it. Older Apple systems validate it nevertheless.
  ///
  /// SAFETY: the caller guarantees that the bytes are strict UTF-8, validated by the kernel, and that no other code writes
  /// to them during the call. Worth it: validation takes 17 % more instructions (Scripts/measure instructions, walk).
  @unsafe
  init(uncheckedUTF8 bytes: UnsafeRawBufferPointer) {
    if #available(macOS 26, iOS 26, *) {
      let span = unsafe Span<UInt8>(_unsafeBytes: bytes)
      self = unsafe String(copying: UTF8Span(unchecked: span))
    } else {
      self = unsafe String(utf8: bytes)
    }
  }
}

extension Span<UInt8> {
  /// Returns the Unicode scalar that begins at `index`, and advances `index` to the byte after it. Ill-formed bytes yield an
  /// unspecified value; the index advances by one or more bytes.
  func decodeScalar(at index: inout Int) -> UInt32 {
    let first = UInt32(self[index])
    index += 1
    guard first >= 0x80 else { return first }
    var left = first >= 0xF0 ? 3 : first >= 0xE0 ? 2 : 1
    var value = first & (0x3F >> UInt32(left))
    while left > 0, index < count, self[index] & 0xC0 == 0x80 {
      value = value << 6 | UInt32(self[index] & 0x3F)
      index += 1
      left -= 1
    }
    return value
  }
}
