import JSONSift

/// The settings that all workers of a run share.
struct WorkerPlan: Sendable {
  /// The bad records that get a report.
  enum Reports {
    /// The first bad records of each part: only a few of all are shown.
    case first
    case all
    case none
  }

  /// The encoding of results; `nil` if none are written.
  var line: ResultLine?
  var isCounting = false
  /// Whether the first bad record ends reading.
  var isStopping = false
  /// The limit of the whole run, which also bounds each part.
  var limit: Int?
  var keepsRejects = false
  /// Whether a bad record becomes a row of the output.
  var inlinesRejects = false
  var reports = Reports.first
  /// Whether a report begins with the name of the program.
  var namesProgram = true
  /// Whether a part ends at each bad record: aggregated values must not include records after the one that exceeds the
  /// maximum number of errors.
  var endsPartsAtBadRecords = false
  /// Whether a signal ends reading.
  var isInterruptible = false
  /// The message if one document is rejected; `nil` if it is accepted.
  var needsRecords: String?
  /// How one document is divided among workers; `nil` if it is read by one.
  var division: DocumentDivision?
  let files: [InputFile]
  /// Returns the source of the file at an index, decompressed by a number of threads.
  let content: @Sendable (JSONSource, _ number: Int, _ threads: Int) -> JSONSource
}

/// Produces the parts of a stream. Several workers run in parallel, each on blocks of lines or on whole files; or one
/// worker runs on the thread of the run, and delivers its results before it waits for input.
final class Worker<Stream: ResultStream & ~Copyable> {
  private let make: @Sendable (Input) throws(JSONError) -> Stream
  private var job: WorkerPlan
  private var part = Part()
  /// The stream for all blocks of lines.
  private var lines: Stream?
  /// The stream for all blocks of children of a document.
  private var children: Stream?
  /// The stream of a whole file, until its end.
  private var whole: Stream?
  private var isInside = false
  private var isDocument = false
  /// Whether a document has been written in part.
  private var isBegun = false
  /// The number of results of the file or block in earlier parts.
  private var handedOver = 0
  /// The number of bytes that were read from whole files and are not yet counted in a part.
  private let read = Counter()
  /// Receives a part, for a worker on the thread of the run. Returns whether reading ends there.
  private var deliver: ((Part) -> Delivery)?
  private var wantsReports = true

  /// The answer of the run to a part.
  struct Delivery {
    let isDone: Bool
    /// Whether the next bad record needs a report.
    let wantsReports: Bool
  }

  private final class Counter {
    var bytes = 0
  }

  init(_ job: WorkerPlan, _ make: @escaping @Sendable (Input) throws(JSONError) -> Stream) {
    self.job = job
    self.make = make
  }

  // MARK: Parallel reading

  /// Reads a block, or continues in it.
  func step(_ block: LineBlock) throws -> (Part, isLast: Bool) {
    let file = job.files[block.input]
    part.input = block.input
    let isLast: Bool
    switch block.content {
    case .failure(let error):
      // Only cancellation throws another type of error here.
      guard let error = error as? JSONError else { throw error }
      part.rejection = ErrorReport.text(error, file: file)
      isLast = true
    case .lines: isLast = try readLines(block, file)
    case .children(let head):
      isLast = true
      try readChildren(block, head, file)
    case .wholeInput:
      isLast = readWhole(file) { [job, read] in
        let source = file.source.afterEachRead { read.bytes += $0 }
        var input = Input(source: job.content(source, block.input, 1), range: file.range)
        input.rest = file.elements?.rest
        return input
      }
      part.inputBytes = read.bytes
      read.bytes = 0
    }
    return (takePart(isLast: isLast), isLast)
  }

  private func takePart(isLast: Bool) -> Part {
    var taken = Part()
    swap(&taken, &part)
    handedOver = isLast ? 0 : handedOver + taken.count
    return taken
  }

  private func readLines(_ block: LineBlock, _ file: InputFile) throws -> Bool {
    var stream = try lines.take() ?? make(Input(source: .bytes([])))
    if !isInside {
      part.inputBytes = block.byteCount
      stream.begin(block)
    }
    isInside = !readOn(&stream, file)
    if !isInside { stream.end(block) }
    lines = consume stream
    return !isInside
  }

  /// Reads a block of children. Its results are one part, because they are discarded if the block is not valid.
  private func readChildren(_ block: LineBlock, _ head: DocumentHead, _ file: InputFile) throws {
    var stream = try children.take() ?? make(Input(source: .bytes([]), isDocument: true))
    let (end, count) = (block.offset + block.byteCount, block.byteCount)
    stream.begin(block)
    let isComplete = readOn(&stream, file, splitting: false)
    stream.end(block)
    if part.end != nil || !isComplete {
      let input = part.input
      part = Part()
      (part.input, part.mustBeReadAgain) = (input, true)
    } else {
      part.inputBytes = count
      part.children = (head, end, stream.documentLines, block.elementsBefore + block.elements)
      children = consume stream
    }
  }

  /// Reads a file, or continues in it. Returns whether its end was reached.
  private func readWhole(_ file: InputFile, _ open: () -> Input) -> Bool {
    do throws(JSONError) {
      var stream = if let stream = whole.take() { stream } else { try begin(open) }
      isDocument = stream.framing == .document
      if isDocument, let reason = job.needsRecords {
        part.rejection = "\(file.displayName): \(reason)"
        return true
      }
      let isLast = readOn(&stream, file)
      if !isLast { whole = consume stream }
      return isLast
    } catch {
      part.rejection = ErrorReport.text(error, file: file)
      return true
    }
  }

  private func begin(_ open: () -> Input) throws(JSONError) -> Stream {
    isBegun = false
    let input = open()
    var stream = try make(input)
    if let rest = input.rest { try stream.resume(rest) }
    return stream
  }

  // MARK: Sequential reading

  /// Reads a file to its end, or until the run has enough results.
  ///
  /// - Parameters:
  ///   - number: The index of the file.
  ///   - limit: The maximum number of results.
  /// - Returns: Whether the file is one document.
  func read(
    _ number: Int, limit: Int?, wantsReports: Bool, _ open: () -> Input, deliver: @escaping (Part) -> Delivery
  ) -> Bool {
    job.limit = limit
    self.wantsReports = wantsReports
    self.deliver = deliver
    defer { self.deliver = nil }
    handedOver = 0
    isDocument = false
    var isLast = false
    while !isLast {
      part.input = number
      isLast = readWhole(job.files[number], open)
      // The last part is delivered even if it is empty, because it contains the outcome of the paths.
      if handOver(isLast: isLast) { break }
    }
    whole = nil
    return isDocument
  }

  /// Delivers the current part: before the worker waits for input, at a bad record, and when the part is full. Returns
  /// whether reading ends there.
  private func handOver(isLast: Bool) -> Bool {
    guard let deliver else { return false }
    let number = part.input
    let delivery = deliver(takePart(isLast: isLast))
    part.input = number
    wantsReports = delivery.wantsReports
    return delivery.isDone
  }

  /// Delivers the current part before a read that may block.
  func handOverBeforeRead() {
    // A stream that aggregates in order still holds values of records that the part counts, so the part is not complete.
    if !Stream.gathersInOrder, !part.isEmpty { _ = handOver(isLast: false) }
  }

  // MARK: Reading

  private var isFull: Bool { handedOver + part.count >= job.limit ?? .max }

  /// Reads until a part is full. Returns whether the end was reached.
  ///
  /// - Parameter splits: Whether reading stops when a part is full.
  private func readOn(_ stream: inout Stream, _ file: InputFile, splitting splits: Bool = true) -> Bool {
    let (ruledOut, doubts) = (stream.ruledOutLines, stream.doubts)
    defer {
      part.doubts = stream.doubts.since(doubts)
      part.rulesOutLines = stream.rulesOutLines
      part.ruledOut = stream.ruledOutLines - ruledOut
      part.timeMisses.add(stream.takeTimeMisses())
    }
    while !isFull {
      if splits, part.isFull || stream.isFull {
        stream.gather(into: &part)
        return false
      }
      if job.isInterruptible, unsafe Interruption.wasRequested { break }
      do throws(JSONError) {
        guard try takeNext(&stream, file) else { break }
      } catch {
        part.count += stream.takeCounted()
        // Reading ends when there are enough results, regardless of the input after them.
        guard !isFull, take(error, in: &stream, file) else { break }
        if job.endsPartsAtBadRecords {
          stream.gather(into: &part)
          return false
        }
        guard deliver != nil else { continue }
        if Stream.gathersInOrder { stream.gather(into: &part) }
        if handOver(isLast: false) { break }
      }
    }
    stream.gather(into: &part)
    part.summaries = stream.summaries
    return true
  }

  // Forced inlining here and in `TextLine` saves 3 % of the instructions of `get` and `records` (callgrind, 20,000 lines).
  /// Encodes or counts the next result. Returns `false` at the end.
  @inline(__always)
  private func takeNext(_ stream: inout Stream, _ file: InputFile) throws(JSONError) -> Bool {
    // Each branch calls the stream before it writes: the stream may read, and the current part is delivered before a
    // read.
    if Stream.gathers {
      let hasMore = try stream.step()
      part.count += stream.takeCounted()
      return hasMore
    }
    let isWritten = !job.isCounting
    switch job.line?.sufficient {
    case .verbatimText: return try takeText(&stream, isWritten)
    case .text(let line):
      if takeMatches(&stream, line, isWritten) { return true }
      // A text may be lent before an error is thrown; it still counts.
      let hasMore = try unsafe stream.lendNext { path, text in
        if isWritten { unsafe line.append(text, ofPath: path, to: &part.bytes) }
        end(isWritten)
      }
      part.count += stream.takeCounted()
      return hasMore
    case .child where stream.framing == .document:
      let hasMore = try unsafe stream.lendNextChild { key, text in
        if isWritten { unsafe ResultLine.append(child: text, key, to: &part.bytes) }
      }
      if hasMore { end(isWritten) }
      // Values that follow the document are not lent.
      guard !hasMore, stream.framing != .document else { return hasMore }
    case .columns(let line):
      if takeRows(&stream, line, isWritten) || stream.completeRecord() { return true }
    case .cells:
      if takeCells(&stream, isWritten) || stream.completeRecord() { return true }
    case .child, .value, nil: break
    }
    let found = try stream.next()
    part.count += stream.takeCounted()
    guard let found else { return false }
    guard job.line != nil, !isFull else { return true }
    try job.line?.evaluateColumns(of: found)
    if isWritten {
      job.line?.append(found, file, to: &part.bytes)
      if let kinds = job.line?.row.kinds { part.kinds += kinds }
    }
    end(isWritten)
    return true
  }

  /// Encodes or counts the matches in memory. Returns `false` if there are none.
  private func takeMatches(_ stream: inout Stream, _ line: TextLine, _ isWritten: Bool) -> Bool {
    takeLent(isWritten) { lent in
      unsafe stream.lendMatches { path, text in
        if isWritten { unsafe line.append(text, ofPath: path, to: &lent.bytes) }
        return lent.end()
      }
    }
  }

  /// Encodes or counts the rows in memory. Returns `false` if there are none.
  private func takeRows(_ stream: inout Stream, _ line: RowLine, _ isWritten: Bool) -> Bool {
    takeLent(isWritten) { lent in
      var start = lent.bytes.count
      return unsafe stream.lendRows { column, text in
        if isWritten { unsafe line.append(text, ofColumn: column, to: &lent.bytes, from: start) }
      } endRow: {
        if isWritten { line.end(&lent.bytes, from: start) }
        start = lent.bytes.count
        return lent.end()
      }
    }
  }

  /// Encodes or counts the rows of fields in memory. Returns `false` if there are none.
  private func takeCells(_ stream: inout Stream, _ isWritten: Bool) -> Bool {
    guard let encoder = job.line?.rows, let reading = job.line?.reading, var row = job.line?.row else { return false }
    // A record that was read as a value may have left its fields.
    row.removeAll()
    return takeLent(isWritten) { lent in
      unsafe stream.lendRows { column, text in
        if isWritten { unsafe row.set(column, Cell(text, reading), ColumnTypes.Kind(ofText: text)) }
      } endRow: {
        if isWritten {
          encoder.append(row.cells, to: &lent.bytes)
          lent.kinds += row.kinds
          row.removeAll()
        }
        return lent.end()
      }
    }
  }

  /// Adds what a stream lends to the part.
  ///
  /// - Parameter lend: Returns the number of values that the stream has read; if it is 0, so that nothing was lent, the result
  ///   is `false`.
  @inline(__always)
  private func takeLent(_ isWritten: Bool, _ lend: (inout LentResults) -> Int) -> Bool {
    var lent = LentResults(&part, limit: (job.limit ?? .max) - handedOver, hasEnds: isWritten && job.limit != nil)
    let count = lend(&lent)
    lent.move(to: &part)
    return count > 0
  }

  /// Encodes or counts text that is lent in chunks. One document is one result, which ends with the last chunk.
  private func takeText(_ stream: inout Stream, _ isWritten: Bool) throws(JSONError) -> Bool {
    var pieces = 0
    let hasMore = try unsafe stream.lendNext { _, text in
      if isWritten {
        let start = part.bytes.count
        unsafe part.bytes.append(contentsOf: text)
        // A chunk consists of complete tokens.
        if unsafe SurrogatePolicy.replacesInOutput { part.bytes.replaceLoneSurrogates(from: start) }
      }
      pieces += 1
    }
    part.count += stream.takeCounted()
    guard stream.framing == .document else {
      for _ in 0..<pieces { end(isWritten) }
      return hasMore
    }
    if pieces > 0 { isBegun = true }
    if !hasMore, isBegun {
      isBegun = false
      end(isWritten)
    }
    return hasMore
  }

  /// Counts a result that was written.
  @inline(__always)
  private func end(_ isWritten: Bool) {
    part.count += 1
    if isWritten, job.limit != nil { part.ends.append(part.bytes.count) }
  }

  /// Adds an error to the part. Returns whether reading continues after it.
  private func take(_ error: JSONError, in stream: inout Stream, _ file: InputFile) -> Bool {
    let isReported =
      switch job.reports {
      case .first: job.isStopping || wantsReports && part.reports.count < BadRecords.shown
      case .all: true
      case .none: false
      }
    let bad = BadResult(
      error, in: &stream, file, keepsRecord: job.keepsRejects, isRow: job.inlinesRejects, isReported: isReported,
      namesProgram: job.namesProgram)
    guard bad.canContinue, !job.isStopping else {
      part.end = bad
      return false
    }
    if let record = bad.record { append(record, to: &stream, file) }
    if let report = bad.report { part.reports.append(report) }
    part.rejects += bad.rejectLine
    part.bad.append(Part.Bad(results: part.count, bytes: part.bytes.count, rejects: part.rejects.count))
    return true
  }

  /// Appends the row of a bad record.
  private func append(_ record: JSONBadRecord, to stream: inout Stream, _ file: InputFile) {
    let text = JSONRejectWriter.object(record)
    if Stream.gathers {
      unsafe text.withUnsafeBytes { unsafe stream.append(reject: $0) }
      part.count += stream.takeCounted()
    } else {
      job.line?.append(reject: text, of: record, file, to: &part)
      end(true)
    }
  }
}
