import JSONSift

/// Writes rows of typed columns as a stream of Apache Arrow (the *IPC streaming format*), which pyarrow, polars, DuckDB and
/// others read.
///
/// ```swift
/// guard var writer = ArrowStreamWriter([ArrowColumn("id", .int64), ArrowColumn("name", .utf8)]) else { return }
/// while let record = try reader.next() {
///   writer.append([record.value["id"], record.value["name"]])
///   output += writer.takeBytes()
/// }
/// writer.finish()
/// output += writer.takeBytes()
/// ```
///
/// A value that does not have the type of its column becomes null, and ``append(_:)`` returns it as an
/// ``ArrowStreamWriter/Miss``. Null and absent values are null.
///
/// # Streams that end early
///
/// A reader of a stream cannot distinguish its end from a writer that was killed between two batches. Therefore the last 8
/// bytes of each message are held back until the next message or the end marker is complete: the bytes of ``takeBytes()``
/// never end between messages before ``finish()``, and a reader of such a stream gets an error.
///
/// Memory is bounded by one batch, as rows and as a message.
public struct ArrowStreamWriter: ~Copyable {
  /// The columns.
  public let columns: [ArrowColumn]
  /// The number of rows in complete batches and in the current one.
  public private(set) var rowCount = 0

  private let maxBatchRows: Int
  private let maxBatchBytes: Int
  private var rows: ArrowRows
  /// The bytes that were not taken. The last 8 of a message are held back, unless the stream is finished.
  private var output: [UInt8]
  private var isFinished = false

  private static let heldBytes = 8

  /// Creates a writer. The schema is the first message of the stream.
  ///
  /// - Parameters:
  ///   - columns: At least one column. Their names may be equal, but many readers do not support that.
  ///   - maxBatchRows: The maximum number of rows of a batch.
  ///   - maxBatchBytes: A batch also ends when it has at least this number of bytes. At most 1 GiB.
  /// - Returns: `nil` if there are no columns, or if a type is not valid; see ``ArrowType/isValid``.
  public init?(_ columns: [ArrowColumn], maxBatchRows: Int = 65_536, maxBatchBytes: Int = 8 << 20) {
    guard !columns.isEmpty, columns.allSatisfy({ $0.type.isValid }) else { return nil }
    self.columns = columns
    self.maxBatchRows = max(maxBatchRows, 1)
    self.maxBatchBytes = min(max(maxBatchBytes, 1), 1 << 30)
    rows = ArrowRows(columns)
    output = ArrowMessages.schema(columns)
  }

  /// Appends a row.
  ///
  /// - Parameter values: The value of each column; `nil` and missing values are null, further values are ignored.
  /// - Returns: The values that became null because they do not have the type of their column.
  /// - Complexity: O(length of the texts of the values).
  @discardableResult
  public mutating func append(_ values: [JSON?]) -> [ArrowStreamWriter.Miss] {
    for (column, value) in zip(columns.indices, values) {
      guard let value, value.exists() else { continue }
      if value.isFromText {
        unsafe value.borrowRawBytes { _ = unsafe rows.append($0, to: column) }
      } else if let bytes = try? value.bytes() {
        unsafe bytes.withUnsafeBytes { _ = unsafe rows.append($0, to: column) }
      }
    }
    let misses = rows.endRow().map { $0.miss }
    rowCount += 1
    if isBatch(rows) { endBatch() }
    return misses
  }

  /// Appends a range of rows with the same columns. Batches end at the same rows as if each row were appended alone.
  package mutating func append(_ other: borrowing ArrowRows, _ range: Range<Int>) {
    withOutput { writer, output in unsafe writer.append(other, range) { unsafe output.append(contentsOf: $0) } }
  }

  /// Appends a range of rows in the same way. Passes the bytes of complete batches in chunks, instead of keeping them for
  /// ``takeBytes()``.
  package mutating func append(
    _ other: borrowing ArrowRows, _ range: Range<Int>, _ write: (UnsafeRawBufferPointer) -> Void
  ) {
    var start = range.lowerBound
    while start < range.upperBound {
      let end = self.end(ofBatchFrom: start, in: other, range)
      if rows.count == 0, start == 0, end == other.count, isBatch(other) {
        // Rows that are a batch of their own, such as one large record, are not copied.
        unsafe Self.borrowBatch(of: other, after: &output, write)
      } else {
        rows.append(other, start..<end)
        if isBatch(rows) { unsafe borrowBatch(write) }
      }
      rowCount += end - start
      start = end
    }
  }

  private func isBatch(_ rows: borrowing ArrowRows) -> Bool {
    rows.count >= maxBatchRows || rows.byteCount(ofFirst: rows.count) >= maxBatchBytes
  }

  /// Returns the end of the rows that fit into the current batch; at least one row.
  private func end(ofBatchFrom start: Int, in other: borrowing ArrowRows, _ range: Range<Int>) -> Int {
    let last = min(range.upperBound, start + maxBatchRows - rows.count)
    let base = rows.byteCount(ofFirst: rows.count) - other.byteCount(ofFirst: start)
    guard base + other.byteCount(ofFirst: last) >= maxBatchBytes else { return last }
    return ((start + 1)..<last).bisect { base + other.byteCount(ofFirst: $0) >= maxBatchBytes }
  }

  /// Ends the current batch, if it has rows.
  public mutating func endBatch() {
    withOutput { writer, output in unsafe writer.borrowBatch { unsafe output.append(contentsOf: $0) } }
  }

  /// Ends the current batch and the stream. Rows appended later are ignored.
  public mutating func finish() {
    guard !isFinished else { return }
    endBatch()
    output += ArrowMessages.end
    isFinished = true
  }

  /// Returns the bytes of the stream since the last call, and removes them from the writer. Before ``finish()`` they do
  /// not include the last 8 bytes of the last message.
  public mutating func takeBytes() -> [UInt8] {
    let held = isFinished ? 0 : min(output.count, Self.heldBytes)
    var taken = Array(output.suffix(held))
    output.removeLast(held)
    swap(&taken, &output)
    return taken
  }

  // MARK: Messages

  /// Calls `body` with the bytes that were not taken. It appends the bytes of new messages to them.
  private mutating func withOutput(_ body: (inout ArrowStreamWriter, inout [UInt8]) -> Void) {
    var known: [UInt8] = []
    swap(&known, &output)
    body(&self, &known)
    // The end of the last message, if there is a new one.
    known += output
    swap(&known, &output)
  }

  private mutating func borrowBatch(_ write: (UnsafeRawBufferPointer) -> Void) {
    guard rows.count > 0 else { return }
    unsafe Self.borrowBatch(of: rows, after: &output, write)
    rows.removeAll()
  }

  /// Passes the bytes in `held`, and then those of a batch except the last 8. These replace the bytes in `held`.
  private static func borrowBatch(
    of rows: borrowing ArrowRows, after held: inout [UInt8], _ write: (UnsafeRawBufferPointer) -> Void
  ) {
    unsafe rows.borrowBatch { chunk in
      if chunk.count >= heldBytes {
        if !held.isEmpty { unsafe held.withUnsafeBytes(write) }
        let kept = chunk.count - heldBytes
        if kept > 0 { unsafe write(UnsafeRawBufferPointer(rebasing: chunk[..<kept])) }
        held.removeAll()
        unsafe held.append(contentsOf: chunk[kept...])
      } else {
        unsafe held.append(contentsOf: chunk)
        let more = held.count - heldBytes
        guard more > 0 else { return }
        unsafe held.withUnsafeBytes { unsafe write(UnsafeRawBufferPointer(rebasing: $0[..<more])) }
        held.removeFirst(more)
      }
    }
  }
}
