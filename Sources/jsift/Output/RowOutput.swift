import JSONSift

/// Writes encoded rows, possibly from several workers, to standard output in order.
struct RowOutput {
  private let format: RowFormat
  private let header: [UInt8]
  private let display: TableWriter?
  private var isEmpty = true

  /// The number of rows that determine the column widths of a table that may still grow.
  private static let defaultDisplayRows = 500

  /// - Parameters:
  ///   - header: The encoded names of the columns.
  ///   - displayRows: The number of rows that determine the column widths of a table.
  init(_ format: RowFormat, header: [UInt8], displayRows: Int = Self.defaultDisplayRows) {
    self.format = format
    self.header = header
    display = format.display?(header, displayRows)
    if let display, displayRows < .max { unsafe Output.standard.beforePause = { display.settle() } }
  }

  /// Writes complete rows.
  mutating func write(_ rows: ArraySlice<UInt8>) {
    guard !rows.isEmpty else { return }
    if let display { return display.write(rows) }
    begin()
    unsafe Output.standard.write(isEmpty ? rows.dropFirst(format.separator.count) : rows)
    isEmpty = false
  }

  mutating func finish() {
    if let display { return display.finish() }
    begin()
    unsafe Output.standard.write(format.closing)
  }

  private func begin() {
    guard isEmpty else { return }
    unsafe Output.standard.write(format.opening)
    unsafe Output.standard.write(header)
  }
}

extension String.UTF8View {
  /// Returns the bytes; those with a letter are written as a backslash and the letter.
  func escaped(_ letter: (UInt8) -> UInt8?) -> [UInt8] {
    // Most texts need no escapes.
    guard contains(where: { letter($0) != nil }) else { return Array(self) }
    var escaped: [UInt8] = []
    escaped.reserveCapacity(count)
    for byte in self {
      if let letter = letter(byte) {
        escaped += [UInt8(ascii: "\\"), letter]
      } else {
        escaped.append(byte)
      }
    }
    return escaped
  }
}
