extension RowFormat {
  /// A JSON text on each line.
  static let ndjson = RowFormat(name: "ndjson")

  /// One JSON array.
  static let json = RowFormat(
    name: "json", opening: Array("[".utf8), separator: Array(",\n".utf8), closing: Array("]\n".utf8), terminator: [])
}
