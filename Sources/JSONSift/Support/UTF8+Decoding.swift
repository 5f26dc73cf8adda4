/// The only place where bytes become a `String`. Ill-formed bytes become U+FFFD: a mapped file can change after it was
/// checked, and a reader must not trap on it.
extension String {
  init(utf8 bytes: UnsafeRawBufferPointer) {
    self = unsafe String(decoding: bytes, as: UTF8.self)
  }
}

extension String {
  /// Makes characters of bytes without a look at whether they are UTF-8.
  ///
  /// SAFETY: the caller knows that they are strict UTF-8, because the kernel has checked them, and that nobody writes to
  /// them meanwhile. Worth it: 63 bytes of Japanese take 22 ns instead of 44. Older systems of Apple check again.
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
  /// The character that begins at `index`, which moves behind it. Ill-formed bytes become some character, one or more
  /// bytes at a time.
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
