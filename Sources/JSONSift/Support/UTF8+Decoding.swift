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
