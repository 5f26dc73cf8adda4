#if Compression
  internal import JSONSift

  /// The extent of a unit of a compressed input that can be decompressed by itself, as its headers state it.
  struct Frame {
    var byteCount: Int
    /// The number of bytes of its text; `nil` if no header contains it.
    var textCount: Int?
    /// Whether the frame contains data for a decoder; `false` for a skippable frame and for padding.
    var isData = true
    /// Whether it is the rest of the input, because no header says where it ends.
    var isRest = false

    /// The rest of the input as one frame.
    static func rest(_ byteCount: Int) -> Frame { Frame(byteCount: byteCount, isRest: true) }
  }

  extension ZstdDecoder {
    /// Returns the extent of the frame at an offset, from its header and the headers of its blocks: RFC 8878, section 3.1.
    /// `nil` if there is none, or if it is not complete.
    static func frame(at offset: Int, of input: inout HeaderReader) throws(JSONError) -> Frame? {
      guard let magic = try input.number(at: offset, count: 4) else { return nil }
      if magic & ~0xF == skippableMagic {
        guard let count = try input.number(at: offset + 4, count: 4), count <= input.size - offset - 8 else {
          return nil
        }
        return Frame(byteCount: 8 + count, textCount: 0, isData: false)
      }
      guard magic == 0xFD2F_B528, let descriptor = try input.number(at: offset + 4, count: 1) else { return nil }
      let isSingleSegment = descriptor & 0x20 != 0
      let hasChecksum = descriptor & 0x04 != 0
      let dictionaryBytes = [0, 1, 2, 4][descriptor & 0x03]
      let sizeBytes = [isSingleSegment ? 1 : 0, 2, 4, 8][descriptor >> 6]
      let sizeOffset = offset + 5 + (isSingleSegment ? 0 : 1) + dictionaryBytes
      var textCount: Int?
      if sizeBytes > 0 {
        guard sizeOffset + sizeBytes <= input.size else { return nil }
        textCount = try input.number(at: sizeOffset, count: sizeBytes).map { sizeBytes == 2 ? $0 + 256 : $0 }
      }
      var next = sizeOffset + sizeBytes
      while true {
        guard let header = try input.number(at: next, count: 3) else { return nil }
        next += 3
        switch (header >> 1) & 0x03 {
        case 0, 2: next += header >> 3
        case 1: next += 1
        default: return nil
        }
        if header & 1 != 0 { break }
      }
      if hasChecksum { next += 4 }
      return next <= input.size ? Frame(byteCount: next - offset, textCount: textCount) : nil
    }

    /// The magic number of a skippable frame, with four bits that can have any value.
    static let skippableMagic = 0x184D_2A50
  }

  extension GzipDecoder {
    /// Whether a member begins like a block of BGZF, whose extra field begins with the size of the block.
    static func beginsBlock(_ bytes: UnsafeRawBufferPointer) -> Bool {
      unsafe bytes.count >= 16 && bytes[0] == 0x1F && bytes[1] == 0x8B && bytes[3] & 4 != 0 && bytes[12] == 0x42
        && bytes[13] == 0x43 && bytes[14] == 2 && bytes[15] == 0
    }

    /// Returns the extent of the block of BGZF at an offset: a gzip member whose extra field contains its size (the
    /// specification of SAM, section 4.1). Any other member does not say where it ends, so everything from there on is one
    /// frame. `nil` if no member begins there, or if it is not complete.
    static func frame(at offset: Int, of input: inout HeaderReader) throws(JSONError) -> Frame? {
      let rest = input.size - offset
      guard let first = try input.number(at: offset, count: 1) else { return nil }
      // Zero bytes after the last member.
      if first == 0, offset > 0 { return Frame(byteCount: rest, textCount: 0, isData: false, isRest: true) }
      guard let magic = try input.number(at: offset, count: 4), magic & 0xFFFF == 0x8B1F else { return nil }
      let extraFlag = 0x0400_0000
      guard magic & extraFlag != 0, let extraBytes = try input.number(at: offset + 10, count: 2) else {
        return .rest(rest)
      }
      var field = offset + 12
      let end = field + extraBytes
      while field + 4 <= end, let name = try input.number(at: field, count: 2),
        let length = try input.number(at: field + 2, count: 2)
      {
        guard name == 0x4342, length == 2, field + 6 <= end else {
          field += 4 + length
          continue
        }
        guard let last = try input.number(at: field + 4, count: 2) else { return nil }
        let count = last + 1
        guard count <= rest, count >= 12 + extraBytes + 8 else { return nil }
        return Frame(byteCount: count, textCount: try input.number(at: offset + count - 4, count: 4))
      }
      return .rest(rest)
    }
  }
#endif
