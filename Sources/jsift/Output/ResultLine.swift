import JSONSift

/// Encodes a result as the options request.
struct ResultLine: Sendable {
  /// The form of a result line.
  enum Form: Sendable {
    /// The value alone.
    case value
    /// The value with the name of the path that matched it. The associated value contains the names of all paths.
    case named([String])
    /// A child of a container, with its key if it is a member.
    case child
    /// A record, reduced to the values of these paths; the whole record if there are no paths.
    case record([NamedPath])
  }

  private let form: Form
  private let isRecord: Bool
  private let raw: Bool
  let withLocation: Bool
  /// The encoded columns of the current record, as an object.
  private var columns: [UInt8] = []
  /// Encodes rows of fields; `nil` if results are JSON.
  let rows: RowEncoder?
  let format: RowFormat
  /// The names of columns or paths.
  private let writtenNames: WrittenNames
  /// The name of the column of bad records; `nil` if they are not rows.
  private let rejectsInline: String?
  /// The fields of the current row, if results are rows of columns.
  var row: CellRow
  /// How the texts of results are read.
  let reading: JSONOptions

  init(_ form: Form, _ options: some ResultCommand) {
    if case .record(let columns) = form {
      isRecord = true
      self.form = columns.isEmpty ? .value : form
    } else {
      isRecord = false
      self.form = form
    }
    writtenNames = WrittenNames(form.names)
    raw = options.results.raw
    withLocation = options.results.withLocation
    reading = options.reading.readingOptions
    format = options.results.format
    rejectsInline = options.results.rejectsInline
    let isPlain = format.isLines && !withLocation
    rows =
      format.isJSON
      ? nil
      : RowEncoder(
        format: format, names: Self.names(of: form, options) + (rejectsInline.map { [$0] } ?? []),
        null: options.null.bytes)
    row = if case .record(let columns) = form, rows != nil { CellRow(count: columns.count) } else { CellRow(count: 0) }
    sufficient =
      switch self.form {
      case .value where isPlain && !raw: .text(TextLine(names: writtenNames, isNamed: false))
      case .named where isPlain && !raw: .text(TextLine(names: writtenNames, isNamed: true))
      case .child where isPlain && !raw: .child
      case .record where isPlain: .columns(RowLine(names: writtenNames))
      case .record(let columns)
      where rows != nil && !withLocation && rejectsInline == nil
        && (try? TextRows(columns.map(\.path), where: nil, reading)) != nil:
        .cells
      case .value, .named, .child, .record: .value
      }
  }

  /// Returns the names of the members or columns of results of a form.
  static func names(of form: Form, _ options: some ResultCommand) -> [String] {
    let isRecord = if case .record = form { true } else { false }
    let location =
      options.results.withLocation ? (options.hasGroups ? ["group"] : []) + locationNames(isRecord: isRecord) : []
    if !options.results.format.isJSON { return location + form.columnNames }
    return location + (options.results.withLocation ? ["name", "value"] : form.names)
  }

  /// The names of the cells of a location. Records have no path.
  private static func locationNames(isRecord: Bool) -> [String] {
    ["file", "line", "byteOffset"] + (isRecord ? [] : ["path"])
  }

  /// The names of the columns, if results are rows of columns.
  var columnNames: [String] {
    guard case .record(let columns) = form, rows != nil else { return [] }
    return columns.map(\.name)
  }

  /// The data that is sufficient to write a line.
  enum Sufficient: Sendable {
    /// The text of a value and the index of its path.
    case text(TextLine)
    /// The text and the key of a child of a container, in one document.
    case child
    /// The texts of the columns of a record, if the stream can pass them.
    case columns(RowLine)
    /// The same for a row of fields.
    case cells
    /// Only the value.
    case value
  }

  let sufficient: Sufficient

  /// Appends the line of a child.
  static func append(child text: UnsafeRawBufferPointer, _ key: UnsafeRawBufferPointer?, to bytes: inout [UInt8]) {
    if let key = unsafe key {
      bytes.append(UInt8(ascii: "{"))
      bytes.append(quoting: unsafe String(decoding: key, as: UTF8.self))
      bytes.append(UInt8(ascii: ":"))
      unsafe bytes.append(withoutBreaks: text)
      bytes.append(UInt8(ascii: "}"))
    } else {
      unsafe bytes.append(withoutBreaks: text)
    }
    bytes.append(UInt8(ascii: "\n"))
  }

  /// Evaluates the columns of a record. All errors are thrown here, before anything is written.
  mutating func evaluateColumns(of found: Found) throws(JSONError) {
    guard case .record(let paths) = form else { return }
    if rows != nil { return try evaluateCells(of: found, paths) }
    columns.removeAll(keepingCapacity: true)
    columns.append(UInt8(ascii: "{"))
    let questions = PathEvaluations(of: found.value, count: paths.count, limits: reading.limits)
    for (index, column) in paths.enumerated() {
      guard column.path.isSingular else {
        let values = try questions.values(column.path)
        appendName(index)
        columns.append(list: values)
        continue
      }
      guard let value = try questions.value(ofSingular: column.path) else { continue }
      appendName(index)
      columns.append(json: value)
    }
    columns.append(UInt8(ascii: "}"))
  }

  /// Appends a separator if needed, and the name of a column.
  private mutating func appendName(_ column: Int) {
    if columns.count > 1 { columns.append(UInt8(ascii: ",")) }
    writtenNames.append(column, to: &columns)
  }

  private mutating func evaluateCells(of found: Found, _ paths: [NamedPath]) throws(JSONError) {
    let questions = PathEvaluations(of: found.value, count: paths.count, limits: reading.limits)
    for (index, column) in paths.enumerated() {
      if column.path.isSingular {
        let value = try questions.value(ofSingular: column.path)
        row.set(index, value.map { Cell($0) } ?? .absent, ColumnTypes.Kind(value))
      } else {
        var list: [UInt8] = []
        list.append(list: try questions.values(column.path))
        row.set(index, .json(list), .array)
      }
    }
  }

  /// Appends a result with its separator and terminator.
  func append(_ found: Found, _ file: InputFile, to bytes: inout [UInt8]) {
    guard let rows else {
      bytes += format.separator
      appendText(found, file, to: &bytes)
      bytes += format.terminator
      return
    }
    let reject: [Cell] = rejectsInline == nil ? [] : [.absent]
    let location = location(
      file, line: found.line, byteOffset: found.byteOffset,
      path: found.match.map { .text(Nesting.launch.shown($0.location)) } ?? .absent)
    rows.append(location + fields(of: found) + reject, to: &bytes)
  }

  /// Appends the row of a bad record, and the types of its cells.
  ///
  /// - Parameter text: The text of the object that describes the record.
  func append(reject text: [UInt8], of record: JSONBadRecord, _ file: InputFile, to batch: inout Batch) {
    guard let rejectsInline else { return }
    let location = location(file, line: record.line, byteOffset: record.byteRange.lowerBound, path: .absent)
    if let rows {
      rows.append(location + form.columnNames.map { _ in .absent } + [.json(text)], to: &batch.bytes)
      // Null is of every type.
      batch.kinds += columnNames.map { _ in ColumnTypes.Kind.null.rawValue }
    } else {
      let names = location.isEmpty ? [] : Self.locationNames(isRecord: isRecord)
      batch.bytes += format.separator
      batch.bytes.append(object: zip(names + [rejectsInline], location + [.json(text)]))
      batch.bytes += format.terminator
    }
  }

  /// Returns the cells before those of a result, if they are requested. Records have no path.
  private func location(_ file: InputFile, line: Int?, byteOffset: Int, path: @autoclosure () -> Cell) -> [Cell] {
    guard withLocation else { return [] }
    let position: [Cell] = [.text(file.name), Cell(line), Cell(byteOffset)]
    return isRecord ? position : position + [path()]
  }

  private func fields(of found: Found) -> [Cell] {
    switch form {
    case .value: [Cell(found.value)]
    case .record: row.cells
    case .named, .child: [name(of: found).map { .text($0) } ?? .absent, Cell(found.value)]
    }
  }

  /// The name of the path that matched, or the key of a child that is a member; `nil` for any other result.
  private func name(of found: Found) -> String? {
    switch form {
    case .value, .record: return nil
    case .named(let names): return found.match.map { names[$0.pathIndex] }
    case .child:
      guard case .key(let key)? = found.match?.location.steps.last else { return nil }
      return key
    }
  }

  private func appendText(_ found: Found, _ file: InputFile, to bytes: inout [UInt8]) {
    if withLocation { return appendLocated(found, file, to: &bytes) }
    if case .record = form { return bytes += columns }
    let name = name(of: found)
    if raw {
      if let name { bytes += (name + "\t").utf8 }
      return bytes.append(raw: found.value)
    }
    guard let name else { return bytes.append(json: found.value) }
    bytes.append(UInt8(ascii: "{"))
    bytes.append(quoting: name)
    bytes.append(UInt8(ascii: ":"))
    bytes.append(json: found.value)
    bytes.append(UInt8(ascii: "}"))
  }

  private func appendLocated(_ found: Found, _ file: InputFile, to bytes: inout [UInt8]) {
    bytes += "{\"file\":".utf8
    bytes.append(quoting: file.name)
    if let line = found.line { bytes += ",\"line\":\(line)".utf8 }
    bytes += ",\"byteOffset\":\(found.byteOffset)".utf8
    if case .named(let names) = form, let match = found.match {
      bytes += ",\"name\":".utf8
      bytes.append(quoting: names[match.pathIndex])
    }
    if let match = found.match, !isRecord {
      bytes += ",\"path\":".utf8
      bytes.append(quoting: Nesting.launch.shown(match.location))
    }
    bytes += ",\"value\":".utf8
    if case .record = form { bytes += columns } else { bytes.append(json: found.value) }
    bytes.append(UInt8(ascii: "}"))
  }
}

extension ResultLine.Form {
  /// The names of columns or paths.
  fileprivate var names: [String] {
    switch self {
    case .value, .child: []
    case .named(let names): names
    case .record(let columns): columns.map(\.name)
    }
  }

  /// The names of the fields of a row.
  fileprivate var columnNames: [String] {
    switch self {
    case .value: ["value"]
    case .named: ["name", "value"]
    case .child: ["key", "value"]
    case .record(let columns): columns.map(\.name)
    }
  }
}
