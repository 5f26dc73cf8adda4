import JSONSift
import JSONSiftArrow

/// Writes the columns that workers collect as an Arrow stream, and reports values that do not have their types.
///
/// The stream has no end marker if the run fails, so that its readers do not take it for complete.
final class ArrowSink: ResultSink {
  static let gathers = true

  private var writer: ArrowStreamWriter
  let query: ColumnQuery
  private let files: [InputFile]
  private let keepsRejects: Bool
  private var batch: CollectedColumns?
  private var file = 0
  /// The numbers of rows and misses of the batch that have been written.
  private var row = 0
  private var miss = 0
  private var rejects: [UInt8] = []
  /// By column: the number of misses, and the text for the first.
  private var misses: [(count: Int, first: String)]

  init(_ query: ColumnQuery, _ files: [InputFile], keepsRejects: Bool) throws {
    guard let writer = ArrowStreamWriter(query.arrowColumns) else {
      throw failure("--format arrow: expected types that are \(ArrowType.forms)")
    }
    self.writer = writer
    self.query = query
    self.files = files
    self.keepsRejects = keepsRejects
    misses = query.arrowColumns.map { _ in (0, "") }
  }

  func begin(_ batch: inout Batch) {
    self.batch = batch.columns
    batch.columns = nil
    file = batch.input
    row = 0
    miss = 0
  }

  /// Writes rows up to an exact row, so the output does not depend on how the input was split.
  func gather(to end: Int) {
    guard let batch else { return }
    let end = min(end, batch.rows.count)
    guard row < end else { return }
    unsafe writer.append(batch.rows, row..<end) { unsafe Output.standard.write(borrowed: $0) }
    row = end
    let known = batch.rows.misses
    while miss < known.count, known[miss].row < end {
      note(known[miss].miss, batch.locations[miss])
      miss += 1
    }
    write()
  }

  private func write() {
    let bytes = writer.takeBytes()
    unsafe bytes.withUnsafeBytes { unsafe Output.standard.write(borrowed: $0) }
  }

  private func note(_ miss: ArrowStreamWriter.Miss, _ location: CollectedColumns.Location) {
    misses[miss.column].count += 1
    if misses[miss.column].count == 1 {
      let text = miss.text.prefix(40).printable + (miss.text.count > 40 ? "…" : "")
      let line = location.line.map { ":\($0)" } ?? ""
      misses[miss.column].first = "\(files[file].displayName)\(line): byte \(location.byteOffset): \(text)"
    }
    guard keepsRejects else { return }
    let place: [(String, Cell)] = [
      ("file", .text(files[file].name)), ("line", Cell(location.line)), ("byteOffset", Cell(location.byteOffset)),
    ]
    rejects.append(object: place + query.members(of: miss, at: location.byteOffset))
    rejects.append(UInt8(ascii: "\n"))
  }

  func takeRejects() -> [UInt8] {
    defer { rejects = [] }
    return rejects
  }

  func finish() {
    writer.finish()
    write()
    report()
  }

  func finishAfterFailure() {
    write()
    report()
    ErrorReport.write("the Arrow stream has no end because of an error; its readers reject it")
  }

  private func report() {
    for (column, miss) in zip(query.arrowColumns, misses) where miss.count > 0 {
      let values = miss.count == 1 ? "1 value is" : "\(miss.count) values are"
      ErrorReport.write(
        "column '\(column.name.utf8.printable)': \(values) not of type \(column.type), so null is "
          + "written instead; the first: \(miss.first)")
    }
  }
}
