import JSONSift

/// All records of an input.
struct RecordStream: ResultStream, ~Copyable {
  private var reader: JSONRecordReader
  private var counted = 0

  /// - Parameters:
  ///   - kept: The paths that will be evaluated for the records; `nil` if the whole records are needed.
  ///   - isCounting: Whether records are only counted.
  init(
    of input: Input, _ options: JSONRecordOptions, keeping kept: [JSONPath]? = nil, isCounting: Bool = false
  ) throws(JSONError) {
    var reader = try JSONRecordReader(
      input.source, options: input.options(options), resumingAt: input.checkpoint)
    if let kept { try reader.keep(only: kept) }
    if isCounting { reader.skipProven() }
    self.reader = reader
  }

  mutating func takeCounted() -> Int {
    defer { counted = reader.skippedRecords }
    return reader.skippedRecords - counted
  }

  var doubts: ProofDoubts { reader.doubts }

  mutating func next() throws(JSONError) -> Found? {
    guard let record = try reader.next() else { return nil }
    return Found(value: record.value, line: framing == .document ? nil : record.line, match: nil)
  }

  mutating func lendNext(_ body: (_ path: Int, _ text: UnsafeRawBufferPointer) -> Void) throws(JSONError) -> Bool {
    var isLent = false
    let hasMore = try unsafe reader.lendNext {
      isLent = true
      unsafe body(0, $0)
    }
    // A record that is only counted has no text.
    if hasMore, !isLent { unsafe body(0, UnsafeRawBufferPointer(start: nil, count: 0)) }
    return hasMore
  }

  mutating func lendRows(
    _ body: (_ column: Int, _ text: UnsafeRawBufferPointer) -> Void, endRow: () -> Bool
  ) -> Int {
    unsafe reader.lendRows(body, endRow: endRow)
  }

  mutating func lendColumns(_ body: (borrowing LentColumns) -> Void) -> Int { reader.lendColumns(body) }
  mutating func completeRecord() -> Bool { reader.completeRecord() }

  var framing: JSONFraming { reader.framing }
  func position(of error: JSONError) -> JSONError.Position { reader.position(of: error) }
  func excerpt(of error: JSONError) -> JSONError.Excerpt? { reader.excerpt(of: error) }
  var stopReason: String? { reader.stopReason }
  mutating func badRecord(of error: JSONError) -> JSONBadRecord? { reader.badRecord(of: error) }
  mutating func begin(_ block: LineBlock) { reader.begin(block) }
  mutating func end(_ block: LineBlock) { reader.end(block) }
}
