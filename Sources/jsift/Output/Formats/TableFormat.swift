import JSONSift

extension RowFormat {
  /// A table for terminals. The encoded cells begin with a mark for numbers or text, and tabs separate them.
  static let table = RowFormat(
    name: "table",
    field: { cell, _, _, bytes in
      bytes.append(cell.isNumber ? TableWriter.numberMark : TableWriter.textMark)
      bytes += cell.plain.utf8.escaped(breakLetter)
    },
    groupDivider: [TableWriter.groupMark, UInt8(ascii: "\n")],
    display: { TableWriter(header: $0, rows: $1) })
}

/// Writes a table. The first rows determine the column widths; then each row is written immediately, and wider cells
/// are truncated. Numbers are right-aligned.
final class TableWriter {
  /// Maximum column width in a table that may have more rows than those that determine the widths.
  private static let widest = 60
  /// Maximum column width in a table whose rows are all known. Without it, one long cell would widen every row.
  private static let widestOfAll = 200
  private static let minLastWidth = 10
  private static let minGrowingWidth = 20
  /// Maximum number of bytes of the rows held in memory.
  private static let maxBytes = 1 << 20

  fileprivate static let numberMark = UInt8(ascii: "n")
  fileprivate static let textMark = UInt8(ascii: "t")
  /// A row of its own, for an empty line between groups.
  fileprivate static let groupMark = UInt8(ascii: "-")

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
  private let maxRows: Int
  private var held: [[Field]] = []
  private var heldBytes = 0
  private var widths: [Int]?
  private var isNumeric: [Bool] = []
  /// The width of a cell in the last column may reach this value if it exceeds the column's own width.
  private var maxLastWidth = 0

  init(header: [UInt8], rows: Int) {
    self.header = Self.fields(header.dropLast())
    maxRows = rows
  }

  /// Writes encoded rows, with the marks of their cells.
  func write(_ rows: ArraySlice<UInt8>) {
    for line in rows.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: true) {
      let fields = line.elementsEqual([Self.groupMark]) ? [] : Self.fields(line)
      guard widths == nil else {
        put(fields)
        continue
      }
      held.append(fields)
      heldBytes += line.count
      if held.count >= maxRows || (maxRows < .max && heldBytes > Self.maxBytes) { begin() }
    }
  }

  func finish() {
    if widths == nil, !held.isEmpty { begin() }
  }

  /// Starts a table that is watched while it grows: the rows received so far determine the widths, with space for
  /// longer ones.
  func settle() {
    if widths == nil, !held.isEmpty { begin(minWidth: Self.minGrowingWidth) }
  }

  /// Decodes cells for display. Tabs and line breaks are already escaped; other control characters are escaped here.
  private static func fields(_ line: ArraySlice<UInt8>) -> [Field] {
    line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { cell in
      Field(DisplayWidth.visible(String(decoding: cell.dropFirst(), as: UTF8.self)), isNumber: cell.first == numberMark)
    }
  }

  /// - Parameter minWidth: The minimum width of each column except the last, whose cells may be longer.
  private func begin(minWidth: Int = 0) {
    let limit = maxRows == .max ? Self.widestOfAll : Self.widest
    var widths = header.indices.map { column in
      let start = max(header[column].width, column == header.count - 1 ? 0 : minWidth)
      let widest = held.reduce(start) { column < $1.count ? max($0, $1[column].width) : $0 }
      return min(widest, max(limit, header[column].width))
    }
    if minWidth > 0 { maxLastWidth = .max }
    // On a terminal the last column gets the remaining width.
    if let terminalWidth = unsafe Output.standard.terminalWidth, let last = widths.popLast() {
      let left = terminalWidth - widths.reduce(0) { $0 + $1 + 2 }
      widths.append(min(last, max(left, Self.minLastWidth)))
      maxLastWidth = min(maxLastWidth, max(left, Self.minLastWidth))
    }
    self.widths = widths
    isNumeric = header.indices.map { column in held.contains { column < $0.count && $0[column].isNumber } }
    put(header)
    unsafe Output.standard.write((widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ") + "\n").utf8)
    for row in held { put(row) }
    held = []
  }

  private func put(_ fields: [Field]) {
    guard let widths else { return }
    var line = ""
    for (column, field) in fields.enumerated() where column < widths.count {
      let width = widths[column]
      let count = field.width
      // A number is never truncated: without some of its digits it would be another number.
      let maxWidth = field.isNumber ? .max : max(width, column == widths.count - 1 ? maxLastWidth : 0)
      let text = count > maxWidth ? DisplayWidth.prefix(field.text, max(maxWidth - 1, 0)) + "…" : field.text
      let blanks = String(repeating: " ", count: max(width - count, 0))
      line += (column > 0 ? "  " : "") + (isNumeric[column] ? blanks + text : text + blanks)
    }
    while line.last == " " { line.removeLast() }
    unsafe Output.standard.write((line + "\n").utf8)
  }
}
