/// Formats that are named, but not read. A format of these is an entry in ``foreign``: its name, the command that converts
/// it, and the bytes with which it begins.
extension CompressedFormat {
  static let foreign: [CompressedFormat] = [
    compressed("bzip2", "bzip2 -dc", [0x42, 0x5A, 0x68, nil, 0x31, 0x41, 0x59, 0x26]),
    compressed("xz", "xz -dc", [0xFD, 0x37, 0x7A, 0x58, 0x5A, 0x00]),
    compressed("zip", "unzip -p", [0x50, 0x4B, 0x03, 0x04]),
    compressed("7z", "7z x -so", [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C]),
    compressed("lz4", "lz4 -dc", [0x04, 0x22, 0x4D, 0x18]),
    compressed("compress", "gzip -dc", [0x1F, 0x9D]),
    compressed("snappy", nil, [0xFF, 0x06, 0x00, 0x00, 0x73, 0x4E, 0x61, 0x50, 0x70, 0x59]),
    compressed("Parquet", nil, [0x50, 0x41, 0x52, 0x31]),
    // Two fields of a tar header end with NUL, and no JSON text contains it; its name follows.
    compressed(
      "tar", "tar -xOf", header([107: 0x00, 115: 0x00, 257: 0x75, 258: 0x73, 259: 0x74, 260: 0x61, 261: 0x72])),
    // With a byte order mark. UTF-32 comes first: its mark begins like the one of UTF-16.
    text("UTF-32", "UTF-32", [[0xFF, 0xFE, 0x00, 0x00], [0x00, 0x00, 0xFE, 0xFF]]),
    text("UTF-16", "UTF-16", [[0xFF, 0xFE], [0xFE, 0xFF]]),
    // Without a mark, beginning with a bracket or a string: the two opening brackets differ in one bit.
    text("UTF-32", "UTF-32LE", [[bracket, 0x00, 0x00, 0x00, nil, nil, 0x00, 0x00]]),
    text("UTF-32", "UTF-32BE", [[0x00, 0x00, 0x00, bracket, 0x00, 0x00, nil, nil]]),
    text("UTF-16", "UTF-16LE", [[bracket, 0x00, nil, 0x00], [0x22, 0x00, nil, 0x00]]),
    text("UTF-16", "UTF-16BE", [[0x00, bracket, 0x00], [0x00, 0x22, 0x00]]),
  ]

  /// Detects a foreign format.
  init?(foreign bytes: UnsafeRawBufferPointer) {
    guard let found = Self.foreign.first(where: { unsafe $0.begins(bytes) }) else { return nil }
    self = found
  }

  private static func compressed(_ name: String, _ converter: String?, _ mark: [UInt8?]) -> CompressedFormat {
    CompressedFormat(name, fileExtensions: [], marks: [bytes(mark)], converter: converter)
  }

  /// Returns a mark with bytes at some offsets.
  private static func header(_ known: [Int: UInt8]) -> [UInt8?] { (0...(known.keys.max() ?? 0)).map { known[$0] } }

  private static func text(_ name: String, _ encoding: String, _ marks: [[UInt8?]]) -> CompressedFormat {
    CompressedFormat(
      name + " text", fileExtensions: [], marks: marks.map { bytes($0) },
      converter: "iconv -f \(encoding) -t UTF-8", isEncoding: true)
  }

  /// `[` or `{`.
  private static let bracket: UInt8 = 0x5B

  private static func bytes(_ mark: [UInt8?]) -> [(byte: UInt8, bits: UInt8)] {
    mark.map { $0.map { ($0, $0 == bracket ? 0xDF : 0xFF) } ?? (0, 0) }
  }
}
