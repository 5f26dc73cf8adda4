#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension UnsafeRawBufferPointer {
  /// Whether `other` holds these bytes from `start` on. The caller has checked that it is long enough.
  @inline(__always)
  func elementsEqualMemory(_ other: UnsafeRawBufferPointer, at start: Int) -> Bool {
    guard let mine = baseAddress, let theirs = other.baseAddress else { return count == 0 }
    return unsafe memcmp(mine, theirs + start, count) == 0
  }

  /// Below 0, 0, or above 0: how these bytes stand to the first of `other`. The caller has checked that it is long enough.
  func memoryOrder(_ other: UnsafeRawBufferPointer) -> Int {
    guard let mine = baseAddress, let theirs = other.baseAddress else { return 0 }
    return unsafe Int(memcmp(mine, theirs, count))
  }

  /// The offset of the first byte of this value, or `nil`.
  @inline(__always)
  func place(of byte: UInt8) -> Int? {
    guard let base = baseAddress, let found = unsafe memchr(base, Int32(byte), count) else { return nil }
    return unsafe UnsafeRawPointer(found) - base
  }
}
