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
    return message(.schema, schema, body: [], &writer)
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

  /// The buffers of a message, with the lengths of their columns.
  struct Body {
    var bytes: [UInt8] = []
    /// By column: its number of values and of nulls.
    var nodes: [(Int, Int)] = []
    /// By buffer: its position in `bytes`, and its length without padding.
    var buffers: [(Int, Int)] = []

    /// Appends a buffer, after padding. The end of the body is padded only to 8 bytes: its last 8 bytes, which a writer holds
    /// back, then contain a byte of a column, and are missed by readers that ignore padding.
    mutating func append(_ buffer: UnsafeRawBufferPointer) {
      let rest = bytes.count % ArrowMessages.alignment
      if rest > 0, unsafe !buffer.isEmpty {
        bytes.append(contentsOf: repeatElement(0, count: ArrowMessages.alignment - rest))
      }
      buffers.append((bytes.count, buffer.count))
      unsafe bytes.append(contentsOf: buffer)
    }

    /// The bytes with the padding at the end.
    fileprivate var padded: [UInt8] { bytes + [UInt8](repeating: 0, count: (8 - bytes.count % 8) % 8) }

    mutating func append<Element: BitwiseCopyable>(_ buffer: [Element]) {
      unsafe buffer.withUnsafeBytes { unsafe append($0) }
    }

    /// Appends one bit for each byte that is not 0.
    mutating func append(bits flags: [UInt8]) {
      var bits = [UInt8](repeating: 0, count: (flags.count + 7) / 8)
      for (index, flag) in flags.enumerated() where flag != 0 { bits[index >> 3] |= 1 << UInt8(index & 7) }
      append(bits)
    }
  }

  static func batch(_ body: Body, rows: Int) -> [UInt8] {
    var writer = FlatBufferWriter()
    let batch = recordBatch(body, rows: rows, &writer)
    return message(.batch, batch, body: body.padded, &writer)
  }

  /// A dictionary that replaces the previous one with the same number.
  static func dictionary(_ body: Body, rows: Int, number: Int) -> [UInt8] {
    var writer = FlatBufferWriter()
    let batch = recordBatch(body, rows: rows, &writer)
    let dictionary = writer.table([.int64(Int64(number)), .offset(batch)])
    return message(.dictionary, dictionary, body: body.padded, &writer)
  }

  private static func recordBatch(_ body: Body, rows: Int, _ writer: inout FlatBufferWriter) -> FlatBufferWriter.Offset
  {
    let nodes = writer.vector(pairs: body.nodes)
    let buffers = writer.vector(pairs: body.buffers)
    return writer.table([.int64(Int64(rows)), .offset(nodes), .offset(buffers)])
  }

  private static func message(
    _ header: Header, _ table: FlatBufferWriter.Offset, body: [UInt8], _ writer: inout FlatBufferWriter
  ) -> [UInt8] {
    // Version 5 of the metadata has the number 4.
    let root = writer.table([.int16(4), .uint8(header.rawValue), .offset(table), .int64(Int64(body.count))])
    let metadata = writer.finish(root)
    let length = UInt32(truncatingIfNeeded: metadata.count)
    return continuation + (0..<4).map { UInt8(truncatingIfNeeded: length >> UInt32($0 * 8)) } + metadata + body
  }
}
