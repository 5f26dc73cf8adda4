extension RowFormat {
  /// Fields separated by tabs.
  ///
  /// Tabs, line breaks and backslashes are escaped, because a field cannot contain the first two. Null and absent cells are
  /// encoded as in CSV. A value with the same text is quoted, so a string that begins with a quote gets a backslash before it.
  static let tsv = RowFormat(
    name: "tsv",
    field: { cell, _, null, bytes in
      if case .absent = cell { return }
      if cell.isNull { return bytes += null }
      let (quote, backslash) = (UInt8(ascii: "\""), UInt8(ascii: "\\"))
      let field = cell.plain.utf8.escaped { $0 == backslash ? $0 : $0 == 0 ? UInt8(ascii: "0") : breakLetter($0) }
      if field.isEmpty || field == null {
        bytes += [quote] + field + [quote]
      } else {
        if field[0] == quote { bytes.append(backslash) }
        bytes += field
      }
    },
    acceptsNull: true)

  /// Returns the letter that is written for a byte that divides fields or rows, after a backslash.
  static func breakLetter(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x09: UInt8(ascii: "t")
    case 0x0A: UInt8(ascii: "n")
    case 0x0D: UInt8(ascii: "r")
    default: nil
    }
  }
}
