import JSONSift

extension RowFormat {
  /// A table for people.
  static let table = RowFormat(
    name: "table", fields: { _ in TableEncoder() }, display: { TableWriter(header: $0, rows: $1) })
}

/// The cells of a table until it is written: each with a mark that says whether it is a number, and tabs between them.
private struct TableEncoder: FieldEncoder {
  func append(_ cells: [Cell], to bytes: inout [UInt8]) {
    for (place, cell) in cells.enumerated() {
      if place > 0 { bytes.append(UInt8(ascii: "\t")) }
      bytes.append(cell.isNumber ? TableWriter.numberMark : TableWriter.textMark)
      bytes += Self.escaped(cell.plain)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Tabs and line breaks part the cells of a table until it is written.
  private static func escaped(_ text: String) -> [UInt8] {
    text.utf8.escaped { byte in
      switch byte {
      case 0x09: UInt8(ascii: "t")
      case 0x0A: UInt8(ascii: "n")
      case 0x0D: UInt8(ascii: "r")
      default: nil
      }
    }
  }
}

/// A table for people. The first rows decide how wide its columns are; then each row is written as it comes, and what is
/// wider is cut. Numbers stand to the right.
private final class TableWriter: RowDisplay {
  /// What is wider is cut in a table that may have more rows than are looked at.
  private static let widest = 60
  private static let narrowest = 10
  private static let minOfGrowing = 20
  /// The rows that are held have no more bytes than this.
  private static let maxBytes = 1 << 20

  fileprivate static let numberMark = UInt8(ascii: "n")
  fileprivate static let textMark = UInt8(ascii: "t")

  private struct Field {
    let text: String
    let isNumber: Bool
    let width: Int

    init(_ text: String, isNumber: Bool) {
      self.text = text
      self.isNumber = isNumber
      width = DisplayWidth.of(text)
    }
  }

  private let header: [Field]
  private let most: Int
  private var held: [[Field]] = []
  private var heldBytes = 0
  private var widths: [Int]?
  private var isNumeric: [Bool] = []
  /// How wide a cell of the last column may be, if that is more than its own width.
  private var maxOfLast = 0

  init(header: [UInt8], rows: Int) {
    self.header = Self.fields(header.dropLast())
    most = rows
  }

  /// Takes rows with the marks of their cells.
  func write(_ rows: ArraySlice<UInt8>) {
    for line in rows.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
      let fields = Self.fields(line)
      guard widths == nil else {
        put(fields)
        continue
      }
      held.append(fields)
      heldBytes += line.count
      if held.count >= most || (most < .max && heldBytes > Self.maxBytes) { begin() }
    }
  }

  func finish() {
    if widths == nil, !held.isEmpty { begin() }
  }

  /// Somebody looks at the table while it grows: the rows that are there decide, with room for longer ones.
  func settle() {
    if widths == nil, !held.isEmpty { begin(least: Self.minOfGrowing) }
  }

  /// Cells as they are shown: tabs and line breaks are escaped by now, and other control characters here.
  private static func fields(_ line: ArraySlice<UInt8>) -> [Field] {
    line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { cell in
      Field(visible(cell.dropFirst()), isNumber: cell.first == numberMark)
    }
  }

  private static func visible(_ bytes: ArraySlice<UInt8>) -> String {
    var text = ""
    for scalar in String(decoding: bytes, as: UTF8.self).unicodeScalars {
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x200B...0x200F, 0x2028...0x202E, 0x2066...0x2069, 0xFEFF:
        text += "\\u{\(String(scalar.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text
  }

  /// - Parameter least: How wide a column is at least, but for the last, which can go on.
  private func begin(least: Int = 0) {
    let isWhole = most == .max
    var widths = header.indices.map { column in
      let start = max(header[column].width, column == header.count - 1 ? 0 : least)
      let widest = held.reduce(start) { max($0, $1[column].width) }
      return isWhole ? widest : min(widest, max(Self.widest, header[column].width))
    }
    if least > 0 { maxOfLast = .max }
    // On a terminal the last column takes what room is left.
    if let room = unsafe Output.standard.terminalWidth, let last = widths.popLast() {
      let left = room - widths.reduce(0) { $0 + $1 + 2 }
      widths.append(min(last, max(left, Self.narrowest)))
      maxOfLast = min(maxOfLast, max(left, Self.narrowest))
    }
    self.widths = widths
    isNumeric = header.indices.map { column in held.contains { $0[column].isNumber } }
    put(header)
    unsafe Output.standard.write(
      (widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ") + "\n").utf8)
    for row in held { put(row) }
    held = []
  }

  private func put(_ fields: [Field]) {
    guard let widths else { return }
    var line = ""
    for (column, field) in fields.enumerated() where column < widths.count {
      let width = widths[column]
      let count = field.width
      // A number of which digits are missing is another one.
      let most = field.isNumber ? .max : max(width, column == widths.count - 1 ? maxOfLast : 0)
      let text = count > most ? DisplayWidth.prefix(field.text, max(most - 1, 0)) + "…" : field.text
      let blanks = String(repeating: " ", count: max(width - count, 0))
      line += (column > 0 ? "  " : "") + (isNumeric[column] ? blanks + text : text + blanks)
    }
    while line.last == " " { line.removeLast() }
    unsafe Output.standard.write((line + "\n").utf8)
  }
}
