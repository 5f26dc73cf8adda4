/// The three bytes that some programs write before UTF-8 text. They are no part of it.
enum ByteOrderMark {
  static let count = 3

  static func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
    unsafe bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF
  }

  /// Whether `bytes`, fewer than three, may be the start of a mark.
  static func mayBegin(_ bytes: [UInt8]) -> Bool {
    bytes.count < count && bytes.elementsEqual([0xEF, 0xBB, 0xBF].prefix(bytes.count))
  }
}
