import JSONSift
import JSONSiftArrow

/// The columns of `jsift records`: names and paths of `--select` with the types of `--type`, or the lines of a `--types` file.
struct ColumnArguments {
  var columns: [NamedPath] = []
  /// By column.
  var types: [ArrowType] = []

  init(select: [String], types arguments: [String], file: String?) throws {
    if let file {
      try read(RawArguments.launch.bytes(of: file))
    } else {
      let select = RawArguments.launch.values(of: select)
      columns = try PathArguments.named(select, option: "--select")
      try PathArguments.requireUniqueNames(columns, of: select, option: "--select")
      types = columns.map { _ in .json }
    }
    var known: [[UInt8]: Int] = [:]
    for (index, column) in columns.enumerated() { known[Array(column.name.utf8)] = index }
    for argument in RawArguments.launch.values(of: arguments) { try setType(argument, known) }
    for (column, type) in zip(columns, types) { try Self.check(column, type) }
  }

  /// Sets the type of a column from NAME=TYPE. Names and struct types can contain '=', so the longest name of a column that
  /// '=' follows is taken.
  ///
  /// - Parameter known: The index of each column by the bytes of its name.
  private mutating func setType(_ argument: String, _ known: [[UInt8]: Int]) throws {
    let bytes = RawArguments.launch.bytes(of: argument)
    let shown = "--type '\(bytes.printable)'"
    let ends = bytes.indices.reversed().lazy.filter { bytes[$0] == UInt8(ascii: "=") }
    guard let index = ends.compactMap({ known[Array(bytes[..<$0])] }).first else {
      guard bytes.contains(UInt8(ascii: "=")) else {
        throw failure("\(shown): expected NAME=TYPE, found no '='; for example --type 'id=int64'")
      }
      let names = columns.map { "'\($0.name.utf8.printable)'" }.joined(separator: ", ")
      throw failure("\(shown): expected the name of a column: \(names.isEmpty ? "--select is missing" : names)")
    }
    let text = String(decoding: bytes.dropFirst(columns[index].name.utf8.count + 1), as: UTF8.self)
    types[index] = try Self.type(text, shown)
  }

  private static func type(_ text: String, _ shown: String) throws -> ArrowType {
    guard let type = ArrowType(text) else { throw failure("\(shown): expected \(ArrowType.forms)") }
    return type
  }

  private static func check(_ column: NamedPath, _ type: ArrowType) throws {
    if column.path.isSingular { return }
    switch type {
    case .json, .list: return
    default:
      throw failure(
        "column '\(column.name.utf8.printable)': '\(column.path.description.utf8.printable)' can "
          + "select several values; expected list<\(type)> or json, found \(type)")
    }
  }

  /// Reads lines of `{"name":"id","path":"$.id","type":"int64"}`. Other members are notes.
  private mutating func read(_ file: [UInt8]) throws {
    let name = file.printable
    var records: [JSONRecord] = []
    var bad: JSONBadRecord?
    do throws(JSONError) {
      let options = JSONRecordOptions(framing: .lines, recovery: .report)
      var reader = try JSONRecordReader(.path(bytes: file), options: options)
      while bad == nil, let result = try reader.nextResult() {
        switch result {
        case .success(let record): records.append(record)
        case .failure(let record): bad = record
        }
      }
    } catch {
      throw failure("\(name): \(error.message)")
    }
    if let bad { throw failure("\(name):\(bad.line): \(bad.error.message)") }
    if records.isEmpty { throw failure("\(name): expected at least one column") }
    var names: Set<[UInt8]> = []
    for record in records {
      let shown = "\(name):\(record.line)"
      guard let column = record.value["name"].string, let path = record.value["path"].string,
        let type = record.value["type"].string
      else { throw failure("\(shown): expected {\"name\":…,\"path\":…,\"type\":…} with three strings") }
      guard names.insert(Array(column.utf8)).inserted else {
        throw failure("\(shown): expected a unique name, found a duplicate")
      }
      columns.append(NamedPath(name: column, path: try PathArguments.path(text: path, "\(shown): ")))
      types.append(try Self.type(type, "\(shown): type '\(type.utf8.printable)'"))
    }
  }
}
