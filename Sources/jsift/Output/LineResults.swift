import JSONSift

/// Encodes or counts the matches of paths, each as soon as it is read.
struct LineResults: Collector {
  typealias Input = OpenInput<JSONMatches>
  private var line: ResultLine?
  private let isCounting: Bool
  /// Whether the end of each result is noted.
  private let hasEnds: Bool
  /// If present, all records are passed on, each with whether it satisfies this condition.
  private let condition: JSONCondition?

  /// - Parameters:
  ///   - line: The encoding of results; `nil` if none are written.
  ///   - isLimited: Whether the number of results is limited.
  ///   - context: Which records around others are written; `nil` for none.
  init(_ line: ResultLine?, isCounting: Bool = false, isLimited: Bool = false, context: RecordContext? = nil) {
    self.line = line
    self.isCounting = isCounting
    condition = context?.condition
    hasEnds = !isCounting && (isLimited || context != nil)
  }

  // Forced inlining here and in `TextLine` saves 3 % of the instructions of `get` and `records` (callgrind, 20,000 lines).
  /// Encodes or counts the next result. Returns `false` at the end.
  @inline(__always)
  mutating func take(from input: Input, into open: OpenBatch) throws(JSONError) -> Bool {
    do throws(JSONError) {
      return try takeNext(input, open)
    } catch {
      // A text may be passed before an error is thrown; it still counts.
      count(input, open)
      throw error
    }
  }

  @inline(__always)
  private mutating func takeNext(_ input: Input, _ open: OpenBatch) throws(JSONError) -> Bool {
    // Each branch reads before it writes: a read may pass on the open batch.
    switch condition == nil ? line?.sufficient : nil {
    case .text(let line):
      if takeMatches(&input.reader, line, open) { return true }
      let hasMore = try unsafe input.reader.borrowNext { path, text in
        if !isCounting { unsafe line.append(text, ofPath: path, to: &open.batch.bytes) }
        end(open)
      }
      count(input, open)
      return hasMore
    case .child where input.reader.framing == .document:
      let hasMore = try unsafe input.reader.borrowNextChild { key, text in
        if !isCounting { unsafe ResultLine.append(child: text, key, to: &open.batch.bytes) }
      }
      if hasMore { end(open) }
      // Values that follow the document are not passed.
      guard !hasMore, input.reader.framing != .document else { return hasMore }
    case .columns(let line):
      if takeRows(&input.reader, line, open) || input.reader.completeRecord() { return true }
    case .cells:
      if takeCells(&input.reader, open) || input.reader.completeRecord() { return true }
    case .child, .value, nil: break
    }
    let found = try input.reader.nextFound()
    count(input, open)
    guard let found else { return false }
    guard line != nil, !open.hasEnough else { return true }
    if let condition, let line {
      let satisfies = try condition.holds(for: found.value, limits: line.reading.limits)
      try self.line?.evaluateColumns(of: found)
      open.batch.satisfies.append(satisfies)
    } else {
      try line?.evaluateColumns(of: found)
    }
    if !isCounting {
      line?.append(found, open.file(of: input.reader), to: &open.batch.bytes)
      if let kinds = line?.row.kinds { open.batch.kinds += kinds }
    }
    end(open)
    return true
  }

  /// Counts the records that the reader has counted.
  private func count(_ input: Input, _ open: OpenBatch) {
    if isCounting { open.batch.count += input.newlyCounted(of: input.reader.skippedRecords) }
  }

  /// Encodes or counts the matches in memory. Returns `false` if there are none.
  private func takeMatches(_ matches: inout JSONMatches, _ line: TextLine, _ open: OpenBatch) -> Bool {
    takeBorrowed(open) { borrowed in
      unsafe matches.borrowMatches { path, text in
        if !isCounting { unsafe line.append(text, ofPath: path, to: &borrowed.bytes) }
        return borrowed.end()
      }
    }
  }

  /// Encodes or counts the rows in memory. Returns `false` if there are none.
  private func takeRows(_ matches: inout JSONMatches, _ line: RowLine, _ open: OpenBatch) -> Bool {
    takeBorrowed(open) { borrowed in
      var start = borrowed.bytes.count
      return unsafe matches.borrowRows { column, text in
        if !isCounting { unsafe line.append(text, ofColumn: column, to: &borrowed.bytes, from: start) }
      } endRow: {
        if !isCounting { line.end(&borrowed.bytes, from: start) }
        start = borrowed.bytes.count
        return borrowed.end()
      }
    }
  }

  /// Encodes or counts the rows of fields in memory. Returns `false` if there are none.
  private func takeCells(_ matches: inout JSONMatches, _ open: OpenBatch) -> Bool {
    guard let encoder = line?.rows, let reading = line?.reading, var row = line?.row else { return false }
    // A record that was read as a value may have left its fields.
    row.removeAll()
    return takeBorrowed(open) { borrowed in
      unsafe matches.borrowRows { column, text in
        if !isCounting { unsafe row.set(column, Cell(text, reading), ColumnTypes.Kind(ofText: text)) }
      } endRow: {
        if !isCounting {
          encoder.append(row.cells, to: &borrowed.bytes)
          borrowed.kinds += row.kinds
          row.removeAll()
        }
        return borrowed.end()
      }
    }
  }

  /// Adds what a reader passes to the batch.
  ///
  /// - Parameter borrow: Returns the number of values that were read; if it is 0, so that nothing was passed, the result is
  ///   `false`.
  @inline(__always)
  private func takeBorrowed(_ open: OpenBatch, _ borrow: (inout BorrowedResults) -> Int) -> Bool {
    var borrowed = BorrowedResults(&open.batch, limit: open.left, hasEnds: hasEnds)
    let count = borrow(&borrowed)
    borrowed.move(to: &open.batch)
    return count > 0
  }

  /// Counts a result that was written.
  @inline(__always)
  private func end(_ open: OpenBatch) {
    open.batch.count += 1
    if hasEnds { open.batch.ends.append(open.batch.bytes.count) }
  }

  mutating func append(_ bad: JSONBadRecord, of file: InputFile, into open: OpenBatch) {
    line?.append(reject: JSONRejectWriter.object(bad), of: bad, file, to: &open.batch)
    end(open)
  }

  func gather(from input: Input, into open: OpenBatch) { open.batch.summaries = input.reader.summaries }
}

/// Writes the text of a file in another layout, in chunks: each is a part of a document, or one or more complete records. A
/// document is one result, which ends with its last chunk.
struct TextResults: Collector {
  typealias Input = OpenInput<JSONReformatter>
  private let isLimited: Bool
  /// Whether a document has been written in part.
  private var isBegun = false

  /// - Parameter isLimited: Whether the number of results is limited; then each chunk is one record.
  init(isLimited: Bool) { self.isLimited = isLimited }

  mutating func take(from input: Input, into open: OpenBatch) throws(JSONError) -> Bool {
    var chunks = 0
    let append = { (text: UnsafeRawBufferPointer) in
      guard unsafe !text.isEmpty else { return }
      let start = open.batch.bytes.count
      unsafe open.batch.bytes.append(contentsOf: text)
      // A chunk consists of complete tokens.
      if unsafe SurrogatePolicy.replacesInOutput { open.batch.bytes.replaceLoneSurrogates(from: start) }
      chunks += 1
    }
    defer { open.batch.count += input.newlyCounted(of: input.reader.skippedRecords) }
    let hasMore: Bool
    do throws(JSONError) {
      hasMore = try unsafe input.reader.borrowNext(append)
    } catch {
      // The text of a document before the error.
      unsafe input.reader.borrowRest(append)
      throw error
    }
    guard input.reader.framing == .document else {
      for _ in 0..<chunks { end(open) }
      return hasMore
    }
    if chunks > 0 { isBegun = true }
    if !hasMore, isBegun {
      isBegun = false
      end(open)
    }
    return hasMore
  }

  private func end(_ open: OpenBatch) {
    open.batch.count += 1
    if isLimited { open.batch.ends.append(open.batch.bytes.count) }
  }
}
