import ArgumentParser
import JSONSift

/// How rows are written.
enum RowFormat: String, ExpressibleByArgument, CaseIterable {
  case ndjson, json, csv, tsv, table

  /// A row is an object, and not fields under a header.
  var isJSON: Bool { self == .ndjson || self == .json }
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

  fileprivate var isNumber: Bool {
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

/// Writes the cells of one row as bytes. What becomes of the bytes of several rows knows `RowOutput`.
struct RowEncoder: Sendable {
  let format: RowFormat
  let names: [String]

  /// Appends a row with what parts it from others.
  func append(_ cells: [Cell], to bytes: inout [UInt8]) {
    switch format {
    case .ndjson:
      appendObject(cells, to: &bytes)
      bytes.append(UInt8(ascii: "\n"))
    case .json:
      bytes += RowOutput.separator
      appendObject(cells, to: &bytes)
    case .csv, .tsv, .table: appendLine(cells, to: &bytes)
    }
  }

  /// The line of names, of a format that has one.
  var header: [UInt8] {
    var bytes: [UInt8] = []
    if !format.isJSON { appendLine(names.map { .text($0) }, to: &bytes) }
    return bytes
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

  private func appendLine(_ cells: [Cell], to bytes: inout [UInt8]) {
    for (place, cell) in cells.enumerated() {
      if place > 0 { bytes.append(format == .csv ? UInt8(ascii: ",") : UInt8(ascii: "\t")) }
      switch format {
      case .csv: Self.appendCSV(cell, isAlone: cells.count == 1, to: &bytes)
      case .tsv: Self.appendTSV(cell.plain, escaping: true, to: &bytes)
      default:
        bytes.append(cell.isNumber ? TableWriter.numberMark : TableWriter.textMark)
        Self.appendTSV(cell.plain, escaping: false, to: &bytes)
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// RFC 4180: in quotes if there is a quote, a comma or a line break in it. An empty string has quotes and what is absent
  /// has none, but in a line that would be empty.
  private static func appendCSV(_ cell: Cell, isAlone: Bool, to bytes: inout [UInt8]) {
    let text = cell.plain
    var isText = false
    if case .text = cell { isText = true }
    let needsQuotes =
      text.isEmpty
      ? isText || isAlone : text.utf8.contains { $0 == 0x22 || $0 == 0x2C || $0 == 0x0A || $0 == 0x0D }
    guard needsQuotes else { return bytes += text.utf8 }
    bytes.append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// A field can hold neither a tab nor a line break, so they are escaped, and so is the backslash, if anybody is to read
  /// the text back.
  private static func appendTSV(_ text: String, escaping: Bool, to bytes: inout [UInt8]) {
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\\") where escaping: bytes += "\\\\".utf8
      case 0x09: bytes += "\\t".utf8
      case 0x0A: bytes += "\\n".utf8
      case 0x0D: bytes += "\\r".utf8
      default: bytes.append(byte)
      }
    }
  }
}

/// Writes rows of named columns, one after another.
struct RowWriter {
  private let encoder: RowEncoder
  private var output: RowOutput

  /// - Parameter formatsAll: A table is written when it is complete, and all of it decides how wide its columns are.
  init(_ format: RowFormat, _ names: [String]) {
    encoder = RowEncoder(format: format, names: names)
    output = RowOutput(format, header: encoder.header, tableRows: .max)
  }

  mutating func write(_ cells: [Cell]) {
    var bytes: [UInt8] = []
    encoder.append(cells, to: &bytes)
    output.write(bytes[...])
  }

  mutating func finish() { output.finish() }
}
