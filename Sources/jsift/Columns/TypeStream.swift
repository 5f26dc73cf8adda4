import ArgumentParser
import JSONSift

/// A format of `jsift shape`.
enum ShapeFormat: ExpressibleByArgument {
  case rows(RowFormat)
  /// Types of columns, as `jsift records --types` reads them.
  case types

  init?(argument: String) {
    if argument == "types" {
      self = .types
    } else if let format = RowFormat(argument: argument), !format.isBinary {
      self = .rows(format)
    } else {
      return nil
    }
  }

  static var allValueStrings: [String] { RowFormat.all.filter { !$0.isBinary }.map(\.name) + ["types"] }

  /// The format of rows; `nil` for types.
  var rows: RowFormat? {
    guard case .rows(let format) = self else { return nil }
    return format
  }
}

/// Determines the types of the columns that hold all records of another stream. It has no results.
struct TypeStream<Records: ResultStream & ~Copyable>: ResultStream, ~Copyable {
  private var records: Records
  private var tree: ArrowTypeTree
  private let empty: ArrowTypeTree
  private var counted = 0

  init(_ records: consuming Records, _ empty: ArrowTypeTree) {
    self.records = records
    self.empty = empty
    tree = empty
  }

  static var gathers: Bool { true }

  mutating func step() throws(JSONError) -> Bool {
    try unsafe records.lendNext { _, text in unsafe tree.add(text) }
  }

  mutating func takeCounted() -> Int {
    defer { counted = tree.recordCount }
    return tree.recordCount - counted
  }

  mutating func gather(into part: inout Part) {
    guard tree.recordCount > 0 else { return }
    counted = 0
    part.types = tree
    tree = empty
  }

  var framing: JSONFraming { records.framing }
  var rulesOutLines: Bool { records.rulesOutLines }
  var ruledOutLines: Int { records.ruledOutLines }
  func position(of error: JSONError) -> SourcePosition { records.position(of: error) }
  func excerpt(of error: JSONError) -> SourceExcerpt? { records.excerpt(of: error) }
  var stopReason: String? { records.stopReason }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { records.badRecord(of: error) }
  mutating func begin(_ block: LineBlock) { records.begin(block) }
  mutating func end(_ block: LineBlock) { records.end(block) }
}

/// Merges the types of all parts, and writes a line for each column.
struct TypeSink: ResultSink {
  static let gathers = true
  static let stopsAtExactRecord = false

  private var tree: ArrowTypeTree
  private let maxPaths: Int

  init(maxKeys: Int, maxPaths: Int) {
    tree = ArrowTypeTree(maxKeys: maxKeys, maxPaths: maxPaths)
    self.maxPaths = maxPaths
  }

  var isFull: Bool { tree.isFull }

  mutating func gather(_ part: inout Part) {
    if let types = part.types { tree.merge(types) }
  }

  func finish() {
    guard !isFull else {
      return ErrorReport.write(
        "expected at most \(maxPaths) paths, found more; raise --max-paths or lower --max-keys")
    }
    guard tree.recordCount > 0 else { return }
    var rows = RowWriter(.ndjson, ["name", "path", "type", "count"])
    for column in tree.columns {
      rows.write([.text(column.name), .text(column.path), .text("\(column.type)"), Cell(column.count)])
    }
    rows.finish()
  }
}
