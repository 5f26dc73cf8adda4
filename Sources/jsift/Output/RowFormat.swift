import ArgumentParser
import JSONSift

/// How results are written. A format is one file of `Formats` and one line of ``all``.
struct RowFormat: Sendable {
  /// What `--format` takes.
  let name: String
  /// Makes what writes the fields of a row, of a format that has fields under a header. `nil` if results are JSON texts.
  var fields: (@Sendable (_ null: [UInt8]) -> any FieldEncoder)?
  /// Null has no spelling of its own, so `--null` gives one.
  var takesNull = false
  /// What stands before the first result and behind the last, and what parts them.
  var opening: [UInt8] = []
  var separator: [UInt8] = []
  var closing: [UInt8] = []
  /// What ends each result.
  var terminator = Array("\n".utf8)
  /// Makes what shows rows to people, of a format that is not written as it comes.
  ///
  /// - Parameters:
  ///   - header: The encoded names of the columns.
  ///   - rows: How many rows decide about the columns; all if it is `Int.max`.
  var display: (@Sendable (_ header: [UInt8], _ rows: Int) -> any RowDisplay)?

  /// In the order of the help.
  static let all: [RowFormat] = [.ndjson, .json, .csv, .tsv, .table]

  /// Results are JSON texts, and not fields under a header.
  var isJSON: Bool { fields == nil }
  /// Each result is a line, and nothing stands between lines.
  var isLines: Bool { isJSON && opening.isEmpty && separator.isEmpty && closing.isEmpty }

  /// As usage shows them.
  static var names: String { all.map(\.name).joined(separator: "|") }
}

extension RowFormat: ExpressibleByArgument {
  init?(argument: String) {
    guard let format = Self.all.first(where: { $0.name == argument }) else { return nil }
    self = format
  }

  static var allValueStrings: [String] { all.map(\.name) }
  var defaultValueDescription: String { name }
}

/// Writes the fields of rows, each row with what ends it.
protocol FieldEncoder: Sendable {
  func append(_ cells: [Cell], to bytes: inout [UInt8])
}

/// Shows rows to people.
protocol RowDisplay: AnyObject {
  /// Takes whole encoded rows.
  func write(_ rows: ArraySlice<UInt8>)
  /// Writes what was held back, since the program waits for more input.
  func settle()
  func finish()
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
    guard format.takesNull else {
      throw ValidationError(
        "--null is for --format csv and tsv, and --format \(format.name) has a null; leave one of them out")
    }
    guard !bytes.contains(where: { CSVEncoder.isSpecial($0) || $0 == UInt8(ascii: "\t") }) else {
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

  var isNumber: Bool {
    guard case .json(let bytes) = self, let first = bytes.first else { return false }
    return first == UInt8(ascii: "-") || 0x30...0x39 ~= first
  }

  var isNull: Bool {
    guard case .json(let bytes) = self else { return false }
    return bytes.elementsEqual("null".utf8)
  }

  /// Without the quotes of a string.
  var plain: String {
    switch self {
    case .text(let text): text
    case .json(let bytes): String(decoding: bytes, as: UTF8.self)
    case .absent: ""
    }
  }
}

/// Encodes rows of named columns. `RowOutput` puts the bytes of several rows behind one another.
struct RowEncoder: Sendable {
  private let format: RowFormat
  private let names: [String]
  private let fields: (any FieldEncoder)?

  init(_ format: RowFormat, _ names: [String], null: [UInt8]) {
    self.format = format
    self.names = names
    fields = format.fields?(null)
  }

  /// Appends a row with what parts it from others.
  func append(_ cells: [Cell], to bytes: inout [UInt8]) {
    if let fields { return fields.append(cells, to: &bytes) }
    bytes += format.separator
    appendObject(cells, to: &bytes)
    bytes += format.terminator
  }

  /// The line of names, of a format that has one.
  var header: [UInt8] {
    var bytes: [UInt8] = []
    fields?.append(names.map { .text($0) }, to: &bytes)
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
      bytes.append(quoting: name)
      bytes.append(UInt8(ascii: ":"))
      switch cell {
      case .text(let text): bytes.append(quoting: text)
      case .json(let json): bytes += json
      case .absent: break
      }
    }
    bytes.append(UInt8(ascii: "}"))
  }
}

/// Writes rows of named columns, one after another.
struct RowWriter {
  private let encoder: RowEncoder
  private var output: RowOutput

  /// All rows decide about the columns of a table: it is written when it is complete.
  init(_ format: RowFormat, _ names: [String], null: [UInt8] = Array("null".utf8)) {
    encoder = RowEncoder(format, names, null: null)
    output = RowOutput(format, header: encoder.header, displayRows: .max)
  }

  mutating func write(_ cells: [Cell]) {
    var bytes: [UInt8] = []
    encoder.append(cells, to: &bytes)
    output.write(bytes[...])
  }

  mutating func finish() { output.finish() }
}
