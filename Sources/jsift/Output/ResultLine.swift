import JSONSift

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

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
  private let format: RowFormat
  /// The names of columns or paths as they are written, each with its colon.
  private let writtenNames: [[UInt8]]
  private var cells: [Cell] = []
  /// Of rows of columns the type of each cell.
  private(set) var kinds: [UInt8] = []

  init(_ form: Form, _ options: CommonOptions) {
    isVerbatim = false
    if case .record(let columns) = form {
      isRecord = true
      self.form = columns.isEmpty ? .value : form
    } else {
      isRecord = false
      self.form = form
    }
    writtenNames = form.names.map { name in
      var bytes: [UInt8] = []
      bytes.append(quoting: name)
      return bytes + [UInt8(ascii: ":")]
    }
    raw = options.results.raw
    withLocation = options.results.withLocation
    limits = options.reading.readingOptions.limits
    format = options.results.format
    if case .record = self.form, options.results.format.isLines, !withLocation {
      isRow = true
    } else {
      isRow = false
    }
    if options.results.format.isLines, !raw, !withLocation {
      text =
        switch self.form {
        case .value: TextLine(heads: [])
        case .named: TextLine(heads: writtenNames.map { [UInt8(ascii: "{")] + $0 })
        case .child, .record: nil
        }
    } else {
      text = nil
    }
    if case .child = self.form {
      isChild = options.results.format.isLines && !raw && !withLocation
    } else {
      isChild = false
    }
    rows =
      options.results.format.isJSON
      ? nil
      : RowEncoder(
        options.results.format,
        (withLocation ? ["file", "line", "byteOffset"] + (isRecord ? [] : ["path"]) : []) + form.columnNames,
        null: options.null.bytes)
  }

  /// Text as it is lent, and nothing around it.
  static let verbatim = ResultLine()

  private init() {
    form = .value
    isVerbatim = true
    (isRecord, raw, withLocation, isRow, isChild) = (false, false, false, false, false)
    format = .ndjson
    limits = JSONLimits()
    (rows, writtenNames, text) = (nil, [], nil)
  }

  /// The names of the columns, if results are rows of these.
  var columnNames: [String] {
    guard case .record(let columns) = form, rows != nil else { return [] }
    return columns.map(\.name)
  }

  /// How a line is made, if the text of a value and its path are enough for that.
  let text: TextLine?

  /// Nothing is written but the text that a stream lends: line breaks stay, and none is added.
  let isVerbatim: Bool

  /// A line is an object of columns.
  let isRow: Bool

  /// A line is a child of a container, and its text and key are enough for it.
  let isChild: Bool

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

  /// Makes the line of columns whose texts are lent, if that is what a line is and somebody lends them, and appends it.
  mutating func append(
    row lend: ((_ column: Int, _ text: UnsafeRawBufferPointer) -> Void) -> Bool, to bytes: inout [UInt8],
    isWritten: Bool
  ) -> Bool {
    columns.removeAll(keepingCapacity: true)
    columns.append(UInt8(ascii: "{"))
    let isLent = unsafe lend { column, text in
      guard isWritten else { return }
      appendName(column)
      unsafe columns.append(withoutBreaks: text)
    }
    guard isLent, isWritten else { return isLent }
    bytes += columns
    bytes.append(UInt8(ascii: "}"))
    bytes.append(UInt8(ascii: "\n"))
    return true
  }

  /// Asks a record for its columns. What can fail is done before anything is written.
  mutating func look(at found: Found) throws(JSONError) {
    guard case .record(let paths) = form else { return }
    if rows != nil { return try lookForCells(at: found, paths) }
    columns.removeAll(keepingCapacity: true)
    columns.append(UInt8(ascii: "{"))
    let questions = PathQuestions(of: found.value, count: paths.count, limits: limits)
    for (place, column) in paths.enumerated() {
      guard column.path.isSingular else {
        let values = try questions.values(column.path)
        appendName(place)
        columns.append(list: values)
        continue
      }
      guard let value = try questions.value(ofSingular: column.path) else { continue }
      appendName(place)
      columns.append(json: value)
    }
    columns.append(UInt8(ascii: "}"))
  }

  /// The name of a column, with what parts it from the one before.
  private mutating func appendName(_ column: Int) {
    if columns.count > 1 { columns.append(UInt8(ascii: ",")) }
    columns += writtenNames[column]
  }

  private mutating func lookForCells(at found: Found, _ paths: [NamedPath]) throws(JSONError) {
    cells.removeAll(keepingCapacity: true)
    kinds.removeAll(keepingCapacity: true)
    let questions = PathQuestions(of: found.value, count: paths.count, limits: limits)
    for column in paths {
      if column.path.isSingular {
        let value = try questions.value(ofSingular: column.path)
        cells.append(value.map { Cell($0) } ?? .absent)
        kinds.append(ColumnTypes.Kind(value).rawValue)
        continue
      }
      var list: [UInt8] = []
      list.append(list: try questions.values(column.path))
      cells.append(.json(list))
      kinds.append(ColumnTypes.Kind.array.rawValue)
    }
  }

  /// Appends a result with what parts it from others.
  func append(_ found: Found, _ file: InputFile, to bytes: inout [UInt8]) {
    guard let rows else {
      bytes += format.separator
      appendText(found, file, to: &bytes)
      bytes += format.terminator
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
      guard let path = found.match?.path else { return }
      if raw { return append(found.value, behind: names[path], to: &bytes) }
      bytes.append(UInt8(ascii: "{"))
      bytes += writtenNames[path]
      bytes.append(json: found.value)
      bytes.append(UInt8(ascii: "}"))
    case .child:
      guard case .key(let key)? = found.match?.location.steps.last else { return append(found.value, to: &bytes) }
      if raw { return append(found.value, behind: key, to: &bytes) }
      bytes.append(UInt8(ascii: "{"))
      bytes.append(quoting: key)
      bytes.append(UInt8(ascii: ":"))
      bytes.append(json: found.value)
      bytes.append(UInt8(ascii: "}"))
    }
  }

  private func append(_ value: JSON, to bytes: inout [UInt8]) {
    if raw { bytes.append(raw: value) } else { bytes.append(json: value) }
  }

  private func append(_ value: JSON, behind name: String, to bytes: inout [UInt8]) {
    bytes += name.utf8
    bytes.append(UInt8(ascii: "\t"))
    bytes.append(raw: value)
  }

  private func appendLocated(_ found: Found, _ file: InputFile, to bytes: inout [UInt8]) {
    bytes += "{\"file\":".utf8
    bytes.append(quoting: file.name)
    if let line = found.line { bytes += ",\"line\":\(line)".utf8 }
    bytes += ",\"byteOffset\":\(found.byteOffset)".utf8
    if case .named(let names) = form, let match = found.match {
      bytes += ",\"name\":".utf8
      bytes.append(quoting: names[match.path])
    }
    switch form {
    case .value, .named, .child:
      if let match = found.match, !isRecord {
        bytes += ",\"path\":".utf8
        bytes.append(quoting: match.location.description)
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

/// A line that is the text of a value, or an object of that alone. Small: what is handed to a stream is copied.
struct TextLine: Sendable {
  /// By path: what stands before the value in its object. Empty if there is no object.
  fileprivate let heads: [[UInt8]]

  @inline(__always)
  func append(_ text: UnsafeRawBufferPointer, ofPath path: Int, to bytes: inout [UInt8]) {
    if !heads.isEmpty { bytes += heads[path] }
    unsafe bytes.append(withoutBreaks: text)
    if !heads.isEmpty { bytes.append(UInt8(ascii: "}")) }
    bytes.append(UInt8(ascii: "\n"))
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

  /// Values as an array.
  fileprivate mutating func append(list values: [JSON]) {
    append(UInt8(ascii: "["))
    for (place, value) in values.enumerated() {
      if place > 0 { append(UInt8(ascii: ",")) }
      append(json: value)
    }
    append(UInt8(ascii: "]"))
  }

  /// The characters of a string; of what is none its bytes.
  mutating func append(raw value: JSON) {
    if let string = value.string { self += string.utf8 } else { append(json: value) }
  }

  /// Inside a string a raw line break is no JSON, so every one stands between tokens.
  mutating func append(withoutBreaks bytes: UnsafeRawBufferPointer) {
    guard let base = bytes.baseAddress else { return }
    // Most values have none, and the C library sees that many bytes at a time.
    guard unsafe memchr(base, 0x0A, bytes.count) != nil || memchr(base, 0x0D, bytes.count) != nil else {
      return unsafe append(contentsOf: bytes)
    }
    unsafe append(contentsOf: bytes.lazy.filter { $0 != 0x0A && $0 != 0x0D })
  }
}
