import ArgumentParser
import JSONSift

/// A format of results. A new format needs one file in `Formats` and one entry in ``all``.
struct RowFormat: Sendable {
  /// The value of `--format`.
  let name: String
  /// Appends a field of a row, for a format with a header. `nil` if results are JSON texts.
  ///
  /// - Parameters:
  ///   - isAlone: Whether the row has no other fields.
  ///   - null: The text for null.
  var field: (@Sendable (_ cell: Cell, _ isAlone: Bool, _ null: [UInt8], _ bytes: inout [UInt8]) -> Void)?
  /// The byte between fields.
  var delimiter = UInt8(ascii: "\t")
  /// Whether results are bytes of columns with types instead of text.
  var isBinary = false
  /// Whether the format has no representation of null, so that `--null` defines it.
  var acceptsNull = false
  /// The text before the first result, between results, and after the last.
  var opening: [UInt8] = []
  var separator: [UInt8] = []
  var closing: [UInt8] = []
  /// The text between groups of results.
  var groupDivider: [UInt8] = []
  /// The text after each result.
  var terminator = Array("\n".utf8)
  /// Creates the display of rows, for a format that cannot be written row by row.
  ///
  /// - Parameters:
  ///   - header: The encoded names of the columns.
  ///   - rows: The number of rows that determine the column widths; `Int.max` for all.
  var display: (@Sendable (_ header: [UInt8], _ rows: Int) -> TableWriter)?

  /// All formats, in the order of the help text.
  static let all: [RowFormat] = [.ndjson, .json, .csv, .tsv, .table, .arrow]

  /// Whether results are JSON texts instead of fields under a header.
  var isJSON: Bool { field == nil && !isBinary }
  /// Whether each result is a line, without text between lines.
  var isLines: Bool { isJSON && canBeAppended }

  /// Whether results can be written to the end of earlier ones.
  var canBeAppended: Bool { opening.isEmpty && separator.isEmpty && closing.isEmpty && display == nil && !isBinary }

  /// The names for the usage text.
  static var names: String { all.map(\.name).joined(separator: "|") }
  /// The names for commands whose results have no typed columns.
  static var textNames: String { all.filter { !$0.isBinary }.map(\.name).joined(separator: "|") }

  /// Rejects the format in a command whose results have no typed columns.
  func requireText() throws {
    guard isBinary else { return }
    throw ValidationError("--format \(name) writes the columns of jsift records --select; expected \(Self.textNames)")
  }
}

extension RowFormat: ExpressibleByArgument {
  init?(argument: String) {
    guard let format = Self.all.first(where: { $0.name == argument }) else { return nil }
    self = format
  }

  static var allValueStrings: [String] { all.map(\.name) }
  var defaultValueDescription: String { name }
}

/// The option `--null`.
struct NullOption: ParsableArguments {
  @Option(
    parsing: .unconditional,
    help: ArgumentHelp("The text for null in CSV and TSV; the default is null, without quotes.", valueName: "text"))
  var null: String?

  /// The bytes that represent null.
  var bytes: [UInt8] { null.map { RawArguments.launch.bytes(of: $0) } ?? Array("null".utf8) }

  /// Rejects a text that the format does not support, or that could not be distinguished from other fields.
  func check(_ format: RowFormat) throws {
    guard null != nil else { return }
    guard format.acceptsNull else {
      throw ValidationError(
        "--null is for --format csv and tsv, and --format \(format.name) has its own null; use only one of them")
    }
    guard !bytes.contains(where: { RowFormat.isSpecialInCSV($0) || $0 == UInt8(ascii: "\t") }) else {
      throw ValidationError("--null takes a text without quotes, commas, tabs and line breaks")
    }
  }
}

/// The content of one column of a row.
enum Cell {
  /// A string.
  case text(String)
  /// Any other JSON value, as its text.
  case json([UInt8])
  case absent

  init(_ count: Int) { self = .json(Array("\(count)".utf8)) }

  init(_ count: Int?) { self = count.map { Cell($0) } ?? .absent }

  init(_ value: JSON) {
    if let text = value.string {
      self = .text(text)
    } else {
      var bytes: [UInt8] = []
      bytes.append(json: value)
      self = .json(bytes)
    }
  }

  /// Creates a cell from the text of a value, which was read with these options.
  init(_ text: UnsafeRawBufferPointer, _ options: JSONOptions) {
    guard unsafe text.first == UInt8(ascii: "\"") else {
      var bytes: [UInt8] = []
      unsafe bytes.append(withoutBreaks: text)
      self = .json(bytes)
      return
    }
    let inside = unsafe text.dropFirst().dropLast()
    if unsafe inside.contains(UInt8(ascii: "\\")) {
      self = unsafe .text((try? JSON(parsing: text, options: options))?.string ?? "")
    } else {
      self = unsafe .text(String(decoding: inside, as: UTF8.self))
    }
  }

  var isNumber: Bool {
    guard case .json(let bytes) = self, let first = bytes.first else { return false }
    return first == UInt8(ascii: "-") || 0x30...0x39 ~= first
  }

  var isNull: Bool {
    guard case .json(let bytes) = self else { return false }
    return bytes.elementsEqual("null".utf8)
  }

  /// The text of the cell; for a string, without quotes.
  var plain: String {
    switch self {
    case .text(let text): text
    case .json(let bytes): String(decoding: bytes, as: UTF8.self)
    case .absent: ""
    }
  }
}

/// Encodes rows of named columns. `RowOutput` writes the encoded rows.
struct RowEncoder: Sendable {
  let format: RowFormat
  let names: [String]
  let null: [UInt8]

  /// Appends a row with its separator and terminator.
  func append(_ cells: [Cell], to bytes: inout [UInt8]) {
    guard let field = format.field else {
      bytes += format.separator
      bytes.append(object: zip(names, cells))
      bytes += format.terminator
      return
    }
    for (index, cell) in cells.enumerated() {
      if index > 0 { bytes.append(format.delimiter) }
      field(cell, cells.count == 1, null, &bytes)
    }
    bytes += format.terminator
  }

  /// The header line; empty for formats without a header.
  var header: [UInt8] {
    var bytes: [UInt8] = []
    if format.field != nil { append(names.map { .text($0) }, to: &bytes) }
    return bytes
  }
}

extension [UInt8] {
  /// Appends an object without its absent members.
  mutating func append(object members: some Sequence<(String, Cell)>) {
    append(UInt8(ascii: "{"))
    var isFirst = true
    for (name, cell) in members {
      if case .absent = cell { continue }
      if !isFirst { append(UInt8(ascii: ",")) }
      isFirst = false
      append(quoting: name)
      append(UInt8(ascii: ":"))
      append(cell: cell)
    }
    append(UInt8(ascii: "}"))
  }

  /// Appends an array. An absent element is null.
  mutating func append(array elements: some Sequence<Cell>) {
    append(UInt8(ascii: "["))
    for (index, cell) in elements.enumerated() {
      if index > 0 { append(UInt8(ascii: ",")) }
      if case .absent = cell { self += "null".utf8 } else { append(cell: cell) }
    }
    append(UInt8(ascii: "]"))
  }

  /// Appends a value as JSON; nothing for an absent one.
  mutating func append(cell: Cell) {
    switch cell {
    case .text(let text): append(quoting: text)
    case .json(let json): self += json
    case .absent: break
    }
  }
}

/// Writes rows of named columns.
struct RowWriter {
  private let encoder: RowEncoder
  private var output: RowOutput

  /// All rows determine the column widths of a table, so a table is written when it is complete.
  init(_ format: RowFormat, _ names: [String], null: [UInt8] = Array("null".utf8)) {
    encoder = RowEncoder(format: format, names: names, null: null)
    output = RowOutput(format, header: encoder.header, displayRows: .max)
  }

  mutating func write(_ cells: [Cell]) {
    var bytes: [UInt8] = []
    encoder.append(cells, to: &bytes)
    output.write(bytes[...])
  }

  mutating func finish() { output.finish() }
}
