/// A compressed format, as the first bytes of an input tell it. No JSON text begins with any of these.
///
/// A format is one line of ``all``, and one file of `JSONSiftCompression` that reads it. Without that module its data are
/// refused by name.
package struct CompressedFormat: Sendable, CustomStringConvertible {
  package let description: String
  /// What data begin with: bytes, each with the bits that count.
  private let marks: [[(byte: UInt8, bits: UInt8)]]
  /// The endings of file names.
  package let endings: [String]

  package init(_ name: String, endings: [String], marks: [[(byte: UInt8, bits: UInt8)]]) {
    description = name
    self.endings = endings
    self.marks = marks
  }

  /// RFC 1952, section 2.3.1.
  package static let gzip = CompressedFormat(
    "gzip", endings: [".gz", ".gzip"], marks: [[(0x1F, 0xFF), (0x8B, 0xFF)]])

  /// A frame, and one that is skipped: RFC 8878, sections 3.1.1 and 3.1.2.
  package static let zstd = CompressedFormat(
    "zstd", endings: [".zst", ".zstd"],
    marks: [
      [(0x28, 0xFF), (0xB5, 0xFF), (0x2F, 0xFF), (0xFD, 0xFF)],
      [(0x50, 0xF0), (0x2A, 0xFF), (0x4D, 0xFF), (0x18, 0xFF)],
    ])

  package static let all = [gzip, zstd]

  /// The format whose mark `bytes` begin with. `nil` if there is none.
  package init?(of bytes: UnsafeRawBufferPointer) {
    guard let found = Self.all.first(where: { unsafe $0.begins(bytes) }) else { return nil }
    self = found
  }

  /// Whether `bytes` begin with a mark.
  package func begins(_ bytes: UnsafeRawBufferPointer) -> Bool {
    marks.contains { unsafe $0.count <= bytes.count && Self.fits(bytes, $0) }
  }

  /// Whether `bytes` may be the start of a mark, and are no whole one.
  package func mayBegin(_ bytes: UnsafeRawBufferPointer) -> Bool {
    marks.contains { unsafe bytes.count < $0.count && Self.fits(bytes, $0) }
  }

  /// Whether bytes are those of a mark, as far as there are some.
  private static func fits(_ bytes: UnsafeRawBufferPointer, _ mark: [(byte: UInt8, bits: UInt8)]) -> Bool {
    unsafe zip(bytes, mark).allSatisfy { $0 & $1.bits == $1.byte }
  }

  package static func == (left: Self, right: Self) -> Bool { left.description == right.description }
}
