/// What the first bytes of an input say about how it is compressed. No JSON text begins with any of these.
package enum CompressedFormat: String, Sendable {
  case gzip
  case zstd

  /// The longest mark.
  package static let markBytes = 4

  /// The format whose mark `bytes` begin with: RFC 1952, section 2.3.1; RFC 8878, sections 3.1.1 and 3.1.2. `nil` if there
  /// is none.
  package init?(of bytes: UnsafeRawBufferPointer) {
    if unsafe bytes.count >= 2 && bytes[0] == 0x1F && bytes[1] == 0x8B {
      self = .gzip
    } else if unsafe bytes.count >= 4 && Self.isZstandard(bytes.prefix(4)) {
      self = .zstd
    } else {
      return nil
    }
  }

  /// Whether `bytes` may be the start of a mark, and are no whole one.
  package static func mayBegin(_ bytes: UnsafeRawBufferPointer) -> Bool {
    switch bytes.count {
    case 0: true
    case 1: unsafe bytes[0] == 0x1F || isZstandard(bytes[...])
    case 2, 3: unsafe isZstandard(bytes[...])
    default: false
    }
  }

  /// Whether `bytes`, at most four, begin a frame or one that is skipped.
  private static func isZstandard(_ bytes: Slice<UnsafeRawBufferPointer>) -> Bool {
    unsafe [0x28, 0xB5, 0x2F, 0xFD].starts(with: bytes)
      || (bytes.first ?? 0) & 0xF0 == 0x50 && [0x2A, 0x4D, 0x18].starts(with: bytes.dropFirst())
  }
}
