extension RowFormat {
  /// Comma-separated values (RFC 4180).
  ///
  /// A field is quoted if it contains a quote, a comma or a line break. Null and absent cells are not quoted; a value with
  /// the same text, such as an empty string, is quoted. If the row would be empty, it is written as a pair of quotes, because
  /// most readers skip an empty line.
  static let csv = RowFormat(
    name: "csv",
    field: { cell, isAlone, null, bytes in
      var field: [UInt8] = []
      let needsQuotes: Bool
      if case .absent = cell {
        needsQuotes = isAlone
      } else if cell.isNull {
        field = null
        needsQuotes = isAlone && null.isEmpty
      } else {
        field = cell.plain.utf8.escaped { $0 == 0 ? UInt8(ascii: "0") : nil }
        needsQuotes = field.isEmpty || field == null || field.contains(where: isSpecialInCSV)
      }
      guard needsQuotes else { return bytes += field }
      bytes.append(UInt8(ascii: "\""))
      for byte in field {
        if byte == UInt8(ascii: "\"") { bytes.append(byte) }
        bytes.append(byte)
      }
      bytes.append(UInt8(ascii: "\""))
    },
    delimiter: UInt8(ascii: ","), acceptsNull: true)

  /// Returns whether a byte requires quotes around a CSV field.
  static func isSpecialInCSV(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: ","), 0x0A, 0x0D: true
    default: false
    }
  }
}
