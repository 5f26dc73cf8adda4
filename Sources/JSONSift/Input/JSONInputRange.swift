/// A range of an input's bytes, for one of several readers that share the input.
///
/// ```swift
/// var options = JSONRecordOptions()
/// options.range = JSONInputRange(part: 3, of: 8, size: 4_000_000)   // the third of 8 parts of about the same size
/// var reader = try JSONRecordReader(.path("events.ndjson"), options: options)
/// while let record = try reader.next() { print(record.byteRange) }
/// ```
///
/// A reader with a range returns the records whose line *begins* in the range, the last of them up to its end. With
/// ``JSONFraming/textSequence`` these are the records whose record separator is in the range. So ranges that cover the input
/// without gaps return each record once, wherever they meet: together the same records and bad records, with the same
/// offsets, as one reader without a range. A byte order mark, blank lines, and the text before a record belong to the line. A
/// record that is longer than several ranges belongs to the one in which it begins; the others return nothing.
///
/// The bytes of the input, the range and the options determine the result: it does not depend on other readers, and a program
/// can read a range again after a failure. ``JSONFraming/automatic`` is decided by the first bytes of the input, not of the
/// range.
///
/// # Compressed files
///
/// In a compressed file, which `JSONSiftCompression` reads, a range counts compressed bytes. Such a file consists of
/// *frames* that can be decompressed by themselves: the frames of zstd (`pzstd` writes several), and the blocks of BGZF
/// (`bgzip`). The range owns the frames that begin in it, and the records whose line begins in their text; a line that
/// begins with the first byte of a frame belongs to the frame before. (A text sequence belongs to the frame of its
/// separator.) To find the frames, the headers of the file up to the end of the range are read, but nothing is
/// decompressed. A seek table at the end of a zstd file must agree with them.
///
/// Offsets of records count decompressed bytes of the whole file if the headers or the seek table say how long the text of
/// each earlier frame is: always in BGZF, rarely in a file by `pzstd`. Otherwise they count from the first frame in the range,
/// unless ``firstOffset`` is given.
///
/// Any other gzip file, and a zstd file of one frame, cannot be divided: the range that contains byte 0 returns all records,
/// and every other range none.
///
/// # Other inputs
///
/// Only a regular file and bytes in memory have ranges. With ``JSONFraming/values``,
/// ``JSONFraming/children(of:)`` and ``JSONFraming/document`` a record does not begin with a line: reading throws
/// ``JSONError/Code/unreadable`` when it begins.
public struct JSONInputRange: Sendable, Hashable {
  /// The offset of the first byte.
  public let lowerBound: Int
  /// The offset after the last byte; `nil` for the end of the input, wherever that is. If the input is shorter, or becomes
  /// shorter while it is read, reading throws ``JSONError/Code/unreadable``.
  public let upperBound: Int?
  /// The number of the first line that begins in the range. The default is 1: the lines of the range are counted, because the
  /// number of lines before it is not known.
  public var firstLine = 1 {
    didSet { firstLine = min(max(firstLine, 1), Self.maxLine) }
  }

  /// For a range of a compressed file: the offset in the text of the first line that begins in the range. A program knows it
  /// if it has read all ranges before: it is the sum of the bytes that they own. Ignored if the file says where its frames
  /// begin in the text, and for a file that is not compressed.
  public var firstOffset: Int? {
    didSet { firstOffset = firstOffset.map { min(max($0, 0), Self.maxLine) } }
  }

  /// The maximum of ``firstLine`` and ``firstOffset``. No input is as long, and adding to it cannot overflow.
  private static let maxLine = 1 << 62

  /// Creates a range with two bounds.
  public init(_ range: Range<Int>) {
    lowerBound = max(range.lowerBound, 0)
    upperBound = max(range.upperBound, 0)
  }

  /// Creates a range up to the end of the input.
  public init(_ range: PartialRangeFrom<Int>) {
    lowerBound = max(range.lowerBound, 0)
    upperBound = nil
  }

  /// Creates one of `count` ranges that cover an input. Their lengths differ by at most one byte.
  ///
  /// - Parameters:
  ///   - number: The number of the range, from 1 to `count`. A number outside is replaced by the nearest.
  ///   - count: The number of ranges, at least 1.
  ///   - size: The size of the input in bytes. The last range ends there, even if the file has grown since.
  public init(part number: Int, of count: Int, size: Int) {
    let count = max(count, 1)
    let number = min(max(number, 1), count)
    let (quotient, rest) = max(size, 0).quotientAndRemainder(dividingBy: count)
    // The first ranges have one byte more. No product exceeds the size.
    let start = quotient * (number - 1) + min(number - 1, rest)
    lowerBound = start
    upperBound = start + quotient + (number <= rest ? 1 : 0)
  }

  /// Where a reader begins. If that is in the middle of a line, the line is not read.
  var start: JSONCheckpoint { JSONCheckpoint(byteOffset: lowerBound, line: firstLine) }
}
