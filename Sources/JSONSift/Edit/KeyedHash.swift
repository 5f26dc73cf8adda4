/// HMAC-SHA-256 of RFC 2104.
struct KeyedHash: Sendable {
  private var inner = SHA256()
  private var outer = SHA256()

  init(key: [UInt8]) {
    var key = key
    if key.count > SHA256.blockBytes {
      var hash = SHA256()
      hash.add(key)
      key = hash.digest()
    }
    key += Array(repeating: 0, count: SHA256.blockBytes - key.count)
    inner.add(key.map { $0 ^ 0x36 })
    outer.add(key.map { $0 ^ 0x5C })
  }

  mutating func add(_ bytes: UnsafeRawBufferPointer) { unsafe inner.add(bytes) }

  /// Returns the first 32 hexadecimal digits.
  consuming func text() -> [UInt8] {
    var outer = outer
    outer.add(inner.digest())
    return SHA256.digits(outer.digest())
  }
}
