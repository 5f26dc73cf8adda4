import Testing

@testable import jsift

extension RowFormat {
  /// Fields separated by bars, with a line before and after all rows: the minimum that a new format must define.
  fileprivate static let bars = RowFormat(
    name: "bars", field: { cell, _, null, bytes in bytes += cell.isNull ? null : Array(cell.plain.utf8) },
    delimiter: UInt8(ascii: "|"), acceptsNull: true, opening: Array("<\n".utf8), closing: Array(">\n".utf8))
}

@Suite struct NewFormatTests {
  @Test func `an output format is one file: a header, rows and the text around them`() {
    let encoder = RowEncoder(format: .bars, names: ["id", "name"], null: Array("-".utf8))
    var rows: [UInt8] = []
    encoder.append([Cell(7), .text("Zoë")], to: &rows)
    encoder.append([.json(Array("null".utf8)), .absent], to: &rows)
    #expect(String(decoding: rows, as: UTF8.self) == "7|Zoë\n-|\n")
    #expect(String(decoding: RowFormat.bars.opening, as: UTF8.self) == "<\n")
    #expect(!RowFormat.bars.isJSON && !RowFormat.bars.isLines && RowFormat.bars.display == nil)
  }

  @Test func `each format has a unique name, which --format accepts and the help shows`() throws {
    for format in RowFormat.all { #expect(RowFormat(argument: format.name)?.name == format.name) }
    #expect(Set(RowFormat.all.map(\.name)).count == RowFormat.all.count)
    #expect(RowFormat(argument: "bars") == nil)
    let help = try run(["records", "--help"]).text
    #expect(help.contains(RowFormat.names))
  }
}
