/// The only place where bytes become a `String`. Ill-formed bytes become U+FFFD: a mapped file can change after it was
/// checked, and a reader must not trap on it.
extension String {
  init(utf8 bytes: UnsafeRawBufferPointer) {
    self = unsafe String(decoding: bytes, as: UTF8.self)
  }
}
