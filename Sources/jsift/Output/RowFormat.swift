import ArgumentParser
import JSONSift

/// How rows are written.
enum RowFormat: String, ExpressibleByArgument, CaseIterable {
  case ndjson, json, csv, tsv, table

  /// A row is an object, and not fields under a header.
  var isJSON: Bool { self == .ndjson || self == .json }
}

/// The flag of the commands that write values of the input as fields.
struct NullOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("What stands for null in CSV and TSV; the default is null, without quotes.", valueName: "text"))
  var null: String?

  /// The bytes that stand for null.
  var bytes: [UInt8] { null.map { RawArguments.launch.bytes(of: $0) } ?? Array("null".utf8) }

  /// Refuses a text that does not go with a format, or could not be told from other fields.
  func check(_ format: RowFormat) throws {
    guard null != nil else { return }
    guard format == .csv || format == .tsv else {
      throw ValidationError(
        "--null is for --format csv and tsv, and --format \(format.rawValue) has a null; leave one of them out")
    }
    guard !bytes.contains(where: { RowEncoder.isSpecial($0) || $0 == UInt8(ascii: "\t") }) else {
      throw ValidationError("--null takes a text without quotes, commas, tabs and line breaks")
    }
  }
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

  fileprivate var isNull: Bool {
    guard case .json(let bytes) = self else { return false }
    return bytes.elementsEqual("null".utf8)
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
  /// What stands for null in CSV and TSV.
  var null = Array("null".utf8)

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
      case .csv: appendCSV(cell, isAlone: cells.count == 1, to: &bytes)
      case .tsv: appendTSV(cell, to: &bytes)
      default:
        bytes.append(cell.isNumber ? TableWriter.numberMark : TableWriter.textMark)
        bytes += Self.escapedForTable(cell.plain)
      }
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// RFC 4180: in quotes if there is a quote, a comma or a line break in it. Null and what is absent have none; what reads as they
  /// do, such as an empty string, has. A line that would be empty has a pair of them: most readers pass over an empty line.
  private func appendCSV(_ cell: Cell, isAlone: Bool, to bytes: inout [UInt8]) {
    var field: [UInt8] = []
    let needsQuotes: Bool
    if case .absent = cell {
      needsQuotes = isAlone
    } else if cell.isNull {
      field = null
      needsQuotes = isAlone && null.isEmpty
    } else {
      field = Self.escaped(cell.plain.utf8) { $0 == 0 ? UInt8(ascii: "0") : nil }
      needsQuotes = field.isEmpty || field == null || field.contains(where: Self.isSpecial)
    }
    guard needsQuotes else { return bytes += field }
    bytes.append(UInt8(ascii: "\""))
    for byte in field {
      if byte == UInt8(ascii: "\"") { bytes.append(byte) }
      bytes.append(byte)
    }
    bytes.append(UInt8(ascii: "\""))
  }

  /// What a field of CSV cannot hold without quotes.
  static func isSpecial(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: ","), 0x0A, 0x0D: true
    default: false
    }
  }

  /// A field can hold neither a tab nor a line break, so they are escaped, and so is the backslash. Null and what is absent are
  /// as in CSV. What reads as they do stands in quotes, so a string that begins with a quote has a backslash in front of it.
  private func appendTSV(_ cell: Cell, to bytes: inout [UInt8]) {
    if case .absent = cell { return }
    if cell.isNull { return bytes += null }
    let field = Self.escaped(cell.plain.utf8) { byte in
      switch byte {
      case UInt8(ascii: "\\"): byte
      case 0x09: UInt8(ascii: "t")
      case 0x0A: UInt8(ascii: "n")
      case 0x0D: UInt8(ascii: "r")
      case 0: UInt8(ascii: "0")
      default: nil
      }
    }
    let quote = UInt8(ascii: "\"")
    if field.isEmpty || field == null {
      bytes += [quote] + field + [quote]
    } else {
      if field[0] == quote { bytes.append(UInt8(ascii: "\\")) }
      bytes += field
    }
  }

  /// Tabs and line breaks part the cells of a table until it is written.
  private static func escapedForTable(_ text: String) -> [UInt8] {
    escaped(text.utf8) { byte in
      switch byte {
      case 0x09: UInt8(ascii: "t")
      case 0x0A: UInt8(ascii: "n")
      case 0x0D: UInt8(ascii: "r")
      default: nil
      }
    }
  }

  /// Bytes of which some are written as a backslash and a letter.
  private static func escaped(_ bytes: String.UTF8View, _ letter: (UInt8) -> UInt8?) -> [UInt8] {
    // Nearly all have nothing to escape.
    guard bytes.contains(where: { letter($0) != nil }) else { return Array(bytes) }
    var escaped: [UInt8] = []
    escaped.reserveCapacity(bytes.count)
    for byte in bytes {
      if let letter = letter(byte) {
        escaped += [UInt8(ascii: "\\"), letter]
      } else {
        escaped.append(byte)
      }
    }
    return escaped
  }
}

/// Writes rows of named columns, one after another.
struct RowWriter {
  private let encoder: RowEncoder
  private var output: RowOutput

  /// - Parameter formatsAll: A table is written when it is complete, and all of it decides how wide its columns are.
  init(_ format: RowFormat, _ names: [String], null: [UInt8] = Array("null".utf8)) {
    encoder = RowEncoder(format: format, names: names, null: null)
    output = RowOutput(format, header: encoder.header, tableRows: .max)
  }

  mutating func write(_ cells: [Cell]) {
    var bytes: [UInt8] = []
    encoder.append(cells, to: &bytes)
    output.write(bytes[...])
  }

  mutating func finish() { output.finish() }
}
