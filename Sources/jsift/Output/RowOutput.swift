import JSONSift

/// Puts rows that were encoded, perhaps by workers, behind one another on standard output.
struct RowOutput {
  private let format: RowFormat
  private let header: [UInt8]
  private let display: (any RowDisplay)?
  private var isEmpty = true

  /// How many rows decide about the columns of what people look at while it grows.
  private static let usualRows = 500

  /// - Parameters:
  ///   - header: The encoded names of the columns.
  ///   - displayRows: How many rows decide about the columns of a table.
  init(_ format: RowFormat, header: [UInt8], displayRows: Int = Self.usualRows) {
    self.format = format
    self.header = header
    display = format.display?(header, displayRows)
    if let display, displayRows < .max { unsafe Output.standard.beforePause = { display.settle() } }
  }

  /// Writes whole rows.
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
  /// Its bytes, of which some are written as a backslash and a letter.
  func escaped(_ letter: (UInt8) -> UInt8?) -> [UInt8] {
    // Nearly all have nothing to escape.
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
