import ArgumentParser
import JSONSift
import JSONSiftArrow

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

/// Determines the types of the columns that hold all records.
struct TypeCollector: Collector {
  private var tree: ArrowTypeTree
  private let empty: ArrowTypeTree

  init(_ empty: ArrowTypeTree) {
    self.empty = empty
    tree = empty
  }

  mutating func take(from input: OpenInput<JSONMatches>, into open: OpenBatch) throws(JSONError) -> Bool {
    let before = tree.recordCount
    defer { open.batch.count += tree.recordCount - before }
    return try unsafe input.reader.borrowNext { _, text in unsafe tree.add(text) }
  }

  mutating func gather(from input: OpenInput<JSONMatches>, into open: OpenBatch) {
    guard tree.recordCount > 0 else { return }
    open.batch.types = tree
    tree = empty
  }
}

/// Merges the types of all batches, and writes a line for each column.
struct TypeSink: ResultSink {
  static let gathers = true
  static let stopsAtExactRecord = false

  private var tree: ArrowTypeTree
  private let maxPaths: Int

  init(_ empty: ArrowTypeTree, maxPaths: Int) {
    tree = empty
    self.maxPaths = maxPaths
  }

  var isFull: Bool { tree.isFull }

  mutating func gather(_ batch: inout Batch) {
    if let types = batch.types { tree.merge(types) }
  }

  func finish() {
    guard !isFull else {
      return ErrorReport.write("expected at most \(maxPaths) paths, found more; raise --max-paths or lower --max-keys")
    }
    guard tree.recordCount > 0 else { return }
    var rows = RowWriter(.ndjson, ["name", "path", "type", "count"])
    for column in tree.columns {
      rows.write([.text(column.name), .text(column.path), .text("\(column.type)"), Cell(column.count)])
    }
    rows.finish()
  }
}
