import JSONSift

/// How a result is written: the line that the options ask for.
struct ResultLine: Sendable {
  /// What stands around a value.
  enum Form: Sendable {
    /// Nothing.
    case value
    /// The name of the path that found it.
    case named([String])
    /// Its key, if it is a member.
    case child
    /// It is a record, and these are asked of it; of none the record itself is written.
    case record([NamedPath])
  }

  private let form: Form
  private let isRecord: Bool
  private let raw: Bool
  private let withLocation: Bool
  private let limits: JSONLimits
  /// The object of the columns of the record that was looked at last.
  private var columns: [UInt8] = []
  /// The fields of rows, where results are no JSON.
  let rows: RowEncoder?
  private let isArray: Bool
  private var cells: [Cell] = []
  /// Of rows of columns the type of each cell.
  private(set) var kinds: [UInt8] = []

  init(_ form: Form, _ options: CommonOptions) {
    if case .record(let columns) = form {
      isRecord = true
      self.form = columns.isEmpty ? .value : form
    } else {
      isRecord = false
      self.form = form
    }
    raw = options.results.raw
    withLocation = options.results.withLocation
    limits = options.reading.readingOptions.limits
    isArray = options.results.format == .json
    rows =
      options.results.format.isJSON
      ? nil
      : RowEncoder(
        format: options.results.format,
        names: (withLocation ? ["file", "line", "byteOffset"] + (isRecord ? [] : ["path"]) : []) + form.columnNames,
        null: options.null.bytes)
  }

  /// Asks a record for its columns. What can fail is done before anything is written.
  mutating func look(at found: Found) throws(JSONError) {
    guard case .record(let paths) = form else { return }
    if rows != nil { return try lookForCells(at: found, paths) }
    columns.removeAll(keepingCapacity: true)
    columns.append(UInt8(ascii: "{"))
    for column in paths {
      let values = try found.value.query(column.path, limits: limits)
      if column.path.isSingular, values.isEmpty { continue }
      if columns.count > 1 { columns.append(UInt8(ascii: ",")) }
      columns.append(quoted: column.name)
      columns.append(UInt8(ascii: ":"))
      if !column.path.isSingular { columns.append(UInt8(ascii: "[")) }
      for (place, value) in values.enumerated() {
        if place > 0 { columns.append(UInt8(ascii: ",")) }
        columns.append(json: value)
      }
      if !column.path.isSingular { columns.append(UInt8(ascii: "]")) }
    }
    columns.append(UInt8(ascii: "}"))
  }

  private mutating func lookForCells(at found: Found, _ paths: [NamedPath]) throws(JSONError) {
    cells.removeAll(keepingCapacity: true)
    kinds.removeAll(keepingCapacity: true)
    for column in paths {
      let values = try found.value.query(column.path, limits: limits)
      if column.path.isSingular {
        cells.append(values.first.map { Cell($0) } ?? .absent)
        kinds.append(ColumnTypes.Kind(values.first).rawValue)
        continue
      }
      var list: [UInt8] = [UInt8(ascii: "[")]
      for (place, value) in values.enumerated() {
        if place > 0 { list.append(UInt8(ascii: ",")) }
        list.append(json: value)
      }
      list.append(UInt8(ascii: "]"))
      cells.append(.json(list))
      kinds.append(ColumnTypes.Kind.array.rawValue)
    }
  }

  /// Appends a result with what parts it from others.
  func append(_ found: Found, _ file: InputFile, to bytes: inout [UInt8]) {
    guard let rows else {
      if isArray { bytes += RowOutput.separator }
      appendText(found, file, to: &bytes)
      if !isArray { bytes.append(UInt8(ascii: "\n")) }
      return
    }
    rows.append(location(of: found, file) + fields(of: found), to: &bytes)
  }

  private func location(of found: Found, _ file: InputFile) -> [Cell] {
    guard withLocation else { return [] }
    let place: [Cell] = [.text(file.name), found.line.map { Cell($0) } ?? .absent, Cell(found.byteOffset)]
    return isRecord ? place : place + [found.match.map { .text($0.location.description) } ?? .absent]
  }

  private func fields(of found: Found) -> [Cell] {
    switch form {
    case .value: return [Cell(found.value)]
    case .record: return cells
    case .named(let names): return [.text(found.match.map { names[$0.path] } ?? ""), Cell(found.value)]
    case .child:
      guard case .key(let key)? = found.match?.location.steps.last else { return [.absent, Cell(found.value)] }
      return [.text(key), Cell(found.value)]
    }
  }

  private func appendText(_ found: Found, _ file: InputFile, to bytes: inout [UInt8]) {
    if withLocation { return appendLocated(found, file, to: &bytes) }
    switch form {
    case .value: append(found.value, to: &bytes)
    case .record: bytes += columns
    case .named(let names):
      let name = found.match.map { names[$0.path] } ?? ""
      append(found.value, named: name, to: &bytes)
    case .child:
      guard case .key(let key)? = found.match?.location.steps.last else { return append(found.value, to: &bytes) }
      append(found.value, named: key, to: &bytes)
    }
  }

  private func append(_ value: JSON, to bytes: inout [UInt8]) {
    if raw { bytes.append(raw: value) } else { bytes.append(json: value) }
  }

  private func append(_ value: JSON, named name: String, to bytes: inout [UInt8]) {
    if raw {
      bytes += name.utf8
      bytes.append(UInt8(ascii: "\t"))
      bytes.append(raw: value)
    } else {
      bytes.append(UInt8(ascii: "{"))
      bytes.append(quoted: name)
      bytes.append(UInt8(ascii: ":"))
      bytes.append(json: value)
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private func appendLocated(_ found: Found, _ file: InputFile, to bytes: inout [UInt8]) {
    bytes += "{\"file\":".utf8
    bytes.append(quoted: file.name)
    if let line = found.line { bytes += ",\"line\":\(line)".utf8 }
    bytes += ",\"byteOffset\":\(found.byteOffset)".utf8
    if case .named(let names) = form, let match = found.match {
      bytes += ",\"name\":".utf8
      bytes.append(quoted: names[match.path])
    }
    switch form {
    case .value, .named, .child:
      if let match = found.match, !isRecord {
        bytes += ",\"path\":".utf8
        bytes.append(quoted: match.location.description)
      }
      bytes += ",\"value\":".utf8
      bytes.append(json: found.value)
    case .record:
      bytes += ",\"value\":".utf8
      bytes += columns
    }
    bytes.append(UInt8(ascii: "}"))
  }
}

extension ResultLine.Form {
  /// What the fields of a row are called.
  fileprivate var columnNames: [String] {
    switch self {
    case .value: ["value"]
    case .named: ["name", "value"]
    case .child: ["key", "value"]
    case .record(let columns): columns.map(\.name)
    }
  }
}

extension [UInt8] {
  /// The bytes of a value without the line breaks between its tokens.
  mutating func append(json value: JSON) {
    unsafe value.lendRawBytes { unsafe append(withoutBreaks: $0) }
  }

  /// The characters of a string; of what is none its bytes.
  mutating func append(raw value: JSON) {
    if let string = value.string { self += string.utf8 } else { append(json: value) }
  }

  /// Inside a string a raw line break is no JSON, so every one stands between tokens.
  private mutating func append(withoutBreaks bytes: UnsafeRawBufferPointer) {
    var rest = unsafe bytes[...]
    while let end = unsafe rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) {
      unsafe append(contentsOf: rest[..<end])
      unsafe rest = rest[(end + 1)...]
    }
    unsafe append(contentsOf: rest)
  }

  /// A string as JSON, with no escapes but those that it must have.
  mutating func append(quoted text: String) {
    let digits = Array("0123456789abcdef".utf8)
    append(UInt8(ascii: "\""))
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): self += [UInt8(ascii: "\\"), byte]
      case 0x0A: self += "\\n".utf8
      case 0x0D: self += "\\r".utf8
      case 0x09: self += "\\t".utf8
      case 0..<0x20: self += Array("\\u00".utf8) + [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
      default: append(byte)
      }
    }
    append(UInt8(ascii: "\""))
  }
}
