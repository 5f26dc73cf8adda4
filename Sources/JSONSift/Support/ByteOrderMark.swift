/// The UTF-8 byte order mark: three bytes that some programs write before the text. It is not part of the text.
package enum ByteOrderMark {
  static let count = 3
  package static let bytes: [UInt8] = [0xEF, 0xBB, 0xBF]

  /// Returns whether `bytes` begin with the mark.
  static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
  }

  /// Returns whether `bytes` are a proper prefix of the mark.
  static func mayBegin(_ bytes: [UInt8]) -> Bool {
    bytes.count < count && bytes.elementsEqual(Self.bytes.prefix(bytes.count))
  }
}
