extension RowFormat {
  /// RFC 4180.
  static let csv = RowFormat(name: "csv", fields: { CSVEncoder(null: $0) }, takesNull: true)
}

/// Fields with commas between them.
struct CSVEncoder: FieldEncoder {
  /// What stands for null.
  let null: [UInt8]

  func append(_ cells: [Cell], to bytes: inout [UInt8]) {
    for (place, cell) in cells.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: ",")) }
      append(cell, isAlone: cells.count == 1, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// RFC 4180: in quotes if there is a quote, a comma or a line break in it. Null and what is absent have none; what reads as they
  /// do, such as an empty string, has. A line that would be empty has a pair of them: most readers pass over an empty line.
  private func append(_ cell: Cell, isAlone: Bool, to bytes: inout [UInt8]) {
    var field: [UInt8] = []
    let needsQuotes: Bool
    if case .absent = cell {
      needsQuotes = isAlone
    } else if cell.isNull {
      field = null
      needsQuotes = isAlone && null.isEmpty
    } else {
      field = cell.plain.utf8.escaped { $0 == 0 ? UInt8(ascii: "0") : nil }
      needsQuotes = field.isEmpty || field == null || field.contains(where: Self.isSpecial)
    }
    guard needsQuotes else { return bytes += field }
    bytes.append(UInt8(ascii: "\""))
    for byte in field {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// What a field of CSV cannot hold without quotes.
  static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: ","), 0x0A, 0x0D: true
    default: false
    }
  }
}
