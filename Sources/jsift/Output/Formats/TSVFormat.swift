extension RowFormat {
  /// Fields separated by tabs.
  static let tsv = RowFormat(name: "tsv", fields: { TSVEncoder(null: $0) }, acceptsNull: true)
}

private struct TSVEncoder: FieldEncoder {
  /// The text for null.
  let null: [UInt8]

  func append(_ cells: [Cell], to bytes: inout [UInt8]) {
    for (index, cell) in cells.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: "\t")) }
      append(cell, to: &bytes)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Encodes a field. Tabs, line breaks and backslashes are escaped, because a field cannot contain the first two. Null
  /// and absent cells are encoded as in CSV. A value with the same text is quoted, so a string that begins with a quote
  /// gets a backslash before it.
  private func append(_ cell: Cell, to bytes: inout [UInt8]) {
    if case .absent = cell { return }
    if cell.isNull { return bytes += null }
    let field = cell.plain.utf8.escaped { byte in
      switch byte {
      case UInt8(ascii: "\\"): byte
      case 0x09: UInt8(ascii: "t")
      case 0x0A: UInt8(ascii: "n")
      case 0x0D: UInt8(ascii: "r")
      case 0: UInt8(ascii: "0")
      default: nil
      }
    }
    let quote = UInt8(ascii: "\"")
    if field.isEmpty || field == null {
      bytes += [quote] + field + [quote]
    } else {
      if field[0] == quote { bytes.append(UInt8(ascii: "\\")) }
      bytes += field
    }
  }
}
