import ArgumentParser
import JSONSift

/// How rows are written.
enum RowFormat: String, ExpressibleByArgument, CaseIterable {
  case ndjson, json, csv, tsv, table
}

/// What stands in one column of a row.
enum Cell {
  /// A string.
  case text(String)
  /// Any other JSON, as its text.
  case json([UInt8])
  case absent

  init(_ count: Int) { self = .json(Array("\(count)".utf8)) }

  /// The shortest number that is this Double again.
  init(_ number: Double) { self = number.isFinite ? .json(Array(JSON(number).stringValue.utf8)) : .absent }

  init(_ value: JSON) {
    if let text = value.string {
      self = .text(text)
    } else {
      var bytes: [UInt8] = []
      bytes.append(json: value)
      self = .json(bytes)
    }
  }

  var isNumber: Bool {
    guard case .json(let bytes) = self, let first = bytes.first else { return false }
    return first == UInt8(ascii: "-") || 0x30...0x39 ~= first
  }

  /// Without the quotes of a string.
  fileprivate var plain: String {
    switch self {
    case .text(let text): text
    case .json(let bytes): String(decoding: bytes, as: UTF8.self)
    case .absent: ""
    }
  }
}

/// Writes rows of named columns. A table is written when it is complete, since it must know how wide its columns are.
struct RowWriter {
  private let format: RowFormat
  private let names: [String]
  private var rows: [[Cell]] = []
  private var count = 0

  init(_ format: RowFormat, _ names: [String]) {
    self.format = format
    self.names = names
  }

  mutating func write(_ cells: [Cell]) {
    switch format {
    case .ndjson: unsafe Output.standard.line { appendObject(cells, to: &$0) }
    case .json:
      unsafe Output.standard.write((count == 0 ? "[" : ",\n").utf8)
      var bytes: [UInt8] = []
      appendObject(cells, to: &bytes)
      unsafe Output.standard.write(bytes)
    case .csv, .tsv:
      if count == 0 { writeLine(names.map { .text($0) }) }
      writeLine(cells)
    case .table: rows.append(cells)
    }
    count += 1
  }

  func finish() {
    switch format {
    case .ndjson: break
    case .json: unsafe Output.standard.write((count == 0 ? "[]\n" : "]\n").utf8)
    case .csv, .tsv: if count == 0 { writeLine(names.map { .text($0) }) }
    case .table: if count > 0 { writeTable() }
    }
  }

  /// An object without the members that are absent.
  private func appendObject(_ cells: [Cell], to bytes: inout [UInt8]) {
    bytes.append(UInt8(ascii: "{"))
    var isFirst = true
    for (name, cell) in zip(names, cells) {
      if case .absent = cell { continue }
      if !isFirst { bytes.append(UInt8(ascii: ",")) }
      isFirst = false
      bytes.append(quoted: name)
      bytes.append(UInt8(ascii: ":"))
      switch cell {
      case .text(let text): bytes.append(quoted: text)
      case .json(let json): bytes += json
      case .absent: break
      }
    }
    bytes.append(UInt8(ascii: "}"))
  }

  private func writeLine(_ cells: [Cell]) {
    let separator = format == .csv ? "," : "\t"
    let line = cells.map { format == .csv ? Self.csv($0.plain) : Self.tsv($0.plain) }.joined(separator: separator)
    unsafe Output.standard.write((line + "\n").utf8)
  }

  /// RFC 4180: in quotes if there is a quote, a comma or a line break in it.
  private static func csv(_ text: String) -> String {
    let needsQuotes = text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
    return needsQuotes ? "\"" + text.replacing("\"", with: "\"\"") + "\"" : text
  }

  /// A field can hold neither a tab nor a line break, so they are escaped, and so is the backslash.
  private static func tsv(_ text: String) -> String {
    var field = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": field += "\\\\"
      case "\t": field += "\\t"
      case "\n": field += "\\n"
      case "\r": field += "\\r"
      default: field.unicodeScalars.append(scalar)
      }
    }
    return field
  }

  /// Numbers stand to the right.
  private func writeTable() {
    let texts = rows.map { $0.map { SourceExcerpt.printable($0.plain.utf8) } }
    let widths = names.indices.map { column in
      texts.reduce(names[column].count) { max($0, $1[column].count) }
    }
    let isNumeric = names.indices.map { column in rows.contains { $0[column].isNumber } }
    for (place, cells) in ([names] + texts).enumerated() {
      var line = ""
      for (column, text) in cells.enumerated() {
        let blanks = String(repeating: " ", count: widths[column] - text.count)
        line += (column > 0 ? "  " : "") + (isNumeric[column] ? blanks + text : text + blanks)
      }
      while line.last == " " { line.removeLast() }
      unsafe Output.standard.write((line + "\n").utf8)
      if place == 0 {
        let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
        unsafe Output.standard.write((rule + "\n").utf8)
      }
    }
  }
}
