/// A compressed format, or another one that is not JSON text, detected from the first bytes of an input. No JSON text begins
/// with such bytes.
///
/// To add a format, add an element to ``all``, and a file to `JSONSiftCompression` that reads it. Without that module the
/// error for compressed input contains the name of the format.
package struct CompressedFormat: Sendable, CustomStringConvertible {
  package let description: String
  /// The magic numbers with which data of this format begin: bytes, each with a mask of the significant bits.
  let marks: [[(byte: UInt8, bits: UInt8)]]
  /// The extensions of file names, with their dot.
  package let fileExtensions: [String]
  /// The command that converts a file of this format; `nil` if none is common. Only for ``foreign`` formats.
  let converter: String?
  /// Whether it is text in another encoding.
  let isEncoding: Bool

  package init(
    _ name: String, fileExtensions: [String], marks: [[(byte: UInt8, bits: UInt8)]], converter: String? = nil,
    isEncoding: Bool = false
  ) {
    self.converter = converter
    self.isEncoding = isEncoding
    description = name
    self.fileExtensions = fileExtensions
    self.marks = marks
  }

  /// gzip: RFC 1952, section 2.3.1.
  package static let gzip = CompressedFormat(
    "gzip", fileExtensions: [".gz", ".gzip"], marks: [[(0x1F, 0xFF), (0x8B, 0xFF)]])

  /// zstd, beginning with a frame or a skippable frame: RFC 8878, sections 3.1.1 and 3.1.2.
  package static let zstd = CompressedFormat(
    "zstd", fileExtensions: [".zst", ".zstd"],
    marks: [
      [(0x28, 0xFF), (0xB5, 0xFF), (0x2F, 0xFF), (0xFD, 0xFF)],
      [(0x50, 0xF0), (0x2A, 0xFF), (0x4D, 0xFF), (0x18, 0xFF)],
    ])

  /// All formats that are detected.
  package static let all = [gzip, zstd]

  /// Detects the format of `bytes` from their magic number. Returns `nil` if they begin with no known one.
  package init?(of bytes: UnsafeRawBufferPointer) {
    guard let found = Self.all.first(where: { unsafe $0.begins(bytes) }) else { return nil }
    self = found
  }

  /// Returns whether `bytes` begin with a magic number of this format.
  package func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
    marks.contains { unsafe $0.count <= bytes.count && Self.matches(bytes, $0) }
  }

  /// Returns whether `bytes` are a proper prefix of a magic number of this format. A reader waits for the rest of one, but not
  /// for the middle of a long header.
  package func mayBegin(_ bytes: UnsafeRawBufferPointer) -> Bool {
    marks.contains { unsafe bytes.count < $0.count && $0.count <= Self.maxAwaited && Self.matches(bytes, $0) }
  }

  private static let maxAwaited = 16

  /// Returns whether `bytes` and `mark` match over their common length.
  private static func matches(_ bytes: UnsafeRawBufferPointer, _ mark: [(byte: UInt8, bits: UInt8)]) -> Bool {
    unsafe zip(bytes, mark).allSatisfy { $0 & $1.bits == $1.byte }
  }

  package static func == (left: Self, right: Self) -> Bool { left.description == right.description }
}
