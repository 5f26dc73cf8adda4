#if Compression
  internal import JSONSift

  /// The seek table of a zstd file: a skippable frame at its end with the sizes of all frames before it (the seekable format
  /// of zstd, version 0.1.0). A program wrote it, so it is only used where it agrees with the headers of the frames.
  struct SeekTable {
    /// The offset of the table's frame, as the number of its entries says.
    let offset: Int
    /// The number of frames before it.
    let count: Int
    private let entryBytes: Int

    private static let footerBytes = 9
    private static let headerBytes = 8

    /// Reads the end of the input. Returns `nil` if it is not the end of a seek table.
    init?(_ input: inout HeaderReader) throws(JSONError) {
      let footer = input.size - Self.footerBytes
      guard let magic = try input.number(at: footer + 5, count: 4), magic == 0x8F92_EAB1,
        let descriptor = try input.number(at: footer + 4, count: 1), descriptor & 0x7C == 0,
        let count = try input.number(at: footer, count: 4)
      else { return nil }
      self.count = count
      entryBytes = descriptor & 0x80 != 0 ? 12 : 8
      offset = footer - count * entryBytes - Self.headerBytes
    }

    /// Returns the sizes of a frame and of its text; `nil` if the table has no such entry.
    func entry(_ index: Int, of input: inout HeaderReader) throws(JSONError) -> (bytes: Int, text: Int)? {
      guard index < count, offset >= 0 else { return nil }
      let start = offset + Self.headerBytes + index * entryBytes
      guard let bytes = try input.number(at: start, count: 4), let text = try input.number(at: start + 4, count: 4)
      else { return nil }
      return (bytes, text)
    }
  }
#endif
