import JSONSift

/// The messages of an Arrow stream (the *IPC streaming format* of Apache Arrow, version 1.5): a schema, batches, and an end
/// marker. Each message is a FlatBuffers table, followed by the buffers of its columns.
///
/// The numbers of fields and of types are those of `Schema.fbs` and `Message.fbs` of Apache Arrow.
enum ArrowMessages {
  /// The start of each message. The end marker is this, followed by a length of 0.
  private static let continuation: [UInt8] = [0xFF, 0xFF, 0xFF, 0xFF]
  static let end: [UInt8] = continuation + [0, 0, 0, 0]

  /// The alignment of buffers, as recommended by the format.
  private static let alignment = 64

  private enum Header: UInt8 {
    case schema = 1
    case dictionary = 2
    case batch = 3
  }

  // MARK: Schema

  static func schema(_ columns: [ArrowColumn]) -> [UInt8] {
    var writer = FlatBufferWriter()
    var dictionaries = 0
    let fields = columns.map { field($0, &writer, &dictionaries) }
    let list = writer.vector(fields)
    let schema = writer.table([.absent, .offset(list)])
    var output: [UInt8] = []
    unsafe message(.schema, schema, Body(), &writer) { unsafe output.append(contentsOf: $0) }
    return output
  }

  private static func field(
    _ column: ArrowColumn, _ writer: inout FlatBufferWriter, _ dictionaries: inout Int
  ) -> FlatBufferWriter.Offset {
    let name = writer.string(column.name)
    var dictionary = FlatBufferWriter.Field.absent
    if case .dictionary = column.type {
      let index = writer.table([.int32(32), .bool(true)])
      dictionary = .offset(writer.table([.int64(Int64(dictionaries)), .offset(index)]))
      dictionaries += 1
    }
    var children: [FlatBufferWriter.Offset] = []
    var metadata = FlatBufferWriter.Field.absent
    let (number, fields): (UInt8, [FlatBufferWriter.Field])
    switch column.type {
    case .int64: (number, fields) = (2, [.int32(64), .bool(true)])
    case .float64: (number, fields) = (3, [.int16(2)])
    case .utf8, .dictionary: (number, fields) = (5, [])
    case .json:
      (number, fields) = (5, [])
      let pairs = [("ARROW:extension:name", "arrow.json"), ("ARROW:extension:metadata", "")].map { pair in
        let (key, value) = (writer.string(pair.0), writer.string(pair.1))
        return writer.table([.offset(key), .offset(value)])
      }
      metadata = .offset(writer.vector(pairs))
    case .bool: (number, fields) = (6, [])
    case .decimal(let precision, let scale):
      (number, fields) = (7, [.int32(Int32(clamping: precision)), .int32(Int32(clamping: scale)), .int32(128)])
    case .date: (number, fields) = (8, [.int16(0)])
    case .timestamp: (number, fields) = (10, [.int16(2), .offset(writer.string("UTC"))])
    case .timestampMilliseconds: (number, fields) = (10, [.int16(1), .offset(writer.string("UTC"))])
    case .timestampNanoseconds: (number, fields) = (10, [.int16(3), .offset(writer.string("UTC"))])
    case .list(let element):
      (number, fields) = (12, [])
      children = [field(ArrowColumn("item", element), &writer, &dictionaries)]
    case .structure(let members):
      (number, fields) = (13, [])
      children = members.map { field($0, &writer, &dictionaries) }
    }
    let type = writer.table(fields)
    // The format requires the list of children, even if it is empty.
    let list = writer.vector(children)
    return writer.table([
      .offset(name), .bool(true), .uint8(number), .offset(type), dictionary, .offset(list), metadata,
    ])
  }

  // MARK: Batches

  /// The buffers of a message, with the lengths of their columns. They share the memory of the columns until they are written.
  struct Body {
    enum Buffer {
      case bytes([UInt8])
      case halves([Int32])
      case words([Int64])
      /// One bit for each byte that is not 0.
      case bits([UInt8])

      fileprivate var byteCount: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .halves(let halves): halves.count * 4
        case .words(let words): words.count * 8
        case .bits(let flags): (flags.count + 7) / 8
        }
      }
    }

    private var buffers: [Buffer] = []
    /// By column: its number of values and of nulls.
    var nodes: [(Int, Int)] = []
    /// By buffer: its position in the body, and its length without padding.
    fileprivate private(set) var positions: [(Int, Int)] = []
    private var count = 0

    /// Adds a buffer, after padding. The end of the body is padded only to 8 bytes, so its last 8 bytes, which a writer holds
    /// back, contain a byte of a column. If all of them were padding, some readers would accept a message without them.
    mutating func append(_ buffer: Buffer) {
      let size = buffer.byteCount
      if size > 0 { count += ArrowMessages.padding(count, ArrowMessages.alignment) }
      positions.append((count, size))
      buffers.append(buffer)
      count += size
    }

    /// The length with the padding at the end.
    fileprivate var paddedCount: Int { count + ArrowMessages.padding(count, 8) }

    /// Passes the bytes, with padding.
    fileprivate func borrow(_ body: (UnsafeRawBufferPointer) -> Void) {
      var written = 0
      for (buffer, (position, size)) in zip(buffers, positions) where size > 0 {
        unsafe ArrowMessages.borrowZeros(position - written, body)
        switch buffer {
        case .bytes(let bytes): unsafe bytes.withUnsafeBytes(body)
        case .halves(let halves): unsafe halves.withUnsafeBytes(body)
        case .words(let words): unsafe words.withUnsafeBytes(body)
        case .bits(let flags): unsafe Self.bits(of: flags).withUnsafeBytes(body)
        }
        written = position + size
      }
      unsafe ArrowMessages.borrowZeros(paddedCount - written, body)
    }

    private static func bits(of flags: [UInt8]) -> [UInt8] {
      unsafe flags.withUnsafeBytes { flags in
        let whole = flags.count / 8
        var bits: [UInt8] = []
        bits.reserveCapacity(whole + 1)
        for index in 0..<whole {
          // Flags are 0 or 1: the product collects the lowest bit of each byte in the highest byte.
          let eight = unsafe UInt64(littleEndian: flags.loadUnaligned(fromByteOffset: index * 8, as: UInt64.self))
          bits.append(UInt8(truncatingIfNeeded: (eight &* 0x0102_0408_1020_4080) &>> 56))
        }
        guard whole * 8 < flags.count else { return bits }
        var last: UInt8 = 0
        for index in (whole * 8)..<flags.count { unsafe last |= flags[index] << UInt8(index & 7) }
        bits.append(last)
        return bits
      }
    }
  }

  private static func borrowZeros(_ count: Int, _ body: (UnsafeRawBufferPointer) -> Void) {
    guard count > 0 else { return }
    unsafe [UInt8](repeating: 0, count: count).withUnsafeBytes(body)
  }

  private static func padding(_ count: Int, _ alignment: Int) -> Int { (alignment - count % alignment) % alignment }

  /// Passes the bytes of a batch in several chunks.
  static func borrow(batch body: Body, rows: Int, _ borrow: (UnsafeRawBufferPointer) -> Void) {
    var writer = FlatBufferWriter()
    let batch = recordBatch(body, rows: rows, &writer)
    unsafe message(.batch, batch, body, &writer, borrow)
  }

  /// Appends a dictionary that replaces the previous one with the same number.
  static func append(dictionary body: Body, rows: Int, number: Int, to output: inout [UInt8]) {
    var writer = FlatBufferWriter()
    let batch = recordBatch(body, rows: rows, &writer)
    let dictionary = writer.table([.int64(Int64(number)), .offset(batch)])
    unsafe message(.dictionary, dictionary, body, &writer) { unsafe output.append(contentsOf: $0) }
  }

  private static func recordBatch(_ body: Body, rows: Int, _ writer: inout FlatBufferWriter) -> FlatBufferWriter.Offset
  {
    let nodes = writer.vector(pairs: body.nodes)
    let buffers = writer.vector(pairs: body.positions)
    return writer.table([.int64(Int64(rows)), .offset(nodes), .offset(buffers)])
  }

  private static func message(
    _ header: Header, _ table: FlatBufferWriter.Offset, _ body: Body, _ writer: inout FlatBufferWriter,
    _ borrow: (UnsafeRawBufferPointer) -> Void
  ) {
    // Version 5 of the metadata has the number 4.
    let root = writer.table([.int16(4), .uint8(header.rawValue), .offset(table), .int64(Int64(body.paddedCount))])
    let metadata = writer.finish(root)
    let length = UInt32(truncatingIfNeeded: metadata.count)
    let head = continuation + (0..<4).map { UInt8(truncatingIfNeeded: length >> UInt32($0 * 8)) } + metadata
    unsafe head.withUnsafeBytes(borrow)
    unsafe body.borrow(borrow)
  }
}
