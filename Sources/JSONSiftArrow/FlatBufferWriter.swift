import JSONSift

/// Writes one FlatBuffers message: the tables that describe the data of an Arrow stream.
///
/// A buffer is written from its end to its start, because a table refers to parts that must already have a position. The
/// bytes are stored in reverse order, and ``finish(_:)`` reverses them. An *offset* is a distance in bytes from the end of
/// the buffer.
struct FlatBufferWriter {
  private var reversed: [UInt8] = []

  /// The position of a finished part.
  struct Offset {
    fileprivate let fromEnd: Int
  }

  /// A field of a table, which is omitted if it has its default value.
  enum Field {
    case absent
    case uint8(UInt8)
    case bool(Bool)
    case int16(Int16)
    case int32(Int32)
    case int64(Int64)
    case offset(Offset)

    fileprivate var size: Int {
      switch self {
      case .absent: 0
      case .uint8, .bool: 1
      case .int16: 2
      case .int32, .offset: 4
      case .int64: 8
      }
    }
  }

  private mutating func push<Number: FixedWidthInteger>(_ number: Number) {
    for shift in stride(from: Number.bitWidth - 8, through: 0, by: -8) {
      reversed.append(UInt8(truncatingIfNeeded: number >> Number(shift)))
    }
  }

  /// Adds padding, so that a value of `size` bytes is aligned after `count` more bytes.
  private mutating func align(_ size: Int, after count: Int = 0) {
    while (reversed.count + count) % size != 0 { reversed.append(0) }
  }

  private mutating func pushReference(to offset: Offset) {
    push(UInt32(truncatingIfNeeded: reversed.count + 4 - offset.fromEnd))
  }

  private var end: Offset { Offset(fromEnd: reversed.count) }

  mutating func string(_ text: String) -> Offset {
    let bytes = Array(text.utf8)
    align(4, after: bytes.count + 1)
    reversed.append(0)
    reversed += bytes.reversed()
    push(UInt32(truncatingIfNeeded: bytes.count))
    return end
  }

  mutating func vector(_ parts: [Offset]) -> Offset {
    align(4)
    for part in parts.reversed() { pushReference(to: part) }
    push(UInt32(truncatingIfNeeded: parts.count))
    return end
  }

  /// Writes a vector of structures of two 64-bit numbers.
  mutating func vector(pairs: [(Int, Int)]) -> Offset {
    align(8)
    for pair in pairs.reversed() {
      push(Int64(pair.1))
      push(Int64(pair.0))
    }
    push(UInt32(truncatingIfNeeded: pairs.count))
    return end
  }

  mutating func table(_ fields: [Field]) -> Offset {
    let start = reversed.count
    var positions = fields.map { _ in 0 }
    // The largest fields first, which needs the least padding.
    for size in [8, 4, 2, 1] {
      for (index, field) in fields.enumerated() where field.size == size {
        align(size)
        switch field {
        case .absent: break
        case .uint8(let value): push(value)
        case .bool(let value): push(UInt8(value ? 1 : 0))
        case .int16(let value): push(value)
        case .int32(let value): push(value)
        case .int64(let value): push(value)
        case .offset(let value): pushReference(to: value)
        }
        positions[index] = reversed.count
      }
    }
    // The table begins with its distance from the list of field positions before it (the vtable).
    align(4)
    push(Int32((fields.count + 2) * 2))
    let table = reversed.count
    align(2)
    for position in positions.reversed() { push(UInt16(truncatingIfNeeded: position == 0 ? 0 : table - position)) }
    push(UInt16(truncatingIfNeeded: table - start))
    push(UInt16(truncatingIfNeeded: (fields.count + 2) * 2))
    return Offset(fromEnd: table)
  }

  /// Returns the message, with a length that is a multiple of 8.
  mutating func finish(_ root: Offset) -> [UInt8] {
    align(8, after: 4)
    pushReference(to: root)
    return reversed.reversed()
  }
}
